"""Shapes and dtypes of outputs, derived from the patterns of an operation's fields."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..core.dtypes import DType
from ..core.shapes import TensorShape
from ..core.specs import Known, TensorSpec
from ..errors import DTypeMismatchError, ShapeMismatchError
from .demands import worded

if TYPE_CHECKING:
    from .op import Field, Op

Environment = dict[str, Any]


def unify_fields(application: Op) -> tuple[TensorSpec, ...]:
    """Match every input with its pattern, then build the outputs from what the names stand for."""
    environment = match_inputs(application)
    return tuple(_build(application, field, environment) for field in application.outputs)


def match_inputs(application: Op) -> Environment:
    """What the names in the patterns of the inputs stand for.

    Raises:
        ShapeMismatchError, DTypeMismatchError: an input does not match.
    """
    environment: Environment = {}
    for field in application.inputs:
        operand = getattr(application, field.name)
        for known in operand if field.listed else (operand,):
            _match(application, field, known, environment)
    return environment


def require_ranks(application: Op) -> None:
    """Refuse operands whose ranks, as far as they are known, are not those of the patterns.

    Raises:
        ShapeMismatchError: so it is, or inputs that have one shape (`*s`) differ.
    """
    inputs = application.inputs
    for position, least, most in application.ranks:
        operand = getattr(application, inputs[position].name)
        for known in operand if inputs[position].listed else (operand,):
            rank = known.shape.rank
            if rank is not None and not least <= rank <= most:
                raise _rank_error(application, inputs[position], known, least, exact=least == most)
    environment: Environment = {}
    for position in application.alike:
        known = getattr(application, inputs[position].name)
        _bind(application, inputs[position], "*s", known.shape, environment)


def _match(application: Op, field: Field, known: Known, environment: Environment) -> None:
    if (
        field.fixed_dtype is None
        and not field.mixed
        and environment.setdefault(field.dtype, known.dtype) is not known.dtype
    ):
        raise DTypeMismatchError(
            f"{application.name}: '{field.name}' is {known.dtype.name}, but another operand of "
            f"the same dtype '{field.dtype}' is {environment[field.dtype].name}"
        )
    axes, dims = field.axes_of(application), known.shape.entries
    if axes == ("...",) or field.mixed:
        return
    if dims is None:
        return
    starred = next((k for k, axis in enumerate(axes) if axis.startswith("*")), None)
    if starred is None:
        if len(axes) != len(dims):
            raise _rank_error(application, field, known, len(axes), exact=True)
    elif len(dims) < len(axes) - 1:
        raise _rank_error(application, field, known, len(axes) - 1, exact=False)
    else:
        width = len(dims) - len(axes) + 1
        middle = TensorShape(dims[starred : starred + width])
        _bind(application, field, axes[starred], middle, environment)
        dims = dims[:starred] + dims[starred + width :]
        axes = axes[:starred] + axes[starred + 1 :]
    for axis, size in zip(axes, dims, strict=True):
        _bind(application, field, axis, TensorShape((size,)), environment)


def _bind(
    application: Op, field: Field, axis: str, shape: TensorShape, environment: Environment
) -> None:
    before = TensorShape((int(axis),)) if axis.isdigit() else environment.get(axis)
    if before is None:
        environment[axis] = shape
        return
    if not before.is_compatible_with(shape):
        raise _size_error(application, field, axis, before, shape)
    environment[axis] = before.merge_with(shape)


def _size_error(
    application: Op, field: Field, axis: str, before: TensorShape, shape: TensorShape
) -> ShapeMismatchError:
    sizes = (tuple(shape.as_list()), tuple(before.as_list()))
    message, values = unlike_sizes(
        application, field, axis, *sizes, lambda one: tuple(one.shape.as_list())
    )
    return ShapeMismatchError(worded(message, values))


def unlike_sizes(
    application: Op,
    field: Field,
    axis: str,
    now: tuple[Any, ...],
    before: tuple[Any, ...],
    shape_of: Callable[[Any], tuple[Any, ...]],
) -> tuple[str, tuple[Any, ...]]:
    """What to say where two inputs, or two axes of one, have sizes that should be one: a message,
    and what stands in its places.
    """
    first = next(one for one in application.inputs if axis in one.axes_of(application))
    named, values = list[str](), list[Any]()
    for one in (field,) if field is first else (first, field):
        operand: Any = getattr(application, one.name)
        shapes = [shape_of(each) for each in (operand if one.listed else (operand,))]
        named.append(f"'{one.public}' of shape {', '.join(['{}'] * len(shapes))}")
        values += shapes
    within = "the shapes within " if field is first else ""
    values += [sizes[0] if len(sizes) == 1 else sizes for sizes in (now, before)]
    which = f"{application.name}: {within}{' and '.join(named)}"
    return f"{which}: {{}} is not {{}} (Dimensions must be equal)", tuple(values)


def _rank_error(
    application: Op, field: Field, known: Known, rank: int, exact: bool
) -> ShapeMismatchError:
    wanted = f"rank {rank}" if exact else f"rank at least {rank}"
    return ShapeMismatchError(
        f"{application.name}: '{field.name}' must have {wanted}, but its shape is {known.shape}"
    )


def _build(application: Op, field: Field, environment: Environment) -> TensorSpec:
    dtype = field.fixed_dtype or environment.get(field.dtype)
    if not isinstance(dtype, DType):
        dtype = getattr(application, field.dtype)
    axes = field.axes_of(application)
    shape = TensorShape(())
    for axis in axes:
        bound = environment.get(axis)
        if bound is None:  # an input of unknown rank left its names unbound
            bound = TensorShape(None if axis.startswith("*") or axis == "..." else (None,))
        shape = shape.concatenate(bound)
    return TensorSpec(shape, dtype)
