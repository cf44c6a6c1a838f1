"""Datasets as TensorFlow's GraphDefs have them: an operation for each transformation."""
