"""`tensor[key]` without detours, and iteration; `ops/slicing.py` has the rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ..core.context import current
from ..ops.slicing import getitem
from .tensor import EagerTensor, canonical, wrap

get_context: Final = current.get
PLAIN: Final = frozenset((int, slice, type(...), type(None)))


def get_item(tensor: Any, key: Any) -> Any:
    """The part of `tensor` that `key` names, as NumPy's basic indexing has it.

    `key` holds ints, slices, `...`, None and scalar integer tensors, or is one boolean mask.

    Raises:
        TypeError: anything else is in the key.
        InvalidArgumentError: an index is out of range, or there are too many.
    """
    here = get_context(None)
    if (here is None or here.plain) and type(tensor) is EagerTensor and is_plain(key):
        part = quick_part(tensor, key)
        if part is not None:
            return part
    return getitem(tensor, key)


def quick_part(tensor: EagerTensor, key: Any) -> EagerTensor | None:
    """NumPy's answer, or None where it has none: the rules say it better."""
    array = tensor._array
    try:
        part = array[key]
    except (IndexError, ValueError):
        return None
    if type(part) is not np.ndarray:
        part = np.asarray(part, array.dtype)
    return wrap(canonical(part))


def is_plain(key: Any) -> bool:
    """Whether nothing in `key` needs a look: Python's own ints, slices, `...` and None."""
    if type(key) is tuple:
        return all(map(is_plain_entry, key))
    return is_plain_entry(key)


def is_plain_entry(entry: Any) -> bool:
    if type(entry) is slice:
        return all(type(x) in (int, type(None)) for x in (entry.start, entry.stop, entry.step))
    return type(entry) in PLAIN


def rows(tensor: Any) -> Iterator[Any]:
    """The slices of an eager tensor along axis 0.

    Raises:
        TypeError: it is a scalar.
    """
    if tensor.shape.rank == 0:
        raise TypeError("Cannot iterate over a scalar tensor.")
    return (get_item(tensor, index) for index in range(len(tensor)))
