"""`tf.experimental.numpy`: NumPy's functions on tensors, with its names and its promotion."""
