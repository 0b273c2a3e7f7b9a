"""Each paper's method as a whole on one page: plain NumPy from the data to a printed figure.

The pages import nothing from each other or from the rest of the package, and each runs by itself:
``python ukrlearn/explicit/whole/ukr.py``. Functions have the names and arguments of the exercises.
"""
