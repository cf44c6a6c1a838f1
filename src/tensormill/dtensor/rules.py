"""How the results of operations are laid out: one rule for each, by TensorFlow's name.

A rule gets the operation with `LaidOutOperand`s for fields, the shapes of its results, and how many
parts each axis of the mesh makes. It gives the specs of each result; None for one of which it is
not known, or which TensorFlow refuses. An operation without a rule that is given nothing but
replicated operands gives replicated results.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from ..core.process.named_tuples import NamedTuple
from ..ops.control.layouts import Relayout, RelayoutLike
from .layout import UNSHARDED, Layout, Specs
from .merging import (
    LaidOutOperand,
    broadcast,
    contracted,
    replicated,
    reshaped,
)

Shape = tuple[int | None, ...] | None
Found = Sequence[Specs | None] | Specs | None


class Around(NamedTuple):
    """What a rule is told beside the operation."""

    shapes: Sequence[Shape]  # of the results
    parts: Mapping[str, int]  # of each axis of the mesh
    is_traced: bool  # whether the operation is part of a function
    lost: list[str]  # what rules add: axes of the mesh that two axes of the result would have


Rule = Callable[[Any, Around], Any]
RULES: Final[dict[str, Rule]] = {}


def rule(*names: str) -> Callable[[Rule], Rule]:
    """Of these operations a function is the rule."""

    def listed(function: Rule) -> Rule:
        RULES.update(dict.fromkeys(names, function))
        return function

    return listed


def specs_of_results(
    op: Any, fields: Any, operands: Sequence[LaidOutOperand], around: Around
) -> Any:
    """For each result its specs, or None where it is not known how it is laid out.

    fields: the operation with Operands in place of its operands; operands: all of them, flat.
    """
    found = _by_rule(op, fields, operands, around)
    given = [*found] + [None] * (len(around.shapes) - len(found))
    return [
        () if shape == () else _fitting(specs, shape, around.parts)
        for specs, shape in zip(given, around.shapes, strict=True)
    ]


def _by_rule(op: Any, fields: Any, operands: Sequence[LaidOutOperand], around: Around) -> Any:
    if op in (Relayout, RelayoutLike):  # which say it, whatever they are given
        return [RULES[op.name](fields, around)]
    if all(one.is_replicated for one in operands):
        return [None if shape is None else replicated(len(shape)) for shape in around.shapes]
    chosen = RULES.get(op.name)
    if any(one.specs is None for one in operands):
        return []
    if chosen is None:
        if not op.by_element:
            return []
        found = broadcast([_specs(one) for one in operands], around.lost)
        return [] if _is_decided_elsewhere(operands, around) else [found]
    found = chosen(fields, around)
    if found is None or _is_decided_elsewhere(operands, around):
        return []
    return found if isinstance(found, list) else [found]


def _is_decided_elsewhere(operands: Sequence[LaidOutOperand], around: Around) -> bool:
    """Whether axes of the mesh are wanted twice by what a function has computed: TensorFlow may
    lay that out otherwise then, by what else the function does with it.
    """
    disputed = {*around.lost}
    return around.is_traced and any(
        not one.is_given and disputed.intersection(_specs(one)) for one in operands
    )


def _fitting(specs: Specs | None, shape: Shape, parts: Mapping[str, int]) -> Specs | None:
    """The specs, unless sizes cannot be divided so: then TensorFlow refuses."""
    if specs is None or shape is None or len(specs) != len(shape):
        return None
    sizes = zip(specs, shape, strict=True)
    divides = all(size is None or size % parts.get(spec, 1) == 0 for spec, size in sizes)
    return specs if divides else None


def _specs(operand: LaidOutOperand) -> Specs:
    assert operand.specs is not None
    return operand.specs


def _axes(operand: LaidOutOperand, rank: int) -> list[int] | None:
    """Axes that an operand holds; None where only run time knows them."""
    if operand.value is None:
        return None
    values: Any = operand.value
    return [int(axis) % rank for axis in values.reshape(-1)] if rank else []


def _unsharded_at(specs: Specs, axes: Sequence[int]) -> Specs:
    return tuple(UNSHARDED if axis in axes else spec for axis, spec in enumerate(specs))


# ---- the same for every element, and nearly so


@rule("SelectV2", "Select", "AddN", "Where3")
def _broadcast(op: Any, around: Around) -> Specs:
    operands = [one for field in op.inputs for one in _listed(getattr(op, field.name))]
    return broadcast(map(_specs, operands), around.lost)


def _listed(operand: Any) -> Sequence[LaidOutOperand]:
    return operand if isinstance(operand, tuple) else (operand,)


@rule("IdentityN")
def _each(op: Any, around: Around) -> list[Specs]:
    return [_specs(one) for one in op.input]


@rule(
    "Identity", "StopGradient", "PreventGradient", "CheckNumerics", "EnsureShape", "Softmax",
    "LogSoftmax", "Snapshot", "Cast",
)  # fmt: skip
def _kept(op: Any, around: Around) -> Specs:
    return _specs(getattr(op, op.inputs[0].name))


@rule("ZerosLike", "OnesLike")
def _like(op: Any, around: Around) -> Specs:
    (shape,) = around.shapes
    if around.is_traced and shape is not None and None not in shape:
        return replicated(len(shape))  # a constant to TensorFlow
    return _specs(op.x)


@rule("BiasAdd")
def _bias_add(op: Any, around: Around) -> Specs | None:
    value, (bias,) = _specs(op.value), _specs(op.bias)
    if op.data_format != "NHWC":
        return None
    if value[-1] != UNSHARDED or bias in value:
        return value
    return (*value[:-1], bias)


@rule("BiasAddGrad")
def _bias_add_grad(op: Any, around: Around) -> Specs | None:
    return None if op.data_format != "NHWC" else _specs(op.out_backprop)[-1:]


@rule("SparseSoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits")
def _cross_entropy(op: Any, around: Around) -> list[Specs] | None:
    features, labels = _specs(op.features), _specs(op.labels)
    if len(features) != 2:
        return None
    batch = features[0] if features[0] != UNSHARDED else labels[0]
    classes = [spec for spec in (features[1], *labels[1:]) if spec != UNSHARDED]
    inner = classes[0] if classes else UNSHARDED
    if inner == batch != UNSHARDED:
        around.lost.append(batch)
        inner = UNSHARDED
    return [(batch,), (batch, inner)]


# ---- products


@rule("MatMul")
def _matmul(op: Any, around: Around) -> Specs | None:
    left = "ki" if op.transpose_a else "ik"
    right = "jk" if op.transpose_b else "kj"
    return contracted((_specs(op.a), _specs(op.b)), (left, right), "ij", around.lost)


@rule("BatchMatMulV2", "BatchMatMul")
def _batch_matmul(op: Any, around: Around) -> Specs | None:
    x, y = _specs(op.x), _specs(op.y)
    left, right = "ki" if op.adj_x else "ik", "jk" if op.adj_y else "kj"
    matrix = contracted((x[-2:], y[-2:]), (left, right), "ij", around.lost)
    if matrix is None:
        return None
    taken = {*x[-2:], *y[-2:]}
    batch = broadcast((x[:-2], y[:-2]), around.lost)
    around.lost.extend(taken.intersection(batch) - {UNSHARDED})
    return (*(UNSHARDED if spec in taken else spec for spec in batch), *matrix)


@rule("TensormillProduct")
def _product(op: Any, around: Around) -> Specs | None:
    equation = op.equation.replace(" ", "")
    if "." in equation or "->" not in equation:
        return None
    taken, result = equation.split("->")
    factors = [_specs(one) for one in op.factors]
    return contracted(factors, taken.split(","), result, around.lost)


@rule("Conv2D", "Conv3D")
def _convolution(op: Any, around: Around) -> Specs | None:
    batch, *others = _specs(op.input)
    if not op.filter.is_replicated or any(spec != UNSHARDED for spec in others):
        return None
    return (batch, *others)


@rule("Conv2DBackpropInput")
def _convolution_to_input(op: Any, around: Around) -> Specs | None:
    batch, *others = _specs(op.out_backprop)
    if not op.filter.is_replicated or any(spec != UNSHARDED for spec in others):
        return None
    return (batch, *others)


@rule("Conv2DBackpropFilter")
def _convolution_to_filter(op: Any, around: Around) -> Specs | None:
    batched = all(
        spec == UNSHARDED for one in (op.input, op.out_backprop) for spec in one.specs[1:]
    )
    return replicated(4) if batched else None


@rule("MaxPool", "AvgPool", "MaxPoolGrad")
def _pooling(op: Any, around: Around) -> Specs | None:
    rows = [_specs(getattr(op, field.name)) for field in op.inputs]
    if any(spec != UNSHARDED for row in rows for spec in row[1:]):
        return None
    return broadcast(rows, around.lost)


# ---- along axes


@rule("Sum", "Mean", "Prod", "Max", "Min", "All", "Any", "EuclideanNorm")
def _reduction(op: Any, around: Around) -> Specs | None:
    specs = _specs(op.input)
    axes = _axes(op.reduction_indices, len(specs))
    if axes is None:
        return None
    if op.keep_dims:
        return _unsharded_at(specs, axes)
    return tuple(spec for axis, spec in enumerate(specs) if axis not in axes)


@rule("SumToShape")
def _sum_to_shape(op: Any, around: Around) -> Specs | None:
    before, after = op.input.shape, around.shapes[0]
    if before is None or after is None:
        return None
    gone = len(before) - len(after)
    return _where_whole(_specs(op.input)[gone:], before[gone:], after)


@rule("StridedSliceGrad")
def _strided_slice_gradient(op: Any, around: Around) -> Specs | None:
    if op.shrink_axis_mask or op.new_axis_mask or op.ellipsis_mask:
        return None
    return _where_whole(_specs(op.dy), op.dy.shape, around.shapes[0])


@rule("ArgMax", "ArgMin")
def _arg_extremum(op: Any, around: Around) -> Specs | None:
    specs = _specs(op.input)
    axes = _axes(op.dimension, len(specs))
    return None if axes is None else tuple(s for k, s in enumerate(specs) if k not in axes)


@rule("Cumsum")
def _scan(op: Any, around: Around) -> Specs | None:
    specs = _specs(op.x)
    axes = _axes(op.axis, len(specs))
    return None if axes is None else _unsharded_at(specs, axes)


@rule("TopKV2")
def _top(op: Any, around: Around) -> list[Specs]:
    found = (*_specs(op.input)[:-1], UNSHARDED)
    return [found, found]


@rule("OneHot")
def _one_hot(op: Any, around: Around) -> Specs:
    found = list(_specs(op.indices))
    found.insert(op.axis if op.axis >= 0 else len(found), UNSHARDED)
    return tuple(found)


@rule("UnsortedSegmentSum")
def _segments(op: Any, around: Around) -> Specs | None:
    (shape,) = around.shapes
    if shape is None:
        return None
    inner = _specs(op.data)[len(_specs(op.segment_ids)) :]
    return (UNSHARDED, *inner)


# ---- axes moved and made


@rule("Transpose")
def _transpose(op: Any, around: Around) -> Specs | None:
    specs = _specs(op.x)
    order = _axes(op.perm, len(specs))
    return None if order is None else tuple(specs[axis] for axis in order)


@rule("Reshape", "ExpandDims", "Squeeze")
def _reshape(op: Any, around: Around) -> Specs | None:
    operand: LaidOutOperand = getattr(op, op.inputs[0].name)
    before, after = operand.shape, around.shapes[0]
    if before is None or after is None or None in before or None in after:
        return None
    sizes: list[Any] = [before, after]
    return reshaped(_specs(operand), sizes[0], sizes[1], around.parts)


@rule("BroadcastTo")
def _broadcast_to(op: Any, around: Around) -> Specs | None:
    (shape,) = around.shapes
    if shape is None:
        return None
    specs = _specs(op.input)
    return replicated(len(shape) - len(specs)) + specs


@rule("Shape", "Size", "Rank", "Fill", "Range", "BroadcastGradientArgs")
def _sizes(op: Any, around: Around) -> list[Specs | None]:
    return [None if shape is None else replicated(len(shape)) for shape in around.shapes]


@rule("Pack")
def _pack(op: Any, around: Around) -> Specs:
    rows = [_specs(one) for one in op.values]
    rank = len(rows[0])
    found = [UNSHARDED] * (rank + 1)
    first = {row[0] for row in rows if rank and row[0] != UNSHARDED}
    if len(first) == 1:  # TensorFlow keeps no more than the first axis
        found[1 if op.axis % (rank + 1) == 0 else 0] = first.pop()
    return tuple(found)


@rule("Unpack")
def _unpack(op: Any, around: Around) -> list[Specs]:
    specs = _specs(op.value)
    gone = op.axis % len(specs)
    return [specs[:gone] + specs[gone + 1 :]] * len(around.shapes)


@rule("ConcatV2")
def _concat(op: Any, around: Around) -> Specs | None:
    specs = broadcast(map(_specs, op.values), around.lost)
    axes = _axes(op.axis, len(specs))
    return None if axes is None else _unsharded_at(specs, axes)


@rule("Split", "SplitV")
def _split(op: Any, around: Around) -> list[Specs] | None:
    specs = _specs(op.value)
    axes = _axes(op.split_dim, len(specs))
    if axes is None or specs[axes[0]] != UNSHARDED:
        return None
    return [specs] * len(around.shapes)


@rule("Tile")
def _tile(op: Any, around: Around) -> Specs | None:
    specs, times = _specs(op.input), op.multiples.value
    if times is None:
        return None
    divided = [k for k, spec in enumerate(specs) if spec != UNSHARDED]
    return specs if all(times[axis] == 1 for axis in divided) else None


@rule("Pad", "PadV2")
def _pad(op: Any, around: Around) -> Specs | None:
    specs, widths = _specs(op.input), op.paddings.value
    if widths is None:
        return None
    divided = [k for k, spec in enumerate(specs) if spec != UNSHARDED]
    return None if any(widths[axis].any() for axis in divided) else specs


# ---- parts


@rule("Slice")
def _slice(op: Any, around: Around) -> Specs | None:
    return _where_whole(_specs(op.input), op.input.shape, around.shapes[0])


def _where_whole(specs: Specs, before: Shape, after: Shape) -> Specs | None:
    """The specs of axes that are taken as a whole."""
    if before is None or after is None or None in before or None in after:
        return None
    pairs = zip(specs, before, after, strict=True)
    return tuple(spec if old == new else UNSHARDED for spec, old, new in pairs)


@rule("StridedSlice")
def _strided_slice(op: Any, around: Around) -> Specs | None:
    specs, shape = _specs(op.input), op.input.shape
    bounds = [one.value for one in (op.begin, op.end, op.strides)]
    if shape is None or None in shape or any(one is None for one in bounds):
        return None
    if op.shrink_axis_mask and not _is_followed(op, len(bounds[0]), len(specs)):
        return None
    if op.shrink_axis_mask and (op.ellipsis_mask or len(bounds[0]) < len(specs)):
        return specs[: len(around.shapes[0] or ())]  # TensorFlow looks at the wrong axes here
    found: list[str] = []
    axis = 0
    for position in range(len(bounds[0])):
        bit = 1 << position
        if op.ellipsis_mask & bit:
            later = range(position + 1, len(bounds[0]))
            taken = sum(not op.new_axis_mask & (1 << k) for k in later)
            found += specs[axis : len(specs) - taken]
            axis = len(specs) - taken
        elif op.new_axis_mask & bit:
            found.append(UNSHARDED)
        else:
            if not op.shrink_axis_mask & bit:
                whole = _is_whole(op, position, shape[axis], *[one[position] for one in bounds])
                found.append(specs[axis] if whole else UNSHARDED)
            axis += 1
    return (*found, *specs[axis:])


def _is_followed(op: Any, count: int, rank: int) -> bool:
    """Whether it is known what TensorFlow says of axes that are indexed: of `[:, 0]`, `[0]`,
    `[..., 0]` and the like, but not of `[0, :]`, nor of parts of axes beside an index.
    """
    kinds = ""
    for position in range(count):
        bit = 1 << position
        if op.shrink_axis_mask & bit:
            kinds += "i"
        elif op.ellipsis_mask & bit:
            kinds += "."
        else:
            kinds += ":" if op.begin_mask & bit and op.end_mask & bit else "?"
    if op.new_axis_mask or "?" in kinds:
        return False
    return "." in kinds or "i:" not in kinds or (":i:" in kinds and count == rank)


def _is_whole(op: Any, position: int, size: int, begin: int, end: int, stride: int) -> bool:
    bit = 1 << position
    start = 0 if op.begin_mask & bit else begin
    stop = size if op.end_mask & bit else end
    if stride < 0:
        return bool(op.begin_mask & bit and op.end_mask & bit)
    return bool(start in (0, -size) and stop >= size)


@rule("GatherV2")
def _gather(op: Any, around: Around) -> Specs | None:
    params, indices = list(_specs(op.params)), _specs(op.indices)
    axes = _axes(op.axis, len(params))
    if axes is None:
        return None
    axis, batch = axes[0], op.batch_dims % max(len(indices), 1) if op.batch_dims else 0
    around_axis = params[:axis] + params[axis + 1 :]
    inner = [UNSHARDED if spec in around_axis else spec for spec in indices[batch:]]
    return tuple(params[:axis] + inner + params[axis + 1 :])


@rule("GatherNd")
def _gather_nd(op: Any, around: Around) -> Specs | None:
    shape: Shape = op.indices.shape
    depth = None if shape is None else shape[-1]
    if shape is None or depth is None or not op.indices.is_replicated:
        return None
    return replicated(len(shape) - 1) + _specs(op.params)[depth:]


@rule("TensorScatterUpdate", "TensorScatterAdd", "TensorScatterSub")
def _scatter(op: Any, around: Around) -> Specs | None:
    depth = None if op.indices.shape is None else op.indices.shape[-1]
    if depth is None:
        return None
    specs = broadcast((_specs(op.tensor), replicated(depth) + _specs(op.updates)[-1:]), around.lost)
    return _unsharded_at(specs, range(depth)) if len(_specs(op.updates)) == 2 else None


# ---- variables


@rule("ReadVariableOp")
def _read(op: Any, around: Around) -> Specs:
    return _specs(op.resource)


@rule("Relayout", "CopyToMesh")
def _relayout(op: Any, around: Around) -> Specs:
    return tuple(Layout.from_string(op.layout).sharding_specs)


@rule("RelayoutLike")
def _relayout_like(op: Any, around: Around) -> Specs | None:
    specs: Specs | None = op.layout_input.specs
    return specs
