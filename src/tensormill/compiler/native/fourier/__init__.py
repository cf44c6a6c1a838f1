"""Fourier transforms: NumPy's loops (functions.py), and vectors where there are many numbers."""
