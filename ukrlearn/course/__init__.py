"""What the course needs besides the library: symbols, tables of users' data, and course files."""
