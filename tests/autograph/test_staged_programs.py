"""Loops as people write them: compiled they give what they give eagerly, lists included."""

from __future__ import annotations

from typing import Any

import pytest

import tensormill as tf
from tensormill import backends
from tests.autograph.programs import everyday_programs, list_programs, loop_programs, state_programs

ALL = (loop_programs, everyday_programs, list_programs, state_programs)
PROGRAMS = {name: one for programs in ALL for name, one in programs.PROGRAMS.items()}


def plain(structure: Any) -> Any:
    """The result as Python values; a number that Python kept is one, too."""
    return tf.nest.map_structure(lambda one: tf.constant(one).numpy().tolist(), structure)


def test_there_are_forty_of_them() -> None:
    assert len(PROGRAMS) >= 40


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_it_gives_what_it_gives_eagerly(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = tf.function(function)

    for arguments in calls:
        tensors = [tf.constant(one) for one in arguments]
        assert plain(function(*tensors)) == plain(compiled(*tensors))


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_evaluated_it_does_so_too(name: str) -> None:
    function, calls = PROGRAMS[name]
    with backends.using("reference"):
        evaluated = tf.function(function)

        for arguments in calls:
            tensors = [tf.constant(one) for one in arguments]
            assert plain(function(*tensors)) == plain(evaluated(*tensors))


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_with_sizes_that_only_a_call_tells_it_does_so_too(name: str) -> None:
    function, calls = PROGRAMS[name]
    first = [tf.constant(one) for one in calls[0]]
    specs = [tf.TensorSpec([None] * one.ndim, one.dtype) for one in first]
    compiled = tf.function(function, input_signature=specs)

    for arguments in calls:
        tensors = [tf.constant(one) for one in arguments]
        assert plain(function(*tensors)) == plain(compiled(*tensors))


def test_the_gradient_of_an_unpacked_tensor_is_a_tensor() -> None:
    @tf.function
    def doubled(v: Any) -> Any:
        first, *_ = v
        return first * 2.0

    v = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(v)
        result = doubled(v)

    assert tape.gradient(result, v).numpy().tolist() == [2.0, 0.0, 0.0]
