"""The process's random state: the global seed, and everything that counts from it."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Any, Final

import numpy as np

from .process.live_objects import LiveObjects
from .process.locks import AwaitedLock
from .process.with_blocks import setting

LARGEST_SEED: Final = 2**31 - 1


class RandomState:
    """What `tf.random.set_seed` sets.

    Eager operations draw their own seeds from `draws`; `eager` says how far the stream of each
    pair of seeds has been used. Compiled functions keep their counters in arrays of their own, and
    steps of theirs that run in Python in `Streams` of their own; all of them are registered here
    so that a new seed starts them again.
    """

    def __init__(self) -> None:
        self.lock: Final = AwaitedLock(is_short=True)
        self.compiled: LiveObjects[CompiledCounters] = LiveObjects()
        self.called_back: LiveObjects[Streams] = LiveObjects()
        self.seed: int | None = None
        self.draws = random.Random()
        self.eager: dict[Any, int] = {}

    def set_seed(self, seed: int | None) -> None:
        with self.lock():
            self.seed = seed
            self.draws = random.Random(seed)
            self.eager.clear()
            for streams in self.called_back:
                streams.counters.clear()
            for counters in self.compiled:
                counters.restart()

    def operation_seed(self) -> int:
        """The seed of the next eager operation that was given none."""
        with self.lock():
            return self.draws.randint(0, LARGEST_SEED)

    def advance(self, key: Any, count: int) -> int:
        """How far the stream called `key` was used before; it is used by `count` more now."""
        streams = _entered.get()
        with self.lock():
            counters = self.eager if streams is None else streams.counters
            before = counters.get(key)
            if before is None:
                before = 0 if key[1:3] != (0, 0) else random.SystemRandom().getrandbits(48)
            counters[key] = before + count
            return before

    def remembered(self, key: Any, make: Callable[[], Any]) -> Any:
        """What the operation called `key` keeps from one run to the next, until the seed is set."""
        streams = _entered.get()
        with self.lock():
            kept: dict[Any, Any] = self.eager if streams is None else streams.counters
            if key not in kept:
                kept[key] = make()
            return kept[key]


class Streams:
    """The streams of one operation of a compiled function that runs in Python."""

    __slots__ = ("__weakref__", "counters")

    def __init__(self) -> None:
        self.counters: Final[dict[Any, int]] = {}
        state.called_back.add(self)


_entered: ContextVar[Streams | None] = ContextVar("tensormill streams", default=None)


def drawing_from(streams: Streams) -> AbstractContextManager[None]:
    """Let random operations continue these streams instead of those of eager execution."""
    return setting(_entered, streams)


class CompiledCounters:
    """The counters of one compiled function; those without seeds start anywhere."""

    __slots__ = ("__weakref__", "seeded", "words")

    def __init__(self, seeded: tuple[bool, ...]) -> None:
        self.seeded: Final = seeded
        self.words: Final = np.zeros(len(seeded), np.int64)
        self.restart()
        if seeded:
            state.compiled.add(self)

    def restart(self) -> None:
        for number, seeded in enumerate(self.seeded):
            self.words[number] = 0 if seeded else random.SystemRandom().getrandbits(48)


state: Final = RandomState()


def set_seed(seed: int | None) -> None:
    """Set the global seed: every stream of random numbers begins again. None: there is none.

    seed: an int, or what `int` makes one of.

    >>> tf.random.set_seed(1)
    >>> first = tf.random.uniform([3])
    >>> tf.random.set_seed(1)
    >>> bool(tf.reduce_all(tf.random.uniform([3]) == first))
    True

    Raises:
        TypeError, ValueError: `seed` is no integer.
    """
    state.set_seed(None if seed is None else int(seed))
