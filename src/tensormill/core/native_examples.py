"""What readers of serialized examples find, and the native one, for folders that may not know who
compiles it.

A batch of examples is read once for all features that are wanted (`ExampleReader`); what was found
(`FoundExamples`) is then taken to where it belongs. `ops/records/wire_examples.py` is
the slow twin, in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final, Protocol

import numpy as np

from .process.named_tuples import NamedTuple

Array = np.ndarray[Any, Any]

# The numbers of fields in `Feature`.
BYTES, FLOATS, INTEGERS = 1, 2, 3

# What is said of a feature of an example instead of the number of its values.
MISSING: Final = -1  # no such feature, or an empty one
NO_LIST: Final = -2  # no list of any kind
DAMAGED: Final = -3  # a list that cannot be read
OTHER_KIND: Final = -10  # minus the number of the list that it is


class WantedFeatures(NamedTuple):
    """Which features are looked for: their keys, the kinds of their lists, and whether an empty one
    hides those of the same key before it.
    """

    keys: tuple[bytes, ...]
    kinds: tuple[int, ...]
    keeps_empty: tuple[bool, ...]


class FoundExamples(Protocol):
    """What is in some examples. `whole`: by example, whether it could be read; `counts`: by example
    and feature, how many values there are, or what is wrong.
    """

    whole: Array
    counts: Array

    def take(self, starts: Array, outs: Sequence[Array | None]) -> None:
        """Put the values of the features into `outs`, those of example e and feature f from
        `starts[e, f]` on; None: nowhere.
        """


ExampleReader = Callable[[Sequence[bytes], WantedFeatures], FoundExamples]

_load: Callable[[], ExampleReader | None] | None = None


def provided_by(load: Callable[[], ExampleReader | None]) -> None:
    """Let `load`, called once, give the reader; the package does, which knows all folders."""
    global _load
    _load = load
    native_reader.cache_clear()


@cache
def native_reader() -> ExampleReader | None:
    """The one in machine code; None where the system lets none be made."""
    return None if _load is None else _load()
