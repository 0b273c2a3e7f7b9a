"""Answers to the exercises: honest rewrites, and wrong ones as learners write them.

One module for each exercise, with RIGHT, a list of functions, and WRONG, a list of (the diagnosis
that must come first, function).
"""
