# Written by `make stubs` from the table beside it.

"""`tf.experimental.numpy`: NumPy's functions on tensors."""

from typing import Any as _Any
from ..numpy_api.reductions import all as all
from ..numpy_api.reductions import allclose as allclose
from ..numpy_api.reductions import amax as amax
from ..numpy_api.reductions import amin as amin
from ..numpy_api.elementwise import angle as angle
from ..numpy_api.reductions import any as any
from ..numpy_api.joining import append as append
from ..numpy_api.creation import arange as arange
from ..numpy_api.reductions import argmax as argmax
from ..numpy_api.reductions import argmin as argmin
from ..numpy_api.selection import argsort as argsort
from ..numpy_api.elementwise import around as around
from ..numpy_api.creation import array as array
from ..numpy_api.reductions import array_equal as array_equal
from ..numpy_api.creation import asanyarray as asanyarray
from ..numpy_api.creation import asarray as asarray
from ..numpy_api.creation import ascontiguousarray as ascontiguousarray
from ..numpy_api.axes import atleast_1d as atleast_1d
from ..numpy_api.axes import atleast_2d as atleast_2d
from ..numpy_api.axes import atleast_3d as atleast_3d
from ..numpy_api.reductions import average as average
from ..numpy_api.dtypes import bool_ as bool_
from ..numpy_api.axes import broadcast_arrays as broadcast_arrays
from ..numpy_api.axes import broadcast_to as broadcast_to
from ..numpy_api.selection import clip as clip
from ..numpy_api.dtypes import complex128 as complex128
from ..numpy_api.dtypes import complex64 as complex64
from ..numpy_api.dtypes import complex_ as complex_
from ..numpy_api.selection import compress as compress
from ..numpy_api.joining import concatenate as concatenate
from ..numpy_api.creation import copy as copy
from ..numpy_api.reductions import count_nonzero as count_nonzero
from ..numpy_api.products import cross as cross
from ..numpy_api.reductions import cumprod as cumprod
from ..numpy_api.reductions import cumsum as cumsum
from ..numpy_api.diagonals import diag as diag
from ..numpy_api.diagonals import diag_indices as diag_indices
from ..numpy_api.diagonals import diagflat as diagflat
from ..numpy_api.diagonals import diagonal as diagonal
from ..numpy_api.selection import diff as diff
from ..numpy_api.pairs import divmod as divmod
from ..numpy_api.products import dot as dot
from ..numpy_api.joining import dsplit as dsplit
from ..numpy_api.joining import dstack as dstack
from ..numpy_api.dtypes import e as e
from ..numpy_api.products import einsum as einsum
from ..numpy_api.creation import empty as empty
from ..numpy_api.creation import empty_like as empty_like
from ..numpy_api.axes import expand_dims as expand_dims
from ..numpy_api.behavior import experimental_enable_numpy_behavior as experimental_enable_numpy_behavior
from ..numpy_api.creation import eye as eye
from ..numpy_api.dtypes import finfo as finfo
from ..numpy_api.axes import flatten as flatten
from ..numpy_api.axes import flip as flip
from ..numpy_api.axes import fliplr as fliplr
from ..numpy_api.axes import flipud as flipud
from ..numpy_api.dtypes import float16 as float16
from ..numpy_api.dtypes import float32 as float32
from ..numpy_api.dtypes import float64 as float64
from ..numpy_api.dtypes import float_ as float_
from ..numpy_api.creation import full as full
from ..numpy_api.creation import full_like as full_like
from ..numpy_api.pairs import gcd as gcd
from ..numpy_api.creation import geomspace as geomspace
from ..numpy_api.joining import hsplit as hsplit
from ..numpy_api.joining import hstack as hstack
from ..numpy_api.creation import identity as identity
from ..numpy_api.dtypes import iinfo as iinfo
from ..numpy_api.elementwise import imag as imag
from ..numpy_api.dtypes import inexact as inexact
from ..numpy_api.dtypes import inf as inf
from ..numpy_api.products import inner as inner
from ..numpy_api.dtypes import int16 as int16
from ..numpy_api.dtypes import int32 as int32
from ..numpy_api.dtypes import int64 as int64
from ..numpy_api.dtypes import int8 as int8
from ..numpy_api.dtypes import int_ as int_
from ..numpy_api.reductions import isclose as isclose
from ..numpy_api.elementwise import iscomplexobj as iscomplexobj
from ..numpy_api.elementwise import isrealobj as isrealobj
from ..numpy_api.axes import isscalar as isscalar
from ..numpy_api.dtypes import issubdtype as issubdtype
from ..numpy_api.selection import ix_ as ix_
from ..numpy_api.products import kron as kron
from ..numpy_api.pairs import lcm as lcm
from ..numpy_api.creation import linspace as linspace
from ..numpy_api.creation import logspace as logspace
from ..numpy_api.products import matmul as matmul
from ..numpy_api.reductions import max as max
from ..numpy_api.reductions import mean as mean
from ..numpy_api.selection import meshgrid as meshgrid
from ..numpy_api.reductions import min as min
from ..numpy_api.axes import moveaxis as moveaxis
from ..numpy_api.reductions import nanmean as nanmean
from ..numpy_api.reductions import nanprod as nanprod
from ..numpy_api.reductions import nansum as nansum
from ..eager.tensor import Tensor as ndarray
from ..numpy_api.axes import ndim as ndim
from ..numpy_api.dtypes import newaxis as newaxis
from ..numpy_api.selection import nonzero as nonzero
from ..numpy_api.dtypes import object_ as object_
from ..numpy_api.creation import ones as ones
from ..numpy_api.creation import ones_like as ones_like
from ..numpy_api.products import outer as outer
from ..numpy_api.joining import pad as pad
from ..numpy_api.dtypes import pi as pi
from ..numpy_api.products import polyval as polyval
from ..numpy_api.reductions import prod as prod
from ..numpy_api.promotion import promote_types as promote_types
from ..numpy_api.reductions import ptp as ptp
from . import experimental_numpy_random as random
from ..numpy_api.axes import ravel as ravel
from ..numpy_api.elementwise import real as real
from ..numpy_api.joining import repeat as repeat
from ..numpy_api.axes import reshape as reshape
from ..numpy_api.promotion import result_type as result_type
from ..numpy_api.axes import roll as roll
from ..numpy_api.axes import rot90 as rot90
from ..numpy_api.elementwise import around as round
from ..numpy_api.selection import select as select
from ..numpy_api.axes import shape as shape
from ..numpy_api.elementwise import sign as sign
from ..numpy_api.elementwise import signbit as signbit
from ..numpy_api.axes import size as size
from ..numpy_api.selection import sort as sort
from ..numpy_api.joining import split as split
from ..numpy_api.axes import squeeze as squeeze
from ..numpy_api.joining import stack as stack
from ..numpy_api.reductions import std as std
from ..numpy_api.dtypes import string_ as string_
from ..numpy_api.reductions import sum as sum
from ..numpy_api.axes import swapaxes as swapaxes
from ..numpy_api.selection import take as take
from ..numpy_api.selection import take_along_axis as take_along_axis
from ..numpy_api.products import tensordot as tensordot
from ..numpy_api.joining import tile as tile
from ..numpy_api.diagonals import trace as trace
from ..numpy_api.axes import transpose as transpose
from ..numpy_api.creation import tri as tri
from ..numpy_api.creation import tril as tril
from ..numpy_api.creation import triu as triu
from ..numpy_api.dtypes import uint16 as uint16
from ..numpy_api.dtypes import uint32 as uint32
from ..numpy_api.dtypes import uint64 as uint64
from ..numpy_api.dtypes import uint8 as uint8
from ..numpy_api.dtypes import unicode_ as unicode_
from ..numpy_api.creation import vander as vander
from ..numpy_api.reductions import var as var
from ..numpy_api.products import vdot as vdot
from ..numpy_api.joining import vsplit as vsplit
from ..numpy_api.joining import vstack as vstack
from ..numpy_api.selection import where as where
from ..numpy_api.creation import zeros as zeros
from ..numpy_api.creation import zeros_like as zeros_like

__all__ = ['abs', 'absolute', 'add', 'all', 'allclose', 'amax', 'amin', 'angle', 'any', 'append', 'arange', 'arccos', 'arccosh', 'arcsin', 'arcsinh', 'arctan', 'arctan2', 'arctanh', 'argmax', 'argmin', 'argsort', 'around', 'array', 'array_equal', 'asanyarray', 'asarray', 'ascontiguousarray', 'atleast_1d', 'atleast_2d', 'atleast_3d', 'average', 'bitwise_and', 'bitwise_not', 'bitwise_or', 'bitwise_xor', 'bool_', 'broadcast_arrays', 'broadcast_to', 'cbrt', 'ceil', 'clip', 'complex128', 'complex64', 'complex_', 'compress', 'concatenate', 'conj', 'conjugate', 'copy', 'cos', 'cosh', 'count_nonzero', 'cross', 'cumprod', 'cumsum', 'deg2rad', 'diag', 'diag_indices', 'diagflat', 'diagonal', 'diff', 'divide', 'divmod', 'dot', 'dsplit', 'dstack', 'e', 'einsum', 'empty', 'empty_like', 'equal', 'exp', 'exp2', 'expand_dims', 'experimental_enable_numpy_behavior', 'expm1', 'eye', 'fabs', 'finfo', 'fix', 'flatten', 'flip', 'fliplr', 'flipud', 'float16', 'float32', 'float64', 'float_', 'float_power', 'floor', 'floor_divide', 'full', 'full_like', 'gcd', 'geomspace', 'greater', 'greater_equal', 'heaviside', 'hsplit', 'hstack', 'hypot', 'identity', 'iinfo', 'imag', 'inexact', 'inf', 'inner', 'int16', 'int32', 'int64', 'int8', 'int_', 'isclose', 'iscomplex', 'iscomplexobj', 'isfinite', 'isinf', 'isnan', 'isneginf', 'isposinf', 'isreal', 'isrealobj', 'isscalar', 'issubdtype', 'ix_', 'kron', 'lcm', 'less', 'less_equal', 'linspace', 'log', 'log10', 'log1p', 'log2', 'logaddexp', 'logaddexp2', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'logspace', 'matmul', 'max', 'maximum', 'mean', 'meshgrid', 'min', 'minimum', 'mod', 'moveaxis', 'multiply', 'nanmean', 'nanprod', 'nansum', 'ndarray', 'ndim', 'negative', 'newaxis', 'nextafter', 'nonzero', 'not_equal', 'object_', 'ones', 'ones_like', 'outer', 'pad', 'pi', 'polyval', 'positive', 'power', 'prod', 'promote_types', 'ptp', 'rad2deg', 'random', 'ravel', 'real', 'reciprocal', 'remainder', 'repeat', 'reshape', 'result_type', 'roll', 'rot90', 'round', 'select', 'shape', 'sign', 'signbit', 'sin', 'sinc', 'sinh', 'size', 'sort', 'split', 'sqrt', 'square', 'squeeze', 'stack', 'std', 'string_', 'subtract', 'sum', 'swapaxes', 'take', 'take_along_axis', 'tan', 'tanh', 'tensordot', 'tile', 'trace', 'transpose', 'tri', 'tril', 'triu', 'true_divide', 'uint16', 'uint32', 'uint64', 'uint8', 'unicode_', 'vander', 'var', 'vdot', 'vsplit', 'vstack', 'where', 'zeros', 'zeros_like']

def abs(x: _Any) -> _Any:
    """The absolute value; that of complex numbers is real. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.absolute([-1, 2]).numpy()
    array([1, 2])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def absolute(x: _Any) -> _Any:
    """The absolute value; that of complex numbers is real. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.absolute([-1, 2]).numpy()
    array([1, 2])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def add(x1: _Any, x2: _Any) -> _Any:
    """x1 + x2; of bools, whether one is True.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.add([1, 2], 0.5).numpy()
    array([1.5, 2.5])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def arccos(x: _Any) -> _Any:
    """The angle with this cosine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arccos([1, 0]).numpy()
    array([0.        , 1.57079633])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def arccosh(x: _Any) -> _Any:
    """The number with this hyperbolic cosine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arccosh([1, 2]).numpy()
    array([0.       , 1.3169579])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def arcsin(x: _Any) -> _Any:
    """The angle with this sine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arcsin([0, 1]).numpy()
    array([0.        , 1.57079633])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def arcsinh(x: _Any) -> _Any:
    """The number with this hyperbolic sine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arcsinh([0, 1]).numpy()
    array([0.        , 0.88137359])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def arctan(x: _Any) -> _Any:
    """The angle with this tangent. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arctan([0, 1]).numpy()
    array([0.        , 0.78539816])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def arctan2(x1: _Any, x2: _Any) -> _Any:
    """The angle of the point (x2, x1) in the plane, between -π and π.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.arctan2([1.0, -1.0], 0.0).numpy()
    array([ 1.57079633, -1.57079633])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def arctanh(x: _Any) -> _Any:
    """The number with this hyperbolic tangent. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.arctanh([0, 0.5]).numpy()
    array([0.        , 0.54930614])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def bitwise_and(x1: _Any, x2: _Any) -> _Any:
    """The bits that are set in both.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.bitwise_and([5, 6], 4).numpy()
    array([4, 4])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def bitwise_not(x: _Any) -> _Any:
    """Integers with every bit turned; of bools, the others. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.bitwise_not([0, 5]).numpy()
    array([-1, -6])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def bitwise_or(x1: _Any, x2: _Any) -> _Any:
    """The bits that are set in one.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.bitwise_or([5, 6], 1).numpy()
    array([5, 7])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def bitwise_xor(x1: _Any, x2: _Any) -> _Any:
    """The bits that differ.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.bitwise_xor([5, 6], 4).numpy()
    array([1, 2])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def cbrt(x: _Any) -> _Any:
    """The cube root, of negative numbers, too. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.cbrt([8, -1]).numpy()
    array([ 2., -1.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def ceil(x: _Any) -> _Any:
    """The smallest whole number that is not below x. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.ceil([1.5, -1.5]).numpy()
    array([ 2., -1.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def conj(x: _Any) -> _Any:
    """The complex conjugate. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.conjugate([1 + 2j]).numpy()
    array([1.-2.j])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def conjugate(x: _Any) -> _Any:
    """The complex conjugate. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.conjugate([1 + 2j]).numpy()
    array([1.-2.j])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def cos(x: _Any) -> _Any:
    """The cosine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.cos([0, 1]).numpy()
    array([1.        , 0.54030231])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def cosh(x: _Any) -> _Any:
    """The hyperbolic cosine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.cosh([0, 1]).numpy()
    array([1.        , 1.54308063])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def deg2rad(x: _Any) -> _Any:
    """Degrees as radians. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.deg2rad([0, 180]).numpy()
    array([0.        , 3.14159265])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def divide(x1: _Any, x2: _Any) -> _Any:
    """x1 / x2; of integers, a float (float32 of the narrow ones).

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.true_divide([1, 2], 4).numpy()
    array([0.25, 0.5 ])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def equal(x1: _Any, x2: _Any) -> _Any:
    """Whether elements are equal.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.equal([1, 2], 1.0).numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def exp(x: _Any) -> _Any:
    """e to the power x. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.exp([0, 1]).numpy()
    array([1.        , 2.71828183])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def exp2(x: _Any) -> _Any:
    """2 to the power x. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.exp2([0, 3]).numpy()
    array([1., 8.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def expm1(x: _Any) -> _Any:
    """e to the power x, less 1: exact near 0. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.expm1([0, 1]).numpy()
    array([0.        , 1.71828183])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def fabs(x: _Any) -> _Any:
    """The absolute value. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.fabs([-1.5, 2]).numpy()
    array([1.5, 2. ])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def fix(x: _Any) -> _Any:
    """The next whole number towards 0. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.fix([1.5, -1.5]).numpy()
    array([ 1., -1.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def float_power(x1: _Any, x2: _Any) -> _Any:
    """x1 to the power x2, of their common dtype.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.float_power([2.0, 3.0], 2).numpy()
    array([4., 9.])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def floor(x: _Any) -> _Any:
    """The largest whole number that is not above x. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.floor([1.5, -1.5]).numpy()
    array([ 1., -2.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def floor_divide(x1: _Any, x2: _Any) -> _Any:
    """x1 / x2, rounded down; of bools, as int8.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.floor_divide([7, -7], 2).numpy()
    array([ 3, -4])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def greater(x1: _Any, x2: _Any) -> _Any:
    """Whether x1 > x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.greater([1, 3], 2.5).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def greater_equal(x1: _Any, x2: _Any) -> _Any:
    """Whether x1 >= x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.greater_equal([1, 3], 3).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def heaviside(x1: _Any, x2: _Any) -> _Any:
    """0 where x1 is below 0, 1 where it is above, x2 where it is 0. Integers and bools become float64.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.heaviside([-1.0, 0.0, 3.0], 0.5).numpy()
    array([0. , 0.5, 1. ])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def hypot(x1: _Any, x2: _Any) -> _Any:
    """The length of (x1, x2). Integers and bools become float64.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.hypot([3, 6], [4, 8]).numpy()
    array([ 5., 10.])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def iscomplex(x: _Any) -> _Any:
    """Whether elements have an imaginary part that is not 0, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.iscomplex([1, 1j]).numpy()
    array([False,  True])

    Raises:
        ValueError: `x` is nothing that an array can hold."""

def isfinite(x: _Any) -> _Any:
    """Whether elements are neither infinite nor NaN, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isfinite([1.0, np.inf]).numpy()
    array([ True, False])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def isinf(x: _Any) -> _Any:
    """Whether elements are infinite, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isinf([1.0, np.inf]).numpy()
    array([False,  True])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def isnan(x: _Any) -> _Any:
    """Whether elements are NaN, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isnan([1.0, np.nan]).numpy()
    array([False,  True])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def isneginf(x: _Any) -> _Any:
    """Whether elements are the negative infinity, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isneginf([-np.inf, np.inf]).numpy()
    array([ True, False])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def isposinf(x: _Any) -> _Any:
    """Whether elements are the positive infinity, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isposinf([-np.inf, np.inf]).numpy()
    array([False,  True])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def isreal(x: _Any) -> _Any:
    """Whether elements have no imaginary part but 0, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.isreal([1, 1j]).numpy()
    array([ True, False])

    Raises:
        ValueError: `x` is nothing that an array can hold."""

def less(x1: _Any, x2: _Any) -> _Any:
    """Whether x1 < x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.less([1, 3], 2.5).numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def less_equal(x1: _Any, x2: _Any) -> _Any:
    """Whether x1 <= x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.less_equal([1, 3], 3).numpy()
    array([ True,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def log(x: _Any) -> _Any:
    """The natural logarithm. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.log([1, 2]).numpy()
    array([0.        , 0.69314718])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def log10(x: _Any) -> _Any:
    """The logarithm of base 10. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.log10([1, 100]).numpy()
    array([0., 2.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def log1p(x: _Any) -> _Any:
    """The natural logarithm of 1 + x: exact near 0. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.log1p([0, 1]).numpy()
    array([0.        , 0.69314718])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def log2(x: _Any) -> _Any:
    """The logarithm of base 2. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.log2([1, 8]).numpy()
    array([0., 3.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def logaddexp(x1: _Any, x2: _Any) -> _Any:
    """log(exp(x1) + exp(x2)), also where exp is too big. Integers and bools become float64.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.logaddexp(1000.0, [1000.0]).numpy()
    array([1000.69314718])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def logaddexp2(x1: _Any, x2: _Any) -> _Any:
    """log2(2 ** x1 + 2 ** x2). Integers and bools become float64.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.logaddexp2(1.0, [1.0, 3.0]).numpy()
    array([2.        , 3.32192809])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def logical_and(x1: _Any, x2: _Any) -> _Any:
    """Whether neither is 0.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.logical_and([0, 2], 0.5).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def logical_not(x: _Any) -> _Any:
    """Whether elements are 0, as bools.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.logical_not([0, 2]).numpy()
    array([ True, False])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def logical_or(x1: _Any, x2: _Any) -> _Any:
    """Whether one is not 0.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.logical_or([0, 2], 0).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def logical_xor(x1: _Any, x2: _Any) -> _Any:
    """Whether exactly one is not 0.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.logical_xor([0, 2], 1).numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def maximum(x1: _Any, x2: _Any) -> _Any:
    """The larger one; NaN, where there is one.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.maximum([1, 5], 2.5).numpy()
    array([2.5, 5. ])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def minimum(x1: _Any, x2: _Any) -> _Any:
    """The smaller one; NaN, where there is one.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.minimum([1, 5], 2.5).numpy()
    array([1. , 2.5])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def mod(x1: _Any, x2: _Any) -> _Any:
    """What x1 leaves when divided by x2, with its sign.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.mod([7, -7], 4).numpy()
    array([3, 1])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def multiply(x1: _Any, x2: _Any) -> _Any:
    """x1 · x2; of bools, whether both are True.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.multiply([1, 2], 3).numpy()
    array([3, 6])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def negative(x: _Any) -> _Any:
    """-x. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.negative([1, -2]).numpy()
    array([-1,  2])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def nextafter(x1: _Any, x2: _Any) -> _Any:
    """The float after x1 on the way to x2: of float32 and float64.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.nextafter(1.0, [1.0, 2.0]).numpy()
    array([1., 1.])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def not_equal(x1: _Any, x2: _Any) -> _Any:
    """Whether elements differ.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.not_equal([1, 2], 1.0).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def positive(x: _Any) -> _Any:
    """x itself. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.positive([1, -2]).numpy()
    array([ 1, -2])

    Raises:
        ValueError: `x` is nothing that an array can hold."""

def power(x1: _Any, x2: _Any) -> _Any:
    """x1 to the power x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.power([2, 3], 2.0).numpy()
    array([4., 9.])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def rad2deg(x: _Any) -> _Any:
    """Radians as degrees. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.rad2deg([0, 1]).numpy()
    array([ 0.        , 57.29577951])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def reciprocal(x: _Any) -> _Any:
    """1 / x. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.reciprocal([2.0, 4.0]).numpy()
    array([0.5 , 0.25])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def remainder(x1: _Any, x2: _Any) -> _Any:
    """What x1 leaves when divided by x2, with its sign.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.mod([7, -7], 4).numpy()
    array([3, 1])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def sin(x: _Any) -> _Any:
    """The sine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.sin([0, 1]).numpy()
    array([0.        , 0.84147098])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def sinc(x: _Any) -> _Any:
    """sin(π x) / (π x), which is 1 where x is 0. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.sinc([0, 0.5]).numpy()
    array([1.        , 0.63661977])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def sinh(x: _Any) -> _Any:
    """The hyperbolic sine. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.sinh([0, 1]).numpy()
    array([0.        , 1.17520119])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def sqrt(x: _Any) -> _Any:
    """The square root. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.sqrt([4, 9]).numpy()
    array([2., 3.])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def square(x: _Any) -> _Any:
    """x times x. The dtype stays.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.square([2, -3]).numpy()
    array([4, 9])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        DTypeMismatchError: `x` are numbers of another kind, bools or strings."""

def subtract(x1: _Any, x2: _Any) -> _Any:
    """x1 - x2.

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.subtract([1, 2], 1).numpy()
    array([0, 1])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""

def tan(x: _Any) -> _Any:
    """The tangent. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.tan([0, 1]).numpy()
    array([0.        , 1.55740772])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def tanh(x: _Any) -> _Any:
    """The hyperbolic tangent. Integers and bools become float64.

    x: anything that is an array to NumPy, of any shape, which the result has.

    >>> tf.experimental.numpy.tanh([0, 1]).numpy()
    array([0.        , 0.76159416])

    Raises:
        ValueError: `x` is nothing that an array can hold.
        UnimplementedError: `x` are strings."""

def true_divide(x1: _Any, x2: _Any) -> _Any:
    """x1 / x2; of integers, a float (float32 of the narrow ones).

    x1, x2: what is an array to NumPy; they broadcast and take the dtype of `result_type(x1, x2)`.

    >>> tf.experimental.numpy.true_divide([1, 2], 4).numpy()
    array([0.25, 0.5 ])

    Raises:
        InvalidArgumentError: the shapes do not broadcast (ValueError in a trace).
        TypeError: no dtype fits both, or the function is none of this dtype."""
