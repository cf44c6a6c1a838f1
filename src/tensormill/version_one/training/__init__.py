"""`tf.compat.v1.train`: optimizers, learning rates that decay, savers."""
