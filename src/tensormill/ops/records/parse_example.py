"""Serialized examples as tensors: the operations."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, Final

import numpy as np

from ...core import dtypes
from ...core.dtypes import BY_NUMPY_NUMBER, DType, as_dtype
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape, as_shape
from ...core.specs import TensorSpec
from ...core.text import strings_in
from ...errors import DTypeMismatchError, InvalidArgumentError, ShapeMismatchError
from ..demands import refuse
from ..op import Attr, In, Op, Out
from ..underivable import no_derivative
from .example_kernels import (
    DenseFeature,
    ExamplePlan,
    ListedFeature,
    ParsedExamples,
    kind_of,
    parse_examples,
    parse_rows,
    plan_of,
)

NO_NAMES: Final = np.empty(0, object)


class ParseExampleV2(Op):
    """The features of serialized examples: of a batch of them, or of one."""

    serialized = In("str ...")
    names = In("str ...")
    sparse_keys = In("str ...")
    dense_keys = In("str ...")
    ragged_keys = In("str ...")
    dense_defaults = In("[Tdense]")
    sparse_indices = Out("num_sparse * i64 n r")
    sparse_values = Out("[sparse_types]")
    sparse_shapes = Out("num_sparse * i64 r")
    dense_values = Out("[Tdense]")
    ragged_values = Out("[ragged_value_types]")
    ragged_row_splits = Out("[ragged_split_types]")
    num_sparse = Attr(int)
    sparse_types = Attr()
    ragged_value_types = Attr()
    ragged_split_types = Attr()
    dense_shapes = Attr()
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_batch(sizes, self.serialized)
        demand_types(self.sparse_types, self.ragged_value_types, dtypes_of(self.dense_defaults))
        if self.num_sparse != len(self.sparse_types):
            message = "ParseExampleV2: num_sparse is {}, and there are {} sparse_types"
            refuse(ShapeMismatchError, message, self.num_sparse, len(self.sparse_types))

    def infer(self) -> tuple[TensorSpec, ...]:
        batch = self.serialized.shape
        splits = None if batch.entries is None or batch[:1] in ([], [None]) else 1 + (batch[0] or 0)
        return (
            *sparse_specs(batch, self.sparse_types),
            *dense_specs(batch, dtypes_of(self.dense_defaults), self.dense_shapes),
            *(TensorSpec((None,), as_dtype(one)) for one in self.ragged_value_types),
            *(TensorSpec((splits,), as_dtype(one)) for one in self.ragged_split_types),
        )

    def eager(self, np: Any) -> tuple[Any, ...]:
        asked = self._asked(bool(self.serialized.ndim))
        return parsed(self.serialized, self.names, asked, self.dense_defaults).flat()

    def _asked(self, is_batch: bool) -> AskedFeatures:
        return AskedFeatures(
            tuple(strings_in(self.sparse_keys)), tuple(self.sparse_types),
            tuple(strings_in(self.dense_keys)), storage(self.dense_defaults),
            tuple(self.dense_shapes),
            tuple(strings_in(self.ragged_keys)), tuple(self.ragged_value_types),
            tuple(self.ragged_split_types), is_batch,
        )  # fmt: skip

    def rows(self, np: Any, varying: Sequence[bool]) -> Any:
        if self.serialized.ndim != 1 or any(varying[1:]) or self.names.size:
            return None
        return parsed_rows(self.serialized, self._asked(is_batch=False), self.dense_defaults)


class ParseExample(Op):
    """The features of a batch of serialized examples."""

    serialized = In("str n")
    names = In("str ...")
    sparse_keys = In("Nsparse * str ...")
    dense_keys = In("Ndense * str ...")
    dense_defaults = In("[Tdense]")
    sparse_indices = Out("Nsparse * i64 m 2")
    sparse_values = Out("[sparse_types]")
    sparse_shapes = Out("Nsparse * i64 2")
    dense_values = Out("[Tdense]")
    Nsparse = Attr(int)
    sparse_types = Attr()
    dense_shapes = Attr()
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_batch(sizes, self.serialized, 1)
        demand_types(self.sparse_types, dtypes_of(self.dense_defaults))

    def infer(self) -> tuple[TensorSpec, ...]:
        batch = self.serialized.shape.with_rank(1)
        return (
            *sparse_specs(batch, self.sparse_types),
            *dense_specs(batch, dtypes_of(self.dense_defaults), self.dense_shapes),
        )

    def eager(self, np: Any) -> tuple[Any, ...]:
        keys = [tuple(strings_in(joined(one))) for one in (self.sparse_keys, self.dense_keys)]
        asked = AskedFeatures(
            keys[0], tuple(self.sparse_types), keys[1], storage(self.dense_defaults),
            tuple(self.dense_shapes),
        )  # fmt: skip
        return parsed(self.serialized, self.names, asked, self.dense_defaults).flat()


class ParseSingleExample(Op):
    """The features of one serialized example."""

    serialized = In("str")
    dense_defaults = In("[Tdense]")
    sparse_indices = Out("num_sparse * i64 m 1")
    sparse_values = Out("[sparse_types]")
    sparse_shapes = Out("num_sparse * i64 1")
    dense_values = Out("[Tdense]")
    num_sparse = Attr(int)
    sparse_keys = Attr()
    dense_keys = Attr()
    sparse_types = Attr()
    dense_shapes = Attr()
    vjp = no_derivative

    def demands(self, sizes: Any) -> None:
        demand_batch(sizes, self.serialized, 0)
        demand_types(self.sparse_types, dtypes_of(self.dense_defaults))

    def infer(self) -> tuple[TensorSpec, ...]:
        batch = self.serialized.shape.with_rank(0)
        return (
            *sparse_specs(batch, self.sparse_types),
            *dense_specs(batch, dtypes_of(self.dense_defaults), self.dense_shapes),
        )

    def eager(self, np: Any) -> tuple[Any, ...]:
        asked = AskedFeatures(
            texts_of(self.sparse_keys), tuple(self.sparse_types),
            texts_of(self.dense_keys), storage(self.dense_defaults), tuple(self.dense_shapes),
            is_batch=False,
        )  # fmt: skip
        return parsed(self.serialized, NO_NAMES, asked, self.dense_defaults).flat()


# ---------------------------------------------------------------- kernels


class AskedFeatures(NamedTuple):
    """What an operation is told of features: their keys, their dtypes (those of dense ones as NumPy
    numbers them) and shapes.
    """

    sparse_keys: tuple[bytes, ...]
    sparse_types: tuple[Any, ...]
    dense_keys: tuple[bytes, ...]
    dense_types: tuple[int, ...]
    dense_shapes: tuple[Any, ...]
    ragged_keys: tuple[bytes, ...] = ()
    ragged_types: tuple[Any, ...] = ()
    ragged_splits: tuple[Any, ...] = ()
    is_batch: bool = True


def parsed(
    serialized: Any, names: Any, asked: AskedFeatures, defaults: Sequence[Any]
) -> ParsedExamples:
    """The features of examples, a vector of them or a scalar."""
    plan = _plan(asked)
    require_defaults(plan, defaults)
    return parse_examples(strings_in(serialized), strings_in(names), plan, defaults)


def parsed_rows(
    serialized: Any, asked: AskedFeatures, defaults: Sequence[Any]
) -> list[Sequence[Any]] | None:
    """The features of single examples, of which many are parsed at once: for each output a sequence
    of arrays. None where how long an example's features are is seen of it alone.
    """
    plan = _plan(asked)
    require_defaults(plan, defaults)
    return None if plan.variable else parse_rows(strings_in(serialized), plan, defaults)


@lru_cache(1024)
def _plan(asked: AskedFeatures) -> ExamplePlan:
    counts = [len(one) for one in (asked.dense_keys, asked.dense_types, asked.dense_shapes)]
    if len({*counts}) > 1:
        raise InvalidArgumentError(
            "each of dense_keys wants one of dense_defaults and of dense_shapes; got {}, {} and {} "
            "of them".format(*counts)
        )
    shapes = map(as_shape, asked.dense_shapes)
    dense = zip(asked.dense_keys, asked.dense_types, shapes, strict=True)
    return plan_of(
        _listed(asked.sparse_keys, asked.sparse_types),
        tuple(DenseFeature(key, BY_NUMPY_NUMBER[number], sized(key, shape))
              for key, number, shape in dense),
        _listed(asked.ragged_keys, asked.ragged_types),
        tuple(map(as_dtype, asked.ragged_splits)),
        asked.is_batch,
    )  # fmt: skip


def _listed(keys: Sequence[bytes], types: Sequence[Any]) -> tuple[ListedFeature, ...]:
    pairs = zip(keys, map(as_dtype, types), strict=True)
    return tuple(ListedFeature(key, dtype) for key, dtype in pairs)


def sized(key: bytes, shape: TensorShape) -> tuple[int | None, ...]:
    """The sizes of a shape, of which the first alone may be unknown.

    Raises:
        InvalidArgumentError: others are unknown.
    """
    if shape.entries is None or None in shape.entries[1:]:
        raise InvalidArgumentError(
            f"feature {key!r}: the shape {shape} has an unknown rank, or unknown sizes behind the "
            "first"
        )
    return shape.entries


def storage(defaults: Sequence[Any]) -> tuple[int, ...]:
    """The dtypes of arrays, as NumPy numbers them."""
    return tuple([one.dtype.num for one in defaults])


def joined(keys: Sequence[Any]) -> Any:
    """One array of the keys in several."""
    return np.concatenate([NO_NAMES, *(one.reshape(-1) for one in keys)])


def require_defaults(plan: ExamplePlan, defaults: Sequence[Any]) -> None:
    """Refuse a default that is neither empty nor of its feature's shape; rows have one number."""
    if not plan.variable and not any([one.size for one in defaults]):
        return
    for feature, default in zip(plan.dense, defaults, strict=True):
        if default.shape == feature.shape:
            continue
        is_variable = feature.is_variable
        if default.size != 1 if is_variable else default.size:
            raise InvalidArgumentError(
                f"feature {feature.key!r} has the shape {list(feature.shape)}, but its default "
                f"value has the shape {list(default.shape)}"
                + (": one number fills up its rows" if is_variable else "")
            )


def texts_of(keys: Sequence[Any]) -> tuple[bytes, ...]:
    for key in keys:
        if not isinstance(key, (bytes, str)):
            raise DTypeMismatchError(f"Expected string for a key of features, not {key!r}")
    return tuple(key if isinstance(key, bytes) else key.encode() for key in keys)


# ---------------------------------------------------------------- specs


def dtypes_of(defaults: Sequence[Any]) -> list[DType]:
    return [one.dtype for one in defaults]


def demand_types(*several: Sequence[Any]) -> None:
    """Refuse dtypes that no list of an example has."""
    for one in dict.fromkeys(chain.from_iterable(several)):
        kind_of(as_dtype(one))


def demand_batch(sizes: Any, serialized: Any, rank: int | None = None) -> None:
    """There is one example, or a vector of them: what the shapes of dense features begin with.

    rank: that of `serialized`, where only one is taken.
    """
    shape = sizes.shape(serialized, rank or 0)
    if len(shape) > 1 or (rank is not None and len(shape) != rank):
        refuse(ShapeMismatchError, NO_EXAMPLES, shape)


def sparse_specs(batch: TensorShape, types: Sequence[Any]) -> list[TensorSpec]:
    """Those of indices, of values, and of shapes."""
    rank = None if batch.entries is None else len(batch.entries) + 1
    return [
        *(TensorSpec((None, rank), dtypes.int64) for _ in types),
        *(TensorSpec((None,), as_dtype(one)) for one in types),
        *(TensorSpec((rank,), dtypes.int64) for _ in types),
    ]


def dense_specs(
    batch: TensorShape, types: Sequence[DType], shapes: Sequence[Any]
) -> list[TensorSpec]:
    pairs = zip(types, shapes, strict=True)
    return [TensorSpec(batch.concatenate(shape), dtype) for dtype, shape in pairs]


NO_EXAMPLES = "Expected serialized to be a scalar or vector of strings, got shape: {}"
