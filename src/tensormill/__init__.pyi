# Written by `make stubs` from the table beside it.

"""TensorFlow 2's programming model, where a `tf.function` becomes one piece of machine code.

    import tensormill as tf

Names are found when they are first asked for (PEP 562): importing this loads NumPy and little else."""

from .eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from .autodiff.symbolic import AggregationMethod as AggregationMethod
from .ops.checks.assertions import Assert as Assert
from .module.critical_section import CriticalSection as CriticalSection
from .core.dtypes import DType as DType
from .core.device_specs import DeviceSpec as DeviceSpec
from .autodiff.tape import GradientTape as GradientTape
from .graph.func_graph import FuncGraph as Graph
from .ops.array.indexed_slices import IndexedSlices as IndexedSlices
from .ops.array.indexed_slices import IndexedSlicesSpec as IndexedSlicesSpec
from .module.module import Module as Module
from .data.structure import NoneTensorSpec as NoneTensorSpec
from .graph.operation import Operation as Operation
from .data.optional import OptionalSpec as OptionalSpec
from .ops.ragged.ragged_tensor import RaggedTensor as RaggedTensor
from .ops.ragged.ragged_tensor import RaggedTensorSpec as RaggedTensorSpec
from .autodiff.registry import RegisterGradient as RegisterGradient
from .ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from .ops.sparse.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from .eager.tensor import Tensor as Tensor
from .control.tensor_array import TensorArray as TensorArray
from .control.tensor_array_spec import TensorArraySpec as TensorArraySpec
from .core.shapes import TensorShape as TensorShape
from .core.specs import TensorSpec as TensorSpec
from .core.type_spec import TypeSpec as TypeSpec
from .autodiff.tape import UnconnectedGradients as UnconnectedGradients
from .eager.variable import Variable as Variable
from .eager.variable_options import VariableAggregationV2 as VariableAggregation
from .eager.variable_options import VariableSynchronization as VariableSynchronization
from .ops.math.signs import abs as abs
from .ops.math.arithmetic import add as add
from .ops.math.sums import add_n as add_n
from .ops.array.approximate_top import approx_top_k as approx_top_k
from .ops.math.scan import argmax as argmax
from .ops.math.scan import argmin as argmin
from .ops.array.sorting import argsort as argsort
from .core.dtypes import as_dtype as as_dtype
from .ops.strings.byte_strings import as_string as as_string
from .ops.checks.assertions import assert_equal as assert_equal
from .ops.checks.assertions import assert_greater as assert_greater
from .ops.checks.assertions import assert_less as assert_less
from .ops.checks.shape_assertions import assert_rank as assert_rank
from .api import audio as audio
from .api import autodiff as autodiff
from .api import autograph as autograph
from .ops.nn.space_to_depth import batch_to_space as batch_to_space
from .core.dtypes import bfloat16 as bfloat16
from .ops.math.cast import bitcast as bitcast
from .api import bitwise as bitwise
from .core.dtypes import bool_ as bool
from .ops.array.select import boolean_mask as boolean_mask
from .ops.array.broadcasting import broadcast_dynamic_shape as broadcast_dynamic_shape
from .ops.array.broadcasting import broadcast_static_shape as broadcast_static_shape
from .control.switch import case as case
from .ops.math.cast import cast as cast
from .ops.control.devices import check_pinned as check_pinned
from .ops.math.norms import clip_by_global_norm as clip_by_global_norm
from .ops.math.norms import clip_by_norm as clip_by_norm
from .ops.math.norms import clip_by_value as clip_by_value
from .api import compat as compat
from .ops.math.complex import complex as complex
from .core.dtypes import complex128 as complex128
from .core.dtypes import complex64 as complex64
from .ops.array.concatenation import concat as concat
from .control.cond import cond as cond
from .api import config as config
from .eager.convert import constant as constant
from .module.initializers import Constant as constant_initializer
from .eager.scopes import control_dependencies as control_dependencies
from .ops.nn.convolution_variants import conv as conv
from .ops.nn.convolution_variants import conv2d_backprop_filter_v2 as conv2d_backprop_filter_v2
from .ops.nn.convolution_variants import conv2d_backprop_input_v2 as conv2d_backprop_input_v2
from .eager.convert import convert_to_tensor as convert_to_tensor
from .ops.math.scan import cumsum as cumsum
from .autodiff.custom import custom_gradient as custom_gradient
from .api import data as data
from .api import debugging as debugging
from .eager.placement import device as device
from .api import distribute as distribute
from .ops.math.division import divide as divide
from .core.dtypes import double as double
from .api import dtypes as dtypes
from .ops.array.partitions import dynamic_partition as dynamic_partition
from .ops.array.partitions import dynamic_stitch as dynamic_stitch
from .ops.sparse.edit_distance import edit_distance as edit_distance
from .ops.linalg.eigenvalues import eig as eig
from .ops.linalg.eigenvalues import eigvals as eigvals
from .ops.linalg.einsum import einsum as einsum
from .ops.control.flow import ensure_shape as ensure_shape
from .ops.math.comparison import equal as equal
from .api import errors as errors
from .eager.scopes import executing_eagerly as executing_eagerly
from .ops.array.shapes import expand_dims as expand_dims
from .api import experimental as experimental
from .ops.image.patches import extract_volume_patches as extract_volume_patches
from .ops.array.fill import eye as eye
from .api import feature_column as feature_column
from .ops.array.fill import fill as fill
from .ops.strings.fingerprints import fingerprint as fingerprint
from .core.dtypes import float16 as float16
from .core.dtypes import float32 as float32
from .core.dtypes import float64 as float64
from .control.folds import foldl as foldl
from .control.folds import foldr as foldr
from .function.decorator import function as function
from .ops.array.gather import gather as gather
from .ops.array.gather import gather_nd as gather_nd
from .eager.scopes import get_current_name_scope as get_current_name_scope
from .core.process.logs import get_logger as get_logger
from .eager.convert import get_static_value as get_static_value
from .autodiff.recomputed import grad_pass_through as grad_pass_through
from .autodiff.symbolic import gradients as gradients
from .api import graph_util as graph_util
from .control.grouping import group as group
from .ops.control.flow import guarantee_const as guarantee_const
from .core.dtypes import half as half
from .autodiff.symbolic import hessians as hessians
from .ops.array.partitions import histogram_fixed_width as histogram_fixed_width
from .ops.array.partitions import histogram_fixed_width_bins as histogram_fixed_width_bins
from .ops.control.flow import identity as identity
from .ops.control.flow import identity_n as identity_n
from .api import image as image
from .graph.proto.graph_import import import_graph_def as import_graph_def
from .graph.by_hand.default_graph import init_scope as init_scope
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
from .core.build import load_library as load_library
from .core.build import load_op_library as load_op_library
from .api import lookup as lookup
from .graph.proto.tensor_protos import make_ndarray as make_ndarray
from .graph.proto.tensor_protos import make_tensor_proto as make_tensor_proto
from .control.map import map_fn as map_fn
from .api import math as math
from .ops.linalg.matmul import matmul as matmul
from .ops.linalg.matrix_functions import sqrtm as matrix_square_root
from .ops.array.grids import meshgrid as meshgrid
from .eager.scopes import name_scope as name_scope
from .api import nest as nest
from .eager.indexing import newaxis as newaxis
from .api import nn as nn
from .autodiff.registry import no_gradient as no_gradient
from .ops.control.flow import no_op as no_op
from .function.joined_calls import nondifferentiable_batch_function as nondifferentiable_batch_function
from .ops.math.norms import norm as norm
from .ops.math.comparison import not_equal as not_equal
from .ops.control.python_functions import numpy_function as numpy_function
from .ops.array.fill import one_hot as one_hot
from .ops.array.fill import ones as ones
from .module.initializers import Ones as ones_initializer
from .ops.array.fill import ones_like as ones_like
from .ops.array.padding import pad as pad
from .ops.array.concatenation import parallel_stack as parallel_stack
from .ops.strings.printing import print as print
from .api import profiler as profiler
from .ops.control.python_functions import py_function as py_function
from .core.dtypes import qint16 as qint16
from .core.dtypes import qint32 as qint32
from .core.dtypes import qint8 as qint8
from .api import quantization as quantization
from .api import queue as queue
from .core.dtypes import quint16 as quint16
from .core.dtypes import quint8 as quint8
from .api import ragged as ragged
from .api import random as random
from .ops.random.index_shuffle import random_index_shuffle as random_index_shuffle
from .module.initializers import RandomNormal as random_normal_initializer
from .module.initializers import RandomUniform as random_uniform_initializer
from .ops.array.fill import range as range
from .ops.array.shapes import rank as rank
from .api import raw_ops as raw_ops
from .autodiff.recomputed import recompute_grad as recompute_grad
from .ops.math.reduce import reduce_all as reduce_all
from .ops.math.reduce import reduce_any as reduce_any
from .ops.math.moments import reduce_logsumexp as reduce_logsumexp
from .ops.math.reduce import reduce_max as reduce_max
from .ops.math.reduce import reduce_mean as reduce_mean
from .ops.math.reduce import reduce_min as reduce_min
from .ops.math.reduce import reduce_prod as reduce_prod
from .ops.math.reduce import reduce_sum as reduce_sum
from .eager.conversion_functions import register_tensor_conversion_function as register_tensor_conversion_function
from .ops.array.rearrangement import repeat as repeat
from .ops.nn.space_to_depth import required_space_to_batch_paddings as required_space_to_batch_paddings
from .ops.array.shapes import reshape as reshape
from .core.dtypes import resource as resource
from .ops.array.partitions import reverse_sequence as reverse_sequence
from .ops.array.rearrangement import roll as roll
from .ops.math.elementwise import round as round
from .ops.math.cast import saturate_cast as saturate_cast
from .api import saved_model as saved_model
from .ops.math.arithmetic import scalar_mul as scalar_mul
from .control.folds import scan as scan
from .ops.array.sorting import searchsorted as searchsorted
from .ops.array.grids import sequence_mask as sequence_mask
from .api import sets as sets
from .ops.array.shapes import shape as shape
from .ops.array.shapes import shape_n as shape_n
from .api import signal as signal
from .ops.array.shapes import size as size
from .ops.array.slicing import slice as slice
from .ops.array.sorting import sort as sort
from .ops.nn.space_to_depth import space_to_batch as space_to_batch
from .ops.nn.space_to_depth import space_to_batch as space_to_batch_nd
from .api import sparse as sparse
from .ops.array.concatenation import split as split
from .ops.array.shapes import squeeze as squeeze
from .ops.array.concatenation import stack as stack
from .ops.array.slicing import strided_slice as strided_slice
from .core.dtypes import string as string
from .api import strings as strings
from .api import summary as summary
from .control.switch import switch_case as switch_case
from .api import sysconfig as sysconfig
from .ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from .ops.linalg.contraction import tensordot as tensordot
from .api import test as test
from .ops.array.rearrangement import tile as tile
from .ops.control.clock import timestamp as timestamp
from .api import tpu as tpu
from .api import train as train
from .ops.array.rearrangement import transpose as transpose
from .ops.math.division import truediv as truediv
from .control.grouping import tuple as tuple
from .data.structure import type_spec_from_value as type_spec_from_value
from .api import types as types
from .core.dtypes import uint16 as uint16
from .core.dtypes import uint32 as uint32
from .core.dtypes import uint64 as uint64
from .core.dtypes import uint8 as uint8
from .ops.array.distinct import unique as unique
from .ops.array.distinct import unique_with_counts as unique_with_counts
from .ops.array.grids import unravel_index as unravel_index
from .ops.array.concatenation import unstack as unstack
from .eager.creation import variable_creator_scope as variable_creator_scope
from .core.dtypes import variant as variant
from .control.vectorize import vectorized_map as vectorized_map
from .api import version as version
from .ops.array.select import where as where
from .control.while_loop import while_loop as while_loop
from .api import xla as xla
from .ops.array.fill import zeros as zeros
from .module.initializers import Zeros as zeros_initializer
from .ops.array.fill import zeros_like as zeros_like
from keras import initializers as initializers
import keras as keras
from keras import losses as losses
from keras import metrics as metrics
from keras import optimizers as optimizers
__version__: str

__all__ = ['AggregationMethod', 'Assert', 'CriticalSection', 'DType', 'DeviceSpec', 'GradientTape', 'Graph', 'IndexedSlices', 'IndexedSlicesSpec', 'Module', 'NoneTensorSpec', 'Operation', 'OptionalSpec', 'RaggedTensor', 'RaggedTensorSpec', 'RegisterGradient', 'SparseTensor', 'SparseTensorSpec', 'Tensor', 'TensorArray', 'TensorArraySpec', 'TensorShape', 'TensorSpec', 'TypeSpec', 'UnconnectedGradients', 'Variable', 'VariableAggregation', 'VariableSynchronization', 'abs', 'acos', 'acosh', 'add', 'add_n', 'approx_top_k', 'argmax', 'argmin', 'argsort', 'as_dtype', 'as_string', 'asin', 'asinh', 'assert_equal', 'assert_greater', 'assert_less', 'assert_rank', 'atan', 'atan2', 'atanh', 'audio', 'autodiff', 'autograph', 'batch_to_space', 'bfloat16', 'bitcast', 'bitwise', 'bool', 'boolean_mask', 'broadcast_dynamic_shape', 'broadcast_static_shape', 'broadcast_to', 'case', 'cast', 'check_pinned', 'clip_by_global_norm', 'clip_by_norm', 'clip_by_value', 'compat', 'complex', 'complex128', 'complex64', 'concat', 'cond', 'config', 'constant', 'constant_initializer', 'control_dependencies', 'conv', 'conv2d_backprop_filter_v2', 'conv2d_backprop_input_v2', 'convert_to_tensor', 'cos', 'cosh', 'cumsum', 'custom_gradient', 'data', 'debugging', 'device', 'distribute', 'divide', 'double', 'dtypes', 'dynamic_partition', 'dynamic_stitch', 'edit_distance', 'eig', 'eigvals', 'einsum', 'ensure_shape', 'equal', 'errors', 'executing_eagerly', 'exp', 'expand_dims', 'experimental', 'extract_volume_patches', 'eye', 'feature_column', 'fftnd', 'fill', 'fingerprint', 'float16', 'float32', 'float64', 'floor', 'foldl', 'foldr', 'function', 'gather', 'gather_nd', 'get_current_name_scope', 'get_logger', 'get_static_value', 'grad_pass_through', 'gradients', 'graph_util', 'greater', 'greater_equal', 'group', 'guarantee_const', 'half', 'hessians', 'histogram_fixed_width', 'histogram_fixed_width_bins', 'identity', 'identity_n', 'ifftnd', 'image', 'import_graph_def', 'init_scope', 'inside_function', 'int16', 'int32', 'int64', 'int8', 'io', 'irfftnd', 'is_symbolic_tensor', 'is_tensor', 'less', 'less_equal', 'linalg', 'linspace', 'load_library', 'load_op_library', 'logical_and', 'logical_not', 'logical_or', 'lookup', 'make_ndarray', 'make_tensor_proto', 'map_fn', 'math', 'matmul', 'matrix_square_root', 'maximum', 'meshgrid', 'minimum', 'multiply', 'name_scope', 'negative', 'nest', 'newaxis', 'nn', 'no_gradient', 'no_op', 'nondifferentiable_batch_function', 'norm', 'not_equal', 'numpy_function', 'one_hot', 'ones', 'ones_initializer', 'ones_like', 'pad', 'parallel_stack', 'pow', 'print', 'profiler', 'py_function', 'qint16', 'qint32', 'qint8', 'quantization', 'queue', 'quint16', 'quint8', 'ragged', 'ragged_fill_empty_rows', 'ragged_fill_empty_rows_grad', 'random', 'random_index_shuffle', 'random_normal_initializer', 'random_uniform_initializer', 'range', 'rank', 'raw_ops', 'realdiv', 'recompute_grad', 'reduce_all', 'reduce_any', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_sum', 'register_tensor_conversion_function', 'repeat', 'required_space_to_batch_paddings', 'reshape', 'resource', 'reverse', 'reverse_sequence', 'rfftnd', 'roll', 'round', 'saturate_cast', 'saved_model', 'scalar_mul', 'scan', 'scatter_nd', 'searchsorted', 'sequence_mask', 'sets', 'shape', 'shape_n', 'sigmoid', 'sign', 'signal', 'sin', 'sinh', 'size', 'slice', 'sort', 'space_to_batch', 'space_to_batch_nd', 'sparse', 'split', 'sqrt', 'square', 'squeeze', 'stack', 'stop_gradient', 'strided_slice', 'string', 'strings', 'subtract', 'summary', 'switch_case', 'sysconfig', 'tan', 'tanh', 'tensor_scatter_nd_add', 'tensor_scatter_nd_max', 'tensor_scatter_nd_min', 'tensor_scatter_nd_sub', 'tensor_scatter_nd_update', 'tensordot', 'test', 'tile', 'timestamp', 'tpu', 'train', 'transpose', 'truediv', 'truncatediv', 'truncatemod', 'tuple', 'type_spec_from_value', 'types', 'uint16', 'uint32', 'uint64', 'uint8', 'unique', 'unique_with_counts', 'unravel_index', 'unstack', 'variable_creator_scope', 'variant', 'vectorized_map', 'version', 'where', 'while_loop', 'xla', 'zeros', 'zeros_initializer', 'zeros_like']

def acos(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose cosine is x, in [0, pi]; NaN of floats outside of [-1, 1]. Floats or complex
    numbers of any shape.

    >>> tf.acos([1.0, 0.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def acosh(x: _Any, name: _Any = None) -> _Tensor:
    """The number, not below 0, whose hyperbolic cosine is x; NaN of floats below 1. Floats or
    complex numbers of any shape.

    >>> tf.acosh([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 1.317,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def asin(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose sine is x, in [-pi/2, pi/2]; NaN of floats outside of [-1, 1]. Floats or
    complex numbers of any shape.

    >>> tf.asin([0.0, 1.0, 2.0]).numpy().round(3)
    array([0.   , 1.571,   nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def asinh(x: _Any, name: _Any = None) -> _Tensor:
    """The number whose hyperbolic sine is x. Floats or complex numbers of any shape.

    >>> tf.asinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  0.881, -0.881], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def atan(x: _Any, name: _Any = None) -> _Tensor:
    """The angle whose tangent is x, in [-pi/2, pi/2]. Floats or complex numbers of any shape.

    >>> tf.atan([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.785, -1.571], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def atan2(y: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The angle of the point with abscissa x and ordinate y, in (-pi, pi]. Floats of one dtype,
    shapes broadcast.

    >>> tf.atan2([1.0, 0.0, -1.0], [0.0, -1.0, -1.0]).numpy().round(3)
    array([ 1.571,  3.142, -2.356], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def atanh(x: _Any, name: _Any = None) -> _Tensor:
    """The number whose hyperbolic tangent is x; infinite at -1 and 1, NaN of floats outside. Floats
    or complex numbers of any shape.

    >>> tf.atanh([0.0, 0.5, 1.0]).numpy().round(3)
    array([0.   , 0.549,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def broadcast_to(input: _Any, shape: _Any, name: _Any = None) -> _Tensor:
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`, a vector
    of sizes.

    input: of any dtype, which the result has.

    >>> tf.broadcast_to([[1], [2]], [2, 3]).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis has neither the wanted size nor 1 (also a ValueError)."""

def cos(x: _Any, name: _Any = None) -> _Tensor:
    """The cosine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.cos([0.0, 0.5, np.pi]).numpy().round(3)
    array([ 1.   ,  0.878, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cosh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic cosine, (e^x + e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.cosh([0.0, 1.0, -1.0]).numpy().round(3)
    array([1.   , 1.543, 1.543], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def exp(x: _Any, name: _Any = None) -> _Tensor:
    """e to the power x. Floats or complex numbers of any shape.

    >>> tf.exp([0.0, 1.0, -np.inf]).numpy().round(3)
    array([1.   , 2.718, 0.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def fftnd(input: _Any, fft_length: _Any, axes: _Any, name: _Any = None) -> _Tensor:
    """The discrete Fourier transform along the axes, each cut or filled to its length.

    >>> tf.fftnd(tf.ones([2, 2], tf.complex64), [2, 2], [0, 1]).numpy().real
    array([[4., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted."""

def floor(x: _Any, name: _Any = None) -> _Tensor:
    """The largest integer not above x, as a float. It has no gradient. Floats of any shape.

    >>> tf.floor([-1.5, 1.5, 2.0]).numpy()
    array([-2.,  1.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def greater(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x > y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater([1, 2, 3], 2).numpy()
    array([False, False,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def greater_equal(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x >= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.greater_equal([1, 2, 3], 2).numpy()
    array([False,  True,  True])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def ifftnd(input: _Any, fft_length: _Any, axes: _Any, name: _Any = None) -> _Tensor:
    """What undoes FFTND.

    input: complex numbers [...]. fft_length, axes: integers, as many of both. Along each of the
    axes the result has its length.

    >>> tf.ifftnd(tf.ones([2, 2], tf.complex64), [2, 2], [0, 1]).numpy().real
    array([[1., 0.],
           [0., 0.]], dtype=float32)

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted."""

def irfftnd(input: _Any, fft_length: _Any, axes: _Any, Treal: _Any = ..., name: _Any = None) -> _Tensor:
    """What undoes RFFTND.

    input: complex numbers [...]. fft_length, axes: integers, as many of both. Along each of the
    axes the result has its length.

    >>> tf.irfftnd(tf.ones([2, 3], tf.complex64), [2, 4], [0, 1]).shape
    TensorShape([2, 4])

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted."""

def less(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x < y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less([1, 2, 3], 2).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def less_equal(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether x <= y, for every element; of one real dtype, shapes broadcast.

    >>> tf.less_equal([1, 2, 3], 2).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def logical_and(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether both are true, for every element; bools, shapes broadcast.

    >>> tf.logical_and([True, True, False], [True, False, False]).numpy()
    array([ True, False, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def logical_not(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is false, for every element of a bool tensor.

    >>> tf.logical_not([True, False]).numpy()
    array([False,  True])

    Raises:
        DTypeMismatchError: x is not bool."""

def logical_or(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """Whether at least one is true, for every element; bools, shapes broadcast.

    >>> tf.logical_or([True, True, False], [True, False, False]).numpy()
    array([ True,  True, False])

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: an operand is not bool."""

def maximum(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The larger of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real numbers
    of one dtype, shapes broadcast.

    >>> tf.maximum([-2.0, 3.0], 0.0).numpy()
    array([0., 3.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def minimum(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """The smaller of x and y; NaN where either is NaN. The gradient of a tie goes to x. Real
    numbers of one dtype, shapes broadcast.

    >>> tf.minimum([-2.0, 3.0], 0.0).numpy()
    array([-2.,  0.], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def multiply(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x * y, element by element; numbers of one dtype, shapes broadcast.

    >>> tf.multiply([[1, 2], [3, 4]], [10, 100]).numpy()
    array([[ 10, 200],
           [ 30, 400]], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def negative(x: _Any, name: _Any = None) -> _Tensor:
    """-x, of floats, complex numbers or signed integers of any shape.

    >>> tf.negative([1, -2]).numpy()
    array([-1,  2], dtype=int32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def pow(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x to the power y. Floats, complex numbers or signed integers of one dtype, shapes broadcast.

    >>> tf.pow([2, 3], [[2], [3]]).numpy()
    array([[ 4,  9],
           [ 8, 27]], dtype=int32)

    Raises:
        InvalidArgumentError: an integer to a negative power.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def ragged_fill_empty_rows(value_rowids: _Any, values: _Any, nrows: _Any, default_value: _Any, name: _Any = None) -> _Tensor:
    """With a default in each row that is empty; which these are, and where each value is now.

    value_rowids: int64 [n], values: [n], nrows: an int64 scalar, default_value: a scalar of the
    dtype of `values`. The results are rows and values [m], m being n and the empty rows, a bool for
    each row, and int64 [n].

    >>> rows, values, is_empty, _ = tf.ragged_fill_empty_rows([0, 2], [5, 6], 3, -1)
    >>> rows.numpy(), values.numpy(), is_empty.numpy()
    (array([0, 1, 2]), array([ 5, -1,  6], dtype=int32), array([False,  True, False]))

    Raises:
        InvalidArgumentError: a row is not one of `nrows`, or the lengths differ.
        DTypeMismatchError: the rows are not int64, or the default is not of the dtype of `values`."""

def ragged_fill_empty_rows_grad(reverse_index_map: _Any, grad_values: _Any, name: _Any = None) -> _Tensor:
    """The gradient of RaggedFillEmptyRows: of the values, and of the default.

    reverse_index_map: int64 [n], grad_values: [m]. The results are [n] and a scalar, of the dtype
    of `grad_values`.

    >>> of_values, of_default = tf.ragged_fill_empty_rows_grad([0, 2], [1.0, 2.0, 3.0])
    >>> of_values.numpy(), of_default.numpy()
    (array([1., 3.], dtype=float32), np.float32(2.0))

    Raises:
        InvalidArgumentError: an index is out of range, or operands are no vectors.
        DTypeMismatchError: the indices are not int64."""

def realdiv(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x / y of floats or complex numbers of one dtype, which the result has; shapes broadcast.

    >>> tf.realdiv([7.0, -7.0], 2).numpy()
    array([ 3.5, -3.5], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken (integers: tf.truediv)."""

def reverse(tensor: _Any, axis: _Any, name: _Any = None) -> _Tensor:
    """The elements in reverse order along each axis in `axis`, a vector.

    tensor: of any dtype, which the result has.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy()
    array([[2, 1],
           [4, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or is given twice."""

def rfftnd(input: _Any, fft_length: _Any, axes: _Any, Tcomplex: _Any = ..., name: _Any = None) -> _Tensor:
    """FFTND of real numbers: half of the last axis, which says all.

    >>> tf.rfftnd(tf.ones([2, 4]), [2, 4], [0, 1]).shape
    TensorShape([2, 3])

    Raises:
        InvalidArgumentError: there is no such axis, or a length is missing.
        ValueError: no axes are given, or one of them twice.
        DTypeMismatchError: a dtype is not the one that is wanted."""

def scatter_nd(indices: _Any, updates: _Any, shape: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """`updates` added into zeros of `shape` at `indices` [..., k]: each is the index of the first k
    axes, and updates.shape is indices.shape[:-1] + shape[k:].

    >>> tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy()
    array([ 0, 12,  0,  6], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def sigmoid(x: _Any, name: _Any = None) -> _Tensor:
    """1 / (1 + exp(-x)), computed without overflow. Floats or complex numbers of any shape.

    >>> tf.sigmoid([-1000.0, 0.0, 1.0]).numpy().round(3)
    array([0.   , 0.5  , 0.731], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sign(x: _Any, name: _Any = None) -> _Tensor:
    """-1, 0 or 1; x / |x| for complex numbers; NaN stays NaN. Floats, complex numbers or signed
    integers of any shape; the result has their dtype.

    >>> tf.sign([-3.0, 0.0, 5.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def sin(x: _Any, name: _Any = None) -> _Tensor:
    """The sine of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.sin([0.0, 0.5, np.pi / 2]).numpy().round(3)
    array([0.   , 0.479, 1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sinh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic sine, (e^x - e^-x) / 2. Floats or complex numbers of any shape.

    >>> tf.sinh([0.0, 1.0, -1.0]).numpy().round(3)
    array([ 0.   ,  1.175, -1.175], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def sqrt(x: _Any, name: _Any = None) -> _Tensor:
    """The square root; NaN of negative floats. Its gradient at 0 is infinite. Floats or complex
    numbers of any shape.

    >>> tf.sqrt([4.0, 0.25, -1.0]).numpy()
    array([2. , 0.5, nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def square(x: _Any, name: _Any = None) -> _Tensor:
    """x * x, of numbers of any shape. Integers wrap around.

    >>> tf.square([3, -4]).numpy()
    array([ 9, 16], dtype=int32)

    Raises:
        DTypeMismatchError: x is bool or string."""

def stop_gradient(input: _Any, name: _Any = None) -> _Tensor:
    """The input, as something that does not depend on anything: no gradient passes through it.

    input: a tensor of any shape and dtype, which the result has.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * tf.stop_gradient(x)
    >>> float(tape.gradient(y, x))
    3.0

    Raises:
        ValueError: the operand is nothing that a tensor can hold."""

def subtract(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x - y; numbers of one dtype, shapes broadcast.

    >>> tf.subtract([5, 7], 2).numpy()
    array([3, 5], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def tan(x: _Any, name: _Any = None) -> _Tensor:
    """The tangent of an angle in radians. Floats or complex numbers of any shape.

    >>> tf.tan([0.0, 0.5, -0.5]).numpy().round(3)
    array([ 0.   ,  0.546, -0.546], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def tanh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic tangent, sinh(x) / cosh(x). Floats or complex numbers of any shape.

    >>> tf.tanh([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.762, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def tensor_scatter_nd_add(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """A copy of `tensor` to which `updates` are added at `indices` [..., k]: each is the index of
    the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy()
    array([41,  2, 23], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_max(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """A copy of `tensor` with the larger of itself and `updates` at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_max([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([5, 2, 3], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_min(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """A copy of `tensor` with the smaller of itself and `updates` at `indices` [..., k]: each is
    the index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_min([1, 2, 3], [[0], [2]], [5, 0]).numpy()
    array([1, 2, 0], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def tensor_scatter_nd_sub(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """A copy of `tensor` from which `updates` are subtracted at `indices` [..., k]: each is the
    index of the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_sub([10, 20, 30], [[0], [2], [0]], [1, 2, 3]).numpy()
    array([ 6, 20, 28], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def truncatediv(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x / y rounded towards zero. Real numbers of one dtype, which the result has; shapes
    broadcast.

    >>> tf.truncatediv([7, -7], 2).numpy()
    array([ 3, -3], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def truncatemod(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """What remains of x / y rounded towards zero; it has the sign of x. Floats, int32 or int64 of
    one dtype, shapes broadcast.

    >>> tf.truncatemod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1, -1,  1], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""
