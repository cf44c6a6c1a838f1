"""The element types of tensors, with TensorFlow's names, NumPy's storage and our short names.

Numbers are TensorFlow's `DataType` enum (types.proto), so that protos need no table of their own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final, Literal, TypeAlias, cast

import ml_dtypes
import numpy as np

from .tensorflow_names import HasProtoForm

Kind: TypeAlias = Literal[
    "bool", "int", "uint", "float", "complex", "string", "resource", "variant", "quantized"
]


# Of float8_e5m2 to float4_e2m1fn: numbers of a byte or less.
NARROW_ENUMS: Final = frozenset(range(24, 34))


class DType(HasProtoForm):
    """One element type. There is exactly one instance per type; compare with `==` or `is`.

    >>> tf.as_dtype(np.float32) is tf.float32, tf.float32.name, tf.float32.size
    (True, 'float32', 4)
    """

    __slots__ = {
        "__weakref__": None,
        "as_datatype_enum": "Its number in TensorFlow's protos.",
        "as_numpy_dtype": "The type of NumPy's scalars: `np.float32`.",
        "family": "What it is one of: 'float', 'int', 'uint', 'string', ....",
        "is_differentiable": "Whether a gradient can flow through tensors of this type.",
        "kept_as": "The short name of the type that compiled code keeps its elements as.",
        "name": "Its name, as in `tf.float32`.",
        "short": "Its name in the text of graphs: f32, i64, bool.",
        "size": "Bytes of an element; 0 where they differ.",
        "storage": "NumPy's dtype of the arrays that hold it.",
    }  # with what `help` says of them

    name: str
    short: str  # in IR text: f32, i64, bool
    kept_as: str
    as_datatype_enum: int
    family: Kind
    as_numpy_dtype: Any
    size: int
    storage: np.dtype[Any]  # not `numpy`: that has who asks any value for its array
    is_differentiable: bool

    def __new__(cls, type_enum: Any, handle_data: Any = None) -> DType:
        return as_dtype(type_enum)

    @classmethod
    def _named(cls, name: str, short: str, enum: int, storage: Any, kind: Kind) -> DType:
        """A new type: there is one of each name."""
        made = object.__new__(cls)
        made.name, made.short, made.as_datatype_enum, made.family = name, short, enum, kind
        made.storage = np.dtype(storage)
        made.kept_as = "u8" if enum in NARROW_ENUMS else short
        made.as_numpy_dtype = made._public_storage()
        made.size = 0 if made.storage.kind == "O" else made.storage.itemsize
        made.is_differentiable = kind in ("float", "complex", "variant", "resource")
        return made

    def _public_storage(self) -> Any:
        if self.family == "quantized":
            return self.storage
        return np.object_ if self.family == "string" else self.storage.type

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other is None or isinstance(other, DType):
            return False
        try:
            return as_dtype(other) is self
        except TypeError:
            return False

    def __hash__(self) -> int:
        return self.as_datatype_enum  # dicts of numbers, as converters of models have, know it

    def __int__(self) -> int:
        return self.as_datatype_enum

    def __reduce__(self) -> Any:
        return as_dtype, (self.name,)

    @property
    def base_dtype(self) -> DType:
        """The type itself: none is a reference.

        >>> tf.float32.base_dtype
        tf.float32
        """
        return self

    @property
    def real_dtype(self) -> DType:
        """The type of the real part; the type itself where it is not complex.

        >>> tf.complex64.real_dtype
        tf.float32
        """
        return {"complex64": float32, "complex128": float64}.get(self.name, self)

    @property
    def is_floating(self) -> bool:
        """Whether it is a type of floats, as float16 and bfloat16 are.

        >>> tf.bfloat16.is_floating, tf.int32.is_floating
        (True, False)
        """
        return self.family == "float"

    @property
    def is_integer(self) -> bool:
        """Whether it is a type of integers; bool is none.

        >>> tf.uint8.is_integer, tf.bool.is_integer
        (True, False)
        """
        return self.family in ("int", "uint")

    @property
    def is_unsigned(self) -> bool:
        """Whether it is a type of integers that are never negative.

        >>> tf.uint8.is_unsigned, tf.int8.is_unsigned
        (True, False)
        """
        return self.family == "uint"

    @property
    def is_complex(self) -> bool:
        """Whether it is a type of complex numbers.

        >>> tf.complex64.is_complex
        True
        """
        return self.family == "complex"

    @property
    def is_bool(self) -> bool:
        """Whether it is bool.

        >>> tf.bool.is_bool
        True
        """
        return self.family == "bool"

    @property
    def is_numeric(self) -> bool:
        """Whether its values are numbers to calculate with: those of float8 and int4 are not.

        >>> tf.float32.is_numeric, tf.bool.is_numeric
        (True, False)
        """
        of_numbers = self.family in ("int", "uint", "float", "complex", "quantized")
        return of_numbers and not self.is_narrow

    @property
    def is_quantized(self) -> bool:
        """Whether it is a quantized type, as qint8 is.

        >>> tf.qint8.is_quantized, tf.int8.is_quantized
        (True, False)
        """
        return self.family == "quantized"

    @property
    def plain(self) -> np.dtype[Any]:
        """What NumPy shows of its arrays: the integers of a quantized type, else `storage`."""
        return self.storage[0] if self.family == "quantized" else self.storage

    @property
    def is_narrow(self) -> bool:
        """Whether its values, of eight bits or fewer, are only kept and cast: float8, int4."""
        return self.as_datatype_enum in NARROW_ENUMS

    @property
    def stays_in_python(self) -> bool:
        """Whether native code hands its tensors on and never looks into them."""
        return self.family in ("string", "quantized")

    @property
    def is_numpy_compatible(self) -> bool:
        """Whether NumPy has arrays of it.

        >>> tf.string.is_numpy_compatible, tf.variant.is_numpy_compatible
        (True, False)
        """
        return self.family not in ("resource", "variant")

    def is_compatible_with(self, other: Any) -> bool:
        """Whether `other` stands for the same type.

        >>> tf.float32.is_compatible_with('float32')
        True
        """
        return as_dtype(other) is self

    # ---- as a trace type, of which there are no values

    def is_subtype_of(self, other: Any) -> bool:
        """Whether `other` is the same type.

        >>> tf.float32.is_subtype_of(tf.float64)
        False
        """
        return self is other

    def most_specific_common_supertype(self, types: Any) -> DType | None:
        """The type itself where all `types` are the same; else None.

        >>> tf.float32.most_specific_common_supertype([tf.float32])
        tf.float32
        """
        return self if all(other is self for other in types) else None

    def flatten(self) -> list[Any]:
        """The specs of the tensors that it stands for: none.

        >>> tf.float32.flatten()
        []
        """
        return []

    def to_tensors(self, value: Any) -> list[Any]:
        """The tensors of a value: none.

        >>> tf.float32.to_tensors(None)
        []
        """
        return []

    def from_tensors(self, tensors: Any) -> None:
        """What is made of tensors: nothing.

        >>> print(tf.float32.from_tensors([]))
        None
        """

    def placeholder_value(self, placeholder_context: Any) -> None:
        """What stands for a value while a function is traced: nothing.

        >>> print(tf.float32.placeholder_value(None))
        None
        """

    def cast(self, value: Any, cast_context: Any) -> Any:
        """The value, which no type of elements has: an AssertionError."""
        raise AssertionError(f"Can not cast {value!r} to type {self!r}")

    @property
    def limits(self) -> tuple[Any, Any]:
        """Between which numbers images of this type are: 0 and 1 for floats, else the largest.

        >>> tf.float32.limits, tf.uint8.limits
        ((0, 1), (0, 255))

        Raises:
            ValueError: images are of no such type.
        """
        if self.name in ("float32", "float64"):
            return 0, 1
        if (self.is_integer and not self.is_narrow) or self.is_bool:
            return 0, self.max
        raise ValueError(f"{self!r} does not have defined limits: images are no {self.name}")

    @property
    def min(self) -> Any:
        """The smallest value. A TypeError where there is none.

        >>> tf.int8.min, tf.float32.min
        (-128, np.float32(-3.4028235e+38))
        """
        return _limit(self, "min", False)

    @property
    def max(self) -> Any:
        """The largest value. A TypeError where there is none.

        >>> tf.int8.max, tf.uint8.max
        (127, 255)
        """
        return _limit(self, "max", True)


@lru_cache(maxsize=128)  # finding them takes as long as beginning a small dataset does
def _limit(dtype: DType, which: str, of_bool: bool) -> Any:
    if dtype.is_bool:
        return of_bool
    if dtype.is_integer:
        facts = cast("Any", ml_dtypes.iinfo(dtype.storage))
        return int(getattr(facts, which))
    if dtype.is_floating:
        facts = cast("Any", ml_dtypes.finfo(dtype.storage))
        return dtype.as_numpy_dtype(getattr(facts, which))
    raise TypeError(f"Cannot find {which}imum value of {dtype}.")


_new: Final = DType._named  # pyright: ignore[reportPrivateUsage]
float32 = _new("float32", "f32", 1, np.float32, "float")
float64 = _new("float64", "f64", 2, np.float64, "float")
int32 = _new("int32", "i32", 3, np.int32, "int")
uint8 = _new("uint8", "u8", 4, np.uint8, "uint")
int16 = _new("int16", "i16", 5, np.int16, "int")
int8 = _new("int8", "i8", 6, np.int8, "int")
string = _new("string", "str", 7, np.object_, "string")
complex64 = _new("complex64", "c64", 8, np.complex64, "complex")
int64 = _new("int64", "i64", 9, np.int64, "int")
bool_ = _new("bool", "bool", 10, np.bool_, "bool")
bfloat16 = _new("bfloat16", "bf16", 14, ml_dtypes.bfloat16, "float")
uint16 = _new("uint16", "u16", 17, np.uint16, "uint")
complex128 = _new("complex128", "c128", 18, np.complex128, "complex")
float16 = _new("float16", "f16", 19, np.float16, "float")
resource = _new("resource", "resource", 20, np.object_, "resource")
variant = _new("variant", "variant", 21, np.object_, "variant")
uint32 = _new("uint32", "u32", 22, np.uint32, "uint")
uint64 = _new("uint64", "u64", 23, np.uint64, "uint")
double = float64
half = float16

# Of eight bits or fewer: values are kept, moved and cast; nothing is computed with them.
float8_e5m2 = _new("float8_e5m2", "f8e5m2", 24, ml_dtypes.float8_e5m2, "float")
float8_e4m3fn = _new("float8_e4m3fn", "f8e4m3fn", 25, ml_dtypes.float8_e4m3fn, "float")
float8_e4m3fnuz = _new("float8_e4m3fnuz", "f8e4m3fnuz", 26, ml_dtypes.float8_e4m3fnuz, "float")
float8_e4m3b11fnuz = _new(
    "float8_e4m3b11fnuz", "f8e4m3b11fnuz", 27, ml_dtypes.float8_e4m3b11fnuz, "float"
)
float8_e5m2fnuz = _new("float8_e5m2fnuz", "f8e5m2fnuz", 28, ml_dtypes.float8_e5m2fnuz, "float")
int4 = _new("int4", "i4", 29, ml_dtypes.int4, "int")
uint4 = _new("uint4", "u4", 30, ml_dtypes.uint4, "uint")
int2 = _new("int2", "i2", 31, ml_dtypes.int2, "int")
uint2 = _new("uint2", "u2", 32, ml_dtypes.uint2, "uint")
float4_e2m1fn = _new("float4_e2m1fn", "f4e2m1fn", 33, ml_dtypes.float4_e2m1fn, "float")
NARROW: Final = (
    float8_e5m2, float8_e4m3fn, float8_e4m3fnuz, float8_e4m3b11fnuz, float8_e5m2fnuz, int4, uint4,
    int2, uint2, float4_e2m1fn,
)  # fmt: skip
for _narrow in NARROW:
    _narrow.is_differentiable = False

# Integers that stand for floats, by a range that goes beside them: kept, moved and cast. Arrays of
# them inside of tensors are of structures with one field, whose name tells them from integers.
qint8 = _new("qint8", "q8", 11, [("qint8", np.int8)], "quantized")
quint8 = _new("quint8", "qu8", 12, [("quint8", np.uint8)], "quantized")
qint32 = _new("qint32", "q32", 13, [("qint32", np.int32)], "quantized")
qint16 = _new("qint16", "q16", 15, [("qint16", np.int16)], "quantized")
quint16 = _new("quint16", "qu16", 16, [("quint16", np.uint16)], "quantized")
QUANTIZED: Final = (qint8, quint8, qint16, quint16, qint32)
QUANTIZED_DTYPES: Final = frozenset(QUANTIZED)

ALL: Final = (
    float32, float64, int32, uint8, int16, int8, string, complex64, int64, bool_, bfloat16,
    uint16, complex128, float16, resource, variant, uint32, uint64, *NARROW, *QUANTIZED,
)  # fmt: skip
BY_SHORT: Final = {dtype.short: dtype for dtype in ALL}
BY_ENUM: Final = {dtype.as_datatype_enum: dtype for dtype in ALL}
# `dtype.num` is a small integer: the quickest key that NumPy offers.
NO_ARRAYS: Final = ("resource", "variant", "quantized")  # kinds that no number of NumPy's tells
BY_NUMPY_NUMBER: Final[dict[int, DType]] = {
    d.storage.num: d for d in ALL if d.family not in NO_ARRAYS
}
STRUCTURE: Final = np.dtype([("", np.int8)]).num  # that of all structures
_BY_STRUCTURE: Final = {dtype.storage: dtype for dtype in QUANTIZED}


def of_storage(storage: np.dtype[Any]) -> DType:
    """The DType whose tensors hold arrays of such storage. A KeyError where there is none."""
    found = BY_NUMPY_NUMBER.get(storage.num)
    return _BY_STRUCTURE[storage] if found is None else found


def shown(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """An array of a tensor as users see it: of integers where its type is quantized."""
    if array.dtype.num != STRUCTURE:
        return array
    return array.view(_BY_STRUCTURE[array.dtype].plain)


_BY_NAME: Final = {dtype.name: dtype for dtype in ALL} | {
    "double": float64, "float": float32, "half": float16,
}  # fmt: skip
_BY_PYTHON_TYPE: Final[dict[Any, DType]] = {
    float: float32, bool: bool_, complex: complex128, str: string, bytes: string,
    object: string, np.object_: string, np.str_: string, np.bytes_: string,
}  # fmt: skip


def as_dtype(type_value: Any) -> DType:
    """The DType that a name, NumPy dtype, Python type or TF enum number stands for.

    >>> tf.as_dtype("float32"), tf.as_dtype(np.int64), tf.as_dtype(bool)
    (tf.float32, tf.int64, tf.bool)

    Raises:
        TypeError: nothing of ours corresponds to `type_value`.
    """
    if isinstance(type_value, DType):
        return type_value
    found = _found(type_value)
    if found is None:
        raise TypeError(
            f"Cannot convert the argument `type_value`: {type_value!r} to a TensorFlow DType."
            f"{_similar(type_value) if isinstance(type_value, str) else ''}"
        )
    return found


def _found(value: Any) -> DType | None:
    if isinstance(value, str):
        return _BY_NAME.get(value)
    if type(value) is int:
        return BY_ENUM.get(value)
    found = _BY_PYTHON_TYPE.get(value) if isinstance(value, type) else None
    if found is not None or value is int or value is None:
        return found
    return _from_numpy(value)


@lru_cache(maxsize=128)  # who catches the error may ask again in each operation
def _similar(value: str) -> str:
    from difflib import get_close_matches  # not before there is an error

    usual = [f"{value}32"] if f"{value}32" in _BY_NAME else []
    found = usual or get_close_matches(value, sorted(_BY_NAME), 1)
    return f" Did you mean {found[0]!r}?" if found else ""


def _from_numpy(value: Any) -> DType | None:
    try:
        dtype = np.dtype(value)
    except (TypeError, ValueError):
        return None
    if dtype.kind in "SUOT":
        return string
    return BY_NUMPY_NUMBER.get(dtype.newbyteorder("=").num) or _by_equal_storage(dtype)


def _by_equal_storage(dtype: np.dtype[Any]) -> DType | None:
    """Some platforms have two numbers for one integer type (`long` and `long long`)."""
    for candidate in ALL:
        if candidate.size and candidate.storage == dtype:
            return candidate
    return None
