"""Arguments as a signature wants them: Python values are converted, tensors are only checked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from typing import cast as cast_type

import numpy as np

from ...core import context
from ...core.specs import ListSpec, ObjectSpec, TensorSpec, TypeSpec
from ...core.tracing_protocol import TraceType, trace_type_of
from ...core.tree import Composite
from ...core.type_spec import spec_of
from ...core.values import TensorLike
from ...eager.convert import convert_to_tensor
from ...errors import KnownDTypeError, ShapeMismatchError, called
from .containers import Opened, open_container
from .readable_signatures import ObjectLiteral, VariableSpec


def cast(value: Any, wanted: Any, where: str, allows_specs: bool = False) -> Any:
    """`value` as `wanted` describes it: a nest of specs, and of Python values that must be equal.

    Raises:
        TypeError: it cannot be; the message names the place (`where`) and both sides.
    """
    if isinstance(wanted, TensorSpec):
        if allows_specs and isinstance(value, TensorSpec):
            return _check(value, value, wanted, where)
        return cast_tensor(value, wanted, where)
    if isinstance(wanted, VariableSpec):
        return _cast_variable(value, wanted, where)
    if isinstance(wanted, (ObjectSpec, ListSpec)):
        return _cast_handle(value, wanted, where)
    if isinstance(wanted, TypeSpec):
        return _cast_composite(value, wanted, where, allows_specs)
    if isinstance(wanted, TraceType):
        return _cast_user(value, wanted, where)
    opened = open_container(wanted)
    if opened is None:
        return _cast_literal(value, wanted, where)
    given = _opened(value, wanted)
    if given is None or _sort_of(given.kind) != _sort_of(opened.kind):
        raise TypeError(
            f"{where}: Can not cast {value!r} of type {type(value).__name__} to "
            f"{type(wanted).__name__.lower()} type: the signature says {wanted}"
        )
    if given.kind != opened.kind or len(given.parts) != len(opened.parts):
        raise _different_contents(value, wanted, where)
    parts = [
        cast(part, inner, f"{where}[{label!r}]", allows_specs)
        for part, inner, label in zip(given.parts, opened.parts, opened.labels, strict=True)
    ]
    return (opened if isinstance(wanted, Mapping) else given).rebuild(parts)


def _opened(value: Any, wanted: Any) -> Opened | None:
    """`value` opened: a named tuple will do where a tuple is wanted."""
    is_tuple = type(wanted) is tuple and issubclass(type(value), tuple)
    return open_container(tuple(value) if is_tuple else value)


def _sort_of(kind: Any) -> Any:
    """What makes containers comparable at all: dicts may differ in their keys."""
    return cast_type(tuple[Any, Any], kind)[0] if isinstance(kind, tuple) else kind


def _different_contents(value: Any, wanted: Any, where: str) -> TypeError:
    opened = open_container(wanted)
    if opened is not None and issubclass(type(wanted), Mapping):
        return TypeError(
            f"{where}: Can not cast {value!r}: it has different keys; the signature has "
            f"{list(opened.labels)}"
        )
    return TypeError(
        f"{where}: Can not cast {value!r} of length {len(value)} to the signature {wanted} of "
        f"length {len(wanted)}"
    )


def cast_tensor(value: Any, spec: TensorSpec, where: str) -> Any:
    """`value` as a tensor that `spec` describes.

    Raises:
        TypeError: a tensor of another dtype, a value that cannot be converted.
        ShapeMismatchError (InvalidArgumentError, ValueError): another shape.
    """
    tensor = _as_tensor(value, spec, where)
    return _check(tensor, TensorSpec(tensor.shape, tensor.dtype), spec, where)


def _check(value: Any, given: TensorSpec, spec: TensorSpec, where: str) -> Any:
    """`value`, which `given` describes, where `spec` allows it."""
    if given.dtype is not spec.dtype:
        raise KnownDTypeError(
            f"{where}: Can not cast {given!r} to {spec!r}; use tf.cast to convert the dtype"
        )
    fits = given.shape.is_compatible_with(spec.shape)
    if not fits or (value is given and not given.shape.is_subtype_of(spec.shape)):
        raise CastShapeError(f"{where}: Can not cast {given!r} to {spec!r}{_which(given, spec)}")
    return value


@called("TypeError", "TypeError")
class CastShapeError(ShapeMismatchError, TypeError):
    """A shape that a signature does not allow: TensorFlow raises a TypeError for it."""


def _which(given: TensorSpec, spec: TensorSpec) -> str:
    have, want = given.shape.entries, spec.shape.entries
    if have is None or want is None or len(have) != len(want):
        return f": the rank is {given.shape.rank}, not {spec.shape.rank}"
    pairs = enumerate(zip(have, want, strict=True))
    axis = next(k for k, (a, b) in pairs if b is not None and a != b)
    return f": axis {axis} is {have[axis]}, not {want[axis]}"


def _as_tensor(value: Any, spec: TensorSpec, where: str) -> Any:
    if isinstance(value, TensorLike):
        return convert_to_tensor(value)
    if isinstance(value, TypeSpec):
        if not value.is_subtype_of(spec):
            raise TypeError(f"{where}: Can not cast {value!r} to {spec!r}; a call takes values")
        raise ValueError(f"{where}: got {value!r}, an unsupported type: a call takes values")
    if value is None:
        raise TypeError(
            f"Binding inputs to tf.function failed: {where} is None, an unsupported type "
            f"(NoneType) where the signature wants {spec!r}"
        )
    with context.init_scope():
        try:
            return convert_to_tensor(_as_array_of(value, spec), spec.dtype)
        except (TypeError, ValueError) as error:
            raise TypeError(f"{where}: Cannot convert {value!r} to {spec!r}: {error}") from error


def _as_array_of(value: Any, spec: TensorSpec) -> Any:
    """NumPy arrays are cast to the dtype of the signature, as TensorFlow does."""
    numeric = spec.dtype.is_numeric or spec.dtype.is_bool
    is_array = issubclass(type(value), (np.ndarray, np.generic))
    if is_array and numeric and value.dtype.kind in "biufc":
        return value.astype(spec.dtype.storage)
    return value


def _cast_variable(value: Any, wanted: VariableSpec, where: str) -> Any:
    fits = (
        isinstance(value, TensorLike)
        and hasattr(value, "handle")
        and value.dtype is wanted.dtype
        and value.shape.is_compatible_with(wanted.shape)
    )
    if not fits:
        raise TypeError(f"{where}: Can not cast {value!r} to {wanted!r}")
    return value


def _cast_handle(value: Any, wanted: ObjectSpec | ListSpec, where: str) -> Any:
    if not isinstance(value, TensorLike) or value.dtype is not wanted.dtype:
        raise TypeError(f"{where}: Can not cast {value!r} to {wanted!r}")
    return value


def _cast_composite(value: Any, wanted: TypeSpec, where: str, allows_specs: bool) -> Any:
    """`value`, a composite that `wanted` describes.

    Raises:
        TypeError: it is no such composite, or its tensors have other dtypes.
        CastShapeError (a TypeError and ValueError): it has another shape.
    """
    given: Any = spec_of(value)
    if given is None and isinstance(value, Composite) and isinstance(value, wanted.value_type):
        given = getattr(wanted, "from_value", spec_of)(value)  # of what says itself what it is
    if isinstance(value, TypeSpec) and not allows_specs:
        raise ValueError(f"{where}: got {value!r}, an unsupported type: a call takes values")
    if type(given) is not type(wanted) or not isinstance(value, (Composite, TypeSpec)):
        raise TypeError(
            f"Binding inputs to tf.function failed: {where}: Can not cast {value!r} of type "
            f"{type(value).__name__} to {wanted!r}"
        )
    assert given is not None
    if not (given.is_subtype_of(wanted) or given.is_compatible_with(wanted)):
        same_dtype = getattr(given, "dtype", None) is getattr(wanted, "dtype", None)
        error = CastShapeError if same_dtype else KnownDTypeError
        raise error(
            f"Binding inputs to tf.function failed: {where}: Can not cast {given!r} to {wanted!r}: "
            "they are not compatible"
        )
    return value


def _cast_user(value: Any, wanted: Any, where: str) -> Any:
    if value is wanted:  # what was traced with a value of its own type may be left out
        return value
    if hasattr(value, "__tf_tracing_type__"):
        given = trace_type_of(value, None)
        if given == wanted or given.is_subtype_of(wanted):
            return wanted.cast(value, None)
    raise TypeError(f"{where}: Can not cast {value!r} to type {wanted!r}")


def _cast_literal(value: Any, wanted: Any, where: str) -> Any:
    if isinstance(wanted, ObjectLiteral):
        if value is wanted or (value is not None and value is wanted.value):
            return value
        raise TypeError(f"{where}: Can not cast {value!r} to Literal[{wanted!r}]")
    if value is wanted or (type(value) is type(wanted) and value == wanted):
        return wanted
    raise TypeError(f"{where}: Can not cast {value!r} to Literal[{wanted!r}]")
