# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.app`: running a program whose flags are on the command line."""

from . import compat_v1_flags as flags
from ..version_one.programs import run as run

__all__ = ['flags', 'run']
