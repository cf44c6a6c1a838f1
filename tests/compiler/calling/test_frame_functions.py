"""What programs write into their frames, evaluated and in machine code."""

from __future__ import annotations

from typing import Any

import numpy as np

import tensormill as tf
from tensormill.compiler.calling.frame import layout_of
from tensormill.compiler.calling.frame_functions import frame_functions
from tensormill.compiler.loops.ir import NativeFunction
from tensormill.compiler.loops.parse import parse_function
from tensormill.compiler.loops.text import function_text
from tensormill.compiler.loops.verify import verify_function
from tensormill.compiler.lowered import Lowered
from tensormill.compiler.lowering.graphs import lower_graph
from tensormill.compiler.native import library
from tensormill.core.specs import TensorSpec
from tensormill.graph.builder import trace_graph
from tests.compiler.native.functions import Compiled, Evaluated

ALL = ("tm_result_ptr", "tm_result_i64", "tm_carried", *(f"tm_output_{k}" for k in range(4)))


def many_kinds(x: Any) -> Any:
    """An array, a string, the argument itself, a number."""
    y = tf.numpy_function(lambda x: x + 1, [x], tf.float64)
    return tf.reshape(y, [-1, 3]) + 1.0, tf.strings.as_string(x), x, tf.reduce_sum(x)


def lowered() -> Lowered:
    return lower_graph(trace_graph(many_kinds, [TensorSpec([None], tf.float32)], "fn").graph)


def functions() -> tuple[NativeFunction, ...]:
    program = lowered()
    return tuple(frame_functions(program, layout_of(program), ALL))


def test_functions_make_sense_and_are_read_back() -> None:
    for one in functions():
        printed = function_text(verify_function(one, library.SIGNATURES))
        assert function_text(parse_function(printed)) == printed


def test_only_what_is_called_is_made() -> None:
    program = lowered()
    made = frame_functions(program, layout_of(program), ["tm_output_1", "malloc"])

    assert [one.name for one in made] == ["tm_output_1"]
    assert "tm_output_2" not in [one.name for one in functions()]  # Python has it


def test_words_go_where_the_layout_says() -> None:
    layout = layout_of(lowered())
    together = (*functions(), *library.needed(["tm_resize", "tm_release_kept"], copied=True))
    for machine in (Evaluated(together), Compiled(together)):
        words = np.zeros(layout.words + 8, np.int64)
        frame = machine.room(words)
        data = machine("tm_output_0", frame, 2, 3)
        machine("tm_output_1", frame, 64)
        number = machine("tm_output_3", frame)
        machine("tm_carried", frame, 1, 128)
        words[layout.results + 1] = 256

        at = layout.outputs
        assert words[at[0] : at[0] + 3].tolist() == [data, 2, 3]
        assert (words[at[1]], words[at[3]]) == (64, number)
        assert words[layout.carried + 1] == 128
        assert machine("tm_result_ptr", frame, 1) == machine("tm_result_i64", frame, 1) == 256
        machine("tm_release_kept", frame)
