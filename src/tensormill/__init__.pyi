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
    """The absolute value; of complex numbers, a real tensor of absolute values."""

def acos(x: _Any, name: _Any = None) -> _Any:
    """The angle whose cosine is x."""

def acosh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic cosine is x."""

def add_n(inputs: _Any, name: _str | None = None) -> _Any:
    """The sum of a list of tensors of one shape and dtype (IndexedSlices are made dense).

    Raises:
        ValueError: the list is empty or not a list."""

def asin(x: _Any, name: _Any = None) -> _Any:
    """The angle whose sine is x."""

def asinh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic sine is x."""

def assert_equal(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> None:
    """Check that x == y for all elements; they broadcast.

    Raises:
        InvalidArgumentError: it does not hold; at once, where the values are known."""

def assert_greater(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> None:
    """Check that x > y for all elements; they broadcast."""

def assert_less(x: _Any, y: _Any, message: _str | None = None, summarize: _int | None = None, name: _str | None = None) -> None:
    """Check that x < y for all elements; they broadcast."""

def atan(x: _Any, name: _Any = None) -> _Any:
    """The angle whose tangent is x."""

def atan2(y: _Any, x: _Any, name: _Any = None) -> _Any:
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]."""

def atanh(x: _Any, name: _Any = None) -> _Any:
    """The number whose hyperbolic tangent is x."""

def bitcast(input: _Any, type: _Any, name: _str | None = None) -> _Any:
    """The bits of `input` read as `type`; where sizes differ, the last axis is made or taken."""

def boolean_mask(tensor: _Any, mask: _Any, axis: _Any = None, name: _str = 'boolean_mask') -> _Any:
    """The slices of `tensor` along `axis` (and the axes after it) for which `mask` is true.

    `mask` is bool [d0, ...] with the sizes of these axes; its rank must be known.

    Raises:
        ValueError: `mask` is a scalar, its rank is unknown, or its shape does not fit."""

def broadcast_to(input: _Any, shape: _Any, name: _Any = None) -> _Any:
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`."""

def clip_by_value(t: _Any, clip_value_min: _Any, clip_value_max: _Any, name: _str | None = None) -> _Any:
    """`t` with elements outside of the two limits moved to them. IndexedSlices stay sliced.

    Raises:
        ShapeMismatchError: a limit does not broadcast to the shape of `t`."""

def complex(real: _Any, imag: _Any, name: _str | None = None) -> _Any:
    """Complex numbers from their parts, which broadcast.

    Raises:
        TypeError: the parts are not both float32 or both float64."""

def concat(values: _Any, axis: _Any, name: _str | None = 'concat') -> _Any:
    """The tensors in the list `values` one after the other along `axis`.

    Raises:
        InvalidArgumentError: scalars, or shapes that differ along another axis."""

def cos(x: _Any, name: _Any = None) -> _Any:
    """The cosine of an angle in radians."""

def cosh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic cosine."""

def cumsum(x: _Any, axis: _Any = 0, exclusive: _bool = False, reverse: _bool = False, name: _str | None = None) -> _Any:
    """Running sums along `axis`; without the element itself if `exclusive`."""

def divide(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y, as Python 3 divides: integers give floats."""

def dynamic_partition(data: _Any, partitions: _Any, num_partitions: _int, name: _str | None = None) -> _list[_Any]:
    """The slices data[i, ...] dealt out to `num_partitions` tensors, as partitions[i, ...] says.

    Raises:
        InvalidArgumentError: there is no such tensor."""

def equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x == y, element by element; operands broadcast."""

def exp(x: _Any, name: _Any = None) -> _Any:
    """e to the power x."""

def expand_dims(input: _Any, axis: _Any, name: _str | None = None) -> _Any:
    """A new axis of size 1 at `axis` (in the result; negative: from its end).

    Raises:
        InvalidArgumentError: there is no such axis."""

def fill(dims: _Any, value: _Any, name: _str | None = None, layout: _Any = None) -> _Any:
    """A tensor of shape `dims` (one number for a vector) whose elements are all `value`: a scalar,
    or one element."""

def floor(x: _Any, name: _Any = None) -> _Any:
    """The largest integer not above x."""

def gather(params: _Any, indices: _Any, validate_indices: _Any = None, axis: _Any = None, batch_dims: _int = 0, name: _str | None = None) -> _Any:
    """The slices of `params` along `axis` (`batch_dims`, by default) that `indices` name.

    The result has the shape params[:axis] + indices[batch_dims:] + params[axis + 1:]. The gradient
    with respect to `params` is IndexedSlices where `axis` is 0.

    Raises:
        InvalidArgumentError: an index is out of range."""

def gather_nd(params: _Any, indices: _Any, batch_dims: _int = 0, name: _str | None = None, bad_indices_policy: _str = '') -> _Any:
    """The slices of `params` at `indices` [..., k], each the index of k axes.

    The first `batch_dims` axes of both go together and are not spoken of by the indices.

    Raises:
        InvalidArgumentError: an index is out of range."""

def greater(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x > y."""

def greater_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x >= y."""

def less(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x < y."""

def less_equal(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x <= y."""

def logical_and(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether both are true."""

def logical_not(x: _Any, name: _Any = None) -> _Any:
    """Whether x is false."""

def logical_or(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """Whether at least one is true."""

def maximum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

def minimum(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x."""

def multiply(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x * y."""

def negative(x: _Any, name: _Any = None) -> _Any:
    """-x."""

def not_equal(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x != y, element by element; operands broadcast."""

def one_hot(indices: _Any, depth: _Any, on_value: _Any = None, off_value: _Any = None, axis: _int | None = None, dtype: _Any = None, name: _str | None = None) -> _Any:
    """Rows with `on_value` (1) at each index and `off_value` (0) elsewhere.

    `indices` is an integer tensor; the result has one more axis, of size `depth`, at `axis` (the
    last). The dtype is that of the values, or `dtype`, or float32.

    Raises:
        TypeError: the values have another dtype than `dtype`, or two different ones."""

def ones(shape: _Any, dtype: _Any = ..., name: _str | None = None, layout: _Any = None) -> _Any:
    """Ones of a dtype: 1 or True."""

def ones_like(input: _Any, dtype: _Any = None, name: _str | None = None, layout: _Any = None) -> _Any:
    """Ones in the shape of `input`, of its dtype or another."""

def pow(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x to the power y.

    Raises:
        InvalidArgumentError: an integer to a negative power."""

def rank(input: _Any, name: _str | None = None) -> _Any:
    """The number of axes, as an int32 scalar."""

def realdiv(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y; for integers, rounded towards zero."""

def reduce_all(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether all elements along `axis` (an int, several, or None: all) are true."""

def reduce_any(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """Whether any element along `axis` (an int, several, or None: all) is true."""

def reduce_logsumexp(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """log(sum(exp(x))) along `axis`, without overflow."""

def reduce_max(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The largest along `axis` (an int, several, or None: all); NaN where there is one."""

def reduce_mean(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The mean along `axis` (an int, several, or None: all); of integers, an integer."""

def reduce_min(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The smallest along `axis` (an int, several, or None: all); NaN where there is one."""

def reduce_prod(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The product along `axis` (an int, several, or None: all); the axes go, unless `keepdims`."""

def reduce_sum(input_tensor: _Any, axis: _Any = None, keepdims: _bool = False, name: _str | None = None) -> _Any:
    """The sum along `axis` (an int, several, or None: all); the axes go, unless `keepdims`."""

def reshape(tensor: _Any, shape: _Any, name: _str | None = None) -> _Any:
    """The same elements in row-major order in another shape; one size may be -1.

    Raises:
        InvalidArgumentError: the number of elements does not fit."""

def reverse(tensor: _Any, axis: _Any, name: _Any = None) -> _Any:
    """The elements in reverse order along each axis in `axis`."""

def round(x: _Any, name: _str | None = None) -> _Any:
    """The nearest integers; of two equally near, the even one. Integers stay as they are."""

def saturate_cast(value: _Any, dtype: _Any, name: _str | None = None) -> _Any:
    """`value` as `dtype`; what the dtype cannot hold becomes its nearest value.

    Complex numbers lose their imaginary part when `dtype` is real."""

def scatter_nd(indices: _Any, updates: _Any, shape: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """`updates` added into zeros of `shape` at `indices` [..., k].

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def shape(input: _Any, out_type: _Any = None, name: _str | None = None) -> _Any:
    """The sizes of the axes, as an integer vector (int32); constant where all are known."""

def sigmoid(x: _Any, name: _Any = None) -> _Any:
    """1 / (1 + exp(-x)), computed without overflow."""

def sign(x: _Any, name: _Any = None) -> _Any:
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN."""

def sin(x: _Any, name: _Any = None) -> _Any:
    """The sine of an angle in radians."""

def sinh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic sine."""

def size(input: _Any, out_type: _Any = None, name: _str | None = None) -> _Any:
    """The number of elements (int32)."""

def split(value: _Any, num_or_size_splits: _Any, axis: _Any = 0, num: _int | None = None, name: _str | None = 'split') -> _Any:
    """Equal parts along `axis` (an int), or parts of given sizes (a vector; one may be -1).

    Raises:
        ValueError: the number of parts is not known.
        InvalidArgumentError: the sizes do not add up."""

def sqrt(x: _Any, name: _Any = None) -> _Any:
    """The square root. Its gradient at 0 is infinite."""

def square(x: _Any, name: _Any = None) -> _Any:
    """x * x."""

def squeeze(input: _Any, axis: _Any = None, name: _str | None = None) -> _Any:
    """Without all axes of size 1, or without those in `axis`.

    Raises:
        InvalidArgumentError: an axis does not exist or has another size than 1."""

def stack(values: _Any, axis: _int = 0, name: _str | None = 'stack') -> _Any:
    """The tensors in `values`, of one shape, side by side along a new axis.

    Raises:
        ValueError: the axis does not exist.
        InvalidArgumentError: shapes differ (also a ValueError)."""

def stop_gradient(input: _Any, name: _Any = None) -> _Any:
    """The input, as something that does not depend on anything."""

def subtract(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x - y."""

def tan(x: _Any, name: _Any = None) -> _Any:
    """The tangent of an angle in radians."""

def tanh(x: _Any, name: _Any = None) -> _Any:
    """The hyperbolic tangent."""

def tensor_scatter_nd_add(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` to which `updates` are added at `indices`."""

def tensor_scatter_nd_max(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` with the larger of itself and `updates` at `indices`."""

def tensor_scatter_nd_min(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` with the smaller of itself and `updates` at `indices`."""

def tensor_scatter_nd_sub(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Any:
    """A copy of `tensor` from which `updates` are subtracted at `indices`."""

def tile(input: _Any, multiples: _Any, name: _str | None = None) -> _Any:
    """`input` repeated `multiples[k]` times along axis k."""

def truediv(x: _Any, y: _Any, name: _str | None = None) -> _Any:
    """x / y; integers are divided as float64 (8 and 16 bits: as float32).

    Raises:
        TypeError: the operands are bool or string, or have different dtypes."""

def truncatediv(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """x / y rounded towards zero."""

def truncatemod(x: _Any, y: _Any, name: _Any = None) -> _Any:
    """What remains of x / y rounded towards zero; it has the sign of x."""

def unstack(value: _Any, num: _int | None = None, axis: _int = 0, name: _str | None = 'unstack') -> _Any:
    """The slices along `axis`, as a list.

    Raises:
        ValueError: their number is not known, or the axis does not exist."""

def where(condition: _Any, x: _Any = None, y: _Any = None, name: _str | None = None) -> _Any:
    """`x` where `condition` is true and `y` elsewhere, broadcast; without x and y, the indices
    of the true elements, int64 [n, rank].

    Raises:
        ValueError: only one of x and y is given."""

def zeros(shape: _Any, dtype: _Any = ..., name: _str | None = None, layout: _Any = None) -> _Any:
    """Zeros of a dtype: 0, False or the empty string."""

def zeros_like(input: _Any, dtype: _Any = None, name: _str | None = None, layout: _Any = None) -> _Any:
    """Zeros in the shape of `input`, of its dtype or another."""
