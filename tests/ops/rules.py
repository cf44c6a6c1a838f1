"""What the rule tests share: samples as tensors, graphs of one operation, comparisons."""

from __future__ import annotations

import builtins
import json
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np

import tensormill as tf
from tensormill.backends import cpu
from tensormill.compiler.prologue import PrologueStep
from tensormill.core.dtypes import BY_SHORT, as_dtype, shown
from tensormill.core.shapes import TensorShape
from tensormill.core.specs import Known, TensorSpec
from tensormill.core.text import strings_in
from tensormill.graph.builder import Trace, trace_graph
from tensormill.graph.evaluate import evaluate
from tensormill.graph.serialized import operations as operations
from tensormill.ops import catalogue as catalogue
from tensormill.ops.bind import bind
from tensormill.ops.op import REGISTRY, Op

from .calls.tables import TOPIC_WITH, parts
from .record import DTYPE_ATTRS, DTYPE_LISTS
from .samples import SAMPLES, TOPIC_OF, Sample, answers_of

CASES = [(name, number) for name, samples in SAMPLES.items() for number in range(len(samples))]


@cache
def recorded(file: Path) -> dict[str, Any]:
    """What record.py wrote to a file."""
    return json.loads(file.read_text())


def decoded(entry: dict[str, Any]) -> np.ndarray[Any, Any]:
    """An array that record.py wrote."""
    values, name = entry["values"], entry["dtype"]
    if name == "str":
        array = np.empty(len(values), object)
        array[:] = [text.encode("latin-1") for text in values]
    elif name.startswith("complex"):
        array = np.array([complex(*pair) for pair in values], name)
    else:
        narrow = getattr(ml_dtypes, name, None)
        array = np.array(values, np.float64 if narrow else name).astype(narrow or name)
    return array.reshape(entry["shape"])


def attributes(sample: Sample) -> dict[str, Any]:
    """Attributes as operations take them: dtypes and shapes as objects."""
    attrs = dict(sample.attrs)
    for key, value in attrs.items():
        if key in DTYPE_ATTRS:
            attrs[key] = BY_SHORT[value]
        elif key in DTYPE_LISTS:
            attrs[key] = tuple(BY_SHORT[one] for one in value)
        elif key.endswith("dense_shapes"):
            attrs[key] = tuple(map(TensorShape, value))
        elif key == "shape":
            attrs[key] = TensorShape(value)
        elif isinstance(value, list):
            attrs[key] = tuple(value)
    return attrs


def is_called_back(name: str) -> bool:
    """Whether a compiled function runs this operation in Python."""
    op = REGISTRY[name]
    return op.lower is None and op.scalar is None and op.expand is None


def flat(operands: Sequence[Any]) -> list[Any]:
    return [
        one
        for operand in operands
        for one in (operand if isinstance(operand, tuple) else (operand,))
    ]


def applied(op: type[Op], operands: Sequence[Any], sample: Sample) -> tuple[Any, ...]:
    """The flat outputs of binding `op` to tensors."""
    result = bind(op, *operands, **attributes(sample))
    if not op.outputs:
        return ()  # bind gives None, or the operation of a graph
    return (result,) if op.single else tuple(result)


def tensors(sample: Sample) -> list[Any]:
    return [
        tuple(tf.constant(one) for one in operand)
        if type(operand) is tuple
        else tf.constant(operand)
        for operand in sample.operands
    ]


def eager_outputs(op: type[Op], sample: Sample) -> list[Any]:
    return [array_of(output) for output in applied(op, tensors(sample), sample)]


def array_of(tensor: Any) -> np.ndarray[Any, Any]:
    """What a tensor holds: `numpy()` would turn scalars into Python objects."""
    return shown(tensor._array)  # pyright: ignore[reportPrivateUsage]


def known(array: Any, mode: str) -> Known:
    """What inference is told: everything, the rank, or the dtype."""
    dtype = as_dtype(array.dtype)
    if mode == "everything":
        return Known(TensorSpec(array.shape, dtype), array)
    shape = (None,) * array.ndim if mode == "ranks" else None
    return Known(TensorSpec(shape, dtype))


def traced(
    samples: Sequence[tuple[type[Op], Sample]], sizes_known: bool
) -> tuple[Trace, list[Any]]:
    """One graph that applies operations to parameters, and the arrays for these."""
    arrays = arrays_of(samples)
    specs = [
        TensorSpec(one.shape if sizes_known else (None,) * one.ndim, as_dtype(one.dtype))
        for one in arrays
    ]

    def body(*parameters: Any) -> list[Any]:
        remaining = iter(parameters)
        return [_apply(op, sample, remaining) for op, sample in samples]

    return trace_graph(body, specs, "samples"), arrays


def arrays_of(samples: Sequence[tuple[type[Op], Sample]]) -> list[Any]:
    """The operands that a graph takes as parameters."""
    return [
        array
        for _, sample in samples
        for position, operand in enumerate(sample.operands)
        if position not in sample.fixed
        for array in flat([operand])
    ]


def _apply(op: type[Op], sample: Sample, remaining: Any) -> Any:
    operands: list[Any] = []
    for position, operand in enumerate(sample.operands):
        if position in sample.fixed:
            operands.append(operand)
        elif type(operand) is tuple:
            operands.append(tuple(next(remaining) for _ in operand))
        else:
            operands.append(next(remaining))
    return list(applied(op, operands, sample))


def assert_close(expected: Any, actual: Any, tolerance: float, what: str = "") -> None:
    """Same dtype and shape; strings and integers equal, floats within a relative tolerance."""
    expected, actual = shown(np.asarray(expected)), shown(np.asarray(actual))
    assert expected.shape == actual.shape, f"{what}: shape {actual.shape}, not {expected.shape}"
    assert expected.dtype == actual.dtype, f"{what}: dtype {actual.dtype}, not {expected.dtype}"
    if expected.dtype.kind == "O":
        strings_in(actual)  # bytes, and not arrays that equal them
    if expected.dtype.kind in "iubO":
        assert np.array_equal(expected, actual), f"{what}:\n{actual}\nnot\n{expected}"
        return
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    left, right = expected.astype(wide), actual.astype(wide)
    np.testing.assert_allclose(right, left, rtol=tolerance, atol=tolerance, err_msg=what)


def assert_as_told(name: str, number: int) -> None:
    """What a sample gives eagerly is what was told by hand, or recorded from TensorFlow."""
    sample = SAMPLES[name][number]
    if sample.expected is not None:
        told = sample.expected if type(sample.expected) is tuple else (sample.expected,)
        expected = [np.asarray(one) for one in told]
    else:
        expected = [decoded(entry) for entry in recorded(answers_of(TOPIC_OF[name]))[name][number]]
    outputs = eager_outputs(REGISTRY[name], sample)

    assert len(expected) == len(outputs)
    for one, output in zip(expected, outputs, strict=True):
        assert_close(one, output, sample.tolerance, f"{name}, sample {number}")


# How far native code may be from NumPy, by the size of an element.
NATIVE_TOLERANCE = {2: 2e-2, 4: 5e-6, 8: 1e-11, 16: 1e-11}


def assert_compiled_as_evaluated(applied: list[tuple[str, Sample]], sizes_known: bool) -> None:
    """What a program of applications gives is what a walk through their graph does.

    Where sizes are unknown, samples that differ in sizes and values alone are calls of one code.
    """
    calls = [applied] if sizes_known else calls_of_shared_code(applied)
    ops = [[(REGISTRY[name], one) for name, one in call] for call in calls]
    trace, arrays = traced(ops[0], sizes_known)
    names = "/".join(sorted({name for name, _ in applied}))
    captured = [array_of(one) for one in trace.captured]
    program = cpu.compile(trace.graph)
    run = program.bind(trace.captured)

    for given in [arrays, *(arrays_of(call) for call in ops[1:])]:
        expected = evaluate(trace.graph, [*given, *captured])
        outputs = run(*(tf.constant(array) for array in given))
        for one, output in zip(expected, outputs, strict=True):
            tolerance = NATIVE_TOLERANCE.get(one.dtype.itemsize, 0.0)
            assert_close(one, array_of(output), tolerance, names)
    assert [str(step) for step in program.callbacks if not stays_in_python(step)] == []


def calls_of_shared_code(applied: list[tuple[str, Sample]]) -> list[list[tuple[str, Sample]]]:
    """Each call has one sample for each code; together they have them all."""
    groups = groups_of_shared_code(applied)
    most = max(map(len, groups))
    return [[group[number % len(group)] for group in groups] for number in range(most)]


def groups_of_shared_code(applied: list[tuple[str, Sample]]) -> list[list[tuple[str, Sample]]]:
    """The samples that code which knows no sizes serves together."""
    groups: defaultdict[str, list[tuple[str, Sample]]] = defaultdict(list)
    for name, sample in applied:
        groups[f"{name} {what_code_knows(sample)}"].append((name, sample))
    return list(groups.values())


def what_code_knows(sample: Sample) -> str:
    """What is the same for all calls of code that knows no sizes."""
    parts: list[Any] = [sorted(sample.attrs.items()), sample.fixed]
    for position, operand in enumerate(sample.operands):
        is_fixed = position in sample.fixed
        parts += [
            (array.dtype, array.shape, array.tolist()) if is_fixed else (array.dtype, array.ndim)
            for array in flat([operand])
        ]
        parts.append(type(operand))
    return repr(parts)


def stays_in_python(step: Any) -> bool:
    """Whether this step of a program is not meant to be native."""
    if isinstance(step, PrologueStep) or is_called_back(step.operation.op.name):
        return True
    return step.reason.startswith(IN_PYTHON)


# Why what has native code may run in Python nevertheless. An error while it was lowered is no
# reason: the result would be right, and nobody would see that the rule is wrong.
IN_PYTHON = (
    "LAPACK does the work for ", "how long an index is", "it must be a constant",
    "its exception holds", "its length is only known at run time", "its message shows",
    "native code reads elements as others", "strings and unknown ranks", "the length of the diag",
    "the number of axes that an index", "the sizes of the kernel", "there are no convolutions of",
    "which axes have size 1",
)  # fmt: skip


TOLERANCE = {"f": 2e-6, "c": 2e-6}
# TensorFlow's classes of errors, and Python's, by their names.
ERRORS = vars(builtins) | {name: getattr(tf.errors, name) for name in dir(tf.errors)}


def raises(name: str) -> bool:
    """Whether TensorFlow refuses a call of the tables."""
    return isinstance(recorded(TOPIC_WITH[name].answers)[name], dict)


def assert_call_as_recorded(name: str, call: Callable[..., Any], arrays: Sequence[Any]) -> None:
    """What a call of the tables gives is what TensorFlow's gave, to the last digits."""
    answer = recorded(TOPIC_WITH[name].answers)[name]
    if isinstance(answer, dict):
        assert_raises(ERRORS[answer["raises"]], lambda: call(*map(tf.constant, arrays)))
        return
    expected = [decoded(entry) for entry in answer]
    actual = [array_of(tensor) for tensor in parts(tf, call(*map(tf.constant, arrays)))]

    assert len(expected) == len(actual)
    for one, other in zip(expected, actual, strict=True):
        assert_close(one, other, TOLERANCE.get(one.dtype.kind, 0.0), name)


def assert_raises(error: type[Exception], call: Callable[[], Any]) -> None:
    """As pytest would say it, which is not there where the wheel is tried alone."""
    try:
        found = call()
    except error:
        return
    raise AssertionError(f"no {error.__name__}: {found}")
