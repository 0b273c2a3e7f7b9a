"""What more than one paper uses: kernels, regression, descents, starts and networks."""
