"""What a session is asked for and given: nests of tensors, operations, variables and names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, cast

import numpy as np

from ..core import dtypes, tree
from ..core.process.named_tuples import NamedTuple
from ..core.shapes import as_shape
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..eager.variable import Variable
from ..graph.builder import FuncGraph, SymbolicTensor
from ..graph.by_hand.variables import GraphVariable
from ..graph.operation import Operation
from ..ops.array.indexed_slices import IndexedSlices
from ..ops.ragged.ragged_tensor import RaggedTensor
from ..ops.ragged.ragged_value import as_value
from ..ops.sparse.sparse_tensor import SparseTensor, SparseTensorValue
from ..ops.state.handles import VarHandleOp
from ..ops.state.session_tensors import GetSessionHandle
from .session_handles import TensorHandle

Element = Operation | SymbolicTensor


class IndexedSlicesValue(NamedTuple):
    """Slices as arrays: what sessions give for IndexedSlices."""

    values: Any
    indices: Any
    dense_shape: Any = None


class Fetches:
    """A nest of fetches as elements of a graph, and how their values become such a nest."""

    def __init__(self, graph: FuncGraph, fetches: Any, fed: Collection[int] = ()) -> None:
        """`fed`: the ids of tensors for which there are values.

        Raises:
            TypeError: a fetch is neither a tensor nor what gives or names one.
            ValueError: the graph has no such tensor or operation.
        """
        self._nest = fetches
        self._leaves = [_fetch(graph, one, fed) for one in tree.flatten(fetches)]
        self.elements: Sequence[Element] = [one for leaf in self._leaves for one in leaf.elements]
        # Variables whose values are wanted as they are after the run.
        self.references = [leaf.reference for leaf in self._leaves if leaf.reference is not None]

    def packed(self, results: Sequence[Any], latest: Sequence[Any] = ()) -> Any:
        """The nest of arrays; `results` are those of the tensors among the elements, `latest` the
        values of `references`.
        """
        rest, last = iter(results), iter(latest)
        values = [
            next(last) if leaf.reference is not None else leaf.made(
                *[None if isinstance(one, Operation) else next(rest) for one in leaf.elements]
            )
            for leaf in self._leaves
        ]  # fmt: skip
        return tree.pack_sequence_as(self._nest, values)


class Fetch(NamedTuple):
    """One fetch: what has to be computed for it, and what that makes."""

    elements: tuple[Element, ...]
    made: Callable[..., Any]
    reference: GraphVariable | None = None


def _handle(dtype: Any, word: Any) -> TensorHandle:
    return TensorHandle(word if isinstance(word, bytes) else word.item(), dtype)


def _itself(value: Any) -> Any:
    return value


def _fetch(graph: FuncGraph, fetch: Any, fed: Collection[int]) -> Fetch:
    try:
        return _leaf(graph, fetch, fed)
    except TypeError:
        raise TypeError(
            f"Fetch argument {fetch!r} has invalid type {type(fetch).__name__}, must be a "
            "tensor, an operation, a variable or a name"
        ) from None
    except (KeyError, ValueError) as error:
        raise ValueError(
            f"Argument `fetch` = {fetch} cannot be interpreted as a Tensor. ({error})"
        ) from None


def _leaf(graph: FuncGraph, fetch: Any, fed: Collection[int]) -> Fetch:
    variable = _named_variable(graph, fetch)
    if variable is not None and variable.is_reference and id(variable.snapshot) not in fed:
        graph.as_graph_element(variable.snapshot)
        return Fetch((), _itself, variable)
    match fetch if variable is None else variable:
        case SparseTensor():
            parts = (fetch.indices, fetch.values, fetch.dense_shape)
            return Fetch(_elements(graph, parts), SparseTensorValue)
        case IndexedSlices(dense_shape=None):
            parts = (fetch.values, fetch.indices)
            return Fetch(_elements(graph, parts), IndexedSlicesValue)
        case IndexedSlices():
            parts = (fetch.values, fetch.indices, fetch.dense_shape)
            return Fetch(_elements(graph, parts), IndexedSlicesValue)
        case RaggedTensor():
            parts = (fetch.flat_values, *fetch.nested_row_splits)
            return Fetch(_elements(graph, parts), as_value)
        case SymbolicTensor() if fetch.op.kind is GetSessionHandle:
            return Fetch(_elements(graph, (fetch,)), partial(_handle, fetch.op.inputs[0].dtype))
        case _:
            return Fetch(_elements(graph, (fetch if variable is None else variable,)), _itself)


def _elements(graph: FuncGraph, fetches: Sequence[Any]) -> tuple[Element, ...]:
    return tuple(graph.as_graph_element(_standing_for(graph, one)) for one in fetches)


def _named_variable(graph: FuncGraph, fetch: Any) -> GraphVariable | None:
    """The variable that is meant: itself, by the name "v:0", or by its handle."""
    if isinstance(fetch, GraphVariable):
        return fetch
    if isinstance(fetch, str) and fetch.endswith(":0"):
        fetch = graph.as_graph_element(fetch)
    if not isinstance(fetch, SymbolicTensor) or fetch.op.kind is not VarHandleOp:
        return None
    known: Any = getattr(fetch, "variable", None)
    return None if known is None else known()


def _standing_for(graph: FuncGraph, wanted: Any) -> Any:
    """What gives a variable's value; all else is what it is."""
    if isinstance(wanted, GraphVariable):
        return wanted.snapshot
    if isinstance(wanted, Variable):
        with graph.as_default():
            return wanted.value()
    return wanted


def feeds_of(graph: FuncGraph, feed_dict: Any) -> Iterator[tuple[Any, Any]]:
    """Tensors of the graph and what they are fed.

    Raises:
        TypeError: a key is or names no tensor of the graph, or there is no mapping.
        ValueError: a tensor may not be fed.
    """
    if not isinstance(feed_dict, Mapping):
        raise TypeError(f"feed_dict must be a dict of tensors and values, got {feed_dict!r}")
    for key, value in cast(Mapping[Any, Any], feed_dict).items():
        if isinstance(key, SparseTensor):
            parts = (key.indices, key.values, key.dense_shape)
            yield from zip(parts, value, strict=True)
            continue
        if isinstance(key, RaggedTensor):
            parts, given = ((x.flat_values, *x.nested_row_splits) for x in (key, value))
            yield from zip(parts, given, strict=True)
            continue
        tensor = _fed_tensor(graph, key)
        if not graph.is_feedable(tensor):
            raise ValueError(f"Tensor {tensor!r} may not be fed.")
        yield tensor, value


def _fed_tensor(graph: FuncGraph, key: Any) -> Any:
    try:
        return graph.as_graph_element(_standing_for(graph, key), allow_operation=False)
    except (KeyError, TypeError, ValueError) as error:
        told = error.args[0] if isinstance(error, KeyError) else error  # no quotes around it
        raise TypeError(f"Cannot interpret feed_dict key as Tensor: {told}") from None


def as_feed(tensor: SymbolicTensor, value: Any) -> Any:
    """A value for `tensor` as an eager tensor: numbers become of its dtype, as arrays' do.

    Raises:
        TypeError: it is a tensor of a graph, or no number of that dtype.
        ValueError: it has another shape.
    """
    if isinstance(value, TensorLike) and getattr(value, "symbolic", False):
        raise TypeError(f"The value of a feed cannot be a symbolic tensor: {value!r}")
    fed = _converted(tensor, value)
    if not tensor.shape.is_compatible_with(as_shape(fed.shape)):
        raise ValueError(
            f"Cannot feed value of shape {fed.shape} for Tensor {tensor.name}, which has shape "
            f"{tensor.shape}"
        )
    return fed


def arrays_of(
    elements: Sequence[Element], results: Sequence[Any], feeds: Mapping[int, tuple[Any, Any]]
) -> list[Any]:
    """What to give for the tensors among `elements`: `results` as arrays, or what they were fed.

    feeds: tensors and their values, by the tensors' ids.
    """
    tensors = [one for one in elements if not isinstance(one, Operation)]
    return [
        _fed_array(*feeds[id(tensor)], result) if id(tensor) in feeds else result.numpy()
        for tensor, result in zip(tensors, results, strict=True)
    ]


def _fed_array(tensor: SymbolicTensor, value: Any, result: Any) -> Any:
    """A fed value as it is: an array, also of one number or text, and no copy of one."""
    if isinstance(value, (TensorHandle, TensorLike)):
        return np.asarray(result.numpy())
    return np.asarray(value, object if tensor.dtype is dtypes.string else tensor.dtype.storage)


def _converted(tensor: SymbolicTensor, value: Any) -> Any:
    if isinstance(value, TensorHandle):
        value = value.handle if tensor.dtype is dtypes.string else value.eval()
    if tensor.dtype is dtypes.string or isinstance(value, TensorLike):
        return convert_to_tensor(value, tensor.dtype)
    array = np.asarray(value, tensor.dtype.storage)
    if type(value) is int and array != value:
        raise TypeError(
            f"Type of feed value {value} with type int is not compatible with Tensor type "
            f"{tensor.dtype.name}. Try explicitly setting the type of the feed tensor to a larger "
            "type (e.g. int64)."
        )
    return convert_to_tensor(array, tensor.dtype)
