"""Datasets in files, in TensorFlow's format: `Dataset.save`, `load` and `snapshot`."""
