"""Operations by their own names take what TensorFlow's take."""

from __future__ import annotations

import inspect
import json
from typing import Any

import pytest

import tensormill as tf
from tensormill.ops.op import REGISTRY

from .record_raw_ops import RECORD, parameters

RAW: Any = tf.raw_ops
TENSORFLOW: dict[str, list[str]] = json.loads(RECORD.read_text())
# What holds graphs is told by them what it returns.
OF_GRAPHS = {
    "Case", "If", "PartitionedCall", "StatefulPartitionedCall", "StatelessCase", "StatelessIf",
    "StatelessWhile", "While",
}  # fmt: skip


def listed(name: str, lines: list[str]) -> list[str]:
    """Without the order of attributes, which nobody can tell: they are given by keyword."""
    inputs = len(REGISTRY[name].inputs)
    return [*lines[:inputs], *sorted(lines[inputs:])]


def test_operations_take_what_tensorflows_take() -> None:
    theirs = {name: listed(name, lines) for name, lines in TENSORFLOW.items()}
    ours = {name: listed(name, parameters(getattr(RAW, name))) for name in TENSORFLOW}

    differ = {name for name in theirs if ours[name] != theirs[name]}
    assert {name: theirs[name] for name in differ - OF_GRAPHS} == {
        name: ours[name] for name in differ - OF_GRAPHS
    }
    assert differ >= OF_GRAPHS


def test_every_name_is_that_of_its_operation() -> None:
    assert dir(RAW) == [getattr(RAW, name).__name__ for name in dir(RAW)]


def test_axes_are_called_axes() -> None:
    x = [[1, 2], [3, 4]]

    assert [4, 6] == RAW.Sum(input=x, axis=0).numpy().tolist()
    assert [True] == RAW.Any(input=[[True, False]], axis=[1]).numpy().tolist()
    assert [[1], [3]] == RAW.Split(axis=1, value=x, num_split=2)[0].numpy().tolist()
    assert [[1, 2]] == RAW.ExpandDims(input=[1, 2], axis=0).numpy().tolist()
    assert [1, 2] == RAW.Squeeze(input=[[1, 2]], axis=[0]).numpy().tolist()
    assert [[1]] == RAW.Where(condition=[False, True]).numpy().tolist()
    with pytest.raises(TypeError, match=r"no argument .'reduction_indices'"):
        RAW.Sum(input=x, axis=0, reduction_indices=0)


def test_arguments_are_keywords() -> None:
    kinds = {one.kind for one in inspect.signature(RAW.AddV2).parameters.values()}

    assert {inspect.Parameter.KEYWORD_ONLY} == kinds


def test_dtypes_of_inputs_are_not_taken() -> None:
    handle = tf.Variable([1.0]).handle

    with pytest.raises(TypeError, match=r"no argument .'dtype'"):
        RAW.AssignAddVariableOp(resource=handle, value=[1.0], dtype=tf.float32)
