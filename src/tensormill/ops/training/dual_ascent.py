"""Linear models by stochastic dual coordinate ascent: one pass over the examples of a batch."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.process.named_tuples import NamedTuple
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..op import Attr, In, Op, Out
from .dual_losses import LOSSES

Array = np.ndarray[Any, Any]

# What is known of an example: its dual variable, the loss, the conjugate, its weight.
STATE: Final = 4
_LOSSES: Final = " ".join(LOSSES)


class DualAscent(Op, abstract=True):
    """A family: what one pass changes of weights and of what is known of examples."""

    sparse_example_indices = In("num_sparse_features * i64 ...")
    sparse_feature_indices = In("num_sparse_features * i64 ...")
    sparse_feature_values = In("num_sparse_features_with_values * f32 ...")
    dense_features = In("num_dense_features * f32 ...")
    example_weights = In("f32 ...")
    example_labels = In("f32 ...")
    sparse_indices = In("num_sparse_features * i64 ...")
    sparse_weights = In("num_sparse_features * f32 ...")
    dense_weights = In("num_dense_features * f32 ...")
    example_state_data = In("f32 ...")
    out_example_state_data = Out("f32 ...")
    out_delta_sparse_weights = Out("num_sparse_features * f32 ...")
    out_delta_dense_weights = Out("num_dense_features * f32 ...")
    num_sparse_features = Attr(int)
    num_sparse_features_with_values = Attr(int)
    num_dense_features = Attr(int)
    loss_type = Attr(allowed=_LOSSES)
    l1 = Attr(float)
    l2 = Attr(float)
    num_loss_partitions = Attr(int)
    num_inner_iterations = Attr(int)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        for name in ("num_loss_partitions", "num_inner_iterations"):
            if getattr(self, name) < 1:
                raise InvalidArgumentError(
                    f"{self.name}: {name} must be at least 1, not {getattr(self, name)}"
                )

    def infer(self) -> tuple[TensorSpec, ...]:
        rows = self.example_labels.shape
        count = rows[0] if rows.rank == 1 else None
        changed = (*self.sparse_weights, *self.dense_weights)
        return (
            TensorSpec((count, STATE), dtypes.float32),
            *(TensorSpec(one.shape, dtypes.float32) for one in changed),
        )

    def eager(self, np: Any) -> tuple[Any, ...]:
        _require_counts(self)
        examples = _examples_of(self)
        state, deltas = _passed(self, examples)
        return state, *deltas


class SdcaOptimizer(DualAscent):
    """One pass."""

    adaptative = Attr(True)


class SdcaOptimizerV2(DualAscent):
    """The same."""

    adaptive = Attr(True)


class Examples(NamedTuple):
    """Features of examples, and weights of the model, all in one vector each."""

    places: list[Array]  # which weights an example has features for
    values: list[Array]
    weights: Array
    ends: list[int]  # of the parts of `weights`


def _require_counts(op: Any) -> None:
    count = op.example_labels.size
    if op.example_labels.ndim != 1 or op.example_weights.shape != (count,):
        raise InvalidArgumentError(
            f"Expected {op.example_weights.size} example labels, a vector as weights are, got "
            f"shape {list(op.example_labels.shape)}"
        )
    if op.example_state_data.shape != (count, STATE):
        raise InvalidArgumentError(
            f"Expected shape [{count},{STATE}] for example_state_data, got "
            f"{list(op.example_state_data.shape)}"
        )
    if not (op.sparse_weights or op.dense_weights):
        raise InvalidArgumentError(f"{op.name}: Requires at least one feature")
    if len(op.sparse_feature_values) > len(op.sparse_feature_indices):
        raise InvalidArgumentError(
            f"{op.name}: values of {len(op.sparse_feature_values)} sparse features were given, and "
            f"indices of {len(op.sparse_feature_indices)}"
        )


def _examples_of(op: Any) -> Examples:
    parts = [*op.sparse_weights, *op.dense_weights]
    weights = np.concatenate([one.reshape(-1) for one in parts]).astype(np.float64)
    ends = np.cumsum([one.size for one in parts]).tolist()
    starts = [0, *ends]
    count = op.example_labels.size
    rows, places, values = [], [], []
    for number in range(len(op.sparse_weights)):
        own, features, amounts = _sparse_feature(op, number, count)
        rows.append(own)
        places.append(features + starts[number])
        values.append(amounts)
    for number, features in enumerate(op.dense_features):
        start = starts[len(op.sparse_weights) + number]
        _require_dense(op, number, count)
        width = features.shape[1]
        rows.append(np.repeat(np.arange(count), width))
        places.append(np.tile(np.arange(width) + start, count))
        values.append(features.reshape(-1).astype(np.float64))
    all_rows = np.concatenate(rows)
    order = np.argsort(all_rows, kind="stable")
    cuts = np.searchsorted(all_rows[order], np.arange(1, count))
    return Examples(
        np.split(np.concatenate(places)[order], cuts),
        np.split(np.concatenate(values)[order], cuts),
        weights, ends,
    )  # fmt: skip


def _sparse_feature(op: Any, number: int, count: int) -> tuple[Array, Array, Array]:
    """The examples, the places among weights, and the values."""
    rows, features = op.sparse_example_indices[number], op.sparse_feature_indices[number]
    where = f"{op.name}: sparse feature {number}"
    has_values = number < len(op.sparse_feature_values)
    amounts = op.sparse_feature_values[number] if has_values else np.ones(features.shape)
    if rows.ndim != 1 or rows.shape != features.shape or rows.shape != amounts.shape:
        raise InvalidArgumentError(
            f"{where}: Found mismatched example indices, feature indices and values: their shapes "
            f"are {list(rows.shape)}, {list(features.shape)} and {list(amounts.shape)}"
        )
    if rows.size and (rows[0] < 0 or rows[-1] >= count or (np.diff(rows) < 0).any()):
        raise InvalidArgumentError(
            f"{where}: example indices must rise, and be those of {count} examples"
        )
    known = op.sparse_indices[number].reshape(-1)
    if known.size != op.sparse_weights[number].size:
        raise InvalidArgumentError(
            f"{where}: {known.size} indices and {op.sparse_weights[number].size} weights"
        )
    order = np.argsort(known, kind="stable")
    found = np.searchsorted(known[order], features)
    within = found < known.size
    within[within] = known[order][found[within]] == features[within]
    if not within.all():
        raise InvalidArgumentError(
            f"{where}: Found sparse feature indices out of range: {features[~within].tolist()} "
            "have no weights"
        )
    if np.unique(np.stack([rows, features]), axis=1).shape[1] != rows.size:
        raise InvalidArgumentError(f"{where}: Duplicate index in sparse vector of an example")
    return rows, order[found], amounts.astype(np.float64)


def _require_dense(op: Any, number: int, count: int) -> None:
    shape, weights = op.dense_features[number].shape, op.dense_weights[number]
    if len(shape) != 2 or shape[0] != count or shape[1] != weights.size:
        raise InvalidArgumentError(
            f"{op.name}: Dense features at index {number} must be a matrix of {count} rows, and as "
            f"many columns as there are weights ({weights.size}), not of shape {list(shape)}"
        )


def _passed(op: Any, examples: Examples) -> tuple[Array, Sequence[Array]]:
    """What is known of examples after a pass in their order, and the changes of weights."""
    loss = LOSSES[op.loss_type]
    labels = [loss.label(one) for one in op.example_labels.tolist()]
    with np.errstate(all="ignore"):
        bound, per_l2 = np.divide([op.l1, 1.0], op.l2).tolist()
    partitions = float(op.num_loss_partitions)
    state = op.example_state_data.astype(np.float64)
    changes = np.zeros_like(examples.weights)
    shrunken = _shrunken(examples.weights, bound)
    for row, (label, share) in enumerate(zip(labels, op.example_weights.tolist(), strict=True)):
        places, values = examples.places[row], examples.values[row]
        before = float(shrunken[places] @ values)
        ahead = examples.weights[places] + partitions * changes[places]
        now = float(_shrunken(ahead, bound) @ values)
        dual = float(state[row, 0])
        rate = share * per_l2
        following = loss.next_dual(dual, label, now, partitions * float(values @ values) * rate)
        changes[places] += values * ((following - dual) * rate)
        own = loss.conjugate(dual, label)
        state[row] = (
            following, loss.primal(label, before) * share,
            own * share if own < math.inf else own, share,
        )  # fmt: skip
    parts = np.split(changes.astype(np.float32), examples.ends[:-1])
    weights = (*op.sparse_weights, *op.dense_weights)
    shaped = [part.reshape(one.shape) for part, one in zip(parts, weights, strict=True)]
    return state.astype(np.float32), shaped


def _shrunken(weights: Array, bound: float) -> Array:
    """Weights nearer to 0 by `bound`, and 0 where they were nearer than that."""
    if bound == 0.0:
        return weights
    return np.sign(weights) * np.maximum(np.abs(weights) - bound, 0.0)
