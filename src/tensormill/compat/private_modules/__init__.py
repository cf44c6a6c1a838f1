"""What TensorFlow's private modules do for libraries that call them."""
