"""`tf.data.experimental.service`: datasets whose elements other processes compute."""
