# Written by `make stubs` from the table beside it.

"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else."""

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from typing import Any as _Any
from .ops.checks.assertions import Assert as Assert
from .core.dtypes import DType as DType
from .autodiff.tape import GradientTape as GradientTape
from .graph.func_graph import FuncGraph as Graph
from .ops.array.indexed_slices import IndexedSlices as IndexedSlices
from .ops.array.indexed_slices import IndexedSlicesSpec as IndexedSlicesSpec
from .module.module import Module as Module
from .graph.operation import Operation as Operation
from .data.optional import OptionalSpec as OptionalSpec
from .ops.ragged.ragged_tensor import RaggedTensor as RaggedTensor
from .ops.ragged.ragged_tensor import RaggedTensorSpec as RaggedTensorSpec
from .autodiff.registry import RegisterGradient as RegisterGradient
from .ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from .ops.sparse.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from .eager.tensor import Tensor as Tensor
from .control.tensor_array import TensorArray as TensorArray
from .core.shapes import TensorShape as TensorShape
from .core.specs import TensorSpec as TensorSpec
from .core.type_spec import TypeSpec as TypeSpec
from .autodiff.tape import UnconnectedGradients as UnconnectedGradients
from .eager.variable import Variable as Variable
from .eager.variable_options import VariableAggregation as VariableAggregation
from .eager.variable_options import VariableSynchronization as VariableSynchronization
from .ops.math.arithmetic import add as add
from .ops.math.scan import argmax as argmax
from .ops.math.scan import argmin as argmin
from .ops.array.sorting import argsort as argsort
from .core.dtypes import as_dtype as as_dtype
from .ops.strings.byte_strings import as_string as as_string
from .ops.checks.shape_assertions import assert_rank as assert_rank
from .api import autodiff as autodiff
from .api import autograph as autograph
from .ops.nn.space_to_depth import batch_to_space as batch_to_space
from .core.dtypes import bfloat16 as bfloat16
from .api import bitwise as bitwise
from .core.dtypes import bool_ as bool
from .ops.array.broadcasting import broadcast_dynamic_shape as broadcast_dynamic_shape
from .ops.array.broadcasting import broadcast_static_shape as broadcast_static_shape
from .control.switch import case as case
from .ops.math.cast import cast as cast
from .ops.math.norms import clip_by_global_norm as clip_by_global_norm
from .ops.math.norms import clip_by_norm as clip_by_norm
from .api import compat as compat
from .core.dtypes import complex128 as complex128
from .core.dtypes import complex64 as complex64
from .control.cond import cond as cond
from .api import config as config
from .eager.convert import constant as constant
from .module.initializers import Constant as constant_initializer
from .eager.scopes import control_dependencies as control_dependencies
from .eager.convert import convert_to_tensor as convert_to_tensor
from .autodiff.custom import custom_gradient as custom_gradient
from .api import data as data
from .api import debugging as debugging
from .eager.scopes import device as device
from .api import distribute as distribute
from .core.dtypes import double as double
from .api import dtypes as dtypes
from .ops.array.partitions import dynamic_stitch as dynamic_stitch
from .ops.linalg.eigenvalues import eig as eig
from .ops.linalg.eigenvalues import eigvals as eigvals
from .ops.linalg.einsum import einsum as einsum
from .ops.control.flow import ensure_shape as ensure_shape
from .api import errors as errors
from .eager.scopes import executing_eagerly as executing_eagerly
from .api import experimental as experimental
from .ops.array.fill import eye as eye
from .core.dtypes import float16 as float16
from .core.dtypes import float32 as float32
from .core.dtypes import float64 as float64
from .control.folds import foldl as foldl
from .control.folds import foldr as foldr
from .function.decorator import function as function
from .eager.scopes import get_current_name_scope as get_current_name_scope
from .core.process.logs import get_logger as get_logger
from .eager.convert import get_static_value as get_static_value
from .autodiff.recomputed import grad_pass_through as grad_pass_through
from .autodiff.symbolic import gradients as gradients
from .control.grouping import group as group
from .core.dtypes import half as half
from .autodiff.symbolic import hessians as hessians
from .ops.array.partitions import histogram_fixed_width as histogram_fixed_width
from .ops.array.partitions import histogram_fixed_width_bins as histogram_fixed_width_bins
from .ops.control.flow import identity as identity
from .ops.control.flow import identity_n as identity_n
from .api import image as image
from .core.context import init_scope as init_scope
from .eager.scopes import inside_function as inside_function
from .core.dtypes import int16 as int16
from .core.dtypes import int32 as int32
from .core.dtypes import int64 as int64
from .core.dtypes import int8 as int8
from .api import io as io
from .eager.tensor import is_symbolic as is_symbolic_tensor
from .core.values import is_tensor as is_tensor
from .api import linalg as linalg
from .ops.array.grids import linspace as linspace
from .api import lookup as lookup
from .control.map import map_fn as map_fn
from .api import math as math
from .ops.linalg.matmul import matmul as matmul
from .ops.array.grids import meshgrid as meshgrid
from .eager.scopes import name_scope as name_scope
from .api import nest as nest
from .eager.indexing import newaxis as newaxis
from .api import nn as nn
from .autodiff.registry import no_gradient as no_gradient
from .ops.control.flow import no_op as no_op
from .ops.math.norms import norm as norm
from .ops.control.python_functions import numpy_function as numpy_function
from .module.initializers import Ones as ones_initializer
from .ops.array.padding import pad as pad
from .ops.strings.printing import print as print
from .ops.control.python_functions import py_function as py_function
from .api import quantization as quantization
from .api import ragged as ragged
from .api import random as random
from .module.initializers import RandomNormal as random_normal_initializer
from .module.initializers import RandomUniform as random_uniform_initializer
from .ops.array.fill import range as range
from .api import raw_ops as raw_ops
from .autodiff.recomputed import recompute_grad as recompute_grad
from .ops.array.rearrangement import repeat as repeat
from .ops.nn.space_to_depth import required_space_to_batch_paddings as required_space_to_batch_paddings
from .core.dtypes import resource as resource
from .ops.array.partitions import reverse_sequence as reverse_sequence
from .ops.array.rearrangement import roll as roll
from .api import saved_model as saved_model
from .ops.math.arithmetic import scalar_mul as scalar_mul
from .control.folds import scan as scan
from .ops.array.sorting import searchsorted as searchsorted
from .ops.array.grids import sequence_mask as sequence_mask
from .api import sets as sets
from .ops.array.shapes import shape_n as shape_n
from .api import signal as signal
from .ops.array.slicing import slice as slice
from .ops.array.sorting import sort as sort
from .ops.nn.space_to_depth import space_to_batch as space_to_batch
from .ops.nn.space_to_depth import space_to_batch as space_to_batch_nd
from .api import sparse as sparse
from .ops.array.slicing import strided_slice as strided_slice
from .core.dtypes import string as string
from .api import strings as strings
from .api import summary as summary
from .control.switch import switch_case as switch_case
from .ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from .ops.linalg.einsum import tensordot as tensordot
from .api import test as test
from .api import train as train
from .ops.array.rearrangement import transpose as transpose
from .control.grouping import tuple as tuple
from .ops.type_specs import type_spec_from_value as type_spec_from_value
from .api import types as types
from .core.dtypes import uint16 as uint16
from .core.dtypes import uint32 as uint32
from .core.dtypes import uint64 as uint64
from .core.dtypes import uint8 as uint8
from .ops.array.sorting import unique as unique
from .ops.array.sorting import unique_with_counts as unique_with_counts
from .ops.array.grids import unravel_index as unravel_index
from .eager.creation import variable_creator_scope as variable_creator_scope
from .core.dtypes import variant as variant
from .control.vectorize import vectorized_map as vectorized_map
from .api import version as version
from .control.while_loop import while_loop as while_loop
from .module.initializers import Zeros as zeros_initializer
from keras import initializers as initializers
import keras as keras
from keras import losses as losses
from keras import metrics as metrics
from keras import optimizers as optimizers
__version__: str

__all__ = ['Assert', 'DType', 'GradientTape', 'Graph', 'IndexedSlices', 'IndexedSlicesSpec', 'Module', 'Operation', 'OptionalSpec', 'RaggedTensor', 'RaggedTensorSpec', 'RegisterGradient', 'SparseTensor', 'SparseTensorSpec', 'Tensor', 'TensorArray', 'TensorShape', 'TensorSpec', 'TypeSpec', 'UnconnectedGradients', 'Variable', 'VariableAggregation', 'VariableSynchronization', 'abs', 'acos', 'acosh', 'add', 'add_n', 'argmax', 'argmin', 'argsort', 'as_dtype', 'as_string', 'asin', 'asinh', 'assert_equal', 'assert_greater', 'assert_less', 'assert_rank', 'atan', 'atan2', 'atanh', 'autodiff', 'autograph', 'batch_to_space', 'bfloat16', 'bitcast', 'bitwise', 'bool', 'boolean_mask', 'broadcast_dynamic_shape', 'broadcast_static_shape', 'broadcast_to', 'case', 'cast', 'clip_by_global_norm', 'clip_by_norm', 'clip_by_value', 'compat', 'complex', 'complex128', 'complex64', 'concat', 'cond', 'config', 'constant', 'constant_initializer', 'control_dependencies', 'convert_to_tensor', 'cos', 'cosh', 'cumsum', 'custom_gradient', 'data', 'debugging', 'device', 'distribute', 'divide', 'double', 'dtypes', 'dynamic_partition', 'dynamic_stitch', 'eig', 'eigvals', 'einsum', 'ensure_shape', 'equal', 'errors', 'executing_eagerly', 'exp', 'expand_dims', 'experimental', 'eye', 'fill', 'float16', 'float32', 'float64', 'floor', 'foldl', 'foldr', 'function', 'gather', 'gather_nd', 'get_current_name_scope', 'get_logger', 'get_static_value', 'grad_pass_through', 'gradients', 'greater', 'greater_equal', 'group', 'half', 'hessians', 'histogram_fixed_width', 'histogram_fixed_width_bins', 'identity', 'identity_n', 'image', 'init_scope', 'inside_function', 'int16', 'int32', 'int64', 'int8', 'io', 'is_symbolic_tensor', 'is_tensor', 'less', 'less_equal', 'linalg', 'linspace', 'logical_and', 'logical_not', 'logical_or', 'lookup', 'map_fn', 'math', 'matmul', 'maximum', 'meshgrid', 'minimum', 'multiply', 'name_scope', 'negative', 'nest', 'newaxis', 'nn', 'no_gradient', 'no_op', 'norm', 'not_equal', 'numpy_function', 'one_hot', 'ones', 'ones_initializer', 'ones_like', 'pad', 'pow', 'print', 'py_function', 'quantization', 'ragged', 'random', 'random_normal_initializer', 'random_uniform_initializer', 'range', 'rank', 'raw_ops', 'realdiv', 'recompute_grad', 'reduce_all', 'reduce_any', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_sum', 'repeat', 'required_space_to_batch_paddings', 'reshape', 'resource', 'reverse', 'reverse_sequence', 'roll', 'round', 'saturate_cast', 'saved_model', 'scalar_mul', 'scan', 'scatter_nd', 'searchsorted', 'sequence_mask', 'sets', 'shape', 'shape_n', 'sigmoid', 'sign', 'signal', 'sin', 'sinh', 'size', 'slice', 'sort', 'space_to_batch', 'space_to_batch_nd', 'sparse', 'split', 'sqrt', 'square', 'squeeze', 'stack', 'stop_gradient', 'strided_slice', 'string', 'strings', 'subtract', 'summary', 'switch_case', 'tan', 'tanh', 'tensor_scatter_nd_add', 'tensor_scatter_nd_max', 'tensor_scatter_nd_min', 'tensor_scatter_nd_sub', 'tensor_scatter_nd_update', 'tensordot', 'test', 'tile', 'train', 'transpose', 'truediv', 'truncatediv', 'truncatemod', 'tuple', 'type_spec_from_value', 'types', 'uint16', 'uint32', 'uint64', 'uint8', 'unique', 'unique_with_counts', 'unravel_index', 'unstack', 'variable_creator_scope', 'variant', 'vectorized_map', 'version', 'where', 'while_loop', 'zeros', 'zeros_initializer', 'zeros_like']

def abs(x: _Any, name: _str | None = None) -> _Any:
    """The absolute value; of complex numbers, a real tensor of absolute values.

    x: floats, complex numbers or signed integers of any shape, which the result has. The smallest
    integer of a dtype has no positive twin and stays.

    >>> tf.abs([-3, 0, 4]).numpy()
    array([3, 0, 4], dtype=int32)
    >>> tf.abs([3 + 4j, -1]).numpy()
    array([5., 1.])

    Raises:
        DTypeMismatchError: x is of another dtype."""

def acos(x: _Any, name: _Any = None) -> _Any:
    """The angle whose cosine is x, in [0, pi]; NaN of floats outside of [-1, 1]. Floats or complex
    numbers of any shape.

    >>> tf.acos([1.0, 0.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def acosh(x: _Any, name: _Any = None) -> _Any:
    """The number, not below 0, whose hyperbolic cosine is x; NaN of floats below 1. Floats or
    complex numbers of any shape.

    >>> tf.acosh([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 1.317,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def add_n(inputs: _Any, name: _str | None = None) -> _Any:
    """The sum of a list of tensors of one shape and dtype (IndexedSlices are made dense).

    inputs: numbers, which do not broadcast; the result has their shape and dtype. A list of one
    tensor gives that tensor.

    >>> tf.add_n([[1, 2], [3, 4], [5, 6]]).numpy()
    array([ 9, 12], dtype=int32)

    Raises:
        ValueError: the list is empty or not a list.
        InvalidArgumentError: the shapes differ.
        DTypeMismatchError: the dtypes differ, or are bool or string."""

def asin(x: _Any, name: _Any = None) -> _Any:
    """The angle whose sine is x, in [-pi/2, pi/2]; NaN of floats outside of [-1, 1]. Floats or
    complex numbers of any shape.

    >>> tf.asin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def asinh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic sine is x. Floats or complex numbers of any shape.

    >>> tf.asinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  0.881, -0.881], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def assert_equal(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x == y for all elements; they have one dtype and broadcast.

    `message` begins the text of the error, which shows `summarize` elements (3).

    >>> tf.assert_equal([1, 2], [1, 2])
    >>> tf.assert_equal([1, 2], [1, 3], message="labels")
    Traceback (most recent call last):
    tensormill.errors.CheckError: labels...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_greater(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x > y for all elements; they have one dtype and broadcast.

    >>> tf.assert_greater([1, 2], 0)
    >>> tf.assert_greater([1, 2], 1)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def assert_less(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> _Any:
    """Check that x < y for all elements; they have one dtype and broadcast.

    >>> tf.assert_less([1, 2], 3)
    >>> tf.assert_less([1, 2], 2)
    Traceback (most recent call last):
    tensormill.errors.CheckError: ...

    Raises:
        CheckError (an InvalidArgumentError): it does not hold; at once, where the values are known."""

def atan(x: _Any, name: _Any = None) -> _Any:
    """The angle whose tangent is x, in [-pi/2, pi/2]. Floats or complex numbers of any shape.

    >>> tf.atan([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.785, -1.571], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def atan2(y: _Any, x: _Any, name: _Any = None) -> _Any:
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]. Floats of one dtype,
    shapes broadcast.

    >>> tf.atan2([1.0, 0.0, -1.0], [0.0, -1.0, -1.0]).numpy().round(3)
    array([ 1.571,  3.142, -2.356], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def atanh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic tangent is x; infinite at -1 and 1, NaN of floats outside. Floats
    or complex numbers of any shape.

    >>> tf.atanh([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.549,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def bitcast(input: _Any, type: _Any, name: _str | None = None) -> _Any:
    """The bits of `input` read as `type`; where sizes differ, the last axis is made or taken.

    input: numbers; `type`: a dtype of numbers. Of one size, the shape stays; a dtype k times
    smaller adds an axis of k elements, one k times larger takes it away.

    >>> tf.bitcast(tf.constant([1, 256]), tf.uint8).numpy()
    array([[1, 0, 0, 0],
           [0, 1, 0, 0]], dtype=uint8)

    Raises:
        InvalidArgumentError: the last axis does not fill one element of the larger dtype.
        DTypeMismatchError: bools or strings."""

def boolean_mask(tensor: _Any, mask: _Any, axis: _Any = None, name: _str = 'boolean_mask') -> _Any:
    """The slices of `tensor` along `axis` (and the axes after it) for which `mask` is true.

    `mask` is bool [d0, ...] with the sizes of these axes; its rank must be known. In the result, of
    the dtype of `tensor` (any), one axis takes their place.

    >>> tf.boolean_mask([[1, 2], [3, 4]], [[True, False], [True, True]]).numpy()
    array([1, 3, 4], dtype=int32)

    Raises:
        ValueError: `mask` is a scalar, its rank is unknown, or its shape does not fit."""

def broadcast_to(input: _Any, shape: _Any, name: _Any = None) -> _Any:
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`, a vector
    of sizes.

    >>> tf.broadcast_to([[1], [2]], [2, 3]).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis has neither the wanted size nor 1 (also a ValueError)."""

def clip_by_value(t: _Any, clip_value_min: _Any, clip_value_max: _Any, name: _str | None = None) -> _Any:
    """`t` with elements outside of the two limits moved to them. IndexedSlices stay sliced.

    t: real numbers. The limits are of its dtype and broadcast to its shape, which the result has.
    Of limits that cross, the lower one wins.

    >>> tf.clip_by_value([-3, 0, 7], -1, 5).numpy()
    array([-1,  0,  5], dtype=int32)

    Raises:
        ShapeMismatchError: a limit does not broadcast to the shape of `t`.
        DTypeMismatchError: the dtypes differ, or are complex, bool or string."""

def complex(real: _Any, imag: _Any, name: _str | None = None) -> _Any:
    """Complex numbers from their parts, which broadcast.

    real, imag: both float32, for complex64, or both float64, for complex128.

    >>> tf.complex([1.0, 2.0], 3.0).numpy()
    array([1.+3.j, 2.+3.j], dtype=complex64)

    Raises:
        TypeError: the parts are not both float32 or both float64.
        ShapeMismatchError: the shapes do not broadcast."""

def concat(values: _Any, axis: _Any, name: _str | None = 'concat') -> _Any:
    """The tensors in the list `values` one after the other along `axis`.

    values: tensors of one dtype (any) and one rank of at least 1, whose shapes agree along all axes
    but `axis`; a negative `axis` counts from the last. Along it the sizes of the result add up.

    >>> tf.concat([[[1, 2]], [[3, 4]]], 1).numpy()
    array([[1, 2, 3, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: scalars, shapes that differ along another axis, or no such axis; also
            a TypeError where dtypes differ."""

def cos(x: _Any, name: _Any = None) -> _Any:
    """The cosine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.cos([0.0, 0.5, np.pi]).numpy().round(3)
    array([ 1.   ,  0.878, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cosh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic cosine, (e^x + e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.cosh([0.0, 1.0, -1.0]).numpy().round(3)
    array([1.   , 1.543, 1.543], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cumsum(x: _Any, axis: _Any = 0, exclusive: _bool = False, reverse: _bool = False, name: _str | None = None) -> _Any:
    """Running sums along `axis`; without the element itself if `exclusive`.

    x: any numbers, of rank 1 at least; the result has its shape and dtype. axis: one int, which may
    be negative. reverse: the sums run from the end.

    >>> tf.cumsum([1, 2, 3]).numpy()
    array([1, 3, 6], dtype=int32)
    >>> tf.cumsum([1, 2, 3], exclusive=True, reverse=True).numpy()
    array([5, 3, 0], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
        DTypeMismatchError: bools or strings."""

def divide(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y, as Python 3 divides: integers give floats (`tf.truediv` says which).

    x, y: numbers of one dtype; shapes broadcast. By 0, infinite or NaN.

    >>> tf.divide([1.0, 2.0, 0.0], [2.0, 0.0, 4.0]).numpy()
    array([0.5, inf, 0. ], dtype=float32)

    Raises:
        TypeError: the operands are bool or string, or have different dtypes.
        ShapeMismatchError: the shapes do not broadcast."""

def dynamic_partition(data: _Any, partitions: _Any, num_partitions: _int, name: _str | None = None) -> _list[_Any]:
    """The slices data[i, ...] dealt out to `num_partitions` tensors, as partitions[i, ...] says.

    partitions: int32, of the first axes of data, which has any dtype. The results, a list, have one
    axis in the place of these, whose sizes add up to the number of slices.

    >>> [one.numpy().tolist() for one in tf.dynamic_partition([10, 20, 30], [1, 0, 1], 2)]
    [[20], [10, 30]]

    Raises:
        InvalidArgumentError: there is no such tensor; also a ValueError where shapes do not fit.
        ValueError: `num_partitions` is below 1."""

def equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x == y, element by element; operands broadcast.

    x, y: any one dtype, strings and bools too. The result is bool. NaN equals nothing.

    >>> tf.equal([1, 2, 3], [3, 2, 1]).numpy()
    array([False,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def exp(x: _Any, name: _Any = None) -> _Any:
    """e to the power x. Floats or complex numbers of any shape.

    >>> tf.exp([0.0, 1.0, -np.inf]).numpy().round(3)
    array([1.   , 2.718, 0.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def expand_dims(input: _Any, axis: _Any, name: _str | None = None) -> _Any:
    """A new axis of size 1 at `axis` (in the result; negative: from its end).

    >>> tf.expand_dims([1, 2], -1).numpy()
    array([[1],
           [2]], dtype=int32)

    Raises:
        InvalidArgumentError: there is no such axis.
        ShapeMismatchError: `axis` is more than one number."""

def fill(dims: _Any, value: _Any, name: _str | None = None, layout: _Any = None) -> _Any:
    """A tensor of shape `dims` (one number for a vector) whose elements are all `value`: a scalar
    of any dtype, or one element.

    >>> tf.fill([2, 3], 7).numpy()
    array([[7, 7, 7],
           [7, 7, 7]], dtype=int32)

    Raises:
        InvalidArgumentError: a size is negative; `value` has several elements."""

def floor(x: _Any, name: _Any = None) -> _Any:
    """The largest integer not above x, as a float. It has no gradient. Floats of any shape.

    >>> tf.floor([-1.5, 1.5, 2.0]).numpy()
    array([-2.,  1.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def gather(params: _Any, indices: _Any, validate_indices: _Any = None, axis: _Any = None, batch_dims: _int = 0, name: _str | None = None) -> _Any:
    """The slices of `params` along `axis` (`batch_dims`, by default) that `indices` name.

    params: [..., n, ...], any dtype. indices: int16, int32 or int64 of any shape. The result has
    the shape params.shape[:axis] + indices.shape[batch_dims:] + params.shape[axis + 1:]; the first
    `batch_dims` axes of both go together. The gradient with respect to `params` is IndexedSlices
    where `axis` is 0.

    >>> tf.gather([[1, 2, 3], [4, 5, 6]], [2, 0], axis=1).numpy()
    array([[3, 1],
           [6, 4]], dtype=int32)

    Raises:
        InvalidArgumentError: an index is outside of [0, n), or there is no such axis."""

def gather_nd(params: _Any, indices: _Any, batch_dims: _int = 0, name: _str | None = None, bad_indices_policy: _str = '') -> _Any:
    """The slices of `params` at `indices` [..., k], each the index of k axes.

    params: any dtype. indices: int16, int32 or int64; k is at most the rank of params. The first
    `batch_dims` axes of both go together and are not spoken of by the indices. Without them the
    result has the shape indices.shape[:-1] + params.shape[k:].

    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range or speaks of more axes than there are; also a
            ValueError where the first axes do not go together."""

def greater(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether x > y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater([1, 2, 3], 2).numpy()
    array([False, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def greater_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether x >= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater_equal([1, 2, 3], 2).numpy()
    array([False,  True,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def less(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether x < y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less([1, 2, 3], 2).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def less_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether x <= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less_equal([1, 2, 3], 2).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def logical_and(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether both are true, for every element; bools, shapes broadcast.

    >>> tf.logical_and([True, True, False], [True, False, False]).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def logical_not(x: _Any, name: _Any = None) -> _Any:
    """Whether x is false, for every element of a bool tensor.

    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])

    Raises:
        DTypeMismatchError: x is not bool."""

def logical_or(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether at least one is true, for every element; bools, shapes broadcast.

    >>> tf.logical_or([True, True, False], [True, False, False]).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def maximum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real numbers
    of one dtype, shapes broadcast.

    >>> tf.maximum([-2.0, 3.0], 0.0).numpy()
    array([0., 3.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def minimum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real
    numbers of one dtype, shapes broadcast.

    >>> tf.minimum([-2.0, 3.0], 0.0).numpy()
    array([-2.,  0.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def multiply(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x * y, element by element; numbers of one dtype, shapes broadcast.

    >>> tf.multiply([[1, 2], [3, 4]], [10, 100]).numpy()
    array([[ 10, 200],
           [ 30, 400]], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def negative(x: _Any, name: _Any = None) -> _Any:
    """-x, of floats, complex numbers or signed integers of any shape.

    >>> tf.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def not_equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x != y, element by element; operands broadcast.

    x, y: any one dtype, strings and bools too. The result is bool. NaN differs from everything.

    >>> tf.not_equal([1, 2, 3], 2).numpy()
    array([ True, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def one_hot(indices: _Any, depth: _Any, on_value: _Any = None, off_value: _Any = None, axis: _int | None = None, dtype: _Any = None, name: _str | None = None) -> _Any:
    """Rows with `on_value` (1) at each index and `off_value` (0) elsewhere.

    indices: uint8, int8, int32 or int64 of any shape; the result has one more axis, of size
    `depth`, at `axis` (the last). The dtype is that of the values, or `dtype`, or float32. The row
    of an index outside of [0, depth) has no `on_value`.

    >>> tf.one_hot([1, 0, -1], 3, dtype=tf.int32).numpy()
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 0]], dtype=int32)

    Raises:
        TypeError: the values have another dtype than `dtype`, or two different ones.
        InvalidArgumentError: `depth` is negative, or there is no such axis."""

def ones(shape: _Any, dtype: _Any = ..., name: _str | None = None, layout: _Any = None) -> _Any:
    """Ones of a dtype (1 or True) in the shape `shape`: sizes, or an integer vector.

    >>> tf.ones([3]).numpy()
    array([1., 1., 1.], dtype=float32)

    Raises:
        TypeError: the dtype is string.
        InvalidArgumentError: a size is negative."""

def ones_like(input: _Any, dtype: _Any = None, name: _str | None = None, layout: _Any = None) -> _Any:
    """Ones in the shape of `input`, of its dtype or another: 1 or True.

    >>> tf.ones_like([[1.5, 2.5]]).numpy()
    array([[1., 1.]], dtype=float32)

    Raises:
        TypeError: the dtype is string."""

def pow(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x to the power y. Floats, complex numbers or signed integers of one dtype, shapes broadcast.

    >>> tf.pow([2, 3], [[2], [3]]).numpy()
    array([[ 4,  9],
           [ 8, 27]], dtype=int32)

    Raises:
        InvalidArgumentError: an integer to a negative power.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def rank(input: _Any, name: _str | None = None) -> _Any:
    """The number of axes, as an int32 scalar.

    >>> int(tf.rank([[1, 2, 3]]))
    2"""

def realdiv(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y; for integers, rounded towards zero. Numbers of one dtype, which the result has; shapes
    broadcast.

    >>> tf.realdiv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def reduce_all(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether all elements along `axis` (an int, several, or None: all) are true.

    input_tensor: bool, of any shape; so is the result. The axes go, unless `keepdims`. Of nothing,
    True.

    >>> tf.reduce_all([[True, False], [True, True]], axis=1).numpy()
    array([False,  True])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_any(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether any element along `axis` (an int, several, or None: all) is true.

    input_tensor: bool, of any shape; so is the result. The axes go, unless `keepdims`. Of nothing,
    False.

    >>> tf.reduce_any([[True, False], [False, False]], axis=1).numpy()
    array([ True, False])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_logsumexp(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """log(sum(exp(x))) along `axis`, without overflow.

    input_tensor: floats of any shape. axis: an int, several, or None: all; the axes go, unless
    `keepdims`.

    >>> tf.reduce_logsumexp([[1000.0, 1000.0], [-np.inf, 3.0]], axis=1).numpy().round(3)
    array([1000.693,    3.   ], dtype=float32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_max(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The largest along `axis` (an int, several, or None: all); NaN where there is one.

    input_tensor: real numbers, of any shape; the result has its dtype. The axes go, unless
    `keepdims`. The largest of nothing is -inf, of integers the smallest of their dtype.

    >>> tf.reduce_max([[1, 5], [3, 2]], axis=0).numpy()
    array([3, 5], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_mean(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The mean along `axis` (an int, several, or None: all); of integers, an integer.

    input_tensor: any numbers, of any shape; the result has its dtype, so that means of integers are
    rounded towards zero. The axes go, unless `keepdims`. The mean of no floats is NaN, that of no
    integers 0.

    >>> tf.reduce_mean([[1.0, 2.0], [3.0, 6.0]], axis=0).numpy()
    array([2., 4.], dtype=float32)
    >>> int(tf.reduce_mean([1, 2]))
    1

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_min(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The smallest along `axis` (an int, several, or None: all); NaN where there is one.

    input_tensor: real numbers, of any shape; the result has its dtype. The axes go, unless
    `keepdims`. The smallest of nothing is inf, of integers the largest of their dtype.

    >>> tf.reduce_min([[1, 5], [3, 2]], axis=0).numpy()
    array([1, 2], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_prod(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The product along `axis` (an int, several, or None: all); the axes go, unless `keepdims`.

    input_tensor: any numbers, of any shape; the result has its dtype. The product of nothing is 1.

    >>> tf.reduce_prod([[1, 2], [3, 4]], axis=1).numpy()
    array([ 2, 12], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reduce_sum(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The sum along `axis` (an int, several, or None: all); the axes go, unless `keepdims`.

    input_tensor: any numbers, of any shape; the result has its dtype. The sum of nothing is 0.
    Narrow floats (float16, bfloat16) are added up in float32; integers wrap around.

    >>> tf.reduce_sum([[1, 2], [3, 4]], axis=1).numpy()
    array([3, 7], dtype=int32)
    >>> tf.reduce_sum([[1, 2], [3, 4]], axis=1, keepdims=True).shape
    TensorShape([2, 1])

    Raises:
        InvalidArgumentError: an axis does not exist, or is named twice.
        DTypeMismatchError: the dtype is not taken."""

def reshape(tensor: _Any, shape: _Any, name: _str | None = None) -> _Any:
    """The same elements in row-major order in another shape; one size may be -1: what is left.

    tensor: any dtype and shape. shape: int32 or int64 [rank of the result]; one number makes a
    vector.

    >>> tf.reshape([[1, 2, 3], [4, 5, 6]], [3, -1]).numpy()
    array([[1, 2],
           [3, 4],
           [5, 6]], dtype=int32)

    Raises:
        InvalidArgumentError: the number of elements does not fit."""

def reverse(tensor: _Any, axis: _Any, name: _Any = None) -> _Any:
    """The elements in reverse order along each axis in `axis`, a vector.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy()
    array([[2, 1],
           [4, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or is given twice."""

def round(x: _Any, name: _str | None = None) -> _Any:
    """The nearest integers; of two equally near, the even one. Integers stay as they are.

    x: floats or integers of any shape; the result has its shape and dtype. It has no gradient.

    >>> tf.round([0.5, 1.5, 2.5, -1.7]).numpy()
    array([ 0.,  2.,  2., -2.], dtype=float32)

    Raises:
        DTypeMismatchError: bools, strings or complex numbers."""

def saturate_cast(value: _Any, dtype: _Any, name: _str | None = None) -> _Any:
    """`value` as `dtype`; what the dtype cannot hold becomes its nearest value.

    value: numbers of any shape, which the result keeps. Complex numbers lose their imaginary part
    when `dtype` is real.

    >>> tf.saturate_cast([300, -5, 7], tf.uint8).numpy()
    array([255,   0,   7], dtype=uint8)

    Raises:
        TypeError: to or from string."""

def scatter_nd(indices: _Any, updates: _Any, shape: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """`updates` added into zeros of `shape` at `indices` [..., k]: each is the index of the first k
    axes, and updates.shape is indices.shape[:-1] + shape[k:].

    >>> tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy()
    array([ 0, 12,  0,  6], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def shape(input: _Any, out_type: _Any = None, name: _str | None = None) -> _Any:
    """The sizes of the axes, as an integer vector (int32) [rank]; constant where all are known.

    >>> tf.shape([[1, 2, 3], [4, 5, 6]]).numpy()
    array([2, 3], dtype=int32)"""

def sigmoid(x: _Any, name: _Any = None) -> _Any:
    """1 / (1 + exp(-x)), computed without overflow. Floats or complex numbers of any shape.

    >>> tf.sigmoid([-1000.0, 0.0, 1.0]).numpy().round(3)
    array([0.   , 0.5  , 0.731], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sign(x: _Any, name: _Any = None) -> _Any:
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN. Floats, complex numbers or signed
    integers of any shape; the result has their dtype.

    >>> tf.sign([-3.0, 0.0, 5.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def sin(x: _Any, name: _Any = None) -> _Any:
    """The sine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.sin([0.0, 0.5, np.pi / 2]).numpy().round(3)
    array([0.   , 0.479, 1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sinh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic sine, (e^x - e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.sinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  1.175, -1.175], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def size(input: _Any, out_type: _Any = None, name: _str | None = None) -> _Any:
    """The number of elements, as a scalar (int32).

    >>> int(tf.size([[1, 2, 3], [4, 5, 6]]))
    6"""

def split(value: _Any, num_or_size_splits: _Any, axis: _Any = 0, num: _int | None = None, name: _str | None = 'split') -> _Any:
    """Equal parts along `axis` (an int), or parts of given sizes (a vector; one may be -1), as a
    list.

    value: a tensor of any dtype. The parts have its shape, but for their own sizes along `axis`.
    num: how many there are, where the shape of the vector does not say it.

    >>> [part.numpy().tolist() for part in tf.split([1, 2, 3, 4, 5], [1, -1, 2])]
    [[1], [2, 3], [4, 5]]

    Raises:
        ValueError: the number of parts is not known.
        InvalidArgumentError: the sizes do not add up, the parts are not equal, or there is no such
            axis."""

def sqrt(x: _Any, name: _Any = None) -> _Any:
    """The square root; NaN of negative floats. Its gradient at 0 is infinite. Floats or complex
    numbers of any shape.

    >>> tf.sqrt([4.0, 0.25, -1.0]).numpy()
    array([2. , 0.5, nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def square(x: _Any, name: _Any = None) -> _Any:
    """x * x, of numbers of any shape. Integers wrap around.

    >>> tf.square([3, -4]).numpy()
    array([ 9, 16], dtype=int32)

    Raises:
        DTypeMismatchError: x is bool or string."""

def squeeze(input: _Any, axis: _Any = None, name: _str | None = None) -> _Any:
    """Without all axes of size 1, or without those in `axis` (an int or a list of ints).

    >>> tf.squeeze([[[1], [2]]], axis=0).numpy()
    array([[1],
           [2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or has another size than 1."""

def stack(values: _Any, axis: _int = 0, name: _str | None = 'stack') -> _Any:
    """The tensors in `values`, of one shape and dtype (any), side by side along a new axis.

    The result has one axis more, of size len(values), at `axis` (in the result; negative: from its
    end).

    >>> tf.stack([[1, 2], [3, 4], [5, 6]], axis=1).numpy()
    array([[1, 3, 5],
           [2, 4, 6]], dtype=int32)

    Raises:
        ValueError: the axis does not exist.
        InvalidArgumentError: shapes differ (also a ValueError)."""

def stop_gradient(input: _Any, name: _Any = None) -> _Any:
    """The input, as something that does not depend on anything: no gradient passes through it.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> float(tape.gradient(y, x))
    3.0"""

def subtract(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x - y; numbers of one dtype, shapes broadcast.

    >>> tf.subtract([5, 7], 2).numpy()
    array([3, 5], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def tan(x: _Any, name: _Any = None) -> _Any:
    """The tangent of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.tan([0.0, 0.5, -0.5]).numpy().round(3)
    array([ 0.   ,  0.546, -0.546], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def tanh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic tangent, sinh(x) / cosh(x). Floats or complex numbers of any shape.

    >>> tf.tanh([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.762, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def tensor_scatter_nd_add(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` to which `updates` are added at `indices` [..., k]: each is the index of
    the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy()
    array([41,  2, 23], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_max(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` with the larger of itself and `updates` at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_max([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([5, 2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_min(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` with the smaller of itself and `updates` at `indices` [..., k]: each is
    the index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_min([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([1, 2, 0], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_sub(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` from which `updates` are subtracted at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_sub([10, 20, 30], [[0], [2], [0]], [1, 2, 3]).numpy()
    array([ 6, 20, 28], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tile(input: _Any, multiples: _Any, name: _str | None = None) -> _Any:
    """`input` repeated `multiples[k]` times along axis k.

    input: any dtype and shape. multiples: int32 or int64, one for each axis.

    >>> tf.tile([[1, 2]], [2, 2]).numpy()
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: a number is negative, or there are not as many as axes."""

def truediv(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y; integers are divided as float64 (8 and 16 bits: as float32).

    x, y: numbers of one dtype; shapes broadcast. By 0, infinite or NaN.

    >>> tf.truediv([7, -7], 2).numpy()
    array([ 3.5, -3.5])

    Raises:
        TypeError: the operands are bool or string, or have different dtypes.
        ShapeMismatchError: the shapes do not broadcast."""

def truncatediv(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y rounded towards zero. Real numbers of one dtype, which the result has; shapes
    broadcast.

    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def truncatemod(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """What remains of x / y rounded towards zero; it has the sign of x. Floats, int32 or int64 of
    one dtype, shapes broadcast.

    >>> tf.truncatemod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1, -1,  1], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def unstack(value: _Any, num: _int | None = None, axis: _int = 0, name: _str | None = 'unstack') -> _Any:
    """The slices along `axis`, as a list of tensors with one axis less than `value` (of any dtype).

    num: how many there are, where the shape of `value` does not say it.

    >>> [column.numpy().tolist() for column in tf.unstack([[1, 2], [3, 4]], axis=1)]
    [[1, 3], [2, 4]]

    Raises:
        ValueError: their number is not known or not `num`, or the axis does not exist."""

def where(condition: _Any, x: _Any = None, y: _Any = None, name: _str | None = None) -> _Any:
    """`x` where `condition` is true and `y` elsewhere, broadcast; without x and y, the indices
    of the true elements, int64 [n, rank].

    condition: bool, or with one argument numbers, of which all but 0 are true. x, y: of one dtype
    (any).

    >>> tf.where([[True], [False]], [1, 2], 0).numpy()
    array([[1, 2],
           [0, 0]], dtype=int32)
    >>> tf.where([[True, False], [True, True]]).numpy().tolist()
    [[0, 0], [1, 0], [1, 1]]

    Raises:
        ValueError: only one of x and y is given; shapes do not broadcast (an InvalidArgumentError).
        TypeError: with x and y `condition` is not bool, or their dtypes differ."""

def zeros(shape: _Any, dtype: _Any = ..., name: _str | None = None, layout: _Any = None) -> _Any:
    """Zeros of a dtype (0, False or the empty string) in a shape: sizes, or an integer vector.

    >>> tf.zeros([2, 2], tf.int32).numpy()
    array([[0, 0],
           [0, 0]], dtype=int32)

    Raises:
        InvalidArgumentError: a size is negative."""

def zeros_like(input: _Any, dtype: _Any = None, name: _str | None = None, layout: _Any = None) -> _Any:
    """Zeros in the shape of `input`, of its dtype or another: 0, False or the empty string.

    >>> tf.zeros_like([[1.5], [2.5]], tf.int32).numpy()
    array([[0],
           [0]], dtype=int32)"""
