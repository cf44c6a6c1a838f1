"""`tf.test`: test cases that compare tensors, and gradients found by differences."""
