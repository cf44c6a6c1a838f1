"""`tf.random_index_shuffle`: where an index goes in a permutation that nobody writes down.

The permutation is the block cipher Simon with a key of three words (Beaulieu and others, "The SIMON
and SPECK Families of Lightweight Block Ciphers", 2013), of as many bits as the largest index has,
16 at least. What is too large is encrypted again until it is not: cycle walking (Black and Rogaway,
"Ciphers with Arbitrary Finite Domains", 2002).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from ...core.shapes import TensorShape
from ...core.specs import TensorSpec
from ...core.values import TensorLike
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.padding import pad
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..op import Attr, In, Op, Out, types

LEAST_BITS: Final = 16
KEY_WORDS: Final = 3
# With fewer rounds, or an odd number, TensorFlow reads beyond the words of its key.
LEAST_ROUNDS: Final = 4
# The sequence z2 of the paper in the order in which rounds take it.
ROUND_BITS: Final = 0x7369F885192C0EF5
# What TensorFlow puts before a seed of two words.
FIRST_WORD: Final = 498247692

Words = np.ndarray[Any, np.dtype[np.uint64]]


class RandomIndexShuffle(Op):
    """The places of indices in permutations of 0 … max_index, one for each seed."""

    index = In("dtype ...")
    seed = In("Tseed ...")
    max_index = In("dtype ...")
    output = Out("dtype ...")
    dtype = Tseed = types("i32 u32 i64 u64")
    rounds = Attr(4)
    differentiable = False

    def infer(self) -> TensorSpec:
        index, seed, most = (
            TensorShape(one.shape) for one in (self.index, self.seed, self.max_index)
        )
        counts = (index, most, seed[:-1] if seed.rank else TensorShape(None))
        return TensorSpec(_widest(counts), self.index.dtype)

    def eager(self, np: Any) -> Any:
        if self.rounds < LEAST_ROUNDS or self.rounds % 2:
            raise InvalidArgumentError(
                f"rounds must be even and at least {LEAST_ROUNDS}, not {self.rounds}"
            )
        shape = _checked_shape(self.index, self.seed, self.max_index)
        indices = np.broadcast_to(self.index, shape).ravel()
        most = np.broadcast_to(self.max_index, shape).ravel()
        _require_within(indices, most)
        found = np.empty(indices.shape, np.uint64)
        keys = np.broadcast_to(self.seed, (*shape, KEY_WORDS)).reshape(-1, KEY_WORDS)
        for rows, key, last in _alike(keys, most):
            found[rows] = Permutation(key, last, self.rounds)(indices[rows].astype(np.uint64))
        return found.astype(self.index.dtype).reshape(shape)


def _widest(shapes: Any) -> TensorShape:
    """The batch of operands that are scalars or vectors of one size."""
    if any(one.rank is None for one in shapes):
        return TensorShape(None)
    sizes = [one[0] for one in shapes if one.rank]
    return TensorShape([next((one for one in sizes if one is not None), None)] if sizes else [])


def _checked_shape(index: Any, seed: Any, most: Any) -> tuple[int, ...]:
    """The shape of the result.

    Raises:
        InvalidArgumentError: the operands' shapes are others, or do not fit each other.
    """
    for name, shape in (("index", index.shape), ("max_index", most.shape)):
        if len(shape) > 1:
            raise InvalidArgumentError(f"{name} must be a scalar or a vector, not {list(shape)}")
    _require_seeds(TensorShape(seed.shape))
    counts = {one for one in (index.shape, most.shape, seed.shape[:-1]) if one}
    if len(counts) > 1:
        raise InvalidArgumentError(
            f"index, seed and max_index are for {sorted(one[0] for one in counts)} results: "
            "those that are not for one must be for as many"
        )
    return counts.pop() if counts else ()


def _require_seeds(shape: TensorShape) -> None:
    """Refuse what is known not to be a seed, or several."""
    if shape.rank is None:
        return
    if shape.rank not in (1, 2) or shape[-1] not in (None, KEY_WORDS):
        raise ShapeMismatchError(f"seed must have the shape [3] or [n, 3], not {shape}")


def _require_within(indices: Any, most: Any) -> None:
    for index, last in zip(indices.tolist(), most.tolist(), strict=True):
        if not 0 <= index <= last:
            raise InvalidArgumentError(f"index = {index} is not in [0, max_index = {last}]")


def _alike(keys: Any, most: Any) -> Iterator[tuple[Any, tuple[int, ...], int]]:
    """The rows that one permutation is for, its key and its last index."""
    rows: dict[Any, list[int]] = {}
    for row, (key, last) in enumerate(zip(keys.tolist(), most.tolist(), strict=True)):
        rows.setdefault((*key, last), []).append(row)
    for (*words, last), places in rows.items():
        yield places, tuple(words), last


class Permutation:
    """The permutation of 0 … last by a key."""

    def __init__(self, key: tuple[int, ...], last: int, rounds: int) -> None:
        bits = max(LEAST_BITS, math.ceil(np.log2(float(max(last, 1)))))
        self.half: Final = (bits + 1) // 2
        self.mask: Final = (1 << self.half) - 1
        self.last: Final = last
        self.round_keys: Final = self._round_keys(key, rounds)

    def __call__(self, indices: Words) -> Words:
        if self.half == LEAST_BITS // 2 and len(indices):
            return self._walk_along_table(indices)
        found = self._encrypted(indices)
        while (wide := found > self.last).any():
            found[wide] = self._encrypted(found[wide])
        return found

    def _walk_along_table(self, indices: Words) -> Words:
        # Few indices take many steps each: as many as a block of 16 bits has numbers for one index.
        table = self._encrypted(np.arange(1 << LEAST_BITS, dtype=np.uint64)).tolist()
        found: list[int] = []
        for index in indices.tolist():
            place = table[index] if index < len(table) else int(self._encrypted(np.uint64(index)))
            while place > self.last:
                place = table[place]
            found.append(place)
        return np.array(found, np.uint64)

    def _round_keys(self, key: tuple[int, ...], rounds: int) -> list[int]:
        keys, bits = [word & 0xFFFFFFFF & self.mask for word in key], ROUND_BITS & self.mask
        for number in range(rounds - KEY_WORDS):
            before = self._turned(keys[-1], self.half - 3)
            before ^= self._turned(before, self.half - 1)
            keys.append(keys[-KEY_WORDS] ^ before ^ self.mask ^ 3 ^ (bits >> number & 1))
        return keys

    def _turned(self, word: Any, by: int) -> Any:
        """A half block, of which the highest bits become the lowest."""
        by %= self.half
        return (word << by | word >> (self.half - by)) & self.mask

    def _encrypted(self, block: Any) -> Any:
        # The half that the paper has at the right is the higher one here.
        right, left = block >> self.half & self.mask, block & self.mask
        for key in self.round_keys:
            mixed = self._turned(left, 1) & self._turned(left, 8)
            left, right = right ^ mixed ^ self._turned(left, 2) ^ key, left
        return right << self.half | left


@dispatchable
def random_index_shuffle(
    index: Any, seed: Any, max_index: Any, rounds: int = 4, name: str | None = None
) -> Any:
    """The place of `index` in a permutation of 0 … max_index, which `seed` determines.

    index, max_index: integers of 32 or 64 bits, of one dtype: scalars, or vectors of one size.
    seed: three integers, or [n, 3]; their lowest 32 bits count. rounds: even, at least 4; more
    mix better. The result has the dtype of `index`: a scalar, or a vector where any operand is for
    several. (Simon, a block cipher, with cycle walking.)

    >>> tf.random_index_shuffle(tf.range(5), seed=[1, 2, 3], max_index=4).numpy()
    array([2, 0, 3, 4, 1], dtype=int32)

    Raises:
        InvalidArgumentError: an index is not in [0, max_index], shapes do not fit each other, or
            `rounds` is odd or below 4.
    """
    places, last = _of_one_dtype(index, max_index)
    words = as_tensor(seed)
    _require_seeds(words.shape)
    return bind(RandomIndexShuffle, places, words, last, rounds=rounds, name=name)


@dispatchable
def index_shuffle(index: Any, seed: Any, max_index: Any) -> Any:
    """The place of `index` in a permutation of 0 … max_index, which `seed` determines.

    index, max_index: integers of 32 or 64 bits, of one dtype: scalars, or vectors of one size.
    seed: two integers, or [n, 2]. The result is as that of `tf.random_index_shuffle`.

    >>> places = tf.random.experimental.index_shuffle(tf.range(4), seed=[5, 9], max_index=3)
    >>> tf.gather(["a", "b", "c", "d"], places).numpy()
    array([b'c', b'a', b'b', b'd'], dtype=object)

    Raises:
        InvalidArgumentError: an index is not in [0, max_index], or shapes do not fit each other.
    """
    words = as_tensor(seed)
    before = [[0, 0]] * ((words.shape.rank or 1) - 1) + [[1, 0]]
    padded = pad(words, before, constant_values=as_tensor(FIRST_WORD, words.dtype))
    return random_index_shuffle(index, padded, max_index)


def _of_one_dtype(index: Any, max_index: Any) -> tuple[Any, Any]:
    """Both as tensors; what is no tensor yet takes the dtype of the other."""
    if isinstance(max_index, TensorLike) and not isinstance(index, TensorLike):
        last = as_tensor(max_index)
        return as_tensor(index, last.dtype), last
    places = as_tensor(index)
    return places, as_tensor(max_index, places.dtype)
