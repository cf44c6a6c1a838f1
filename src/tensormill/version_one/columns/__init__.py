"""Columns of features: the layers that are made of them, and their variables."""
