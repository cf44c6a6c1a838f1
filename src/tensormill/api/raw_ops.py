"""`tf.raw_ops`: TensorFlow's operations by their names, with keyword arguments only."""

from __future__ import annotations

import functools
import inspect
import typing
from collections import abc

import numpy as np

from ..control import batches as batches
from ..control import called_graphs as called_graphs
from ..core.dtypes import as_dtype
from ..core.shapes import TensorShape
from ..data.graphs import branches as branches
from ..data.graphs import examples as examples
from ..data.graphs import orders as orders
from ..data.graphs import other_names as other_names
from ..data.graphs import writing as writing
from ..data_service import graph_messages as graph_messages
from ..formats import bundle_operations as bundle_operations
from ..function import batch_functions as batch_functions
from ..function import remote_calls as remote_calls
from ..function.concrete import ConcreteFunction
from ..function.function import Function
from ..graph.serialized import operations as operations
from ..ops import catalogue as catalogue
from ..ops.absent import absence
from ..ops.bind import bind
from ..ops.control.functional import Branching, Call, GivenGraphs, Loop
from ..ops.conversion import as_tensor
from ..ops.op import REGISTRY, REQUIRED, as_results, counts_of_outputs
from ..ops.origins import Origin
from ..ops.training.references import ByReference
from ..summary import writer_operations as writer_operations

_EMPTY: typing.Final = inspect.Parameter.empty
# What TensorFlow is told besides graphs, and these say here.
_SAID_BY_GRAPHS: typing.Final = (
    (Call, (("Tout", REQUIRED), ("config", ""), ("config_proto", ""), ("executor_type", ""))),
    (Branching, (("Tout", REQUIRED), ("output_shapes", ()))),
    (Loop, (("output_shapes", ()),)),
)

# By their names, which mean the same for all operations.
_SHAPES: typing.Final = frozenset(
    ("element_shape", "element_shape_except0", "shape", "value_shape")
)
_LISTS_OF_SHAPES: typing.Final = frozenset(
    ("context_dense_shapes", "dense_shapes", "feature_list_dense_shapes", "output_shapes", "shapes")
)

# Names of operations are names of this module: `Any` is one.
_Anything: typing.TypeAlias = typing.Any


def __getattr__(name: str) -> _Anything:
    op = REGISTRY.get(name)
    if op is None or op.origin is not Origin.TENSORFLOW:
        why = absence(name)
        raise AttributeError(f"module 'tf.raw_ops' has no attribute '{name}'{why}")
    made = raw(op)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted([name for name, op in REGISTRY.items() if op.origin is Origin.TENSORFLOW])


def raw(op: _Anything) -> abc.Callable[..., _Anything]:
    """The function that applies `op`.

    Raises:
        TypeError: an argument is missing, or there is none of that name.
    """
    taken = list(_taken(op))
    said_by_graphs = next((told for kind, told in _SAID_BY_GRAPHS if issubclass(op, kind)), ())
    told = [field for field in op.attrs if field not in taken and field.name[0] != "_"]

    def call(*, name: str | None = None, **arguments: _Anything) -> _Anything:
        values = {field.name: _value(op, arguments, field) for field in taken}
        for keyword, default in said_by_graphs:
            _require(op, keyword, arguments.pop(keyword, default))
        values |= _graphs(op, values)
        if arguments:
            raise TypeError(f"{op.name} has no argument {sorted(arguments)}")
        operands = [values.pop(field.name) for field in op.inputs]
        if issubclass(op, ByReference):  # a variable is one
            operands = [getattr(one, "handle", one) for one in operands]
        for field in told:
            values[field.name] = _told(op, operands, field.name)
        found = bind(op, *operands, name=name, **values)
        return found if op.single or not op.outputs else _named(op, found, values)

    extra = [_keyword(name, _EMPTY if one is REQUIRED else one) for name, one in said_by_graphs]
    parameters = [*map(_parameter, taken), *extra, _keyword("name", None)]
    call.__signature__ = inspect.Signature(parameters)  # pyrefly: ignore[missing-attribute] (`inspect` reads it)
    call.__name__ = call.__qualname__ = op.name
    call.__doc__ = op.__doc__
    return call


def _named(
    op: _Anything, found: abc.Sequence[_Anything], attrs: abc.Mapping[str, _Anything]
) -> _Anything:
    """Several outputs by their names; those of a list in a list, which alone has no name."""
    rest = list(found)
    grouped: list[_Anything] = []
    for field, length in zip(op.outputs, counts_of_outputs(op, attrs, len(rest)), strict=True):
        grouped.append(rest[:length] if field.listed else rest[0])
        del rest[:length]
    return grouped[0] if len(grouped) == 1 else as_results(op)._make(grouped)


def _taken(op: _Anything) -> abc.Iterator[_Anything]:
    """The fields that are arguments, in TensorFlow's order: defaults come last. Dtypes and lengths
    of inputs are told by these, and attributes with an underscore are nobody's business.
    """
    inputs = {field.number_attr if field.listed else field.dtype for field in op.inputs}
    attrs = [one for one in op.attrs if one.name not in inputs and one.name[0] != "_"]
    yield from op.inputs
    yield from (one for one in attrs if one.default is REQUIRED)
    yield from (one for one in attrs if one.default is not REQUIRED)


def _told(op: _Anything, operands: list[_Anything], name: str) -> _Anything:
    """The attribute that operands tell: how many there are of a list, or the dtype."""
    for field, operand in zip(op.inputs, operands, strict=True):
        if field.number_attr == name:
            return len(operand)
        if field.dtype == name:
            return as_tensor(operand).dtype
    raise KeyError(name)


def _value(op: _Anything, arguments: dict[str, _Anything], field: _Anything) -> _Anything:
    keyword = _keyword_of(field)
    value = _require(op, keyword, arguments.pop(keyword, field.default))
    if field.kind == "in" or value is field.default:
        return value
    return _attribute(op, field.name, value)


def _attribute(op: _Anything, name: str, value: _Anything) -> _Anything:
    """An attribute as rules read it, of what TensorFlow takes for it: a shape may be a list, and a
    dtype one of NumPy's, or its name.
    """
    if name in _SHAPES:
        return TensorShape(value)
    if value is None and op.fields[name].default is not REQUIRED:
        return None
    if isinstance(value, (list, tuple)):
        several = typing.cast("list[_Anything]", value)
        if name in _LISTS_OF_SHAPES:
            return tuple([TensorShape(one) for one in several])
        return tuple([_attribute(op, name, one) for one in several])
    if isinstance(value, (type, np.dtype)) or name in _symbols(op):
        return as_dtype(value)
    return value


@functools.cache  # there are not many
def _symbols(op: _Anything) -> frozenset[str]:
    """The attributes that say dtypes of operands or results."""
    return frozenset([one.dtype for one in (*op.inputs, *op.outputs) if not one.fixed_dtype])


def _require(op: _Anything, keyword: str, value: _Anything) -> _Anything:
    if value is REQUIRED:
        raise TypeError(f"{op.name} needs the keyword argument '{keyword}'")
    return value


def _graphs(op: _Anything, values: dict[str, _Anything]) -> dict[str, _Anything]:
    """The graphs of functions among the attributes: what these captured comes with the operands."""
    names = op.graph_attrs if issubclass(op, GivenGraphs) else ()
    return {name: _graph(values[name]) for name in names}


def _graph(value: _Anything) -> _Anything:
    if isinstance(value, (list, tuple)):
        return tuple([_graph(one) for one in typing.cast("list[_Anything]", value)])
    if isinstance(value, Function):
        value = value.get_concrete_function()
    return value.callee.closed if isinstance(value, ConcreteFunction) else value


def _keyword_of(field: _Anything) -> str:
    return field.keyword or field.public


def _parameter(field: _Anything) -> inspect.Parameter:
    needed = field.default is REQUIRED
    return _keyword(_keyword_of(field), _EMPTY if needed else field.default)


def _keyword(name: str, default: _Anything) -> inspect.Parameter:
    return inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
