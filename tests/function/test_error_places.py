"""A failure while running points at the user's line, and has one class however it is run."""

from __future__ import annotations

import linecache
import re
import traceback
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends
from tensormill.core.source import is_ours

from . import failing_programs
from .failing_programs import PROGRAMS, Invalid, Program

FILE = failing_programs.__file__
MARK = "# here"


def eagerly(program: Program) -> None:
    body, _, arguments, _ = program
    tf.config.run_functions_eagerly(True)
    try:
        tf.function(body)(*arguments)
    finally:
        tf.config.run_functions_eagerly(False)


def by_reference(program: Program) -> None:
    with backends.using("reference"):
        compiled(program)


def compiled(program: Program) -> None:
    body, specs, arguments, _ = program
    tf.function(body, input_signature=specs)(*arguments)


def twice(program: Program) -> None:
    """The second call may take a quicker way."""
    body, specs, arguments, _ = program
    f = tf.function(body, input_signature=specs)
    with pytest.raises(Exception):  # noqa: B017, PT011 - the second is looked at
        f(*arguments)
    f(*arguments)


def as_concrete_function(program: Program) -> None:
    body, specs, arguments, _ = program
    tf.function(body).get_concrete_function(*specs)(*arguments)


def under_a_tape(program: Program) -> None:
    with tf.GradientTape() as tape:
        tape.watch([one for one in program[2] if one.dtype == tf.float32])
        compiled(program)


def in_a_function(program: Program) -> None:
    body, specs, arguments, _ = program
    inner = tf.function(body)
    tf.function(lambda *args: inner(*args), input_signature=specs)(*arguments)


TRACED = [by_reference, compiled, twice, as_concrete_function, under_a_tape, in_a_function]


def marked_line(text: str) -> str | None:
    """The line that is shown with the mark, as `file:line`, if the message has it."""
    lines = text.splitlines()
    for place, source in pairwise(lines):
        if source.rstrip().endswith(MARK) and place.strip().startswith("File "):
            return place.strip()
    return None


def programs(test: Callable[..., None]) -> Any:
    names = [program[0].__name__ for program in PROGRAMS]
    return pytest.mark.parametrize("program", PROGRAMS, ids=names)(test)


def plainly(program: Program) -> None:
    body, _, arguments, _ = program
    body(*arguments)


def frames_of(error: BaseException) -> list[traceback.FrameSummary]:
    return list(traceback.extract_tb(error.__traceback__))


@pytest.mark.sampled
@pytest.mark.parametrize("run", TRACED)
@programs
def test_the_message_shows_the_line_and_the_traceback_few_others(
    program: Program, run: Any
) -> None:
    with pytest.raises(program[3]) as failure:
        run(program)
    place = marked_line(str(failure.value))

    assert place is not None, str(failure.value)
    assert f'File "{FILE}", line ' in place
    assert sum(is_ours(frame.filename) for frame in frames_of(failure.value)) <= 3


@pytest.mark.parametrize("run", [plainly, eagerly])
@programs
def test_as_plain_python_the_traceback_ends_soon_after_it(program: Program, run: Any) -> None:
    with pytest.raises(program[3]) as failure:
        run(program)
    frames = frames_of(failure.value)
    last = max(k for k, frame in enumerate(frames) if frame.filename == FILE)
    source = linecache.getline(FILE, frames[last].lineno or 0)

    assert source.rstrip().endswith(MARK) or marked_line(str(failure.value))
    assert len(frames) - 1 - last <= 3


@pytest.mark.parametrize(
    "mistake",
    [
        lambda: tf.ones([3]) + tf.ones([4]),
        lambda: np.ones([3], np.float32) - tf.ones([4]),
        lambda: tf.constant(1) * tf.constant(1.0),
        lambda: tf.ones([2, 2]) @ tf.ones([3, 3]),
        lambda: tf.add(tf.ones([3]), tf.ones([4])),
        lambda: tf.reshape(tf.ones([3]), [2]),
        lambda: tf.concat([tf.ones([3]), tf.ones([3, 1])], 0),
        lambda: tf.gather(tf.ones([3]), 7),
        lambda: tf.ones([3])[7],
        lambda: tf.Variable([1.0, 2.0]).assign_add([1.0]),
    ],
)
def test_eager_operations_fail_with_few_frames_and_without_numpys_own_error(mistake: Any) -> None:
    with pytest.raises(Invalid) as failure:
        mistake()

    assert sum(is_ours(frame.filename) for frame in frames_of(failure.value)) <= 3
    assert failure.value.__cause__ is None
    assert failure.value.__suppress_context__ or failure.value.__context__ is None


def test_lines_of_indented_functions_are_told_as_they_are_numbered() -> None:
    class Model:
        @tf.function
        def call(self, x: Any) -> Any:
            x = x + 1

            return tf.reshape(x, [5])  # in a method

    with pytest.raises(ValueError, match="in user code") as caught:
        Model().call(tf.constant([1]))

    (number,) = re.findall(r'test_error_places.py", line (\d+), in call', str(caught.value))
    assert linecache.getline(__file__, int(number)).strip().endswith("# in a method")
