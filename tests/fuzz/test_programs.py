"""Random programs mean the same eagerly, evaluated, and as machine code.

`TENSORMILL_FUZZ=<n>` tries n programs, new ones each time; otherwise a few, always the same.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given
from hypothesis import strategies as st

import tensormill as tf
from tensormill import backends
from tensormill.config import settings as config
from tensormill.errors import ShapeMismatchError

from .limits import EFFORTS, EXAMPLES, limits
from .making import PARAMETERS, programs
from .programs import Program

LIMITS = limits(10, HealthCheck.data_too_large)
SPECS = [
    tf.TensorSpec([size if isinstance(size, int) else None for size in one.shape], one.dtype)
    for one in PARAMETERS
]


class State:
    """The variables of one run, and how its operations round."""

    def __init__(self, noise: np.random.Generator | None = None) -> None:
        self.noise = noise
        self.made: list[Any] = []
        self.scalar = tf.Variable(0.5)
        self.vector = tf.Variable([1.0, -2.0, 3.0])

    def values(self) -> list[Any]:
        return [self.scalar.numpy(), self.vector.numpy()]

    def assign(self, values: list[Any]) -> None:
        self.scalar.assign(values[0])
        self.vector.assign(values[1])

    def rounded(self, result: Any) -> Any:
        """With noise: `result` as if its operation had rounded otherwise.

        Multiples of 1/64 stay, for what is exact is so in every way to compute it.
        """
        if self.noise is None or not result.dtype.is_floating:
            return result
        numbers = result.numpy()
        rough = np.isfinite(numbers) & (numbers % (1 / 64) != 0)
        error = self._error(numbers, np.abs(numbers[rough]).max(initial=0))
        self.made.append(result + np.where(rough, error, 0))
        return self.made[-1]

    def summed(self, gradient: Any) -> Any:
        """The same of a sum of terms, which cancel: all of it may have the error of a term.

        What cancels but for an error may cancel wholly, too: 0 / 0 is not what 1e-8 / 1e-8 is.
        """
        if self.noise is None:
            return gradient
        numbers = gradient.numpy()
        finite = np.isfinite(numbers)
        error = self._error(numbers, np.abs(numbers[finite]).max(initial=1))
        cancels = (np.abs(numbers) <= np.abs(error).max(initial=0)) & (self.noise.random() < 0.5)
        return gradient + np.where(cancels, -numbers, np.where(finite, error, 0))

    def _error(self, numbers: Any, largest: Any) -> Any:
        assert self.noise is not None
        error = self.noise.uniform(-1, 1, numbers.shape) * largest
        return (error * np.finfo(numbers.dtype).eps).astype(numbers.dtype)

    def with_others(self, run: Callable[[], Any]) -> tuple[Any, list[Any]]:
        """The results of a run and, with noise, all that it made on its way.

        The gradient of a result that does not depend on a value is 0 in a loop of the graph, where
        a tape knows that there is none: that 0 becomes NaN on its way through 0 / 0.
        """
        start = len(self.made)
        return run(), self.made[start:]


def arguments(count: int) -> list[Any]:
    """Small numbers, exact in every dtype."""
    made: list[Any] = []
    for one in PARAMETERS:
        shape = [size if isinstance(size, int) else count for size in one.shape]
        numbers = (np.arange(np.prod(shape, dtype=int)) * 7 % 5 - 1) / (2 if one.is_float else 1)
        made.append(tf.constant(numbers.reshape(shape), one.dtype))
    return made


def outcome(run: Callable[..., Any], state: State, count: int) -> tuple[Any, list[Any]]:
    """The results (or the error) of one run, and the variables after it."""
    try:
        results: Any = [one.numpy() for one in run(*arguments(count))]
    except (tf.errors.OpError, ValueError, TypeError) as error:
        results = error
    return results, state.values()


class Verdict(Enum):
    """What became of one run beside the eager one."""

    SAME_NUMBERS = auto()
    SAME_ERROR = auto()
    ROUNDED = auto()  # as far off as the eager run with other roundings
    # These two are not compared.
    TRACED = auto()  # refused while tracing for what is known there, though nothing may run it
    NOT_NEEDED = auto()  # what fails eagerly is nothing that the results need


COMPARED = {Verdict.SAME_NUMBERS, Verdict.SAME_ERROR, Verdict.ROUNDED}


def agree(program: Program, expected: Any, actual: Any) -> Verdict:
    wanted, found = expected[0], actual[0]
    if isinstance(wanted, Exception) and isinstance(found, Exception):
        if set(type(wanted).__mro__[:-3]) & set(type(found).__mro__[:-3]):
            return Verdict.SAME_ERROR
    if isinstance(found, ShapeMismatchError) and re.search("cond|times", repr(program)):
        return Verdict.TRACED
    if isinstance(wanted, Exception):
        assert not isinstance(found, Exception), repr(found)
        return Verdict.NOT_NEEDED
    if isinstance(found, Exception):
        raise found
    for x, y in zip([*wanted, *expected[1]], [*found, *actual[1]], strict=True):
        assert x.dtype == y.dtype
        assert x.shape == y.shape
        np.testing.assert_allclose(y, x, rtol=2e-4, atol=2e-5)
    return Verdict.SAME_NUMBERS


def compiled(program: Program, state: State, signature: Any) -> Callable[..., Any]:
    return tf.function(
        lambda *values: program(state, *values), input_signature=signature, autograph=False
    )


def evaluated(program: Program, state: State) -> Callable[..., Any]:
    def run(*values: Any) -> Any:
        with backends.using("reference"):
            return compiled(program, state, None)(*values)

    return run


class Ways(NamedTuple):
    """How one program is run."""

    counts: list[int]  # the unknown size
    signatures: list[Any]  # to compile for
    effort: int  # how far LLVM optimises
    guarded: bool  # whether native code checks its loads and stores


@st.composite
def ways(draw: Any) -> Ways:
    """How to run a program.

    A long run tries many programs one way each, mostly at one size and without LLVM's passes: it
    is the compiles that a program costs.
    """
    counts, guarded = draw(st.permutations([0, 1, 2, 7])), draw(st.booleans())
    if not EXAMPLES:
        return Ways(counts[:3], [SPECS, None], draw(EFFORTS), guarded)
    sizes = counts[: draw(st.sampled_from([1, 1, 1, 2]))]
    return Ways(sizes, [draw(st.sampled_from([SPECS, None]))], draw(EFFORTS), guarded)


@pytest.fixture(scope="module")
def met() -> Iterator[Counter[Verdict]]:
    """What became of all runs, of which nearly all are compared: 888 of 890, of 400 programs."""
    verdicts: Counter[Verdict] = Counter()
    yield verdicts
    assert sum(verdicts[one] for one in COMPARED) >= 0.9 * verdicts.total(), verdicts


@pytest.mark.sampled(among="random programs")
@LIMITS
@given(program=programs(), how=ways())
def test_every_way_to_run_a_program_gives_the_same(
    met: Counter[Verdict], program: Program, how: Ways
) -> None:
    state, before = State(), (config.effort, config.check_memory)
    functions = [compiled(program, state, signature) for signature in how.signatures]
    config.effort, config.check_memory = how.effort, how.guarded
    try:
        for count in how.counts:
            met.update(agree_at(count, program, functions, state, count == how.counts[0]))
    finally:
        config.effort, config.check_memory = before


def agree_at(
    count: int, program: Program, functions: list[Any], state: State, with_reference: bool
) -> list[Verdict]:
    start = state.values()
    eager = partial(program, state)
    others = [*functions, *([evaluated(program, state)] if with_reference else [])]
    outcomes: list[Any] = []
    for way in (eager, *others):
        state.assign(start)
        outcomes.append(outcome(way, state, count))
    return [verdict(program, start, count, outcomes[0], other) for other in outcomes[1:]]


def verdict(program: Program, start: list[Any], count: int, expected: Any, actual: Any) -> Verdict:
    try:
        return agree(program, expected, actual)
    except AssertionError:
        if not a_matter_of_rounding(program, start, count, expected, actual):
            raise
        return Verdict.ROUNDED
    except tf.errors.OpError as error:
        if not isinstance(error, type(error_of_all(program, start, count))):
            raise
        return Verdict.SAME_ERROR


def error_of_all(program: Program, start: list[Any], count: int) -> Any:
    """The error, if any, where even what no result needs is computed, in inner functions too."""
    state = State()
    state.assign(start)
    with every_step_eager():
        results, _ = outcome(partial(program, state), state, count)
    return results if isinstance(results, Exception) else None


@contextmanager
def every_step_eager() -> Iterator[None]:
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


# How often a program is run with other roundings before a difference is not theirs. In one of 256
# programs all eight errors of a gradient cancel (`State.summed`), and it stays 0.
TRIES = (8, 64)


def a_matter_of_rounding(
    program: Program, start: list[Any], count: int, expected: Any, actual: Any
) -> bool:
    """Whether the program itself turns roundings into differences such as those found.

    Remainders, signs and comparisons do: the program runs eagerly again, each operation with
    other roundings, and shows how far its results go.
    """
    if any(isinstance(one[0], Exception) for one in (expected, actual)):
        return False
    wanted, found = ([*one[0], *one[1]] for one in (expected, actual))
    noisy: list[list[Any]] = []
    for tries in TRIES:
        with every_step_eager():
            seeds = range(len(noisy), tries)
            noisy += [noisy_outcome(program, start, count, seed) for seed in seeds]
        if all(
            x.dtype == y.dtype and within(x, y, others)
            for x, y, *others in zip(wanted, found, *noisy, strict=True)
        ):
            return True
    return False


def noisy_outcome(program: Program, start: list[Any], count: int, seed: int) -> list[Any]:
    state = State(np.random.default_rng(seed))
    state.assign(start)
    results, variables = outcome(partial(program, state), state, count)
    if isinstance(results, Exception):
        raise results
    return [*results, *variables]


def within(wanted: Any, found: Any, others: list[Any]) -> bool:
    """Whether `found` is as near to `wanted` as some of the others are; a size may change, too."""
    if any(one.shape != wanted.shape for one in others):
        return True
    if found.shape != wanted.shape:
        return False
    near = np.isclose(found, wanted, 2e-4, 2e-5, equal_nan=True)
    wanted, found = wanted.astype(float), found.astype(float)
    with np.errstate(invalid="ignore"):
        moved = (np.isnan(others) != np.isnan(wanted)).any(0)
        far = np.abs(np.stack(others).astype(float) - wanted).max(0)
        return bool((near | moved | (np.abs(found - wanted) <= 20 * far)).all())


def gradient_that_cancels(state: State, *values: Any) -> list[Any]:
    """The shares of a softmax add up to 1: their derivatives are 0, but for rounding."""
    scalar = state.rounded(state.scalar.read_value())
    before = [state.rounded(tf.nn.softmax(values[3], 0)), state.rounded(-scalar), scalar]
    with tf.GradientTape() as tape:
        tape.watch(values[0])
        shares = state.rounded(tf.nn.softmax(values[0], 1))
        total = state.rounded(tf.reduce_sum(shares))
    zeros = state.summed(tape.gradient(total, values[0]))
    return [*before, zeros, tf.argmax(zeros, 1)]


@pytest.mark.parametrize("wrong", [None, 0, 1, 2], ids=str)
def test_only_what_rounding_does_passes_for_it(wrong: int | None):
    state = State()
    start, program = state.values(), cast(Program, gradient_that_cancels)
    results, variables = outcome(partial(program, state), state, 2)
    *floats, places = results
    found = [*floats, np.ones_like(places)]
    if wrong is not None:
        found[wrong] = found[wrong] + 0.01

    is_rounding = a_matter_of_rounding(program, start, 2, (results, variables), (found, variables))
    assert is_rounding == (wrong is None)
