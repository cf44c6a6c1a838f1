"""`tf.experimental.dtensor`: tensors that say how they are laid out over a mesh of devices.

The view is global: a tensor is its whole value and a `Layout`, and every program gives what one
device gives. Devices of a mesh are logical ones of the CPU that there is. Functions that XLA runs
are divided over them: a call says how its operands lie (`ops/dispatch/divisions.py`).
"""
