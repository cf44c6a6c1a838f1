"""Graphs as TensorFlow's protocol buffers, and graphs from them."""
