"""Queues that threads fill: what of them programs of TensorFlow 1 train on."""
