"""The committed stubs are those of the tables, and a type checker finds in them what users call."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import tensormill as tf

from .namespaces import PACKAGE, ROOT, stubs

PATHS = sorted(path.relative_to(ROOT) for path in PACKAGE.rglob("*.pyi"))


@pytest.fixture(scope="module")
def made() -> dict[Path, str]:
    return stubs()


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_stub_says_what_its_table_says(path: Path, made: dict[Path, str]) -> None:
    assert (ROOT / path).read_text() == made[path], "run `make stubs`"


def test_every_table_has_a_stub_and_none_is_left_behind(made: dict[Path, str]) -> None:
    assert made.keys() == set(PATHS)


@pytest.mark.parametrize("namespace", ["math", "errors", "data", "nn", "raw_ops", "strings"])
def test_a_stub_has_the_names_that_are_there(namespace: str, made: dict[Path, str]) -> None:
    said = set(re.findall(r" as (\w+)$|^def (\w+)\(", made[_path(namespace)], re.MULTILINE))
    names = {imported or defined for imported, defined in said}

    assert {name for name in names if name[0] != "_"} == set(dir(getattr(tf, namespace)))


def test_signatures_that_hide_builtins_keep_their_meaning(made: dict[Path, str]) -> None:
    stub = ast.parse(made[_path("compat")])
    (as_str,) = (
        one for one in stub.body if isinstance(one, ast.FunctionDef) and one.name == "as_str"
    )

    assert ast.unparse(as_str.args) == "bytes_or_text: _str | _bytes, encoding: _str='utf-8'"


PROGRAM = """
import tensormill as tf
from typing import Any, reveal_type

any: Any = None
x = tf.constant([1.0, 2.0])
v = tf.Variable(x)
no_such_parameter = tf.Variable(x, trainabel=True)
reveal_type(x)
reveal_type(v)
reveal_type(2 * v == tf.exp(x[0]))
reveal_type(tf.float32)
print(len(x), float(x[0]), 1.0 in x, [row.numpy() for row in x])

@tf.function
def step(a: tf.Tensor) -> Any:
    with tf.GradientTape() as tape:
        loss = tf.math.reduce_sum(a * v, axis=0, keepdims=True)
    return tape.gradient(loss, [v])

reveal_type(step)
reveal_type(tf.function(jit_compile=True)(lambda: x))

dataset = tf.data.Dataset.range(3).batch(2, drop_remainder=True)
reveal_type(dataset)

class Layer(tf.Module):
    pass

array = tf.TensorArray(tf.float32, 1)
"""


# What a type checker and an editor's completion know of what functions and methods return.
RETURNED = {
    "Tensor": """
tf.zeros([2]) tf.ones([2]) tf.fill([2],1) tf.range(3) tf.eye(2) tf.one_hot(1,3) tf.zeros_like(x)
tf.add(x,x) tf.matmul(x,x) tf.reduce_sum(x) tf.reduce_mean(x) tf.reduce_max(x) tf.reduce_all(x)
tf.argmax(x) tf.cast(x,tf.int32) tf.reshape(x,[1]) tf.exp(x) tf.transpose(x) tf.concat([x,x],0)
tf.stack([x,x]) tf.gather(x,0) tf.where(x>0,x,x) tf.expand_dims(x,0) tf.squeeze(x)
tf.tile(x,[2]) tf.pad(x,[[0,1]]) tf.shape(x) tf.size(x) tf.rank(x) tf.boolean_mask(x,[True])
tf.sort(x) tf.cumsum(x) tf.clip_by_value(x,0,1) tf.nn.relu(x) tf.nn.softmax(x)
tf.nn.conv2d(x,x,1,"SAME") tf.nn.dropout(x,0.5) tf.nn.max_pool2d(x,2,2,"SAME")
tf.einsum("i->i",x) tf.nn.softmax_cross_entropy_with_logits(x,x) tf.random.normal([2])
tf.random.uniform([2]) tf.random.shuffle(x) tf.norm(x) tf.linalg.inv(x) tf.linalg.det(x)
tf.tensordot(x,x,1) tf.strings.join(["a"]) tf.strings.length("a") tf.io.read_file("f")
tf.image.resize(x,[2,2]) tf.signal.fft(x) tf.gather_nd(x,x) tf.sequence_mask(x)
tf.bitcast(x,tf.int32) tf.equal(x,x) tf.identity(x) v.value() v.read_value() array.read(0)
array.stack() array.size() x+1 x@x x[0] -x x==x
""",
    "OwnedIterator": "iter(dataset)",
    "DatasetV2": "dataset.batch(2) dataset.map(step) dataset.shuffle(2).repeat().prefetch(1)",
    "TensorArray": "array.write(0,x)",
    "Layer": "Layer()",
    "TensorShape": "x.shape",
    "DType": "x.dtype v.dtype",
}


@pytest.mark.sampled(among="type checkers")
def test_a_type_checker_knows_and_the_parameters_of_every_function(tmp_path: Path) -> None:
    calls = [call for name, function in functions() for call in calls_of(name, function)]
    returned = [(one, kind) for kind, listed in RETURNED.items() for one in listed.split()]
    shown = [f"reveal_type({one})" for one, _ in returned]
    program = [*PROGRAM.splitlines(), *shown, *in_functions(calls)]

    told = by_pyrefly("\n".join(program), tmp_path)

    refused = {line - 1 for line, severity, _ in told if severity == "error"}
    wrong = {number for number, line in enumerate(program) if "no_such_parameter" in line}
    revealed = [message for _, severity, message in told if severity == "info"]
    assert len(wrong) > 700
    assert [program[number] for number in sorted(refused ^ wrong)] == []
    types = [message.removeprefix("revealed type: ") for message in revealed]
    assert ["Tensor", "Variable", "Tensor", "DType", "Function", "Function", "DatasetV2"] == types[
        :7
    ]
    assert returned == [(one, kind) for (one, _), kind in zip(returned, types[7:], strict=True)]


# Another one, which takes as long to begin as pyrefly for the whole, is asked of little.
FEW_CALLS = """
import tensormill as tf
reveal_type(tf.math.reduce_sum([1.0], axis=0, keepdims=True))
tf.math.reduce_sum([1.0], no_such_parameter=0)
"""


@pytest.mark.sampled(among="type checkers")
def test_another_type_checker_and_editors_find_them_as_well(tmp_path: Path) -> None:
    (_, kind, result), (line, wrong, said) = by_basedpyright(FEW_CALLS, tmp_path)

    assert kind == "information"
    assert result.endswith('is "Tensor"')
    assert (line, wrong, said) == (4, "error", 'No parameter named "no_such_parameter"')


def in_functions(calls: list[str]) -> Iterator[str]:
    """A few in each: what a name stands for, a checker asks of all calls that come before."""
    for start in range(0, len(calls), 20):
        yield "def _() -> None:"
        yield from (f"    {call}" for call in calls[start : start + 20])


def calls_of(name: str, function: Any) -> Iterator[str]:
    """One call with every parameter, and where no others may come one with a wrong one."""
    kinds = inspect.Parameter
    parameters = inspect.signature(function).parameters.values()
    starred = [
        one.kind for one in parameters if one.kind in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)
    ]
    given = (
        ["*any"]
        if kinds.VAR_POSITIONAL in starred
        else [
            "any" if one.kind is kinds.POSITIONAL_ONLY else f"{one.name}=any"
            for one in parameters
            if one.kind is not kinds.VAR_KEYWORD
        ]
    )
    yield f"{name}({', '.join(given)})"
    if kinds.VAR_KEYWORD not in starred:
        yield f"{name}({', '.join([*given, 'no_such_parameter=any'])})"


def functions(namespace: Any = tf, name: str = "tf") -> Iterator[tuple[str, Any]]:
    for public in dir(namespace):
        value = None if public.startswith("__") else getattr(namespace, public)
        if isinstance(value, ModuleType) and public != "raw_ops":
            yield from functions(value, f"{name}.{public}")
        elif inspect.isfunction(value):
            yield f"{name}.{public}", value


Told = list[tuple[int, str, str]]  # lines, severities and messages


def by_pyrefly(program: str, folder: Path) -> Told:
    """What the type checker of this project says of a program."""
    pytest.importorskip("pyrefly")
    settings = {
        "search-path": [str(PACKAGE.parent)],
        "python-interpreter-path": sys.executable,
        "project-includes": ["program.py"],
    }
    lines = [f"{name} = {json.dumps(value)}" for name, value in settings.items()]
    (folder / "pyrefly.toml").write_text("\n".join(lines))
    told = checked(program, folder, "pyrefly", "check", "--output-format=json")["errors"]
    return [(one["line"], one["severity"], one["description"]) for one in told]


def by_basedpyright(program: str, folder: Path) -> Told:
    pytest.importorskip("basedpyright")
    settings = {"typeCheckingMode": "standard", "extraPaths": [str(PACKAGE.parent)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    options = "--pythonpath", sys.executable, "--outputjson"
    told = checked(program, folder, "basedpyright", *options)["generalDiagnostics"]
    return [(one["range"]["start"]["line"] + 1, one["severity"], one["message"]) for one in told]


def checked(program: str, folder: Path, *command: str) -> Any:
    (folder / "program.py").write_text(program)
    run = subprocess.run(
        [sys.executable, "-m", *command], cwd=folder, capture_output=True, text=True, check=False
    )
    return json.loads(run.stdout)


def _path(*names: str) -> Path:
    folder = PACKAGE.relative_to(ROOT) / "api" if names[0] else PACKAGE.relative_to(ROOT)
    return (folder / names[-1]).with_suffix(".pyi")
