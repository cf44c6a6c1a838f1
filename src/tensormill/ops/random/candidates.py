"""Samples of classes: what losses over very many classes compare the true ones with.

TensorFlow's streams: a sampler takes words of Philox one after the other, as many as it needs.
"""

from __future__ import annotations

import csv
from abc import abstractmethod
from functools import lru_cache
from typing import Any

import numpy as numpy_module

from ...core import dtypes
from ...core.dtypes import BY_NUMPY_NUMBER as DTYPES
from ...core.files import gfile
from ...core.random_state import state
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..demands import refuse
from ..effects import World
from ..lowering import NotStatic
from ..op import Attr, In, Op, Out, as_results
from .keyed_candidates import ClassTables, Drawing, Kind, candidates, drawn_candidates
from .philox import WordStream
from .seeds import get_seed
from .uniform_and_normal import stream_advanced

Array = numpy_module.ndarray[Any, Any]
# Groups of words that TensorFlow sets aside for each candidate.
RESERVED_GROUPS = 512
# Weights that are part of compiled code.
MOST_LITERAL = 1 << 16


class CandidateSampler(Op, abstract=True):
    """Draws `num_sampled` classes below `range_max`; with `unique`, each once at most."""

    true_classes = In("i64 b t")
    sampled_candidates = Out("i64 n")
    true_expected_count = Out("f32 b t")
    sampled_expected_count = Out("f32 n")
    num_true = Attr(int)
    num_sampled = Attr(int)
    unique = Attr()
    seed = Attr(0)
    seed2 = Attr(0)
    effects = (World.DRAWS,)
    differentiable = False

    @abstractmethod
    def sampling(self) -> tuple[Kind, int, ClassTables]:
        """How classes are drawn, how many there are, and what that takes."""
        ...

    range_max: Any

    def classes(self) -> int:
        return self.range_max

    def demands(self, sizes: Any) -> None:
        for name in ("num_true", "num_sampled"):
            if getattr(self, name) < 1:
                refuse(InvalidArgumentError, TOO_FEW, name, getattr(self, name))
        shape = sizes.shape(self.true_classes, 2)
        fits = sizes.equal(shape[1], self.num_true)
        sizes.require(fits, InvalidArgumentError, WRONG_COLUMNS, self.num_true, shape)
        count, wanted = self.classes(), self.num_sampled
        some = not self.unique or count >= wanted
        sizes.require_late(some, InvalidArgumentError, TOO_SMALL, self.name, wanted, count)
        sizes.each(
            self.true_classes, lambda one: (one >= 0) & (one < count), InvalidArgumentError,
            NO_CLASS, self.name, count,
        )  # fmt: skip

    def infer(self) -> tuple[TensorSpec, ...]:
        shape = self.true_classes.spec.shape
        return (
            TensorSpec([self.num_sampled], dtypes.int64),
            TensorSpec(shape.merge_with([None, self.num_true]), dtypes.float32),
            TensorSpec([self.num_sampled], dtypes.float32),
        )

    def eager(self, np: Any) -> Any:
        # TensorFlow has a kernel, and it a stream, for all that an operation's attributes say.
        key = (self.name, self.seed, self.seed2, *self.attr_values().values())
        start = state.advance(key, self.num_sampled * RESERVED_GROUPS)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        return drawn_candidates(
            *self.sampling(), stream, start, self.true_classes, self.num_sampled, self.unique
        )

    def lower(self, loops: Any) -> Any:
        kind, limit, given = self.sampling()
        tables = ClassTables(*(loops.literal_array(one, DTYPES[one.dtype.num]) for one in given))
        start = stream_advanced(loops, self, self.num_sampled * RESERVED_GROUPS)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        drawing = Drawing(loops, kind, limit, tables, stream)
        return candidates(drawing, self.true_classes, self.num_sampled, start, self.unique)


TOO_FEW = "{} must be at least 1, not {}"
TOO_SMALL = "{}: Sampler's range is too small: {} different classes of {}"
NO_CLASS = "{}: the true class true_classes{at} = {it} is not in [0, {})"
WRONG_COLUMNS = "true_classes must be a matrix of num_true = {} columns, not of shape {}"


class UniformCandidateSampler(CandidateSampler):
    """Every class is as likely as the others."""

    range_max = Attr(int)

    def sampling(self) -> Any:
        return "uniform", self.range_max, ClassTables()


class LogUniformCandidateSampler(CandidateSampler):
    """Class k has the probability log((k + 2) / (k + 1)) / log(range_max + 1) (Zipf's law)."""

    range_max = Attr(int)

    def sampling(self) -> Any:
        return "log_uniform", self.range_max, ClassTables()


class AllCandidateSampler(CandidateSampler):
    """All classes below `num_sampled`."""

    def classes(self) -> int:
        return self.num_sampled

    def sampling(self) -> Any:
        return "all", self.num_sampled, ClassTables()


class FixedUnigramCandidateSampler(CandidateSampler):
    """Classes have the probabilities of weights, to the power of `distortion`."""

    range_max = Attr(int)
    vocab_file = Attr("")
    distortion = Attr(1.0)
    num_reserved_ids = Attr(0)
    num_shards = Attr(1)
    shard = Attr(0)
    unigrams = Attr(())
    _within = Attr(())  # directories of a loaded model (strings/files.py)

    def sampling(self) -> Any:
        tables = weighted_tables(tuple(self._weights()[self.shard :: self.num_shards]))
        if len(tables.shares) != self.range_max:
            raise InvalidArgumentError(
                f"{self.name}: range_max is {self.range_max}, but there are {len(tables.shares)} "
                "weights"
            )
        return "weighted", self.range_max, tables

    def lower(self, loops: Any) -> Any:
        """A file is read when it is run; wrong weights are refused then."""
        if self.vocab_file or not 0 < len(self.unigrams) <= MOST_LITERAL:
            raise NotStatic
        try:
            self.sampling()
        except InvalidArgumentError:
            raise NotStatic from None
        return super().lower(loops)

    def _weights(self) -> list[float]:
        if bool(self.vocab_file) == bool(len(self.unigrams)):
            raise InvalidArgumentError(
                f"{self.name} needs either a vocab_file or unigrams, and not both"
            )
        given = self.unigrams
        if self.vocab_file:
            path = gfile.confined(self.vocab_file, self._within, writes=False)
            with gfile.GFile(path) as file:
                given = [float(row[-1]) for row in csv.reader(file) if row]
        return [0.0] * self.num_reserved_ids + [float(w) ** self.distortion for w in given]


class LearnedUnigramSampler(CandidateSampler, abstract=True):
    """Classes are as likely as they were true ones so far, and once more. What was counted, only
    Python knows.
    """

    range_max = Attr(int)
    lower: Any = None

    def weights(self) -> Array:
        """How often each class was a true one, and 1."""
        key = (self.name, self.seed, self.seed2, *self.attr_values().values(), "weights")
        return state.remembered(key, lambda: numpy_module.ones(self.range_max, numpy_module.int64))

    def sampling(self) -> Any:
        return "counted", self.range_max, ClassTables(others=self.weights().cumsum())

    def eager(self, np: Any) -> Any:
        found = super().eager(np)
        np.add.at(self.weights(), self.true_classes, 1)
        return found


class LearnedUnigramCandidateSampler(LearnedUnigramSampler):
    """Counts are kept from one run to the next."""


class ThreadUnsafeUnigramCandidateSampler(LearnedUnigramSampler):
    """The same, which TensorFlow does without a lock."""


@lru_cache(maxsize=8)
def weighted_tables(weights: tuple[float, ...]) -> ClassTables:
    """Those of classes with weights."""
    narrow = numpy_module.array(weights, numpy_module.float32)
    buckets = alias_buckets(narrow)
    heights = numpy_module.array([chance for chance, _ in buckets], numpy_module.float64)
    others = numpy_module.array([other for _, other in buckets], numpy_module.int64)
    return ClassTables(heights, others, narrow / narrow.sum(dtype=numpy_module.float64))


def alias_buckets(weights: Array) -> list[tuple[float, int]]:
    """For each place the height below which it is meant itself, and the place that is meant above.

    Walker's method as Vose 1991 has it; the order is TensorFlow's, on which draws depend.
    """
    count = len(weights)
    total = float(weights.sum(dtype=numpy_module.float64))
    chances = [float(weight) * count / total for weight in weights]
    low = [k for k, chance in enumerate(chances) if chance < 1.0]
    high = [k for k, chance in enumerate(chances) if chance >= 1.0]
    others = list(range(count))
    while low and high:
        short, tall = low.pop(), high.pop()
        others[short] = tall
        chances[tall] -= 1.0 - chances[short]
        (low if chances[tall] < 1.0 else high).append(tall)
    for rest in (*low, *high):
        chances[rest] = 1.0
    return list(zip(chances, others, strict=True))


def _applied(op: type[Op], true_classes: Any, seed: Any, name: str | None, **attrs: Any) -> Any:
    first, second = get_seed(seed)
    classes = as_tensor(true_classes, dtypes.int64)
    return as_results(op)._make(bind(op, classes, seed=first, seed2=second, name=name, **attrs))


def uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int,
    seed: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Classes below `range_max`, each as likely as the others; with `unique`, each once at most.

    true_classes: int64 [batch, num_true]. The results are int64 [num_sampled] classes, and how
    often the true classes and the sampled ones are expected in such a sample: float32
    [batch, num_true] and [num_sampled].

    >>> found = tf.random.uniform_candidate_sampler([[0], [3]], 1, 4, unique=False, range_max=8)
    >>> found.true_expected_count.numpy()
    array([[0.5],
           [0.5]], dtype=float32)

    Raises:
        InvalidArgumentError: `true_classes` has not `num_true` columns, or a class that is not
            there; there are not as many different classes.
    """
    return _applied(
        UniformCandidateSampler, true_classes, seed, name, num_true=num_true,
        num_sampled=num_sampled, unique=unique, range_max=range_max,
    )  # fmt: skip


def log_uniform_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int,
    seed: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Classes below `range_max`, low ones more likely: words sorted by how frequent they are.

    Class k has the probability log((k + 2) / (k + 1)) / log(range_max + 1); all else is as with
    `tf.random.uniform_candidate_sampler`.

    >>> found = tf.random.log_uniform_candidate_sampler([[0, 9]], 2, 1, False, range_max=10)
    >>> found.true_expected_count.numpy().round(3)
    array([[0.289, 0.04 ]], dtype=float32)

    Raises:
        InvalidArgumentError: `true_classes` has not `num_true` columns, or a class that is not
            there; there are not as many different classes.
    """
    return _applied(
        LogUniformCandidateSampler, true_classes, seed, name, num_true=num_true,
        num_sampled=num_sampled, unique=unique, range_max=range_max,
    )  # fmt: skip


def fixed_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int,
    vocab_file: str = "", distortion: float = 1.0, num_reserved_ids: int = 0, num_shards: int = 1,
    shard: int = 0, unigrams: Any = (), seed: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Classes that are as likely as weights say: `unigrams`, or the last column of `vocab_file`.

    distortion: the power to which weights are taken. num_reserved_ids: how many classes before
    them are never sampled. num_shards, shard: of the weights only every `num_shards`-th counts,
    from `shard` on; classes are their numbers among themselves. All else is as with
    `tf.random.uniform_candidate_sampler`.

    >>> found = tf.random.fixed_unigram_candidate_sampler(
    ...     [[0, 1]], 2, 1, False, range_max=2, unigrams=[3.0, 1.0])
    >>> found.true_expected_count.numpy()
    array([[0.75, 0.25]], dtype=float32)

    Raises:
        InvalidArgumentError: there are not `range_max` weights, reserved ones included; both or
            neither of `vocab_file` and `unigrams` are given; there are not as many different
            classes; `true_classes` has not `num_true` columns.
    """
    return _applied(
        FixedUnigramCandidateSampler, true_classes, seed, name, num_true=num_true,
        num_sampled=num_sampled, unique=unique, range_max=range_max, vocab_file=vocab_file,
        distortion=distortion, num_reserved_ids=num_reserved_ids, num_shards=num_shards,
        shard=shard, unigrams=tuple(map(float, unigrams)),
    )  # fmt: skip


def learned_unigram_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, range_max: int,
    seed: int | None = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Classes below `range_max` that are as likely as they were among `true_classes` so far.

    Each begins as if it had been there once; what is counted is forgotten where
    `tf.random.set_seed` is called. All else is as with `tf.random.uniform_candidate_sampler`.

    >>> found = tf.random.learned_unigram_candidate_sampler([[0]], 1, 2, False, 4, seed=1)
    >>> again = tf.random.learned_unigram_candidate_sampler([[0]], 1, 2, False, 4, seed=1)
    >>> found.true_expected_count.numpy(), again.true_expected_count.numpy()
    (array([[0.5]], dtype=float32), array([[0.8]], dtype=float32))

    Raises:
        InvalidArgumentError: `true_classes` has not `num_true` columns, or a class that is not
            there; there are not as many different classes.
    """
    return _applied(
        LearnedUnigramCandidateSampler, true_classes, seed, name, num_true=num_true,
        num_sampled=num_sampled, unique=unique, range_max=range_max,
    )  # fmt: skip


def all_candidate_sampler(
    true_classes: Any, num_true: int, num_sampled: int, unique: bool, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """All classes below `num_sampled`, each expected once: to compare losses with the exact ones.

    true_classes: int64 [n, num_true]. The results are int64 [num_sampled], float32 [n, num_true]
    and float32 [num_sampled].

    >>> tf.random.all_candidate_sampler([[0]], 1, 3, unique=True).sampled_candidates.numpy()
    array([0, 1, 2])

    Raises:
        InvalidArgumentError: `true_classes` has not `num_true` columns.
    """
    return _applied(
        AllCandidateSampler, true_classes, seed, name, num_true=num_true,
        num_sampled=num_sampled, unique=unique,
    )  # fmt: skip
