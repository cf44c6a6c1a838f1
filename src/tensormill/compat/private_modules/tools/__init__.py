"""What scripts take from TensorFlow's private modules beside its names: small programs."""
