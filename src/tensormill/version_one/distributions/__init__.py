"""`tf.compat.v1.distributions`: what TensorFlow Probability began as."""
