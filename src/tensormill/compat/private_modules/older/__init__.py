"""What programs of TensorFlow 1 and their tests take from private modules."""
