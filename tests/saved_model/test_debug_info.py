"""The user's lines behind the operations of saved functions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

import tensormill as tf
from tensormill.graph.proto.messages import message
from tensormill.saved_model.debug_info import lines_of
from tests.function.failing_programs import PROGRAMS, index, python_function
from tests.function.test_error_places import frames_of, is_ours, marked_line

WITH_LINES = tf.saved_model.SaveOptions(save_debug_info=True)
LOADABLE = [program for program in PROGRAMS if program[0] is not python_function]


def loaded(body: Any, specs: Any, path: Path, options: Any = WITH_LINES) -> Any:
    module = tf.Module()
    module.f = tf.function(body, input_signature=specs)
    tf.saved_model.save(module, path, options=options)
    return tf.saved_model.load(path)


@pytest.mark.sampled
@pytest.mark.parametrize("program", LOADABLE, ids=[one[0].__name__ for one in LOADABLE])
def test_a_loaded_function_fails_at_the_line_that_was_saved(program: Any, tmp_path: Path) -> None:
    body, specs, arguments, error = program

    with pytest.raises(error) as failure:
        loaded(body, specs, tmp_path).f(*arguments)

    assert marked_line(str(failure.value)), str(failure.value)
    assert sum(is_ours(frame.filename) for frame in frames_of(failure.value)) <= 3


def test_without_lines_it_shows_none(tmp_path: Path) -> None:
    _, specs, arguments, error = PROGRAMS[0]
    model = loaded(index, specs, tmp_path, None)

    assert not (tmp_path / "debug").exists()
    assert model.graph_debug_info is None
    with pytest.raises(error, match="Detected at node strided_slice of unknown lines") as failure:
        model.f(*arguments)
    assert "File " not in str(failure.value)


def test_lines_are_shown_where_the_source_is_not(tmp_path: Path) -> None:
    source = tmp_path / "elsewhere.py"
    source.write_text("def divide(x, y):\n    return x // y  # here\n")
    scope: dict[str, Any] = {}
    exec(compile(source.read_text(), str(source), "exec"), scope)
    numbers = tf.TensorSpec([None], tf.int32)
    model = loaded(scope["divide"], [numbers, numbers], tmp_path / "model")
    os.remove(source)

    with pytest.raises(tf.errors.InvalidArgumentError) as failure:
        model.f([1], [0])

    assert marked_line(str(failure.value)) == f'File "{source}", line 2, in divide'


def test_each_line_is_written_once(tmp_path: Path) -> None:
    proto = loaded(index, PROGRAMS[0][1], tmp_path).graph_debug_info
    lines = [(line.file_index, line.line, line.func) for line in proto.frames_by_id.values()]

    assert len(set(lines)) == len(lines)
    assert len(set(proto.files)) == len(proto.files)
    assert any(
        name.startswith("strided_slice@__inference_index_") for name in proto.name_to_trace_id
    )


def test_a_damaged_file_costs_the_lines_only(tmp_path: Path, caplog: Any) -> None:
    module = tf.Module()
    module.f = tf.function(lambda x: x * 2.0, input_signature=[tf.TensorSpec([])])
    tf.saved_model.save(module, tmp_path, options=WITH_LINES)
    (tmp_path / "debug" / "saved_model_debug_info.pb").write_bytes(b"\xff\xff\xff")
    model = tf.saved_model.load(tmp_path)

    assert model.f(tf.constant(2.0)).numpy() == 4.0
    assert model.graph_debug_info is None
    assert "saved_model_debug_info.pb cannot be read" in caplog.text


def test_a_line_of_a_file_that_is_not_there_is_of_an_unknown_one() -> None:
    proto = message("GraphDebugInfo")(files=["one.py"])
    for key, number in enumerate([0, 1, -1, -2]):
        proto.frames_by_id[key].file_index = number
        proto.traces_by_id[key].frame_id.append(key)
        proto.name_to_trace_id[str(number)] = key

    files = {name: [line.file for line in lines] for name, lines in lines_of(proto).items()}
    unknown = ["<unknown>"]
    assert {"0": ["one.py"], "1": unknown, "-1": unknown, "-2": unknown} == files
