"""Kernels of eager execution, which are found by dtypes and ranks."""
