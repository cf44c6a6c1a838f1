"""Fourier transforms: NumPy's loops (functions.py), and vectors of columns where there are many."""
