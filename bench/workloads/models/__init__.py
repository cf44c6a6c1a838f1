"""Keras models that learn from one batch after another."""
