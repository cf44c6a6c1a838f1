"""`tf.linalg.LinearOperator` and its kinds: matrices that are known by what they do."""
