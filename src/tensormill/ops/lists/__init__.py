"""Lists of tensors: what a TensorArray is in a graph."""
