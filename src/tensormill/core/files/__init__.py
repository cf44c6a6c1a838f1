"""The local file system: `tf.io.gfile`, and files that are there as a whole or not at all."""
