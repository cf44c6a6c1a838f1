"""`tensormill plan`: its counts are those that one finds by hand, and what it refuses it says."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.cli.plan import command as planning
from tensormill.cli.plan.devices import CHIPS
from tensormill.cli.plan.measuring import compiled
from tensormill.cli.plan.placing import divisions_of
from tensormill.cli.plan.report import excess_of, report, total_of
from tensormill.cli.plan.request import CannotPlan, PlanRequest, read_request, request_of
from tensormill.cli.plan.subject import Subject, Taken, loaded, subject_of
from tests.sources import ROOT

of_several_devices = pytest.mark.sampled(among="processes of several devices")
BLOCK = Path(__file__).parent / "plans" / "block.py"
CONVOLUTIONS = BLOCK.with_name("convolutions.py")
PAGE = (ROOT / "docs" / "distribution.md").read_text()
(EXAMPLE,) = re.findall(r"```python\n(# train\.py\n.*?)```", PAGE, re.DOTALL)
(SESSION,) = re.findall(r"```\n\$ tensormill (plan .*?)\n```", PAGE, re.DOTALL)


@pytest.fixture
def measured(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Measure, in the one process that the claim needs."""
    monkeypatch.setenv("TENSORMILL_EFFORT", "0")
    return planning._measured


def exchanges_of(facts: Any) -> set[tuple[Any, ...]]:
    """Kind, axes, bytes and number of what is exchanged."""
    return {(kind, axes, size, count) for kind, axes, size, _, count in facts["exchanges"]}


# ---------------------------------------------------------------- counts


@of_several_devices
def test_data_parallel_devices_exchange_all_gradients_once(
    measured: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("train.py").write_text(EXAMPLE)
    typed, *shown = SESSION.splitlines()
    options = re.findall(r"--shape (\S+)", typed)
    request = request_of("train.py:step", "8", [], options)

    facts = measured(request)

    first, second, rows = 784 * 1024, 1024 * 10, 4096 // 8
    # Forward, for the weights, and for the hidden units, but nothing for the examples.
    assert facts["work"] == {"f32": rows * (6 * (first + second) - 2 * first)}
    gradients_and_loss = 4 * (first + second + 1)
    assert exchanges_of(facts) == {("all-reduce", "batch", gradients_and_loss, 1)}
    variables = 4 * (first + second)
    assert facts["arguments"] == variables + 4 * rows * (784 + 10)
    assert facts["donated"] == variables
    lines = list(report(facts, request, "h100", CHIPS["h100"]))
    assert lines[0] == shown[0]
    assert [*map(stable, lines)] == [*map(stable, shown)]


def stable(line: str) -> str:
    """A line without what another version of XLA, or another processor, may do otherwise."""
    begun = re.match(r"\s*(memory|in between|a step|It fits|[^:]*)", line)
    assert begun
    return " ".join([begun[0], *re.findall(r"\(train\.py:\d+\)", line)])


@of_several_devices
def test_a_divided_block_exchanges_activations_along_the_model(measured: Any) -> None:
    facts = measured(request_of(f"{BLOCK}:step", "2x4", [], ["x=16,32,64"]))

    batch, length, width, heads, size = 16 // 2, 32, 64, 8 // 4, 8
    tokens = batch * length
    attended = 3 * width * heads * size
    weights = attended + heads * size * width + 2 * width * 4 * width // 4
    scores = 2 * batch * heads * length * length * size
    # Nothing is derived by x: three times the weights, without the last of the first three.
    assert facts["work"] == {"f32": 2 * tokens * (3 * weights - attended) + 6 * scores}
    # Forward behind attention and behind the network, backward before the network.
    assert exchanges_of(facts) == {
        ("all-reduce", "model", 4 * tokens * width, 3),
        ("all-reduce", "batch", 4 * (weights + 1), 1),
    }
    count_of_steps = 8
    assert facts["arguments"] == 4 * (weights + tokens * width) + count_of_steps
    assert facts["axes"] == ["batch", "model"]


# ---------------------------------------------------------------- memory


@of_several_devices
def test_what_lies_between_convolutions_is_counted(measured: Any) -> None:
    facts = measured(request_of(f"{CONVOLUTIONS}:features", "2", [], ["x=16,32,32,3"]))

    images, once, twice = 8, 32 * 32 * 32, 16 * 16 * 64
    assert facts["work"] == {"f32": images * 2 * 9 * (3 * once + 32 * twice)}
    assert facts["temporaries"] >= 4 * images * once
    # Each is written and read twice at least: the sums, and those above 0.
    assert facts["traffic"] >= 4 * images * (3 * once + 3 * twice)


def taken(name: str, kind: str, size: int, axis: str | None) -> dict[str, Any]:
    facts = {"name": name, "kind": kind, "bytes": size, "axes": [axis]}
    return facts | {"dtype": "float32", "shape": [8]}


FACTS: dict[str, Any] = {
    "taken": [taken("x", "argument", 30, None), taken("w", "variable", 50, "a")],
    "arguments": 80, "results": 60, "donated": 50, "temporaries": 40,
    "largest": {"shape": "f32[9]", "bytes": 36, "operation": "MatMul", "line": "train.py:7"},
}  # fmt: skip


@pytest.mark.parametrize(
    ("memory", "first"),
    [
        (130, None), (129, r"in between \(.*f32\[9\], 36 B, MatMul \(train.py:7\)"),
        (89, "what it returns"), (79, r"x \(argument, float32\[8\], whole"),
        (49, r"w \(variable, float32\[8\], divided along a"),
    ],
)  # fmt: skip
def test_the_first_thing_without_room_is_named(memory: int, first: str | None) -> None:
    found = excess_of(FACTS, CHIPS["h100"]._replace(memory=memory))

    assert total_of(FACTS) == 130
    assert found is None if first is None else re.search(first, found or "")


# ---------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["train.py", "--mesh", "8"], "say SCRIPT:FUNCTION"),
        (["none.py:f", "--mesh", "8"], "no file 'none.py'"),
        (["f.py:f", "--mesh", "8x0"], "'8x0' is no mesh"),
        (["f.py:f", "--mesh", "a=2,a=2"], "is no mesh"),
        (["f.py:f", "--mesh", "2x2x2"], "name the axes"),
        (["f.py:f", "--mesh", "8", "--device", "z80"], "only of a100, h100, h200, v5e"),
        (["f.py:f", "--mesh", "8", "--link", "0"], "more than 0"),
        (["f.py:f", "--mesh", "8", "--shard", "x"], "NAME=AXES"),
        (["f.py:f", "--mesh", "8", "--shape", "x=a"], "NAME=SIZES"),
    ],
)
def test_what_can_not_be_planned_is_one_sentence(
    options: list[str], reason: str, command: Any
) -> None:
    ended = command("plan", *options)

    assert ended.returncode == 2
    assert ended.stdout == ""
    assert ended.stderr.startswith("tensormill: ")
    assert reason in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_without_jax_it_says_how_to_get_it(command: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "find_spec", lambda name: None)
    monkeypatch.setitem(sys.modules, "jax", None)

    ended = command("plan", "f.py:f", "--mesh", "8")

    assert ended.returncode == 2
    assert "pip install 'tensormill[xla]'" in ended.stderr


UNNAMED = """
import tensormill as tf


class Net(tf.Module):
    def __init__(self):
        self.first = tf.Variable(tf.zeros([4, 4]))
        self.others = [tf.Variable(tf.zeros([4, 4])), tf.Variable(tf.zeros([4]), name="bias")]


w, net = tf.Variable(tf.ones([4, 4])), Net()


@tf.function(input_signature=[tf.TensorSpec([2, 4])])
def f(x):
    return x @ w @ net.first @ net.others[0] + net.others[1]
"""


def test_variables_without_a_name_are_called_as_the_script_calls_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("net.py").write_text(UNNAMED)
    request = request_of("net.py:f", "8", [], [])

    taken = subject_of(loaded(request.script), request).taken

    assert {one.name for one in taken} == {"x", "w", "net/first", "net/others/0", "bias"}


FUNCTIONS = """
import tensormill as tf

w = tf.Variable(tf.ones([4, 6]), name="dense/kernel")
number = 3


@tf.function(input_signature=[tf.TensorSpec([None, 4])])
def signed(x):
    return x @ w


@tf.function
def unsigned(x):
    return x @ w
"""
# Of a function, and of what is said of it, why it can not be planned.
UNPLANNED = {
    "has no 'none'": ("none", [], []),
    "has a int, no tf.function": ("number", [], []),
    "say --shape x=SIZES": ("signed", [], []),
    "takes the shape (None, 4)": ("signed", ["x=8,5"], []),
    "takes float32": ("signed", ["x=8,4:int32"], []),
    "has no argument 'y'": ("signed", ["x=8,4", "y=1"], []),
    "what unsigned takes is not known": ("unsigned", [], []),
    "there is no dtype 'float33'": ("unsigned", ["x=8,4:float33"], []),
    "there is none among x, dense/kernel": ("signed", ["x=8,4"], ["bias=model"]),
    "no axis 'other', only batch, model": ("signed", ["x=8,4"], ["*/kernel=,other"]),
    "6 of its shape [4, 6] is not divisible by the 4": ("signed", ["x=8,4"], ["*/kernel=,model"]),
    "model divides two of its axes": ("signed", ["x=8,4"], ["x=model,model"]),
    "not 3 axes": ("signed", ["x=8,4"], ["x=batch,,model"]),
}


@pytest.mark.parametrize("reason", UNPLANNED)
def test_what_does_not_fit_the_script_is_told(
    reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    function, shapes, shards = UNPLANNED[reason]
    path = tmp_path / "functions_to_plan.py"
    path.write_text(FUNCTIONS)
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setitem(sys.modules, path.stem, None)
    request = request_of(f"{path}:{function}", "2x4", shards, shapes)

    with pytest.raises(CannotPlan, match=re.escape(reason)):
        divisions_of(subject_of(loaded(str(path)), request).taken, request.axes, request)


def test_what_is_no_program_is_told_by_its_line() -> None:
    function = tf.function(lambda x: tf.strings.as_string(x))
    concrete = function.get_concrete_function(tf.TensorSpec([4]))
    request = request_of("train.py:step", "1", [], [])
    taken = [Taken("x", "argument", (4,), np.dtype(np.float32))]

    with pytest.raises(CannotPlan, match=r"step can not be one program: AsString .*test_plan\.py"):
        compiled(Subject(concrete.callee.graph, taken), request.axes, request)


def test_a_request_is_read_as_it_was_written() -> None:
    request = request_of("a/b.py:m.f", "x=4,y=2", ["k*=,y", "b=-"], ["x=8,4:bfloat16", "n="])

    assert read_request(request.text()) == request
    assert isinstance(request, PlanRequest)
    assert (request.script, request.function, request.devices) == ("a/b.py", "m.f", 8)
    assert request.shards == (("k*", ("", "y")), ("b", ("",)))
    assert request.shapes["n"].sizes == ()
