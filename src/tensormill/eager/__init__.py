"""Tensors with values, variables, and operations that run at once."""
