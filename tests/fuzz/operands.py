"""Operands that may not fit: sizes, ranks and numbers of every operation's samples, changed.

An operation, or a function of several, is traced without being told all of its operands' shapes;
eager execution is told everything. Both give the same, or both raise.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from random import Random
from typing import Any

import numpy as np

import tensormill as tf
from tensormill.ops.origins import Origin
from tests.ops import rules
from tests.ops.calls import candidate_calls
from tests.ops.calls.tables import ALL_CALLS, TOPIC_WITH, TOPICS, parts

NUMBERS = (-1, -2, 0, 1, 2, 3, 4, 5, 7, 100, -100, 1000)
FAR = (2**62, -(2**63), 2**63 - 1, 2**40)
# Between far numbers there are more than memory holds, or take minutes to fill, where operands tell
# how many (tests/ops/test_impossible_sizes.py asks for such sizes).
COUNTED = ("Range", "range", "Fill", "hann_window", "hamming_window", "kaiser_", "vorbis_window")
SIZES = (0, 0, 1, 1, 2, 3, 5)
# What a trace knows of its operands: their ranks, their dtypes, or for each axis this or that.
KNOWLEDGE = ("ranks", "dtypes", "some sizes")
NO_MEMORY = tf.errors.ResourceExhaustedError  # which of two ways needs more is no mistake
REFUSALS = (tf.errors.OpError, ValueError, TypeError, NotImplementedError)

# What nobody promises, or what is not worth it; each with its reason.
LEFT_OUT = {
    "PrintV2-0": "prints what it gets",
    "gradient of betainc": "needs no betainc, so compiled functions never run it, as TensorFlow's",
    "gradient of qr": "is as good as any where columns depend on each other",
    "gradient of qr of wide matrices": "as that",
    "gradient of qr of complex numbers": "as that",
    "gradient of svd": "is as good as any where singular values are equal or zero",
    "gradient of svd of wide matrices": "as that",
    "gradient of svd of complex numbers": "as that",
    "queues by raw operations": "waits for ever for room in a full queue, or for an element",
    "shape_n": "asks for the shape of a slice: compiled functions never take the slice",
    "Unpack-4": "makes nothing, so compiled functions never run it",
    "sparse: bincount, sparse and weights": "makes sparse tensors of the wrong size for weights",
}
# Without any row, what a row of unknown rank would have been is not known.
LEFT_OUT |= dict.fromkeys(
    ("ragged: map_fn of rows, more axes", "ragged: map_fn of no rows"), "may have no rows"
)
LEFT_OUT |= dict.fromkeys(
    [name for name in candidate_calls.DRAWN if ", seed None" in name],
    "has a seed that a graph makes another one of, as in TensorFlow",
)
LEFT_OUT |= dict.fromkeys(
    [f"sparse: {what} of values" for what in ("edit_distance", "sets", "datasets", "merge")],
    "is given what a session returned: NumPy's arrays, which are never traced",
)
# No program and no file can name these: what they are given fits, as compiled code makes it.
LEFT_OUT |= {
    f"{name}-{number}": "only compiled code has it"
    for name, number in rules.CASES
    if rules.REGISTRY[name].origin is Origin.COMPILER
}
# Rows that the first operand has to bring in order: any other result is as good.
SORTED = ("LowerBound", "UpperBound")
# What compiled code refuses, in these words, and eager execution takes.
ON_PURPOSE = (
    "the operands turned out not to broadcast",  # `==` is one False, of a rank of its own
    "node Equal ",
    "node StringSplitV2",  # of unknown rank are vectors, as in TensorFlow
    "node BatchOfSequenceExamples",  # of unknown rank: of one there are other results
    "-dimensional: [None",  # images with more batch axes, of unknown rank
)
# What eager execution refuses, in these words, and compiled code takes, as TensorFlow's graphs do:
# shapes that the trace does not know broadcast.
REFUSED_WHERE_KNOWN = ("`logits` and `labels` must have the same shape",)


@dataclass(frozen=True)
class Case:
    """What is applied, and operands that fit."""

    name: str
    run: Callable[..., Any]
    operands: tuple[Any, ...]


@cache
def cases() -> list[Case]:
    """Every sample of every operation, and every call of the tables of calls."""
    samples = [sample_case(name, number) for name, number in rules.CASES]
    listed = ALL_CALLS | candidate_calls.DRAWN_ONCE
    calls = [call_case(name, call) for name, call in listed.items()]
    return kept([*samples, *calls])


@cache
def composite_cases() -> list[Case]:
    """Every call of functions of sparse and ragged tensors."""
    calls = TOPICS["sparse"].calls | TOPICS["ragged"].calls
    return kept([call_case(name, call) for name, call in calls.items()])


def kept(cases: Sequence[Case]) -> list[Case]:
    """Those with operands; calls of gradients that there are not never trace."""
    found = [case for case in cases if case.operands and case.name not in LEFT_OUT]
    return [case for case in found if not case.name.startswith("no gradient of")]


def sample_case(name: str, number: int) -> Case:
    sample = rules.SAMPLES[name][number]
    free = [one for k, one in enumerate(sample.operands) if k not in sample.fixed]
    arrays = tuple(np.asarray(one) for one in rules.flat(free))
    return Case(f"{name}-{number}", partial(apply_sample, name, number), arrays)


def apply_sample(name: str, number: int, *flat: Any) -> list[Any]:
    sample, rest = rules.SAMPLES[name][number], iter(flat)
    given = [
        one
        if place in sample.fixed
        else tuple(next(rest) for _ in one)
        if isinstance(one, tuple)
        else next(rest)
        for place, one in enumerate(sample.operands)
    ]
    return list(rules.applied(rules.REGISTRY[name], given, sample))


def refuses_anyway(name: str) -> bool:
    """Whether TensorFlow refuses this call, whatever it knows of shapes."""
    topic = TOPIC_WITH.get(name)
    return topic is not None and "raises" in rules.recorded(topic.answers)[name]


def call_case(name: str, call: tuple[Any, Any]) -> Case:
    function, arrays = call
    return Case(
        name,
        lambda *operands: parts(tf, function(tf, *operands)),
        tuple(rules.array_of(tf.constant(one)) for one in arrays),
    )


# ------------------------------------------------------------------ what a trace is told


def specs_for(operands: Sequence[Any], knowledge: str, random: Random) -> list[tf.TensorSpec]:
    specs: list[tf.TensorSpec] = []
    for one in operands:
        shape: Any = [None] * one.ndim
        if knowledge == "dtypes" or (knowledge == "some sizes" and random.random() < 0.25):
            shape = None
        elif knowledge == "some sizes":
            shape = [random.choice([None, size]) for size in one.shape]
        specs.append(tf.TensorSpec(shape, tf.constant(one).dtype))
    return specs


def traced(case: Case, knowledge: str, random: Random) -> Any:
    """The function and its specs.

    Raises:
        ValueError, TypeError, OpError: it has to know more.
    """
    specs = specs_for(case.operands, knowledge, random)
    function = tf.function(case.run, specs, autograph=False)
    function.get_concrete_function()
    return function, specs


# ------------------------------------------------------------------ other operands


def changed(case: Case, random: Random) -> list[Any]:
    """Operands with other sizes, ranks or numbers."""
    arrays = list(case.operands)
    if random.random() < 0.4:
        resize_together(arrays, random)
    for _ in range(random.choice((0, 1, 1, 2))):
        place = random.randrange(len(arrays))
        arrays[place] = changed_one(case, arrays, place, random)
    if case.name.startswith(SORTED) and arrays[0].ndim:
        arrays[0] = np.sort(arrays[0])
    return arrays


def resize_together(arrays: list[Any], random: Random) -> None:
    """Every axis of some size gets another: what fitted together mostly still does."""
    sizes = sorted({size for one in arrays for size in one.shape})
    if not sizes:
        return
    before, after = random.choice(sizes), random.choice(SIZES)
    for place, one in enumerate(arrays):
        for axis, size in enumerate(one.shape):
            if size == before:
                arrays[place] = resized(arrays[place], axis, after)


def changed_one(case: Case, arrays: list[Any], place: int, random: Random) -> Any:
    array = arrays[place]
    if array.dtype.kind in "iu" and array.size and random.random() < 0.4:
        return renumbered(array, () if case.name.startswith(COUNTED) else FAR, random)
    if random.random() < 0.2:
        return reranked(array, random)
    if not array.ndim:
        return array
    axis = random.randrange(array.ndim)
    others = [size for one in arrays for size in one.shape]
    near = [array.shape[axis] - 1, array.shape[axis] + 1]
    return resized(array, axis, max(0, random.choice([*SIZES, *near, *others])))


def renumbered(array: Any, far: Sequence[int], random: Random) -> Any:
    """With another number in one place: an index, a size, an axis."""
    array, limits = array.copy(), np.iinfo(array.dtype)
    number = random.choice((*NUMBERS, *far))
    array.flat[random.randrange(array.size)] = min(max(number, int(limits.min)), int(limits.max))
    return array


def reranked(array: Any, random: Random) -> Any:
    """Without an axis, or with one more."""
    if array.ndim and random.random() < 0.6:
        axis = random.randrange(array.ndim)
        return resized(array, axis, 1).squeeze(axis)
    axis = random.randint(0, array.ndim)
    return resized(np.expand_dims(array, axis), axis, random.choice((0, 1, 1, 2)))


def resized(array: Any, axis: int, size: int) -> Any:
    """The elements along `axis`, round and round, as often as it takes."""
    if not array.shape[axis]:
        shape = (*array.shape[:axis], size, *array.shape[axis + 1 :])
        return np.full(shape, b"" if array.dtype.kind == "O" else 0, array.dtype)
    return np.take(array, np.arange(size) % array.shape[axis], axis)


# ------------------------------------------------------------------ what comes of them


def outcome(run: Callable[..., Any], operands: Sequence[Any]) -> Any:
    """Arrays, or the error."""
    with np.errstate(all="ignore"):
        try:
            return [rules.array_of(one) for one in run(*map(tf.constant, operands))]
        except Exception as error:
            return error


def difference(expected: Any, found: Any) -> str:
    """How two outcomes differ; nothing where they agree."""
    if isinstance(expected, Exception) or isinstance(found, Exception):
        if isinstance(expected, (*REFUSALS, AttributeError)) and isinstance(found, REFUSALS):
            return ""
        if isinstance(expected, AttributeError) and isinstance(found, AttributeError):
            return ""  # the call's own, which takes rows for a tensor
        if isinstance(expected, NO_MEMORY) or isinstance(found, NO_MEMORY):
            return ""
        was_refused = isinstance(expected, ValueError) and not isinstance(found, Exception)
        if was_refused and str(expected).startswith(REFUSED_WHERE_KNOWN):
            return ""
        return (
            ""
            if any(words in str(found) for words in ON_PURPOSE)
            else f"{shown(found)} and not {shown(expected)}"
        )
    if len(expected) != len(found):
        return f"{len(found)} results and not {len(expected)}"
    for x, y in zip(expected, found, strict=True):
        if x.shape != y.shape or x.dtype != y.dtype:
            return f"{y.dtype}{list(y.shape)} and not {x.dtype}{list(x.shape)}"
        if not agree(x, y):
            return f"{y} and not {x}"
    return ""


def shown(result: Any) -> str:
    if isinstance(result, Exception):
        return f"{type(result).__name__}: {' '.join(str(result).split())[:200]}"
    return " ".join(f"{one.dtype}{list(one.shape)}" for one in result)


def agree(x: Any, y: Any) -> bool:
    if x.dtype.kind in "fc" or x.dtype.name == "bfloat16":
        near = 2e-2 if x.dtype.itemsize == 2 else 1e-4
        return np.allclose(y.astype(complex), x.astype(complex), near, near, equal_nan=True)
    return np.array_equal(x, y)


@dataclass
class Attempt:
    """One case, traced once and tried with many operands; its seed says which, and how."""

    seed: str
    tried: int = 0
    found: list[str] = field(default_factory=list)

    def run(self, times: int) -> Attempt:
        random = Random(self.seed)
        case, knowledge = random.choice(cases()), random.choice(KNOWLEDGE)
        try:
            function, specs = traced(case, knowledge, random)
        except REFUSALS:
            return self  # test_operands.py lists those that have to know more
        for _ in range(times):
            operands = changed(case, random)
            if any(map(is_against, specs, operands)):
                continue
            self.tried += 1
            wrong = difference(outcome(case.run, operands), outcome(function, operands))
            if wrong:
                given = ", ".join(map(told, operands))
                self.found.append(
                    f"{self.seed}: {case.name} with known {knowledge}: {given}: {wrong}"
                )
        return self


def is_against(spec: tf.TensorSpec, operand: Any) -> bool:
    return not spec.shape.is_compatible_with(operand.shape)


def told(operand: Any) -> str:
    values = f" {operand.tolist()}" if operand.size < 9 else ""
    return f"{operand.dtype}{list(operand.shape)}{values}"
