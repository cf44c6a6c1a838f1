"""Graphs that are built by hand, as in TensorFlow 1: their placeholders, variables, collections."""
