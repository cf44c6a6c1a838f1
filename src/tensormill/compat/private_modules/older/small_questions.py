"""Small questions that programs ask TensorFlow's helpers: of integers, devices, dates, names."""

from __future__ import annotations

import math
from typing import Any

from ....control.while_loop import while_loop
from ....core.device_specs import DeviceSpec
from ....core.dtypes import int32
from ....core.random_state import state
from ....core.values import TensorLike
from ....eager.convert import convert_to_tensor, get_static_value
from ....ops.array.concatenation import concat
from ....ops.math.cast import cast
from ....ops.math.division import divide_no_nan
from ....ops.math.scan import cumsum
from ....summary.summaries import record_if
from ..numerics.parts_of_losses import without_last_axis


def canonical_name(device: Any) -> str:
    """The name of a device, written out; nothing for None."""
    if device is None:
        return ""
    spec = device if is_device_spec(device) else DeviceSpec.from_string(device)
    return spec.to_string()


def check_valid(spec: str) -> None:
    """Refuse what names no device.

    Raises:
        ValueError: it does not.
    """
    DeviceSpec.from_string(spec)


def is_device_spec(obj: Any) -> bool:
    """Whether it is a description of a device, not its name."""
    return isinstance(obj, DeviceSpec)


def get_positive_axis(
    axis: Any, ndims: int | None, axis_name: str = "axis", ndims_name: str = "ndims"
) -> int:
    """An axis, counted from the first one.

    Raises:
        TypeError: it is no integer.
        ValueError: there is no such axis, or it is negative and the rank unknown.
    """
    if not isinstance(axis, int):
        raise TypeError(f"{axis_name} must be an int; got {type(axis).__name__}")
    if ndims is None:
        if axis < 0:
            raise ValueError(
                f"{axis_name}={axis} may only be negative if {ndims_name} is statically known."
            )
        return axis
    if not -ndims <= axis < ndims:
        raise ValueError(
            f"{axis_name}={axis} out of bounds: expected {-ndims}<={axis_name}<{ndims}"
        )
    return axis % ndims if ndims else axis


def convert_to_int_tensor(tensor: Any, name: str, dtype: Any = int32) -> Any:
    """A tensor of integers, of this dtype.

    Raises:
        TypeError: it holds something else.
    """
    found = convert_to_tensor(tensor, name=name)
    if not found.dtype.is_integer:
        raise TypeError(
            f"Argument `tensor` (name: {name}) must be of type integer. Received `tensor` = "
            f"{tensor} of dtype: {found.dtype!r}"
        )
    return cast(found, dtype)


def lengths_to_splits(lengths: Any) -> Any:
    """Where rows of these lengths begin and end."""
    return concat([[0], cumsum(convert_to_tensor(lengths))], 0)


def gcd(a: Any, b: Any, name: str | None = None) -> Any:
    """The greatest number that divides both.

    Raises:
        ValueError: they are no integers, or no scalars.
    """
    one, other = convert_to_tensor(a), convert_to_tensor(b)
    for number, called in ((one, "a"), (other, "b")):
        if not number.dtype.is_integer:
            raise ValueError(f"{called} must be an integer type. Got: {number.dtype!r}")
        if number.shape.rank not in (0, None):
            raise ValueError(f"Shape {number.shape} must have rank 0")
    known = [get_static_value(number) for number in (one, other)]
    if None not in known:
        return convert_to_tensor(math.gcd(*map(int, known)), one.dtype, name=name)
    found, _ = while_loop(lambda a, b: b > 0, lambda a, b: (b, a % b), (one, other))
    return found


def prepend_name_scope(name: str, import_scope: str | None) -> str:
    """The name of a node in a scope; that of another operation, after "^" or "loc:@", too."""
    if not import_scope:
        return name
    for start in ("^", "loc:@"):
        if name.startswith(start):
            return f"{start}{import_scope}/{name.removeprefix(start)}"
    return f"{import_scope}/{name}"


def is_dense_tensor_like(t: Any) -> bool:
    """Whether it is one tensor, or a variable."""
    return isinstance(t, TensorLike)


def global_seed() -> int | None:
    """What `tf.random.set_seed` was called with."""
    return state.seed


def internal_operation_seed() -> int:
    """The seed of the next operation that is given none."""
    return state.operation_seed()


def remove_squeezable_dimensions(
    labels: Any, predictions: Any, expected_rank_diff: int = 0, name: str | None = None
) -> tuple[Any, Any]:
    """Both of one rank, but for `expected_rank_diff` more of predictions: a last axis of 1 goes."""
    found = without_last_axis(labels, predictions, None, expected_rank_diff)
    return found[0], found[1]


def always() -> Any:
    """Summaries are written, whatever is said around."""
    return record_if(True)


def never() -> Any:
    """Summaries are not written."""
    return record_if(False)


def safe_scalar_div(numerator: Any, denominator: Any, name: str | None = None) -> Any:
    """Their quotient; 0 where the denominator is."""
    return divide_no_nan(numerator, denominator, name=name)


def nothing_is_to_do(_: Any) -> None:
    """What TensorFlow does to help its own runtime."""


def is_never(*_: Any) -> bool:
    """What nothing is here."""
    return False
