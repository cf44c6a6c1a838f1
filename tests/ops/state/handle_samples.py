"""Samples of operations on variables and lists, and what TensorFlow gives for them.

Run `python tests/ops/state/handle_samples.py` where TensorFlow is to write `handle_samples.json`.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
FILE = Path(__file__).with_suffix(".json")


@dataclass(frozen=True, eq=False)
class Ref:
    """A variable with this value. Its value afterwards is one of the results."""

    array: Array


@dataclass(frozen=True, eq=False)
class Items:
    """A list of the rows of an array. A list among the results is told by its stacked elements."""

    array: Array


@dataclass(frozen=True, eq=False)
class HandleSample:
    """One application; arrays are run-time tensors, Python values constants of the graph."""

    op: str
    operands: tuple[Any, ...]
    attrs: Mapping[str, Any] = field(default_factory=dict[str, Any])


def on(op: str, *operands: Any, **attrs: Any) -> HandleSample:
    return HandleSample(op, operands, attrs)


def f32(*values: Any) -> Array:
    return np.array(values, np.float32)


def i32(*values: Any) -> Array:
    return np.array(values, np.int32)


def i64(*values: Any) -> Array:
    return np.array(values, np.int64)


MATRIX = f32([1.5, -2.0], [0.25, 4.0], [-3.5, 0.5])
ROWS = f32([2.0, 0.5], [-1.25, 3.0])
ROW_UPDATES = (
    "ResourceScatterUpdate", "ResourceScatterAdd", "ResourceScatterSub", "ResourceScatterMul",
    "ResourceScatterDiv", "ResourceScatterMax", "ResourceScatterMin",
)  # fmt: skip
POINT_UPDATES = (
    "ResourceScatterNdUpdate", "ResourceScatterNdAdd", "ResourceScatterNdSub",
    "ResourceScatterNdMax", "ResourceScatterNdMin",
)  # fmt: skip
FLOAT, INT = "float32", "int32"

VARIABLES = [
    on("ReadVariableOp", Ref(MATRIX), dtype=FLOAT),
    on("ReadVariableOp", Ref(i32(4, 5)), dtype=INT),
    on("AssignVariableOp", Ref(MATRIX), MATRIX * 2, dtype=FLOAT),
    on("AssignAddVariableOp", Ref(MATRIX), MATRIX * 2, dtype=FLOAT),
    on("AssignAddVariableOp", Ref(i32(4, 5)), i32(1, -9), dtype=INT),
    on("AssignSubVariableOp", Ref(MATRIX), MATRIX * 2, dtype=FLOAT),
    *(on(op, Ref(MATRIX), i32(2, 0), ROWS, dtype=FLOAT) for op in ROW_UPDATES),
    *(on(op, Ref(f32(1, 8, 3)), i64(1, 1), f32(2, 4), dtype=FLOAT) for op in ROW_UPDATES),
    *(on(op, Ref(i32(6, 7, -8)), i32(1)[0], i32(3)[0], dtype=INT) for op in ROW_UPDATES),
    *(on(op, Ref(MATRIX), i32([2, 1], [0, 0]), f32(9, -9), T=FLOAT) for op in POINT_UPDATES),
    *(on(op, Ref(MATRIX), i32([2], [2]), ROWS, T=FLOAT) for op in POINT_UPDATES),
    on("ResourceGather", Ref(MATRIX), i32(2, 0, 2), dtype=FLOAT),
    on("ResourceStridedSliceAssign", Ref(f32(1, 2, 3, 4)), [1], [3], [1], f32(7, 8), T=FLOAT),
    on(
        "ResourceStridedSliceAssign", Ref(MATRIX), [1, 1], [3, 2], [1, 1], f32(7, 8),
        shrink_axis_mask=2, T=FLOAT,
    ),
    on("ResourceCountUpTo", Ref(i32(3)[0]), limit=5, T=INT),
    on("VarIsInitializedOp", Ref(MATRIX)),
    on("VariableShape", Ref(MATRIX)),
]  # fmt: skip

LIST = Items(MATRIX)
LISTS = [
    on("TensorListLength", LIST),
    on("TensorListGetItem", LIST, 1, [2], element_dtype=FLOAT),
    on("TensorListGetItem", Items(i32([1, 2], [3, 4])), i32(1)[0], [2], element_dtype=INT),
    on("TensorListSetItem", LIST, 1, f32(8, 9)),
    on("TensorListSetItem", LIST, 4, f32(8, 9), resize_if_index_out_of_bounds=True),
    on("TensorListStack", LIST, [2], element_dtype=FLOAT, num_elements=3),
    on("TensorListFromTensor", MATRIX, [2]),
    on("TensorListGather", LIST, i32(2, 0, 2), [2], element_dtype=FLOAT),
    on("TensorListScatterIntoExistingList", LIST, ROWS, i32(2, 0)),
    on("TensorListConcatV2", LIST, [2], i64(), element_dtype=FLOAT),
    on("TensorListSplit", np.repeat(MATRIX, 2, 0), [2, 2], i64(2, 2, 2)),
    on("TensorListResize", LIST, 2),
    on("TensorListPushBack", LIST, f32(8, 9)),
    on("TensorListPopBack", LIST, [2], element_dtype=FLOAT),
]
SAMPLES = [*VARIABLES, *LISTS]


def names() -> list[str]:
    """Each sample's operation and number."""
    return [f"{sample.op}-{number}" for number, sample in enumerate(SAMPLES)]


# ---------------------------------------------------------------- recording


def _operand(tf: Any, operand: Any) -> Any:
    if isinstance(operand, Ref):
        return tf.Variable(operand.array)
    if isinstance(operand, Items):
        shape = tf.constant(operand.array.shape[1:], tf.int32)
        return tf.raw_ops.TensorListFromTensor(tensor=operand.array, element_shape=shape)
    return operand


def _result(tf: Any, result: Any) -> list[Any]:
    if result.dtype == tf.variant:
        result = tf.raw_ops.TensorListStack(
            input_handle=result, element_shape=-1, element_dtype=tf.float32
        )
    return result.numpy().tolist()


def _recorded(tf: Any, sample: HandleSample) -> list[Any]:
    operands = [_operand(tf, operand) for operand in sample.operands]
    raw = getattr(tf.raw_ops, sample.op)
    parameters = list(inspect.signature(raw).parameters)
    handles = [one.handle if isinstance(one, tf.Variable) else one for one in operands]
    attrs = {key: value for key, value in sample.attrs.items() if key in parameters}
    results = tf.nest.flatten(raw(**dict(zip(parameters, handles, strict=False)), **attrs))
    variables = [one for one in operands if isinstance(one, tf.Variable)]
    return [_result(tf, one) for one in [*results, *variables] if one is not None]


if __name__ == "__main__":
    import tensorflow

    lines = [json.dumps(_recorded(tensorflow, sample)) for sample in SAMPLES]
    FILE.write_text("[\n" + ",\n".join(lines) + "\n]\n")
