"""Datasets of parsed examples, as operations."""

# Rules of operations, as in ops/.
# pyright: reportIncompatibleVariableOverride=false

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...core import dtypes
from ...core.dtypes import DType, as_dtype, of_storage
from ...core.process.named_tuples import NamedTuple
from ...core.shapes import TensorShape, as_shape
from ...core.specs import TensorSpec, ValueSpec
from ...core.text import strings_in
from ...eager.tensor import from_array, wrap_handle
from ...errors import InternalError, InvalidArgumentError
from ...graph.payload import spec_of_payload
from ...graph.serialized.sparse_values import Parts, SparseValues, sparse_values_spec
from ...ops.op import Attr, In
from ...ops.ragged.encoded import Ragged, RaggedVariants, encoded_spec
from ...ops.records.parse_example import NO_NAMES, AskedFeatures, parsed, texts_of
from ..nodes.mapping import calls_at_once
from ..nodes.node import Element, Elements, Node, Specs
from .transformations import OfOther

_POLICIES = ("true", "false", "default")


class DeclaredOutput(NamedTuple):
    """A component as the operation declares it."""

    shape: TensorShape
    dtype: DType


class OfExamples(OfOther, abstract=True):
    """A family: the features of vectors of serialized examples, in the order of their keys.

    Sparse and ragged ones are single values.
    """

    num_parallel_calls = In("i64")
    dense_defaults = In("[Tdense]")
    sparse_keys = Attr()
    dense_keys = Attr()
    sparse_types = Attr()
    dense_shapes = Attr()
    tensors = ("dense_defaults",)

    def ragged(self) -> tuple[Any, Any, Any]:
        """The keys of ragged features, the dtypes of their values and splits."""
        return (), (), ()

    def derived(self) -> Sequence[ValueSpec] | None:
        keys, values, _ = self.ragged()
        found: dict[bytes, ValueSpec] = {}
        shapes = map(as_shape, self.dense_shapes)
        specs = [getattr(one, "spec", None) or spec_of_payload(one) for one in self.dense_defaults]
        for key, shape, spec in zip(texts_of(self.dense_keys), shapes, specs, strict=False):
            found[key] = TensorSpec(TensorShape([None]).concatenate(shape), spec.dtype)
        for key, dtype in zip(texts_of(self.sparse_keys), self.sparse_types, strict=False):
            found[key] = sparse_values_spec(as_dtype(dtype))
        for key, dtype in zip(texts_of(keys), values, strict=False):
            found[key] = encoded_spec(False, as_dtype(dtype))
        return [found[key] for key in sorted(found)]

    def kind(self) -> Any:
        calls_at_once(self.num_parallel_calls)
        asked = self._asked()
        outputs = [
            DeclaredOutput(as_shape(shape), as_dtype(dtype))
            for shape, dtype in zip(self.output_shapes, self.output_types, strict=True)
        ]
        if not outputs:
            raise InvalidArgumentError(f"{self.name}: output_types has no dtype: name a feature")
        return lambda *given, specs: ParsedNode(*given, asked=asked, outputs=outputs, specs=specs)

    def _asked(self) -> AskedFeatures:
        keys = [texts_of(one) for one in (self.sparse_keys, self.dense_keys, self.ragged()[0])]
        _require_pairs("dense_keys", keys[1], "dense_defaults", self.dense_defaults)
        _require_pairs("dense_keys", keys[1], "dense_shapes", self.dense_shapes)
        _require_pairs("sparse_keys", keys[0], "sparse_types", self.sparse_types)
        _require_pairs("ragged_keys", keys[2], "ragged_value_types", self.ragged()[1])
        _require_pairs("ragged_keys", keys[2], "ragged_split_types", self.ragged()[2])
        counts = Counter(itertools.chain(*keys))
        if twice := [key.decode() for key, count in counts.items() if count > 1]:
            raise InvalidArgumentError(f"Duplicate key not allowed: {', '.join(twice)}")
        return AskedFeatures(
            keys[0], tuple(self.sparse_types),
            keys[1], tuple([one.dtype.num for one in self.dense_defaults]),
            tuple(self.dense_shapes),
            keys[2], tuple(self.ragged()[1]), tuple(self.ragged()[2]),
        )  # fmt: skip


def _require_pairs(first: str, keys: Sequence[Any], second: str, others: Sequence[Any]) -> None:
    if len(keys) != len(others):
        raise InvalidArgumentError(
            f"Expected len({first}) == len({second}), but got {len(keys)} and {len(others)}"
        )


class ExperimentalParseExampleDataset(OfExamples):
    """The features of vectors of serialized examples."""

    sloppy = Attr(False)


class ParseExampleDataset(OfExamples):
    """The same, with ragged ones."""

    sloppy = Attr(False)
    ragged_keys = Attr(())
    ragged_value_types = Attr(())
    ragged_split_types = Attr(())

    def ragged(self) -> tuple[Any, Any, Any]:
        return self.ragged_keys, self.ragged_value_types, self.ragged_split_types


class ParseExampleDatasetV2(OfExamples):
    """The same."""

    deterministic = Attr("default")
    ragged_keys = Attr(())
    ragged_value_types = Attr(())
    ragged_split_types = Attr(())

    def ragged(self) -> tuple[Any, Any, Any]:
        return self.ragged_keys, self.ragged_value_types, self.ragged_split_types

    def kind(self) -> Any:
        if self.deterministic not in _POLICIES:
            raise InvalidArgumentError(
                f"deterministic is one of {', '.join(_POLICIES)}, not {self.deterministic}"
            )
        return super().kind()


class ParsedNode(Node):
    """The features of vectors of serialized examples."""

    is_passive = True

    def __init__(
        self,
        child: Node,
        *defaults: Any,
        asked: AskedFeatures,
        outputs: Sequence[DeclaredOutput],
        specs: Specs,
    ) -> None:
        super().__init__(specs, [child])
        if any(spec.dtype is not dtypes.string for spec in child.specs):
            raise InvalidArgumentError(
                f"vectors of serialized examples are wanted, which are strings, not {child.specs}"
            )
        self._defaults = [one._array for one in defaults]
        self._asked, self._outputs = asked, outputs
        parsed(np.empty(0, object), NO_NAMES, asked, self._defaults)  # refuses what cannot be

    def iterate(self) -> Elements:
        return map(self._parsed, self.inputs[0].iterate())

    def cardinality(self) -> int:
        return self.inputs[0].cardinality()

    def _parsed(self, element: Element) -> Element:
        texts = np.array([one for part in element for one in strings_in(part._array)], object)
        asked = self._asked
        found = parsed(texts, NO_NAMES, asked, self._defaults)
        sparse = zip(found.sparse_indices, found.sparse_values, found.sparse_shapes, strict=True)
        ragged = zip(found.ragged_values, found.ragged_splits, strict=True)
        payloads = [
            *zip(asked.dense_keys, found.dense, strict=True),
            *zip(asked.sparse_keys, map(_one_sparse, sparse), strict=True),
            *zip(asked.ragged_keys, map(_one_ragged, ragged), strict=True),
        ]
        payloads.sort(key=lambda pair: pair[0])
        self._require_declared(payloads)
        return tuple(
            from_array(one) if isinstance(one, np.ndarray) else wrap_handle(one)
            for _, one in payloads
        )

    def _require_declared(self, payloads: Sequence[tuple[bytes, Any]]) -> None:
        if len(payloads) != len(self._outputs):
            raise InternalError(
                f"Expected {len(self._outputs)} components but got {len(payloads)}."
            )
        for (key, one), declared in zip(payloads, self._outputs, strict=True):
            spec = spec_of_payload(one)
            if spec.dtype is not declared.dtype:
                raise InvalidArgumentError(
                    f"feature {key!r} is {spec.dtype.name}, but output_types say "
                    f"{declared.dtype.name}: outputs are in the order of keys"
                )
            if not declared.shape.is_compatible_with(spec.shape):
                raise InvalidArgumentError(
                    f"feature {key!r} has the shape {spec.shape}, but output_shapes say "
                    f"{declared.shape}: outputs are in the order of keys"
                )


def _one_sparse(parts: tuple[Any, Any, Any]) -> SparseValues:
    return SparseValues([Parts(*parts)], (), of_storage(parts[1].dtype))


def _one_ragged(parts: tuple[Any, Any]) -> RaggedVariants:
    values, splits = parts
    return RaggedVariants([Ragged((splits,), values)], False, of_storage(values.dtype))
