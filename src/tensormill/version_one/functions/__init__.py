"""Functions whose arguments were others in TensorFlow 1 than they are now."""
