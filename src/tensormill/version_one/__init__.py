"""TensorFlow 1's way to train: sessions, variable scopes, optimizers, savers (`tf.compat.v1`)."""
