"""`tf.compat.v1.profiler`: how many parameters a graph has, and what its operations calculate."""
