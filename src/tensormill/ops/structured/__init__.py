"""Tensors whose elements have fields."""
