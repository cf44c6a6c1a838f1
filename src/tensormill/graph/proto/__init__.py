"""Graphs and TensorFlow's protocol buffers: the only folder that knows both."""
