"""`tensorflow.python.layers.utils`: arguments of layers, and how long their results are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from ....control.cond import cond
from ....core.values import is_tensor
from ....eager.convert import get_static_value

_FORMATS: Final = {3: ("NCW", "NWC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}
_ORDERS: Final = ("channels_first", "channels_last")


def normalize_tuple(value: Any, n: int, name: str) -> tuple[Any, ...]:
    """As many numbers as there are axes: one for all of them, or one for each.

    Raises:
        ValueError: these are other things than numbers, or there are not `n` of them.
    """
    if isinstance(value, int):
        return (value,) * n
    if not isinstance(value, Iterable) or len(numbers := tuple(value)) != n:
        raise ValueError(f"Argument `{name}` must be one integer or {n} of them, got {value}")
    for one in numbers:
        try:
            int(one)
        except (ValueError, TypeError):
            raise ValueError(
                f"Argument `{name}` must be one integer or {n} of them, got {value}, "
                f"where {one} is of {type(one)}"
            ) from None
    return numbers


def normalize_data_format(value: str) -> str:
    """The word channels_first or channels_last, in small letters; all else is a ValueError."""
    return _one_of("data_format", value, _ORDERS)


def normalize_padding(value: str) -> str:
    """The word valid or same, in small letters; all else is a ValueError."""
    return _one_of("padding", value, ("valid", "same"))


def _one_of(argument: str, value: str, allowed: tuple[str, ...]) -> str:
    if (word := value.lower()) not in allowed:
        raise ValueError(f"`{argument}` must be one of {', '.join(allowed)}, got {value}")
    return word


def convert_data_format(data_format: str, ndim: int) -> str:
    """The letters that an operation knows an order of axes by: "NHWC".

    Raises:
        ValueError: there is no such order, or none of so many axes.
    """
    if data_format not in _ORDERS:
        raise ValueError(f"data_format must be one of {', '.join(_ORDERS)}, got {data_format}")
    if ndim not in _FORMATS:
        raise ValueError(f"inputs have 3, 4 or 5 axes, not {ndim}")
    return _FORMATS[ndim][_ORDERS.index(data_format)]


def conv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int, dilation: int = 1
) -> int | None:
    """How long an axis is after a convolution; unknown where it was."""
    if input_length is None:
        return None
    reach = filter_size + (filter_size - 1) * (dilation - 1)
    longer = {"same": 0, "valid": 1 - reach, "full": reach - 1}
    _require(padding, longer)
    return (input_length + longer[padding] + stride - 1) // stride


def conv_input_length(
    output_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """How long the axis was that a convolution made so long; unknown where that is."""
    if output_length is None:
        return None
    margins = {"same": filter_size // 2, "valid": 0, "full": filter_size - 1}
    _require(padding, margins)
    return (output_length - 1) * stride - 2 * margins[padding] + filter_size


def _require(padding: str, known: dict[str, int]) -> None:
    if padding not in known:
        raise AssertionError(f"padding must be one of {', '.join(known)}, got {padding}")


def deconv_output_length(
    input_length: int | None, filter_size: int, padding: str, stride: int
) -> int | None:
    """How long an axis is after a transposed convolution; unknown where it was."""
    if input_length is None:
        return None
    length = input_length * stride
    if padding == "valid":
        return length + max(filter_size - stride, 0)
    return length - (stride + filter_size - 2) if padding == "full" else length


def constant_value(pred: Any) -> Any:
    """A condition that is known now; None where it is not.

    Raises:
        TypeError: this is neither a bool, 0 or 1, nor a tensor.
    """
    if isinstance(pred, (bool, int)) and pred in (0, 1):
        return bool(pred)
    if not is_tensor(pred):
        raise TypeError(
            f"Argument `pred` must be a Tensor, or a Python bool, or 1 or 0; got {pred!r}"
        )
    return get_static_value(pred)


def smart_cond(
    pred: Any,
    true_fn: Callable[[], Any] | None = None,
    false_fn: Callable[[], Any] | None = None,
    name: str | None = None,
) -> Any:
    """`tf.cond`, but where `pred` is known now only that function is called."""
    known = constant_value(pred)
    if known is None:
        return cond(pred, true_fn, false_fn, name)
    chosen = true_fn if known else false_fn
    if chosen is None:
        raise TypeError(f"smart_cond: there is no function for a condition that is {known}")
    return chosen()
