# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.nn.rnn_cell`: with Keras 3 nothing is left of it, in TensorFlow 2.21 too."""
