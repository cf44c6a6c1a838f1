# Written by `make stubs` from the table beside it.

"""`tf.train.experimental`: Python objects in checkpoints."""

from ..checkpoint.python_state import PythonState as PythonState

__all__ = ['PythonState']
