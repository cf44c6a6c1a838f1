"""What layers of neural networks consist of."""
