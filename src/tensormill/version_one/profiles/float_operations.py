"""How many operations on floats one operation of a graph is, as TensorFlow's profiler counts them.

A multiplication and an addition are two. Operations that are not in the table count nothing, and so
do those whose sizes nobody knows before they run. These are TensorFlow's counts, measured.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import prod
from typing import Any, Final

Count = Callable[[Any], float]

FLOPS: Final = "flops"
# What programs have registered: by the kind of an operation and that of the number.
REGISTERED: Final[dict[tuple[str, str], Callable[[Any, Any], Any]]] = {}


def _size(tensor: Any) -> int:
    """How many elements a tensor has.

    Raises:
        ValueError: nobody knows.
    """
    return prod(_sizes(tensor))


def _sizes(tensor: Any) -> list[int]:
    if not tensor.shape.is_fully_defined():
        raise ValueError(f"the shape {tensor.shape} is not fully defined")
    return tensor.shape.as_list()


def _of_each_result(operation: Any, times: int) -> float:
    return times * _size(operation.outputs[0])


def _of_each_operand(operation: Any, times: int) -> float:
    return times * _size(operation.inputs[0])


def _of_what_goes(operation: Any) -> float:
    """Adding or comparing elements until those of the result are left."""
    return _size(operation.inputs[0]) - _size(operation.outputs[0])


def _mean(operation: Any) -> float:
    return _of_what_goes(operation) + _size(operation.outputs[0])


def _squares(operation: Any) -> float:
    return 3 * _size(operation.inputs[0]) - 1


def _sum_of_all(operation: Any) -> float:
    return (len(operation.inputs) - 1) * _size(operation.outputs[0])


def _product(operation: Any) -> float:
    sizes = _sizes(operation.inputs[0])
    inner = sizes[0] if operation.get_attr("transpose_a") else sizes[1]
    return 2 * inner * _size(operation.outputs[0])


def _batch_of_products(operation: Any) -> float:
    """Which looks at the last axis, adjoint or not, as TensorFlow does."""
    return 2 * _sizes(operation.inputs[0])[-1] * _size(operation.outputs[0])


def _convolution(operation: Any) -> float:
    *window, channels, _ = _sizes(operation.inputs[1])
    return 2 * prod(window) * channels * _size(operation.outputs[0])


def _depthwise(operation: Any) -> float:
    return 2 * prod(_sizes(operation.inputs[1])[:2]) * _size(operation.outputs[0])


def _dilation(operation: Any) -> float:
    return 2 * prod(_sizes(operation.inputs[1])[:2]) * _size(operation.outputs[0])


def _convolution_back(operation: Any, picture: int, filters: int) -> float:
    """Of the gradient by the picture, or by the filters."""
    _require_channels_last(operation)
    shapes = (operation.outputs[0], *operation.inputs)
    batch, rows, columns, _ = _sizes(shapes[picture])
    strides = prod(operation.get_attr("strides")[1:3])
    return 2 * batch * rows * columns * _size(shapes[filters]) / strides


def _pool(operation: Any) -> float:
    _require_channels_last(operation)
    return prod(operation.get_attr("ksize")) * _size(operation.outputs[0])


def _max_pool_back(operation: Any) -> float:
    _require_channels_last(operation)
    return (prod(operation.get_attr("ksize")) + 1) * _size(operation.inputs[1])


def _average_pool_back(operation: Any) -> float:
    _require_channels_last(operation)
    return 2 * prod(operation.get_attr("ksize")) * _size(operation.inputs[1])


def _require_channels_last(operation: Any) -> None:
    if operation.get_attr("data_format") not in (b"NHWC", "NHWC"):
        raise ValueError("operations are counted for NHWC only")


_ONE_EACH: Final = (
    "Add AddV2 Sub Mul RealDiv Maximum Minimum Pow Equal NotEqual Greater GreaterEqual Less "
    "LessEqual Log Neg Reciprocal Square AssignAdd AssignSub"
)
COUNTS: Final[dict[str, Count]] = {
    **{name: partial(_of_each_result, times=1) for name in _ONE_EACH.split()},
    **{name: partial(_of_each_result, times=2) for name in ("Rsqrt", "SquaredDifference")},
    "ClipByValue": partial(_of_each_result, times=2),  # a minimum and a maximum there
    "RsqrtGrad": partial(_of_each_result, times=4),
    "Softmax": partial(_of_each_result, times=5),
    "BiasAdd": partial(_of_each_operand, times=1),
    **dict.fromkeys(("Sum", "ArgMax", "ArgMin", "BiasAddGrad"), _of_what_goes),
    "Mean": _mean,
    "L2Loss": _squares,
    "AddN": _sum_of_all,
    "MatMul": _product,
    **dict.fromkeys(("BatchMatMul", "BatchMatMulV2", "BatchMatMulV3"), _batch_of_products),
    **dict.fromkeys(("Conv2D", "Conv3D"), _convolution),
    "DepthwiseConv2dNative": _depthwise,
    "Dilation2D": _dilation,
    "Conv2DBackpropInput": partial(_convolution_back, picture=0, filters=2),
    "Conv2DBackpropFilter": partial(_convolution_back, picture=1, filters=0),
    **dict.fromkeys(("MaxPool", "AvgPool"), _pool),
    "MaxPoolGrad": _max_pool_back,
    "AvgPoolGrad": _average_pool_back,
}


def float_operations(operation: Any) -> int:
    """How many the operation is; 0 where that is not known."""
    registered = REGISTERED.get((operation.type, FLOPS))
    if registered is not None:
        return int(registered(operation.graph, operation.node_def).value or 0)
    count = COUNTS.get(operation.type)
    if count is None:
        return 0
    try:
        return int(count(operation))
    except ValueError:
        return 0
