"""`tf.compat.v1.metrics`: values of all that a graph has seen, in local variables."""
