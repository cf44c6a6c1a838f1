"""Tensors of weak dtypes: what `tf.constant(5)` is in the modes "all" and "safe".

A WeakTensor is a composite around a tensor. Operators and functions of two operands promote it
(`weak_promotion.py`), some functions of one keep it weak, and to all others it is its tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..core.numpy_behavior import changes
from ..core.shapes import TensorShape, as_shape
from ..core.specs import TensorSpec
from ..core.tree import OneTensor
from ..core.type_spec import BatchableTypeSpec, with_outer_size, without_outer_size
from ..core.values import TensorBase, TensorLike
from ..eager.arrays import is_sequence
from ..eager.operators import Operators
from ..errors import DTypeMismatchError
from ..ops.conversion import as_tensor
from ..ops.dispatch.meanings import OF_ANY
from ..ops.math.cast import cast
from .weak_promotion import OF_PYTHON, Promoted, joined, joined_safely, kind_of, without_weak

# Functions, by their names, whose two operands are promoted.
OF_TWO: Final = frozenset(
    "add subtract multiply divide truediv realdiv floordiv floormod pow maximum minimum equal "
    "not_equal less less_equal greater greater_equal truncatediv truncatemod multiply_no_nan "
    "divide_no_nan matmul matvec".split()
)
# Those whose results are never weak.
STRONG: Final = frozenset(("maximum", "minimum"))
OPERATIONS: Final = frozenset(
    "AddV2 Sub Mul RealDiv FloorDiv FloorMod Pow Maximum Minimum Equal NotEqual Less LessEqual "
    "Greater GreaterEqual TruncateDiv TruncateMod MulNoNan DivNoNan MatMul".split()
)
STRONG_OPERATIONS: Final = frozenset(("Maximum", "Minimum"))
# Functions of one operand whose results are as weak as it is.
KEEPING: Final = frozenset(
    "abs acos acosh angle asin asinh atan atanh bessel_i0 bessel_i0e bessel_i1 bessel_i1e ceil "
    "clip_by_value conj cos cosh digamma erf erfc erfinv exp expand_dims expm1 floor gelu identity "
    "imag invert leaky_relu lgamma log log1p log_sigmoid log_softmax matrix_transpose ndtri "
    "negative ones_like real reciprocal reduce_euclidean_norm reduce_logsumexp reduce_max "
    "reduce_mean reduce_min reduce_prod reduce_std reduce_sum reduce_variance relu6 reshape rint "
    "round rsqrt sigmoid sign silu sin sinh softplus sqrt square squeeze stop_gradient swish tan "
    "tanh transpose zeros_like".split()
)
# Methods of NumPy's whose results are as weak as the tensor.
KEEPING_METHODS: Final = frozenset(
    "T data flatten max mean min ravel reshape round transpose".split()
)


class WeakTensor(Operators, OneTensor, TensorBase):
    """A tensor whose dtype gives way to that of whatever it meets.

    `tf.constant` makes one of Python's numbers after
    `tf.experimental.numpy.experimental_enable_numpy_behavior(dtype_conversion_mode="all")`.
    """

    # NumPy leaves `array + weak` to the weak tensor.
    __array_priority__: ClassVar[int] = 100
    is_weak_tensor: ClassVar[bool] = True

    def __init__(self, tensor: Any) -> None:
        self.tensor: Final = tensor

    @property
    def _type_spec(self) -> WeakTensorSpec:
        return WeakTensorSpec(self.tensor.shape, self.tensor.dtype)

    @property
    def dtype(self) -> DType:  # pyright: ignore[reportIncompatibleVariableOverride]
        """The dtype, which is weak."""
        return self.tensor.dtype

    @property
    def shape(self) -> TensorShape:
        """The shape, as far as it is known."""
        return self.tensor.shape

    def to_tensor(self) -> Any:
        """The tensor, whose dtype is not weak."""
        return self.tensor

    def __tf_tensor__(self, dtype: DType | None = None, name: str | None = None) -> Any:
        return as_tensor(self.tensor, dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "tensor":
            raise AttributeError(f"'WeakTensor' object has no attribute '{name}'")
        found = getattr(self.tensor, name)
        if name not in KEEPING_METHODS:
            return found
        if not callable(found):
            return weakened(found)
        return lambda *args, **kwargs: weakened(found(*args, **kwargs))

    def __bool__(self) -> bool:
        return bool(self.tensor)

    def __int__(self) -> int:
        return int(self.tensor)

    def __float__(self) -> float:
        return float(self.tensor)

    def __complex__(self) -> complex:
        return complex(self.tensor)

    def __index__(self) -> int:
        return self.tensor.__index__()

    def __len__(self) -> int:
        return len(self.tensor)

    def __iter__(self) -> Iterator[WeakTensor]:
        return map(WeakTensor, self.tensor)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.array(self.tensor, dtype, copy=copy)

    def __repr__(self) -> str:
        return f"{repr(self.tensor)[:-1]}, weak=True>"

    def __str__(self) -> str:
        return f"{str(self.tensor)[:-1]}, weak=True)"

    def __format__(self, specification: str) -> str:
        return format(self.tensor, specification)


class WeakTensorSpec(BatchableTypeSpec):
    """Describes WeakTensors: their shape and dtype."""

    __slots__ = {"dtype": "The dtype, which is weak.", "shape": "The shapes that they may have."}

    def __init__(self, shape: Any = None, dtype: Any = dtypes.float32) -> None:
        self.shape = as_shape(shape)
        self.dtype = as_dtype(dtype)

    @property
    def value_type(self) -> type[WeakTensor]:
        """The class of the values that it describes."""
        return WeakTensor

    def _batch(self, batch_size: int | None) -> WeakTensorSpec:
        return WeakTensorSpec(with_outer_size(self.shape, batch_size), self.dtype)

    def _unbatch(self) -> WeakTensorSpec:
        return WeakTensorSpec(without_outer_size(self.shape), self.dtype)

    def _serialize(self) -> tuple[Any, ...]:
        return (self.shape, self.dtype)

    @property
    def _component_specs(self) -> tuple[TensorSpec, ...]:
        return (TensorSpec(self.shape, self.dtype),)

    def _to_components(self, value: WeakTensor) -> tuple[Any, ...]:
        return (value.tensor,)

    def _from_components(self, components: Any) -> WeakTensor:
        return WeakTensor(*components)


def weakened(value: Any) -> Any:
    """A tensor of numbers as a weak one."""
    is_number = isinstance(value, TensorLike) and value.dtype.is_numeric
    return WeakTensor(value) if is_number else value


def constant_of(value: Any, tensor: Any) -> Any:
    """What is made of a value: `tensor`, weak if `value` is, as numbers of Python's are."""
    kind = kind_of(value)
    return tensor if kind is None or not kind.is_weak else weakened(tensor)


class Promotion:
    """What operands become in one of the modes."""

    def __init__(self, mode: str) -> None:
        self.join: Final = joined_safely if mode == "safe" else joined

    def operate(self, function: Callable[[Any, Any], Any], x: Any, y: Any) -> Any:
        """`function` of two operands in the dtype that they have in common; weak if that is."""
        one, other = kind_of(x), kind_of(y)
        if one is None or other is None:
            return function(without_weak(x), without_weak(y))
        common = self.join(one, other)
        result = function(_as(common, x), _as(common, y))
        return weakened(result) if common.is_weak else result

    def call(self, function: Callable[..., Any], x: Any, y: Any, *rest: Any, **options: Any) -> Any:
        """A public function of two operands."""

        def apply(x: Any, y: Any) -> Any:
            return function(x, y, *rest, **options)

        result = self.operate(apply, x, y)
        return without_weak(result) if function.__name__ in STRONG else result

    def retry(self, function: Any, args: Any, options: Any) -> Any:
        """A call that failed, of operands which may have to be promoted; else NotImplemented."""
        if function.__name__ not in OF_TWO or len(args) < 2:
            return NotImplemented
        if not self._differ(args[0], args[1]):
            return NotImplemented
        return self.call(function, *args, **options)

    def _differ(self, x: Any, y: Any) -> bool:
        one, other = kind_of(x), kind_of(y)
        return one is not None and other is not None and one.dtype is not other.dtype

    def bound(self, op: Any, operands: tuple[Any, ...], again: Callable[..., Any]) -> Any:
        """An operation of two operands that may have to be promoted; else NotImplemented."""
        if op.name not in OPERATIONS or len(operands) != 2 or not self._differ(*operands):
            return NotImplemented
        result = self.operate(again, *operands)
        return without_weak(result) if op.name in STRONG_OPERATIONS else result

    def for_variable(self, value: Any, dtype: DType) -> Any:
        """A value for a variable of `dtype`.

        Raises:
            TypeError: the two have another dtype in common, and that of a variable stays.
        """
        kind = kind_of(value)
        if kind is None or kind.dtype is dtype:
            return without_weak(value)
        common = self.join(Promoted(dtype), kind)
        if common.dtype is not dtype:
            raise DTypeMismatchError(
                f"a variable of dtype {dtype.name} takes no value of dtype {kind}, which would make"
                f" it {common}; use tf.cast"
            )
        return _as(common, value)


def _as(common: Promoted, value: Any) -> Any:
    """An operand in the common dtype; numbers that it does not hold are refused."""
    if _is_of_python(value):
        return as_tensor(value, common.dtype)
    return cast(as_tensor(without_weak(value)), common.dtype)


def _is_of_python(value: Any) -> bool:
    if is_sequence(value):
        return all(map(_is_of_python, value))
    return type(value) in OF_PYTHON


def of_weak(function: Callable[..., Any], args: tuple[Any, ...], options: Any) -> Any:
    """What a function means where an argument is weak."""
    promotion = changes.promotion
    if isinstance(promotion, Promotion) and function.__name__ in OF_TWO:
        return promotion.call(function, *args, **options)
    result = function(*map(without_weak, args), **{k: without_weak(v) for k, v in options.items()})
    keeps = function.__name__ in KEEPING and isinstance(args[0], WeakTensor)
    return weakened(result) if keeps else result


OF_ANY[WeakTensor] = of_weak
