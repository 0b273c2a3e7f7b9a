"""The papers' matrix form as code: one statement for each numbered equation, arrays and NumPy.

It stands between the loops of `ukrlearn.explicit`, which a student reads first, and the library,
which arranges the same algebra for speed. The functions have the names of the library's functions.
Points stand in rows, as everywhere in this package. The papers put them in columns, so each matrix
here is the transpose of the paper's: (AB)ᵀ = BᵀAᵀ, and sums over columns become sums over rows.

The matrices are made whole. That is easy to read, and it takes N x N numbers for each of them.
"""

from ukrlearn.explicit.matrices import drur, sgd, ukr

__all__ = ["drur", "sgd", "ukr"]
