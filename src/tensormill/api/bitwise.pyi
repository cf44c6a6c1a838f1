# Written by `make stubs` from the table beside it.

"""`tf.bitwise`: the bits of integers."""

from typing import Any as _Any

__all__ = ['bitwise_and', 'bitwise_or', 'bitwise_xor', 'invert', 'left_shift', 'right_shift']

def bitwise_and(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The bits that both have."""

def bitwise_or(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The bits that at least one has."""

def bitwise_xor(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The bits that exactly one has."""

def invert(x: _Any, name: _Any = None) -> _Any:
    """Every bit turned over."""

def left_shift(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The bits of x moved up by y."""

def right_shift(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The bits of x moved down by y; the sign is kept."""
