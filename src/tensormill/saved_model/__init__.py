"""`tf.saved_model`: programs in TensorFlow's files, and back."""
