"""Programs run on the device that is named, on a CPU of three; stand-ins for GPUs among them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tensormill import backends

PROGRAM = Path(__file__).with_name("on_several_devices.py")


def told_by(*arguments: str) -> Any:
    environment = {**os.environ, "TENSORMILL_BACKEND": "xla", "JAX_PLATFORMS": "cpu"}
    command = [sys.executable, str(PROGRAM), *arguments]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=240)
    assert not ended.returncode, ended.stderr
    return json.loads(ended.stdout)


@pytest.fixture(scope="module")
def on_cpus() -> Any:
    return told_by()


@pytest.fixture(scope="module")
def on_gpus() -> Any:
    return told_by("GPU")


def at(number: int, values: Any, said: str | None = None) -> list[Any]:
    return [f"cpu:{number}", said or f"CPU:{number}", values]


def test_a_function_runs_where_it_is_called(on_cpus: Any) -> None:
    found = on_cpus["functions"]

    assert found["outside"] == [at(0, [2.0, 4.0])]
    assert found["within"] == [at(1, [2.0, 4.0])]
    assert found["absent"] == [at(0, [2.0, 4.0])]


def test_operands_come_from_other_devices(on_cpus: Any) -> None:
    found = on_cpus["functions"]

    assert found["from_elsewhere"] == [at(1, [4.0, 8.0])]
    assert found["back"] == [at(0, [4.0, 8.0])]


def test_operations_run_where_they_are_meant_for(on_cpus: Any) -> None:
    found = on_cpus["functions"]

    parts = [at(1, [2.0, 3.0], "CPU:0"), at(2, [4.0, 6.0], "CPU:0"), at(0, [6.0, 9.0])]
    assert found["by_parts"] == parts
    assert found["calling"] == [at(2, [2.0, 4.0], "CPU:0")]
    assert found["choosing"] == [at(1, [2.0, 3.0], "CPU:0")]


def test_a_loop_over_several_devices_goes_step_by_step_and_says_so(on_cpus: Any) -> None:
    found = on_cpus["functions"]

    assert found["turning"] == [at(2, [22.0, 30.0], "CPU:0")]
    assert "the operations of 'while' are for several devices" in found["report"]


def test_variables_stay_where_they_were_made(on_cpus: Any) -> None:
    found = on_cpus["variables"]

    assert [place for _, place, _ in found["made"]] == ["CPU:1", "CPU:2", "CPU:0"]
    for k in range(3):
        after = [2.0 + k, 3.0 + k]
        assert found[f"at_home {k}"] == [at(1, after, "CPU:0"), at(1, after)]


def test_a_program_elsewhere_brings_back_what_it_changes(on_cpus: Any) -> None:
    found = on_cpus["variables"]

    for k in range(3):
        visited, after = [5.0 + k, 6.0 + k], [8.0 + k, 9.0 + k]
        assert found[f"visited {k}"] == [at(2, visited), at(1, visited)]
        total = [one + 1.0 for one in after]
        ones = at(2, [1.0, 1.0]), at(0, [1.0, 1.0])
        assert found[f"several {k}"] == [at(0, total), at(1, after), *ones]


def test_a_model_over_two_devices_learns_as_numpy_does(on_cpus: Any) -> None:
    x, y = np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0], [2.0]])
    kernel, bias = np.array([[0.5], [-0.5]]), np.zeros(1)
    losses = []
    for _ in range(4):
        error = x @ kernel + bias - y
        losses.append((error**2).mean())
        kernel, bias = kernel - 0.1 * x.T @ error, bias - 0.1 * error.sum(0)

    found, *ends = on_cpus["training"]
    np.testing.assert_allclose(found, losses, rtol=1e-5)
    for end, place, wanted in zip(ends, (1, 2), (kernel, bias), strict=True):
        assert end[:2] == at(place, None)[:2]
        np.testing.assert_allclose(end[2], wanted, rtol=1e-5)


def test_traces_make_variables_on_the_device_that_is_named(on_cpus: Any) -> None:
    assert on_cpus["made_in_traces"] == [at(2, [3.0]), at(1, [1.0]), at(2, [2.0])]


def test_a_gpu_is_usual_and_others_are_named(on_gpus: Any) -> None:
    first, second, cpu = (at(1, None, "GPU:0"), at(2, None, "GPU:1"), at(0, None))

    places = {name: [one[:2] for one in found] for name, found in on_gpus["functions"].items()}
    assert places["usual"] == places["first"] == [first[:2]]
    assert places["second"] == [second[:2]]
    assert places["cpu"] == [cpu[:2]]
    assert places["mixed"] == [["cpu:0", "GPU:0"], first[:2]]


def test_variables_are_on_the_usual_gpu_or_the_one_that_was_named(on_gpus: Any) -> None:
    found = on_gpus["functions"]
    assert found["variable"] == [at(1, [2.0, 3.0], "GPU:0")] * 2
    there = [at(2, [2.0, 3.0], said) for said in ("GPU:0", "GPU:1")]
    assert found["variable_there"] == there


FIRST, SECOND = "GPU:0", "GPU:1"


def gpu(values: Any) -> list[Any]:
    return at(1, values, FIRST)


def other_gpu(values: Any) -> list[Any]:
    return at(2, values, SECOND)


def test_eager_operations_stay_on_the_gpu(on_gpus: Any) -> None:
    found = on_gpus["eagerly"]

    assert found["sums"] == [
        gpu([[3.0, 5.0], [7.0, 9.0]]),
        gpu([[4.0, 8.0], [12.0, 16.0]]),
        other_gpu([[-1.0, -2.0], [-3.0, -4.0]]),
        gpu([[-2.0, -4.0], [-6.0, -8.0]]),
    ]
    assert found["products"] == [
        gpu([[28.0, 40.0], [60.0, 88.0]]),
        other_gpu([[2.0, 6.0], [4.0, 8.0]]),
    ]


def test_constants_begin_on_the_usual_gpu(on_gpus: Any) -> None:
    found = on_gpus["usually"]

    x = [[1.0, 2.0], [3.0, 4.0]]
    assert found["constants"] == [gpu(x), ["", "CPU:0", [1, 2]], ["", "CPU:0", "a"]]
    assert found["filled"] == [gpu([0.0, 0.0]), gpu([3.0, 3.0]), gpu([1.0, 2.0])]
    assert found["whole"] == [FIRST, "CPU:0", FIRST]  # a known shape is a constant
    assert found["memory"] == [FIRST, "CPU:0"]
    assert found["drawn"] == [["cpu:1", FIRST]] * 2
    assert found["texts"] == ["", "CPU:0", ["1.000000", "2.000000"]]


def test_what_is_done_with_constants_and_new_variables_is_there_too(on_gpus: Any) -> None:
    found = on_gpus["usually"]

    x = np.array([[1.0, 2.0], [3.0, 4.0]])
    assert found["sums"] == [gpu((one).tolist()) for one in (x + 1.0, x @ x, x[1], x)]
    assert found["slope"] == gpu((2.0 * x * [1.0, 2.0]).tolist())
    v = [2.0, 3.0]
    assert found["variables"] == [["", FIRST, v], gpu(v), gpu([3.0, 4.0]), FIRST]
    assert found["copied"] == [["", "CPU:0", (x + k).tolist()] for k in (0.0, 1.0, 0.0)]


def test_what_is_large_is_done_on_the_gpu_though_somebody_has_looked(on_gpus: Any) -> None:
    found = on_gpus["usually"]

    assert found["few"] == ["OneHot"]  # of 6400 elements; nobody waits for XLA for the others
    assert found["large"] == ["cpu:1", FIRST] * 2
    assert {"MatMul", "StatelessRandomUniform", "AssignSubVariableOp"} <= {*found["many"]}
    assert found["kernel"] == ["cpu:1", "cpu:1", 80.0 - 80.0 * 80.0]
    assert found["loop"] == ["cpu:1", 8.0 * 6400.0, 3]
    assert found["loops made"] == ["StatelessWhile"]


def test_blocks_that_name_a_gpu_leave_what_has_sizes_there(on_gpus: Any) -> None:
    found, x = on_gpus["eagerly"], [[2.0, 4.0], [6.0, 8.0]]

    padded = [[*one, 0.0] for one in (*x, [0.0, 0.0])]
    rows = [2.0, 4.0, 6.0, 8.0], [8.0, 12.0], x[1], [one * 2 for one in x], padded
    assert found["sized"] == [*map(other_gpu, rows)]
    assert {"Pad", "Reshape", "StridedSlice", "Sum", "Tile"} <= {*found["programs"]}
    assert found["sizes made"] == [["", SECOND, [2, 2]]]


def test_checks_are_made_on_the_gpu_and_told_by_the_cpu(on_gpus: Any) -> None:
    found = on_gpus["eagerly"]

    assert found["checked"] == [gpu([[2.0, 4.0], [6.0, 8.0]])]
    kind, text = found["wrong"]
    assert (kind, "these numbers" in text) == ("InvalidArgumentError", True)


def test_who_forgets_the_blocks_around_goes_where_operands_are(on_gpus: Any) -> None:
    assert on_gpus["eagerly"]["nowhere"] == [other_gpu([[3.0, 5.0], [7.0, 9.0]])]


def test_sizes_and_indices_do_not_fetch_what_is_on_a_gpu(on_gpus: Any) -> None:
    found = on_gpus["eagerly"]

    rows = [gpu([6.0, 8.0]), gpu([2.0, 4.0]), gpu([6.0, 8.0]), gpu([4.0, 2.0])]
    assert found["rows"] == rows
    assert found["shapes"] == [gpu([2.0, 4.0, 6.0, 8.0]), gpu([8.0, 12.0])]
    assert found["sizes"] == [2, [2, 2], "float32", "cpu:1"]


def test_variables_are_read_and_changed_on_the_gpu(on_gpus: Any) -> None:
    x = 2.0 * np.array([[1.0, 2.0], [3.0, 4.0]])
    v, found = x / 2.0 + 1.0, on_gpus["eagerly"]

    assert found["variables"] == [gpu((one).tolist()) for one in (v * 2.0, v, v @ x)]
    loss, slope = ((v * x) ** 2).sum(), 2.0 * v * x * x
    assert found["slope"] == [gpu(loss.tolist()), gpu(slope.tolist())]
    assert found["changed"] == [gpu((x - 0.5 * 2.0 * x * x * x).tolist())]


def test_the_cpu_does_what_xla_does_not_have_or_what_is_meant_for_it(on_gpus: Any) -> None:
    found = on_gpus["eagerly"]

    texts = [["2.000000", "4.000000"], ["6.000000", "8.000000"]]
    assert found["cpu"] == [["", FIRST, [[0, 1], [1, 0], [1, 1]]], ["", "CPU:0", texts]]
    assert found["back"] == [["", "CPU:0", [[3.0, 5.0], [7.0, 9.0]]]]


def test_tensors_are_copied_between_devices(on_gpus: Any) -> None:
    x, found = [[2.0, 4.0], [6.0, 8.0]], on_gpus["eagerly"]

    assert found["copies"] == [other_gpu(x), gpu(x), ["", "CPU:0", x]]
    assert found["moved"] == [other_gpu(x)]
    assert found["made"] == [other_gpu([2.0]), other_gpu([0.0])]


def test_mistakes_are_told_as_on_the_cpu(on_gpus: Any) -> None:
    kind, text, other, unknown = on_gpus["eagerly"]["refused"]

    assert (kind, other) == ("InvalidArgumentError", "RuntimeError")
    assert text.startswith("Incompatible shapes: [2, 2] vs. [3]")
    assert unknown == "GPU:2 unknown device."


def test_a_gpu_draws_the_numbers_of_the_cpu_by_one_program_for_each_shape(on_gpus: Any) -> None:
    from .on_several_devices import drawn

    with backends.using("cpu"):
        wanted = drawn()["numbers"]

    for name, found in on_gpus["drawn"]["numbers"].items():
        assert {holder for holder, _ in found} == {"cpu:1"}, name
        numbers = [some for _, some in found]
        np.testing.assert_allclose(numbers, [some for _, some in wanted[name]], rtol=1e-5)
    assert on_gpus["drawn"]["programs"] == 5
