"""The papers' matrix form as code: one statement for each numbered equation, arrays and NumPy.

The code is a middle step between the loops of `ukrlearn.explicit`, which students read first, and
the library, which arranges the same algebra for speed. The functions have the names of the
library's functions. Points are rows, as everywhere in this package. In the papers they are columns,
so each matrix here is the transpose of the paper's: (AB)ᵀ = BᵀAᵀ, and sums over columns become sums
over rows.

Each matrix is formed as a whole, which is easy to read but takes memory for N x N numbers.
"""

from ukrlearn.explicit.matrices import drur, sgd, ukr

__all__ = ["drur", "sgd", "ukr"]
