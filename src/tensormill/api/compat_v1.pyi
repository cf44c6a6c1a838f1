# Written by `make stubs` from the table beside it.

"""`tf.compat.v1`: TensorFlow 1, as far as TensorFlow 2 still has it."""

from ..eager.tensor import Tensor as _Tensor
from typing import Any as _Any
from ..version_one.variable_scopes import AUTO_REUSE as AUTO_REUSE
from ..autodiff.symbolic import AggregationMethod as AggregationMethod
from ..ops.checks.assertions import Assert as Assert
from ..graph.proto.session_messages import AttrValue as AttrValue
from ..eager.version import COMPILER_VERSION as COMPILER_VERSION
from ..core.build import CXX11_ABI_FLAG as CXX11_ABI_FLAG
from ..core.build import CXX_VERSION as CXX_VERSION
from ..version_one.accumulators import ConditionalAccumulator as ConditionalAccumulator
from ..version_one.accumulators import ConditionalAccumulatorBase as ConditionalAccumulatorBase
from ..graph.proto.session_messages import ConfigProto as ConfigProto
from ..module.critical_section import CriticalSection as CriticalSection
from ..core.dtypes import DType as DType
from ..core.device_specs import DeviceSpecV1 as DeviceSpec
from ..core.dimension import Dimension as Dimension
from ..graph.proto.session_messages import Event as Event
from ..module.queues import FIFOQueue as FIFOQueue
from ..ops.records.features import FixedLenFeature as FixedLenFeature
from ..ops.records.features import FixedLenSequenceFeature as FixedLenSequenceFeature
from ..data.by_hand.readers import FixedLengthRecordReader as FixedLengthRecordReader
from ..eager.version import GIT_VERSION as GIT_VERSION
from ..graph.proto.session_messages import GPUOptions as GPUOptions
from ..eager.version import GRAPH_DEF_VERSION as GRAPH_DEF_VERSION
from ..eager.version import GRAPH_DEF_VERSION_MIN_CONSUMER as GRAPH_DEF_VERSION_MIN_CONSUMER
from ..eager.version import GRAPH_DEF_VERSION_MIN_PRODUCER as GRAPH_DEF_VERSION_MIN_PRODUCER
from ..autodiff.tape import GradientTape as GradientTape
from ..graph.func_graph import FuncGraph as Graph
from ..graph.proto.session_messages import GraphDef as GraphDef
from ..graph.by_hand.collections import GraphKeys as GraphKeys
from ..graph.proto.session_messages import GraphOptions as GraphOptions
from ..graph.proto.session_messages import HistogramProto as HistogramProto
from ..data.by_hand.readers import IdentityReader as IdentityReader
from ..ops.array.indexed_slices import IndexedSlices as IndexedSlices
from ..ops.array.indexed_slices import IndexedSlicesSpec as IndexedSlicesSpec
from ..function.session import InteractiveSession as InteractiveSession
from ..graph.proto.session_messages import LogMessage as LogMessage
from ..core.build import MONOLITHIC_BUILD as MONOLITHIC_BUILD
from ..graph.proto.session_messages import MetaGraphDef as MetaGraphDef
from ..module.module import Module as Module
from ..graph.proto.session_messages import NameAttrList as NameAttrList
from ..autodiff.registry import no_gradient as NoGradient
from ..graph.proto.session_messages import NodeDef as NodeDef
from ..data.structure import NoneTensorSpec as NoneTensorSpec
from ..autodiff.registry import no_gradient as NotDifferentiable
from ..errors import OpError as OpError
from ..graph.operation import Operation as Operation
from ..graph.proto.session_messages import OptimizerOptions as OptimizerOptions
from ..data.optional import OptionalSpec as OptionalSpec
from ..module.queues import PaddingFIFOQueue as PaddingFIFOQueue
from ..version_one.functions.control import Print as Print
from ..module.queues import PriorityQueue as PriorityQueue
from ..core.dtypes import QUANTIZED_DTYPES as QUANTIZED_DTYPES
from ..module.queues import QueueBase as QueueBase
from ..ops.ragged.ragged_tensor import RaggedTensor as RaggedTensor
from ..ops.ragged.ragged_tensor import RaggedTensorSpec as RaggedTensorSpec
from ..module.queues import RandomShuffleQueue as RandomShuffleQueue
from ..data.by_hand.readers import ReaderBase as ReaderBase
from ..autodiff.registry import RegisterGradient as RegisterGradient
from ..graph.proto.session_messages import RunMetadata as RunMetadata
from ..graph.proto.session_messages import RunOptions as RunOptions
from ..function.session import Session as Session
from ..graph.proto.session_messages import SessionLog as SessionLog
from ..version_one.accumulators import SparseConditionalAccumulator as SparseConditionalAccumulator
from ..ops.records.features import SparseFeature as SparseFeature
from ..ops.sparse.sparse_tensor import SparseTensor as SparseTensor
from ..ops.sparse.sparse_tensor import SparseTensorSpec as SparseTensorSpec
from ..ops.sparse.sparse_tensor import SparseTensorValue as SparseTensorValue
from ..graph.proto.session_messages import Summary as Summary
from ..graph.proto.summary_metadata import SummaryMetadata as SummaryMetadata
from ..data.by_hand.readers import TFRecordReader as TFRecordReader
from ..eager.tensor import Tensor as Tensor
from ..control.tensor_array import TensorArray as TensorArray
from ..control.tensor_array_spec import TensorArraySpec as TensorArraySpec
from ..graph.proto.session_messages import TensorInfo as TensorInfo
from ..core.shapes import TensorShape as TensorShape
from ..core.specs import TensorSpec as TensorSpec
from ..data.by_hand.readers import TextLineReader as TextLineReader
from ..core.type_spec import TypeSpec as TypeSpec
from ..autodiff.tape import UnconnectedGradients as UnconnectedGradients
from ..eager.version import VERSION as VERSION
from ..ops.records.features import VarLenFeature as VarLenFeature
from ..version_one.variable import VariableV1 as Variable
from ..eager.variable_options import VariableAggregation as VariableAggregation
from ..version_one.variable_scopes import VariableScope as VariableScope
from ..eager.variable_options import VariableSynchronization as VariableSynchronization
from ..data.by_hand.readers import WholeFileReader as WholeFileReader
from ..ops.math.signs import abs as abs
from ..ops.math.sums import accumulate_n as accumulate_n
from ..ops.math.arithmetic import add as add
from ..version_one.functions.assertions import add_check_numerics_ops as add_check_numerics_ops
from ..ops.math.sums import add_n as add_n
from ..graph.by_hand.default_collections import add_to_collection as add_to_collection
from ..graph.by_hand.default_collections import add_to_collections as add_to_collections
from ..graph.by_hand.default_collections import global_variables as all_variables
from ..ops.math.complex import angle as angle
from . import compat_v1_app as app
from ..ops.array.approximate_top import approx_top_k as approx_top_k
from ..version_one.functions.reductions import arg_max as arg_max
from ..version_one.functions.reductions import arg_min as arg_min
from ..version_one.functions.reductions import argmax as argmax
from ..version_one.functions.reductions import argmin as argmin
from ..ops.array.sorting import argsort as argsort
from ..core.dtypes import as_dtype as as_dtype
from ..ops.strings.byte_strings import as_string as as_string
from ..version_one.functions.assertions import assert_equal as assert_equal
from ..version_one.functions.assertions import assert_greater as assert_greater
from ..version_one.functions.assertions import assert_greater_equal as assert_greater_equal
from ..ops.checks.assertions import assert_integer as assert_integer
from ..version_one.functions.assertions import assert_less as assert_less
from ..version_one.functions.assertions import assert_less_equal as assert_less_equal
from ..version_one.functions.assertions import assert_near as assert_near
from ..version_one.functions.assertions import assert_negative as assert_negative
from ..version_one.functions.assertions import assert_non_negative as assert_non_negative
from ..version_one.functions.assertions import assert_non_positive as assert_non_positive
from ..version_one.functions.assertions import assert_none_equal as assert_none_equal
from ..version_one.functions.assertions import assert_positive as assert_positive
from ..ops.checks.assertions import assert_proper_iterable as assert_proper_iterable
from ..version_one.functions.assertions import assert_rank as assert_rank
from ..version_one.functions.assertions import assert_rank_at_least as assert_rank_at_least
from ..version_one.functions.assertions import assert_rank_in as assert_rank_in
from ..ops.checks.assertions import assert_same_float_dtype as assert_same_float_dtype
from ..version_one.functions.assertions import assert_scalar as assert_scalar
from ..ops.checks.assertions import assert_type as assert_type
from ..version_one.initialization import assert_variables_initialized as assert_variables_initialized
from ..ops.version_one import assign as assign
from ..ops.version_one import assign_add as assign_add
from ..ops.version_one import assign_sub as assign_sub
from . import audio as audio
from . import compat_v1_autograph as autograph
from ..version_one.functions.arrays import batch_gather as batch_gather
from ..version_one.functions.updates import batch_scatter_update as batch_scatter_update
from ..version_one.functions.batches import batch_to_space as batch_to_space
from ..version_one.functions.batches import batch_to_space_nd as batch_to_space_nd
from ..core.dtypes import bfloat16 as bfloat16
from ..version_one.functions.batches import bincount as bincount
from ..ops.math.cast import bitcast as bitcast
from . import bitwise as bitwise
from ..core.dtypes import bool_ as bool
from ..version_one.functions.arrays import boolean_mask as boolean_mask
from ..ops.array.broadcasting import broadcast_dynamic_shape as broadcast_dynamic_shape
from ..ops.array.broadcasting import broadcast_static_shape as broadcast_static_shape
from ..control.switch import case as case
from ..ops.math.cast import cast as cast
from ..ops.checks.finite_numbers import check_numerics as check_numerics
from ..ops.control.devices import check_pinned as check_pinned
from ..ops.linalg.triangular import cholesky_solve as cholesky_solve
from ..version_one.functions.batches import clip_by_average_norm as clip_by_average_norm
from ..ops.math.norms import clip_by_global_norm as clip_by_global_norm
from ..ops.math.norms import clip_by_norm as clip_by_norm
from ..ops.math.norms import clip_by_value as clip_by_value
from ..version_one.functions.control import colocate_with as colocate_with
from ..ops.math.complex import complex as complex
from ..core.dtypes import complex128 as complex128
from ..core.dtypes import complex64 as complex64
from ..ops.array.concatenation import concat as concat
from ..version_one.functions.control import cond as cond
from . import config as config
from ..version_one.functions.arrays import confusion_matrix as confusion_matrix
from ..ops.math.complex import conj as conj
from ..version_one.functions.arrays import constant as constant
from ..version_one.initializers import ConstantV1 as constant_initializer
from ..version_one.functions.control import container as container
from ..eager.scopes import control_dependencies as control_dependencies
from ..version_one.switches import control_flow_v2_enabled as control_flow_v2_enabled
from ..ops.nn.convolution_variants import conv as conv
from ..ops.nn.convolution_variants import conv2d_backprop_filter_v2 as conv2d_backprop_filter_v2
from ..ops.nn.convolution_variants import conv2d_backprop_input_v2 as conv2d_backprop_input_v2
from ..version_one.functions.arrays import convert_to_tensor as convert_to_tensor
from ..version_one.functions.conversions import convert_to_tensor_or_indexed_slices as convert_to_tensor_or_indexed_slices
from ..version_one.functions.conversions import convert_to_tensor_or_sparse_tensor as convert_to_tensor_or_sparse_tensor
from ..version_one.functions.reductions import count_nonzero as count_nonzero
from ..version_one.functions.updates import count_up_to as count_up_to
from ..version_one.partitioners import create_partitioned_variables as create_partitioned_variables
from ..ops.math.scan import cumprod as cumprod
from ..ops.math.scan import cumsum as cumsum
from ..autodiff.custom import custom_gradient as custom_gradient
from . import compat_v1_data as data
from . import compat_v1_debugging as debugging
from ..version_one.records import decode_csv as decode_csv
from ..graph.serialized.json_examples import decode_json_example as decode_json_example
from ..version_one.records import decode_raw as decode_raw
from ..version_one.sessions.handles import delete_session_tensor as delete_session_tensor
from ..version_one.functions.networks import depth_to_space as depth_to_space
from ..ops.quantized.quantize import dequantize as dequantize
from ..graph.serialized.sparse_tensors import deserialize_many_sparse as deserialize_many_sparse
from ..version_one.functions.control import device as device
from ..ops.linalg.band_parts import tensor_diag as diag
from ..ops.linalg.band_parts import tensor_diag_part as diag_part
from ..core.dimension import dimension_at_index as dimension_at_index
from ..core.dimension import dimension_value as dimension_value
from ..version_one.switches import disable_control_flow_v2 as disable_control_flow_v2
from ..graph.by_hand.default_graph import disable_eager_execution as disable_eager_execution
from ..version_one.switches import disable_resource_variables as disable_resource_variables
from ..eager.equality import disable_tensor_equality as disable_tensor_equality
from ..version_one.switches import disable_v2_behavior as disable_v2_behavior
from ..core.dimension import disable_v2_tensorshape as disable_v2_tensorshape
from . import distribute as distribute
from . import compat_v1_distributions as distributions
from ..version_one.functions.arrays import div as div
from ..ops.math.division import divide_no_nan as div_no_nan
from ..ops.math.division import divide as divide
from ..core.dtypes import double as double
from . import compat_v1_dtypes as dtypes
from ..ops.array.partitions import dynamic_partition as dynamic_partition
from ..ops.array.partitions import dynamic_stitch as dynamic_stitch
from ..ops.sparse.edit_distance import edit_distance as edit_distance
from ..ops.linalg.einsum import einsum as einsum
from ..version_one.switches import enable_control_flow_v2 as enable_control_flow_v2
from ..graph.by_hand.default_graph import enable_eager_execution as enable_eager_execution
from ..version_one.switches import enable_resource_variables as enable_resource_variables
from ..eager.equality import enable_tensor_equality as enable_tensor_equality
from ..version_one.switches import enable_v2_behavior as enable_v2_behavior
from ..core.dimension import enable_v2_tensorshape as enable_v2_tensorshape
from ..ops.control.flow import ensure_shape as ensure_shape
from ..ops.math.comparison import equal as equal
from . import compat_v1_errors as errors
from ..eager.scopes import executing_eagerly as executing_eagerly
from ..version_one.switches import executing_eagerly_outside_functions as executing_eagerly_outside_functions
from ..version_one.functions.arrays import expand_dims as expand_dims
from . import experimental as experimental
from ..version_one.functions.images import extract_image_patches as extract_image_patches
from ..ops.image.patches import extract_volume_patches as extract_volume_patches
from ..ops.array.fill import eye as eye
from ..ops.nn.quantization import fake_quant_with_min_max_args as fake_quant_with_min_max_args
from ..ops.nn.quantization import fake_quant_with_min_max_args_gradient as fake_quant_with_min_max_args_gradient
from ..ops.nn.quantization import fake_quant_with_min_max_vars as fake_quant_with_min_max_vars
from ..ops.nn.quantization import fake_quant_with_min_max_vars_gradient as fake_quant_with_min_max_vars_gradient
from ..ops.nn.quantization import fake_quant_with_min_max_vars_per_channel as fake_quant_with_min_max_vars_per_channel
from ..ops.nn.quantization import fake_quant_with_min_max_vars_per_channel_gradient as fake_quant_with_min_max_vars_per_channel_gradient
from . import compat_v1_feature_column as feature_column
from ..ops.signal.fourier import fft as fft
from ..ops.signal.fourier import fft2d as fft2d
from ..ops.signal.fourier import fft3d as fft3d
from ..ops.array.fill import fill as fill
from ..ops.strings.fingerprints import fingerprint as fingerprint
from ..version_one.partitioners import fixed_size_partitioner as fixed_size_partitioner
from . import compat_v1_flags as flags
from ..core.dtypes import float16 as float16
from ..core.dtypes import float32 as float32
from ..core.dtypes import float64 as float64
from ..version_one.functions.batches import floor_div as floor_div
from ..control.folds import foldl as foldl
from ..control.folds import foldr as foldr
from ..function.decorator import function as function
from ..version_one.functions.arrays import gather as gather
from ..version_one.functions.arrays import gather_nd as gather_nd
from ..graph.by_hand.default_collections import get_collection as get_collection
from ..graph.by_hand.default_collections import get_collection_ref as get_collection_ref
from ..graph.by_hand.default_graph import get_default_graph as get_default_graph
from ..graph.by_hand.sessions import get_default_session as get_default_session
from ..version_one.variable_scopes import get_local_variable as get_local_variable
from ..core.process.logs import get_logger as get_logger
from ..version_one.functions.random import get_seed as get_seed
from ..version_one.sessions.handles import get_session_handle as get_session_handle
from ..version_one.sessions.handles import get_session_tensor as get_session_tensor
from ..eager.convert import get_static_value as get_static_value
from ..version_one.variable_scopes import get_variable as get_variable
from ..version_one.variable_scopes import get_variable_scope as get_variable_scope
from . import compat_v1_gfile as gfile
from ..ops.math.norms import global_norm as global_norm
from ..graph.by_hand.default_collections import global_variables as global_variables
from ..version_one.initialization import global_variables_initializer as global_variables_initializer
from ..version_one.initializers import GlorotNormalV1 as glorot_normal_initializer
from ..version_one.initializers import GlorotUniformV1 as glorot_uniform_initializer
from ..autodiff.recomputed import grad_pass_through as grad_pass_through
from ..version_one.functions.control import gradients as gradients
from . import compat_v1_graph_util as graph_util
from ..control.grouping import group as group
from ..ops.control.flow import guarantee_const as guarantee_const
from ..core.dtypes import half as half
from ..version_one.functions.control import hessians as hessians
from ..ops.array.partitions import histogram_fixed_width as histogram_fixed_width
from ..ops.array.partitions import histogram_fixed_width_bins as histogram_fixed_width_bins
from ..ops.control.flow import identity as identity
from ..ops.control.flow import identity_n as identity_n
from ..ops.signal.fourier import ifft as ifft
from ..ops.signal.fourier import ifft2d as ifft2d
from ..ops.signal.fourier import ifft3d as ifft3d
from ..ops.math.complex import imag as imag
from . import compat_v1_image as image
from ..graph.proto.graph_import import import_graph_def as import_graph_def
from ..graph.by_hand.default_graph import init_scope as init_scope
from ..version_one.initialization import tables_initializer as initialize_all_tables
from ..version_one.initialization import global_variables_initializer as initialize_all_variables
from ..version_one.initialization import local_variables_initializer as initialize_local_variables
from ..version_one.initialization import variables_initializer as initialize_variables
from . import compat_v1_initializers as initializers
from ..core.dtypes import int16 as int16
from ..core.dtypes import int32 as int32
from ..core.dtypes import int64 as int64
from ..core.dtypes import int8 as int8
from ..ops.array.rearrangement import invert_permutation as invert_permutation
from . import compat_v1_io as io
from ..ops.math.moments import is_non_decreasing as is_non_decreasing
from ..ops.checks.assertions import is_numeric_tensor as is_numeric_tensor
from ..ops.math.moments import is_strictly_increasing as is_strictly_increasing
from ..eager.tensor import is_symbolic as is_symbolic_tensor
from ..core.values import is_tensor as is_tensor
from ..version_one.initialization import is_variable_initialized as is_variable_initialized
from . import compat_v1_layers as layers
from ..ops.math.gamma_functions import lbeta as lbeta
from ..ops.array.grids import linspace as lin_space
from . import compat_v1_linalg as linalg
from ..ops.array.grids import linspace as linspace
from . import compat_v1_lite as lite
from ..core.build import load_library as load_library
from ..core.build import load_op_library as load_op_library
from ..graph.by_hand.default_collections import local_variables as local_variables
from ..version_one.initialization import local_variables_initializer as local_variables_initializer
from ..ops.math.elementwise import log_sigmoid as log_sigmoid
from . import compat_v1_logging as logging
from ..ops.math.comparison import logical_xor as logical_xor
from . import lookup as lookup
from . import compat_v1_losses as losses
from ..graph.proto.tensor_protos import make_ndarray as make_ndarray
from ..version_one.functions.control import make_template as make_template
from ..graph.proto.tensor_protos import make_tensor_proto as make_tensor_proto
from . import compat_v1_manip as manip
from ..control.map import map_fn as map_fn
from ..ops.strings.files import matching_files as matching_files
from . import compat_v1_math as math
from ..ops.linalg.matmul import matmul as matmul
from ..ops.linalg.band_parts import band_part as matrix_band_part
from ..ops.linalg.solving import det as matrix_determinant
from ..ops.linalg.diagonals import diag as matrix_diag
from ..ops.linalg.diagonals import diag_part as matrix_diag_part
from ..ops.linalg.solving import inv as matrix_inverse
from ..ops.linalg.diagonals import set_diag as matrix_set_diag
from ..ops.linalg.solving import solve as matrix_solve
from ..ops.linalg.solving import lstsq as matrix_solve_ls
from ..ops.linalg.matrix_functions import sqrtm as matrix_square_root
from ..ops.array.rearrangement import matrix_transpose as matrix_transpose
from ..ops.linalg.triangular import triangular_solve as matrix_triangular_solve
from ..ops.array.grids import meshgrid as meshgrid
from . import compat_v1_metrics as metrics
from ..version_one.partitioners import min_max_variable_partitioner as min_max_variable_partitioner
from . import compat_v1_mixed_precision as mixed_precision
from ..graph.by_hand.default_collections import model_variables as model_variables
from ..graph.by_hand.default_collections import moving_average_variables as moving_average_variables
from ..version_one.functions.random import multinomial as multinomial
from ..version_one.functions.control import NameScopeV1 as name_scope
from . import nest as nest
from ..eager.indexing import newaxis as newaxis
from . import compat_v1_nn as nn
from ..autodiff.registry import no_gradient as no_gradient
from ..ops.control.flow import no_op as no_op
from ..version_one.functions.updates import no_regularizer as no_regularizer
from ..function.joined_calls import nondifferentiable_batch_function as nondifferentiable_batch_function
from ..version_one.functions.reductions import norm as norm
from ..ops.math.comparison import not_equal as not_equal
from ..ops.control.python_functions import numpy_function as numpy_function
from ..ops.array.fill import one_hot as one_hot
from ..ops.array.fill import ones as ones
from ..version_one.initializers import OnesV1 as ones_initializer
from ..version_one.functions.arrays import ones_like as ones_like
from ..version_one.functions.control import op_scope as op_scope
from ..version_one.initializers import Orthogonal as orthogonal_initializer
from ..version_one.functions.arrays import pad as pad
from ..ops.array.concatenation import parallel_stack as parallel_stack
from ..version_one.records import parse_example as parse_example
from ..version_one.records import parse_single_example as parse_single_example
from ..ops.records.sequence_examples import parse_single_sequence_example as parse_single_sequence_example
from ..graph.serialized.tensors import parse_tensor as parse_tensor
from ..graph.by_hand.placeholders import placeholder as placeholder
from ..ops.control.flow import placeholder_with_default as placeholder_with_default
from ..ops.strings.printing import print as print
from . import compat_v1_profiler as profiler
from ..ops.version_one import py_func as py_func
from ..ops.control.python_functions import py_function as py_function
from . import compat_v1_python_io as python_io
from ..core.dtypes import qint16 as qint16
from ..core.dtypes import qint32 as qint32
from ..core.dtypes import qint8 as qint8
from ..ops.linalg.decompositions import qr as qr
from . import quantization as quantization
from ..ops.quantized.quantize import quantize as quantize
from ..version_one.functions.quantized import quantize_v2 as quantize_v2
from ..ops.quantized.forms import quantized_concat as quantized_concat
from . import queue as queue
from ..core.dtypes import quint16 as quint16
from ..core.dtypes import quint8 as quint8
from . import compat_v1_ragged as ragged
from . import compat_v1_random as random
from ..ops.image.augmentation import random_crop as random_crop
from ..ops.random.gamma_and_poisson import gamma as random_gamma
from ..ops.random.index_shuffle import random_index_shuffle as random_index_shuffle
from ..ops.random.uniform_and_normal import normal as random_normal
from ..version_one.initializers import RandomNormalV1 as random_normal_initializer
from ..version_one.functions.random import random_poisson as random_poisson
from ..ops.random.uniform_and_normal import shuffle as random_shuffle
from ..ops.random.uniform_and_normal import uniform as random_uniform
from ..version_one.initializers import RandomUniformV1 as random_uniform_initializer
from ..ops.array.fill import range as range
from ..ops.array.shapes import rank as rank
from . import raw_ops as raw_ops
from ..ops.strings.files import read_file as read_file
from ..ops.math.complex import real as real
from ..autodiff.recomputed import recompute_grad as recompute_grad
from ..version_one.functions.reductions import reduce_all as reduce_all
from ..version_one.functions.reductions import reduce_any as reduce_any
from ..version_one.functions.strings import reduce_join as reduce_join
from ..version_one.functions.reductions import reduce_logsumexp as reduce_logsumexp
from ..version_one.functions.reductions import reduce_max as reduce_max
from ..version_one.functions.reductions import reduce_mean as reduce_mean
from ..version_one.functions.reductions import reduce_min as reduce_min
from ..version_one.functions.reductions import reduce_prod as reduce_prod
from ..version_one.functions.reductions import reduce_sum as reduce_sum
from ..ops.strings.regular_expressions import regex_replace as regex_replace
from ..eager.conversion_functions import register_tensor_conversion_function as register_tensor_conversion_function
from ..ops.array.rearrangement import repeat as repeat
from ..version_one.initialization import report_uninitialized_variables as report_uninitialized_variables
from ..ops.nn.space_to_depth import required_space_to_batch_paddings as required_space_to_batch_paddings
from ..graph.by_hand.default_graph import reset_default_graph as reset_default_graph
from ..ops.array.shapes import reshape as reshape
from ..core.dtypes import resource as resource
from . import compat_v1_resource_loader as resource_loader
from ..version_one.switches import resource_variables_enabled as resource_variables_enabled
from ..version_one.functions.arrays import reverse_sequence as reverse_sequence
from ..ops.array.rearrangement import roll as roll
from ..ops.math.elementwise import round as round
from ..ops.math.cast import saturate_cast as saturate_cast
from . import compat_v1_saved_model as saved_model
from ..ops.math.arithmetic import scalar_mul as scalar_mul
from ..control.folds import scan as scan
from ..version_one.functions.updates import scatter_add as scatter_add
from ..version_one.functions.updates import scatter_div as scatter_div
from ..version_one.functions.updates import scatter_max as scatter_max
from ..version_one.functions.updates import scatter_min as scatter_min
from ..version_one.functions.updates import scatter_mul as scatter_mul
from ..version_one.functions.updates import scatter_nd_add as scatter_nd_add
from ..version_one.functions.updates import scatter_nd_sub as scatter_nd_sub
from ..version_one.functions.updates import scatter_nd_update as scatter_nd_update
from ..version_one.functions.updates import scatter_sub as scatter_sub
from ..version_one.functions.updates import scatter_update as scatter_update
from ..ops.array.sorting import searchsorted as searchsorted
from ..ops.linalg.eigenvalues import eigh as self_adjoint_eig
from ..ops.linalg.eigenvalues import eigvalsh as self_adjoint_eigvals
from ..ops.array.grids import sequence_mask as sequence_mask
from ..version_one.records import serialize_many_sparse as serialize_many_sparse
from ..version_one.records import serialize_sparse as serialize_sparse
from ..graph.serialized.tensors import serialize_tensor as serialize_tensor
from ..version_one.initialization import set_random_seed as set_random_seed
from ..version_one.functions.batches import setdiff1d as setdiff1d
from . import compat_v1_sets as sets
from ..version_one.functions.arrays import shape as shape
from ..ops.array.shapes import shape_n as shape_n
from . import signal as signal
from ..version_one.functions.arrays import size as size
from ..ops.array.slicing import slice as slice
from ..ops.array.sorting import sort as sort
from ..version_one.functions.batches import space_to_batch as space_to_batch
from ..ops.nn.space_to_depth import space_to_batch as space_to_batch_nd
from ..version_one.functions.networks import space_to_depth as space_to_depth
from . import compat_v1_sparse as sparse
from ..version_one.functions.sparse import add as sparse_add
from ..version_one.functions.sparse import concat as sparse_concat
from ..ops.sparse.layout import fill_empty_rows as sparse_fill_empty_rows
from ..ops.sparse.layout import mask as sparse_mask
from ..version_one.functions.sparse import sparse_matmul as sparse_matmul
from ..ops.sparse.arithmetic import maximum as sparse_maximum
from ..version_one.functions.sparse import merge as sparse_merge
from ..ops.sparse.arithmetic import minimum as sparse_minimum
from ..graph.by_hand.placeholders import sparse_placeholder as sparse_placeholder
from ..version_one.functions.sparse import reduce_max as sparse_reduce_max
from ..version_one.functions.sparse import reduce_max_sparse as sparse_reduce_max_sparse
from ..version_one.functions.sparse import reduce_sum as sparse_reduce_sum
from ..version_one.functions.sparse import reduce_sum_sparse as sparse_reduce_sum_sparse
from ..ops.sparse.layout import reorder as sparse_reorder
from ..ops.sparse.layout import reset_shape as sparse_reset_shape
from ..ops.sparse.layout import reshape as sparse_reshape
from ..ops.sparse.layout import retain as sparse_retain
from ..version_one.functions.sparse import segment_mean as sparse_segment_mean
from ..version_one.functions.sparse import segment_sqrt_n as sparse_segment_sqrt_n
from ..version_one.functions.sparse import segment_sum as sparse_segment_sum
from ..ops.sparse.layout import slice as sparse_slice
from ..ops.sparse.reductions import softmax as sparse_softmax
from ..version_one.functions.sparse import split as sparse_split
from ..ops.sparse.arithmetic import sparse_dense_matmul as sparse_tensor_dense_matmul
from ..ops.sparse.conversion import to_dense as sparse_tensor_to_dense
from ..version_one.functions.sparse import sparse_to_dense as sparse_to_dense
from ..ops.sparse.conversion import to_indicator as sparse_to_indicator
from ..ops.sparse.layout import transpose as sparse_transpose
from . import compat_v1_spectral as spectral
from ..ops.array.concatenation import split as split
from ..version_one.functions.arrays import squeeze as squeeze
from ..ops.array.concatenation import stack as stack
from ..ops.array.slicing import strided_slice as strided_slice
from ..core.dtypes import string as string
from ..ops.strings.byte_strings import join as string_join
from ..version_one.functions.strings import string_split as string_split
from ..ops.strings.byte_strings import strip as string_strip
from ..version_one.functions.strings import to_hash_bucket as string_to_hash_bucket
from ..ops.strings.hashing import to_hash_bucket_fast as string_to_hash_bucket_fast
from ..ops.strings.hashing import to_hash_bucket_strong as string_to_hash_bucket_strong
from ..version_one.functions.strings import to_number as string_to_number
from . import compat_v1_strings as strings
from ..version_one.functions.strings import substr as substr
from . import compat_v1_summary as summary
from ..ops.linalg.eigenvalues import svd as svd
from ..control.switch import switch_case as switch_case
from . import sysconfig as sysconfig
from ..version_one.initialization import tables_initializer as tables_initializer
from ..ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_nd_update
from ..ops.array.scatter import tensor_scatter_nd_update as tensor_scatter_update
from ..ops.linalg.contraction import tensordot as tensordot
from . import compat_v1_test as test
from ..ops.array.rearrangement import tile as tile
from ..ops.control.clock import timestamp as timestamp
from ..version_one.functions.conversions import to_bfloat16 as to_bfloat16
from ..version_one.functions.conversions import to_complex128 as to_complex128
from ..version_one.functions.conversions import to_complex64 as to_complex64
from ..ops.version_one import to_double as to_double
from ..ops.version_one import to_float as to_float
from ..ops.version_one import to_int32 as to_int32
from ..ops.version_one import to_int64 as to_int64
from ..ops.linalg.diagonals import trace as trace
from . import compat_v1_train as train
from ..graph.by_hand.default_collections import trainable_variables as trainable_variables
from ..version_one.functions.arrays import transpose as transpose
from ..ops.math.division import truediv as truediv
from ..ops.random.uniform_and_normal import truncated_normal as truncated_normal
from ..version_one.initializers import TruncatedNormalV1 as truncated_normal_initializer
from ..version_one.functions.grouping import tuple as tuple
from ..data.structure import type_spec_from_value as type_spec_from_value
from . import types as types
from ..core.dtypes import uint16 as uint16
from ..core.dtypes import uint32 as uint32
from ..core.dtypes import uint64 as uint64
from ..core.dtypes import uint8 as uint8
from ..version_one.initializers import UniformUnitScaling as uniform_unit_scaling_initializer
from ..ops.array.distinct import unique as unique
from ..ops.array.distinct import unique_with_counts as unique_with_counts
from ..ops.array.grids import unravel_index as unravel_index
from ..ops.math.segments import unsorted_segment_mean as unsorted_segment_mean
from ..ops.math.segments import unsorted_segment_sqrt_n as unsorted_segment_sqrt_n
from ..ops.array.concatenation import unstack as unstack
from . import compat_v1_user_ops as user_ops
from ..version_one.partitioners import variable_axis_size_partitioner as variable_axis_size_partitioner
from ..eager.creation import variable_creator_scope as variable_creator_scope
from ..version_one.variable_scopes import variable_op_scope as variable_op_scope
from ..version_one.variable_scopes import variable_scope as variable_scope
from ..version_one.initialization import variables_initializer as variables_initializer
from ..version_one.initializers import VarianceScalingV1 as variance_scaling_initializer
from ..core.dtypes import variant as variant
from ..control.vectorize import vectorized_map as vectorized_map
from ..version_one.functions.assertions import verify_tensor_all_finite as verify_tensor_all_finite
from . import version as version
from ..version_one.functions.arrays import where as where
from ..ops.array.select import where as where_v2
from ..version_one.functions.control import while_loop as while_loop
from ..function.wrap_function import wrap_function as wrap_function
from ..ops.strings.files import write_file as write_file
from . import xla as xla
from ..ops.array.fill import zeros as zeros
from ..version_one.initializers import ZerosV1 as zeros_initializer
from ..version_one.functions.arrays import zeros_like as zeros_like

__all__ = ['AUTO_REUSE', 'AggregationMethod', 'Assert', 'AttrValue', 'COMPILER_VERSION', 'CXX11_ABI_FLAG', 'CXX_VERSION', 'ConditionalAccumulator', 'ConditionalAccumulatorBase', 'ConfigProto', 'CriticalSection', 'DType', 'DeviceSpec', 'Dimension', 'Event', 'FIFOQueue', 'FixedLenFeature', 'FixedLenSequenceFeature', 'FixedLengthRecordReader', 'GIT_VERSION', 'GPUOptions', 'GRAPH_DEF_VERSION', 'GRAPH_DEF_VERSION_MIN_CONSUMER', 'GRAPH_DEF_VERSION_MIN_PRODUCER', 'GradientTape', 'Graph', 'GraphDef', 'GraphKeys', 'GraphOptions', 'HistogramProto', 'IdentityReader', 'IndexedSlices', 'IndexedSlicesSpec', 'InteractiveSession', 'LogMessage', 'MONOLITHIC_BUILD', 'MetaGraphDef', 'Module', 'NameAttrList', 'NoGradient', 'NodeDef', 'NoneTensorSpec', 'NotDifferentiable', 'OpError', 'Operation', 'OptimizerOptions', 'OptionalSpec', 'PaddingFIFOQueue', 'Print', 'PriorityQueue', 'QUANTIZED_DTYPES', 'QueueBase', 'RaggedTensor', 'RaggedTensorSpec', 'RandomShuffleQueue', 'ReaderBase', 'RegisterGradient', 'RunMetadata', 'RunOptions', 'Session', 'SessionLog', 'SparseConditionalAccumulator', 'SparseFeature', 'SparseTensor', 'SparseTensorSpec', 'SparseTensorValue', 'Summary', 'SummaryMetadata', 'TFRecordReader', 'Tensor', 'TensorArray', 'TensorArraySpec', 'TensorInfo', 'TensorShape', 'TensorSpec', 'TextLineReader', 'TypeSpec', 'UnconnectedGradients', 'VERSION', 'VarLenFeature', 'Variable', 'VariableAggregation', 'VariableScope', 'VariableSynchronization', 'WholeFileReader', 'abs', 'accumulate_n', 'acos', 'acosh', 'add', 'add_check_numerics_ops', 'add_n', 'add_to_collection', 'add_to_collections', 'all_variables', 'angle', 'app', 'approx_top_k', 'arg_max', 'arg_min', 'argmax', 'argmin', 'argsort', 'as_dtype', 'as_string', 'asin', 'asinh', 'assert_equal', 'assert_greater', 'assert_greater_equal', 'assert_integer', 'assert_less', 'assert_less_equal', 'assert_near', 'assert_negative', 'assert_non_negative', 'assert_non_positive', 'assert_none_equal', 'assert_positive', 'assert_proper_iterable', 'assert_rank', 'assert_rank_at_least', 'assert_rank_in', 'assert_same_float_dtype', 'assert_scalar', 'assert_type', 'assert_variables_initialized', 'assign', 'assign_add', 'assign_sub', 'atan', 'atan2', 'atanh', 'audio', 'autograph', 'batch_gather', 'batch_scatter_update', 'batch_to_space', 'batch_to_space_nd', 'betainc', 'bfloat16', 'bincount', 'bitcast', 'bitwise', 'bool', 'boolean_mask', 'broadcast_dynamic_shape', 'broadcast_static_shape', 'broadcast_to', 'case', 'cast', 'ceil', 'check_numerics', 'check_pinned', 'cholesky', 'cholesky_solve', 'clip_by_average_norm', 'clip_by_global_norm', 'clip_by_norm', 'clip_by_value', 'colocate_with', 'complex', 'complex128', 'complex64', 'concat', 'cond', 'config', 'confusion_matrix', 'conj', 'constant', 'constant_initializer', 'container', 'control_dependencies', 'control_flow_v2_enabled', 'conv', 'conv2d_backprop_filter_v2', 'conv2d_backprop_input_v2', 'convert_to_tensor', 'convert_to_tensor_or_indexed_slices', 'convert_to_tensor_or_sparse_tensor', 'cos', 'cosh', 'count_nonzero', 'count_up_to', 'create_partitioned_variables', 'cross', 'cumprod', 'cumsum', 'custom_gradient', 'data', 'debugging', 'decode_base64', 'decode_compressed', 'decode_csv', 'decode_json_example', 'decode_raw', 'delete_session_tensor', 'depth_to_space', 'dequantize', 'deserialize_many_sparse', 'device', 'diag', 'diag_part', 'digamma', 'dimension_at_index', 'dimension_value', 'disable_control_flow_v2', 'disable_eager_execution', 'disable_resource_variables', 'disable_tensor_equality', 'disable_v2_behavior', 'disable_v2_tensorshape', 'distribute', 'distributions', 'div', 'div_no_nan', 'divide', 'double', 'dtypes', 'dynamic_partition', 'dynamic_stitch', 'edit_distance', 'einsum', 'enable_control_flow_v2', 'enable_eager_execution', 'enable_resource_variables', 'enable_tensor_equality', 'enable_v2_behavior', 'enable_v2_tensorshape', 'encode_base64', 'ensure_shape', 'equal', 'erf', 'erfc', 'errors', 'executing_eagerly', 'executing_eagerly_outside_functions', 'exp', 'expand_dims', 'experimental', 'expm1', 'extract_image_patches', 'extract_volume_patches', 'eye', 'fake_quant_with_min_max_args', 'fake_quant_with_min_max_args_gradient', 'fake_quant_with_min_max_vars', 'fake_quant_with_min_max_vars_gradient', 'fake_quant_with_min_max_vars_per_channel', 'fake_quant_with_min_max_vars_per_channel_gradient', 'feature_column', 'fft', 'fft2d', 'fft3d', 'fftnd', 'fill', 'fingerprint', 'fixed_size_partitioner', 'flags', 'float16', 'float32', 'float64', 'floor', 'floor_div', 'floordiv', 'floormod', 'foldl', 'foldr', 'function', 'gather', 'gather_nd', 'get_collection', 'get_collection_ref', 'get_default_graph', 'get_default_session', 'get_local_variable', 'get_logger', 'get_seed', 'get_session_handle', 'get_session_tensor', 'get_static_value', 'get_variable', 'get_variable_scope', 'gfile', 'global_norm', 'global_variables', 'global_variables_initializer', 'glorot_normal_initializer', 'glorot_uniform_initializer', 'grad_pass_through', 'gradients', 'graph_util', 'greater', 'greater_equal', 'group', 'guarantee_const', 'half', 'hessians', 'histogram_fixed_width', 'histogram_fixed_width_bins', 'identity', 'identity_n', 'ifft', 'ifft2d', 'ifft3d', 'ifftnd', 'igamma', 'igammac', 'imag', 'image', 'import_graph_def', 'init_scope', 'initialize_all_tables', 'initialize_all_variables', 'initialize_local_variables', 'initialize_variables', 'initializers', 'int16', 'int32', 'int64', 'int8', 'invert_permutation', 'io', 'irfftnd', 'is_finite', 'is_inf', 'is_nan', 'is_non_decreasing', 'is_numeric_tensor', 'is_strictly_increasing', 'is_symbolic_tensor', 'is_tensor', 'is_variable_initialized', 'layers', 'lbeta', 'less', 'less_equal', 'lgamma', 'lin_space', 'linalg', 'linspace', 'lite', 'load_library', 'load_op_library', 'local_variables', 'local_variables_initializer', 'log', 'log1p', 'log_sigmoid', 'logging', 'logical_and', 'logical_not', 'logical_or', 'logical_xor', 'lookup', 'losses', 'make_ndarray', 'make_template', 'make_tensor_proto', 'manip', 'map_fn', 'matching_files', 'math', 'matmul', 'matrix_band_part', 'matrix_determinant', 'matrix_diag', 'matrix_diag_part', 'matrix_inverse', 'matrix_set_diag', 'matrix_solve', 'matrix_solve_ls', 'matrix_square_root', 'matrix_transpose', 'matrix_triangular_solve', 'maximum', 'meshgrid', 'metrics', 'min_max_variable_partitioner', 'minimum', 'mixed_precision', 'mod', 'model_variables', 'moving_average_variables', 'multinomial', 'multiply', 'name_scope', 'negative', 'nest', 'newaxis', 'nn', 'no_gradient', 'no_op', 'no_regularizer', 'nondifferentiable_batch_function', 'norm', 'not_equal', 'numpy_function', 'one_hot', 'ones', 'ones_initializer', 'ones_like', 'op_scope', 'orthogonal_initializer', 'pad', 'parallel_stack', 'parse_example', 'parse_single_example', 'parse_single_sequence_example', 'parse_tensor', 'placeholder', 'placeholder_with_default', 'polygamma', 'pow', 'print', 'profiler', 'py_func', 'py_function', 'python_io', 'qint16', 'qint32', 'qint8', 'qr', 'quantization', 'quantize', 'quantize_v2', 'quantized_concat', 'queue', 'quint16', 'quint8', 'ragged', 'ragged_fill_empty_rows', 'ragged_fill_empty_rows_grad', 'random', 'random_crop', 'random_gamma', 'random_index_shuffle', 'random_normal', 'random_normal_initializer', 'random_poisson', 'random_shuffle', 'random_uniform', 'random_uniform_initializer', 'range', 'rank', 'raw_ops', 'read_file', 'real', 'realdiv', 'reciprocal', 'recompute_grad', 'reduce_all', 'reduce_any', 'reduce_join', 'reduce_logsumexp', 'reduce_max', 'reduce_mean', 'reduce_min', 'reduce_prod', 'reduce_sum', 'regex_replace', 'register_tensor_conversion_function', 'repeat', 'report_uninitialized_variables', 'required_space_to_batch_paddings', 'reset_default_graph', 'reshape', 'resource', 'resource_loader', 'resource_variables_enabled', 'reverse', 'reverse_sequence', 'reverse_v2', 'rfftnd', 'rint', 'roll', 'round', 'rsqrt', 'saturate_cast', 'saved_model', 'scalar_mul', 'scan', 'scatter_add', 'scatter_div', 'scatter_max', 'scatter_min', 'scatter_mul', 'scatter_nd', 'scatter_nd_add', 'scatter_nd_sub', 'scatter_nd_update', 'scatter_sub', 'scatter_update', 'searchsorted', 'segment_max', 'segment_mean', 'segment_min', 'segment_prod', 'segment_sum', 'self_adjoint_eig', 'self_adjoint_eigvals', 'sequence_mask', 'serialize_many_sparse', 'serialize_sparse', 'serialize_tensor', 'set_random_seed', 'setdiff1d', 'sets', 'shape', 'shape_n', 'sigmoid', 'sign', 'signal', 'sin', 'sinh', 'size', 'slice', 'sort', 'space_to_batch', 'space_to_batch_nd', 'space_to_depth', 'sparse', 'sparse_add', 'sparse_concat', 'sparse_fill_empty_rows', 'sparse_mask', 'sparse_matmul', 'sparse_maximum', 'sparse_merge', 'sparse_minimum', 'sparse_placeholder', 'sparse_reduce_max', 'sparse_reduce_max_sparse', 'sparse_reduce_sum', 'sparse_reduce_sum_sparse', 'sparse_reorder', 'sparse_reset_shape', 'sparse_reshape', 'sparse_retain', 'sparse_segment_mean', 'sparse_segment_sqrt_n', 'sparse_segment_sum', 'sparse_slice', 'sparse_softmax', 'sparse_split', 'sparse_tensor_dense_matmul', 'sparse_tensor_to_dense', 'sparse_to_dense', 'sparse_to_indicator', 'sparse_transpose', 'spectral', 'split', 'sqrt', 'square', 'squared_difference', 'squeeze', 'stack', 'stop_gradient', 'strided_slice', 'string', 'string_join', 'string_split', 'string_strip', 'string_to_hash_bucket', 'string_to_hash_bucket_fast', 'string_to_hash_bucket_strong', 'string_to_number', 'strings', 'substr', 'subtract', 'summary', 'svd', 'switch_case', 'sysconfig', 'tables_initializer', 'tan', 'tanh', 'tensor_scatter_add', 'tensor_scatter_nd_add', 'tensor_scatter_nd_max', 'tensor_scatter_nd_min', 'tensor_scatter_nd_sub', 'tensor_scatter_nd_update', 'tensor_scatter_sub', 'tensor_scatter_update', 'tensordot', 'test', 'tile', 'timestamp', 'to_bfloat16', 'to_complex128', 'to_complex64', 'to_double', 'to_float', 'to_int32', 'to_int64', 'trace', 'train', 'trainable_variables', 'transpose', 'truediv', 'truncated_normal', 'truncated_normal_initializer', 'truncatediv', 'truncatemod', 'tuple', 'type_spec_from_value', 'types', 'uint16', 'uint32', 'uint64', 'uint8', 'uniform_unit_scaling_initializer', 'unique', 'unique_with_counts', 'unravel_index', 'unsorted_segment_max', 'unsorted_segment_mean', 'unsorted_segment_min', 'unsorted_segment_prod', 'unsorted_segment_sqrt_n', 'unsorted_segment_sum', 'unstack', 'user_ops', 'variable_axis_size_partitioner', 'variable_creator_scope', 'variable_op_scope', 'variable_scope', 'variables_initializer', 'variance_scaling_initializer', 'variant', 'vectorized_map', 'verify_tensor_all_finite', 'version', 'where', 'where_v2', 'while_loop', 'wrap_function', 'write_file', 'xla', 'zeros', 'zeros_initializer', 'zeros_like', 'zeta']

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

def betainc(a: _Any, b: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The regularised incomplete beta function I_x(a, b). Shapes are equal, or those of scalars;
    all three are float32 or float64. NaN where a or b is not positive, or x is outside of [0,
    1]. The gradient is by x only.

    >>> tf.math.betainc(1.0, 2.0, [0.0, 0.5, 1.0]).numpy().round(3)
    array([0.  , 0.75, 1.  ], dtype=float32)

    Raises:
        InvalidArgumentError: two shapes differ, and neither is that of a scalar.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def broadcast_to(input: _Any, shape: _Any, name: _Any = None) -> _Tensor:
    """`input` repeated along axes of size 1, and new leading axes, until it has `shape`, a vector
    of sizes.

    input: of any dtype, which the result has.

    >>> tf.broadcast_to([[1], [2]], [2, 3]).numpy()
    array([[1, 1, 1],
           [2, 2, 2]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis has neither the wanted size nor 1 (also a ValueError)."""

def ceil(x: _Any, name: _Any = None) -> _Tensor:
    """The smallest integer not below x, as a float. It has no gradient. Floats of any shape.

    >>> tf.math.ceil([-1.5, 1.5, 2.0]).numpy()
    array([-1.,  2.,  2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def cholesky(input: _Any, name: _Any = None) -> _Tensor:
    """The lower triangular L with L L^H = input, [..., n, n], of which only the lower triangle is
    read: float32, float64 or complex. The triangle of a matrix that is not positive definite is
    NaN.

    >>> tf.linalg.cholesky([[4., 2.], [2., 5.]]).numpy()
    array([[2., 0.],
           [1., 2.]], dtype=float32)

    Raises:
        InvalidArgumentError: the matrices are not square."""

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

def cross(a: _Any, b: _Any, name: _Any = None) -> _Tensor:
    """Cross products of vectors of three elements, along the last axis: a, b and the result are
    [..., 3], real numbers of one dtype and shape.

    >>> tf.linalg.cross([1, 0, 0], [0, 1, 0]).numpy()
    array([0, 0, 1], dtype=int32)

    Raises:
        InvalidArgumentError: the shapes differ, or are those of scalars.
        FailedPreconditionError: the vectors have not three elements."""

def decode_base64(input: _Any, name: _Any = None) -> _Tensor:
    """What strings in base64, with `-` and `_`, say; `=` at the end may be there or not.

    input: string [...]; the result has its shape.

    >>> tf.io.decode_base64(["YQ", "YQ==", "aGVsbG8"]).numpy()
    array([b'a', b'a', b'hello'], dtype=object)

    Raises:
        InvalidArgumentError: a string is not in base64."""

def decode_compressed(bytes: _Any, compression_type: _Any = '', name: _Any = None) -> _Tensor:
    """What compressed strings hold.

    bytes: string [...]; the result has its shape. compression_type: "ZLIB", "GZIP" or "" (none). Of
    data that are cut off, what is there is taken.

    >>> import zlib
    >>> tf.io.decode_compressed(zlib.compress(b"hello"), compression_type="ZLIB").numpy()
    b'hello'

    Raises:
        InvalidArgumentError: the compression is unknown.
        DataLossError: the data are damaged."""

def digamma(x: _Any, name: _Any = None) -> _Tensor:
    """The derivative of lgamma; NaN at 0, -1, -2, ... Floats of any shape.

    >>> tf.math.digamma([1.0, 2.0, -1.0]).numpy().round(3)
    array([-0.577,  0.423,    nan], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def encode_base64(input: _Any, pad: _Any = False, name: _Any = None) -> _Tensor:
    """Strings in base64, with `-` and `_`; filled up with `=` to a multiple of 4 if `pad`.

    input: string [...]; the result has its shape.

    >>> tf.io.encode_base64([b"a", b"hello"]).numpy()
    array([b'YQ', b'aGVsbG8'], dtype=object)

    Raises:
        DTypeMismatchError: `input` are not strings."""

def erf(x: _Any, name: _Any = None) -> _Tensor:
    """The error function: 2 / sqrt(pi) times the integral of exp(-t^2) from 0 to x. Floats of any
    shape.

    >>> tf.math.erf([0.0, 0.5, 10.0]).numpy().round(3)
    array([0.  , 0.52, 1.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def erfc(x: _Any, name: _Any = None) -> _Tensor:
    """1 - erf(x), exact for large x. Floats of any shape.

    >>> tf.math.erfc([0.0, 0.5, -10.0]).numpy().round(3)
    array([1.  , 0.48, 2.  ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def exp(x: _Any, name: _Any = None) -> _Tensor:
    """e to the power x. Floats or complex numbers of any shape.

    >>> tf.exp([0.0, 1.0, -np.inf]).numpy().round(3)
    array([1.   , 2.718, 0.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def expm1(x: _Any, name: _Any = None) -> _Tensor:
    """e to the power x, minus 1, exact for small x. Floats or complex numbers of any shape.

    >>> tf.math.expm1([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  1.718, -1.   ], dtype=float32)

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

def floordiv(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """x / y rounded down. Real numbers of one dtype, which the result has; shapes broadcast.

    >>> tf.math.floordiv([7, -7], 2).numpy()
    array([ 3, -4], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def floormod(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """What remains of x / y rounded down; it has the sign of y. Real numbers of one dtype, shapes
    broadcast.

    >>> tf.math.floormod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1,  2, -2], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

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

def igamma(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The lower incomplete gamma function P(a, x): the integral of t^(a-1) e^-t from 0 to x,
    divided by gamma(a). Floats, shapes broadcast. 0 where x is 0; else NaN where a is not
    positive or x is negative.

    >>> tf.math.igamma([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([0.   , 0.594], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

def igammac(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The upper incomplete gamma function Q(a, x) = 1 - P(a, x), exact where it is small. Floats,
    shapes broadcast. NaN where a is not positive (or NaN) or x is negative.

    >>> tf.math.igammac([1.0, 2.0], [0.0, 2.0]).numpy().round(3)
    array([1.   , 0.406], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

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

def is_finite(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is neither infinite nor NaN, for every element of a float tensor.

    >>> tf.math.is_finite([1.0, np.nan, np.inf]).numpy()
    array([ True, False, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_inf(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is infinite, of either sign, for every element of a float tensor.

    >>> tf.math.is_inf([1.0, np.nan, -np.inf]).numpy()
    array([False, False,  True])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def is_nan(x: _Any, name: _Any = None) -> _Tensor:
    """Whether x is not a number, for every element of a float tensor.

    >>> tf.math.is_nan([1.0, np.nan, np.inf]).numpy()
    array([False,  True, False])

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

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

def lgamma(x: _Any, name: _Any = None) -> _Tensor:
    """The logarithm of the absolute value of the gamma function; inf at 0, -1, -2, ... Floats of
    any shape.

    >>> tf.math.lgamma([1.0, 5.0, -1.0]).numpy().round(3)
    array([0.   , 3.178,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def log(x: _Any, name: _Any = None) -> _Tensor:
    """The natural logarithm; -inf of 0, NaN of negative floats. Floats or complex numbers of any
    shape.

    >>> tf.math.log([1.0, 2.0, 0.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def log1p(x: _Any, name: _Any = None) -> _Tensor:
    """The natural logarithm of 1 + x, exact for small x; -inf at -1, NaN below. Floats or complex
    numbers of any shape.

    >>> tf.math.log1p([0.0, 1.0, -1.0]).numpy().round(3)
    array([0.   , 0.693,  -inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

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

def mod(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """What remains of x / y rounded down; it has the sign of y. Real numbers of one dtype, shapes
    broadcast.

    >>> tf.math.floormod([7, -7, 7], [3, 3, -3]).numpy()
    array([ 1,  2, -2], dtype=int32)

    Raises:
        InvalidArgumentError: an integer divided by 0.
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

def polygamma(a: _Any, x: _Any, name: _Any = None) -> _Tensor:
    """The derivative of order a of digamma(x), for whole numbers a; NaN for others. Floats, shapes
    broadcast. The gradient is by x only.

    >>> tf.math.polygamma([0.0, 1.0, 0.5], 1.0).numpy().round(3)
    array([-0.577,  1.645,    nan], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

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

def reciprocal(x: _Any, name: _Any = None) -> _Tensor:
    """1 / x, of floats or complex numbers of any shape; infinite where x is 0.

    >>> tf.math.reciprocal([2.0, -4.0, 0.0]).numpy()
    array([ 0.5 , -0.25,   inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is of another dtype."""

def reverse(tensor: _Any, axis: _Any, name: _Any = None) -> _Tensor:
    """The elements in reverse order along each axis in `axis`, a vector.

    tensor: of any dtype, which the result has.

    >>> tf.reverse([[1, 2], [3, 4]], [1]).numpy()
    array([[2, 1],
           [4, 3]], dtype=int32)

    Raises:
        InvalidArgumentError: an axis does not exist or is given twice."""

def reverse_v2(tensor: _Any, axis: _Any, name: _Any = None) -> _Tensor:
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

def rint(x: _Any, name: _Any = None) -> _Tensor:
    """The nearest integer, as a float; of two equally near, the even one. It has no gradient.
    Floats of any shape.

    >>> tf.math.rint([0.5, 1.5, -1.7]).numpy()
    array([ 0.,  2., -2.], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def rsqrt(x: _Any, name: _Any = None) -> _Tensor:
    """1 / sqrt(x); infinite at 0, NaN of negative floats. Floats or complex numbers of any shape.

    >>> tf.math.rsqrt([4.0, 0.25, 0.0]).numpy()
    array([0.5, 2. , inf], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def scatter_nd(indices: _Any, updates: _Any, shape: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """`updates` added into zeros of `shape` at `indices` [..., k]: each is the index of the first k
    axes, and updates.shape is indices.shape[:-1] + shape[k:].

    >>> tf.scatter_nd([[1], [3], [1]], [5, 6, 7], [4]).numpy()
    array([ 0, 12,  0,  6], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

def segment_max(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The largest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_max([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_mean(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The mean of each segment; 0 for an empty one; of integers, rounded towards zero.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_mean([1.0, 2.0, 3.0, 5.0], [0, 0, 2, 2]).numpy()
    array([1.5, 0. , 4. ], dtype=float32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_min(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The smallest of each segment; 0 for an empty one.

    data: [n, ...], real numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_min([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([1, 0, 3], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_prod(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The product of each segment; 1 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_prod([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([ 2,  1, 12], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

def segment_sum(data: _Any, segment_ids: _Any, name: _Any = None) -> _Tensor:
    """The sum of each segment; 0 for an empty one.

    data: [n, ...], numbers. segment_ids: [n], int32 or int64, ascending. The result is
    [segment_ids[-1] + 1, ...], of the dtype of `data`.

    >>> tf.math.segment_sum([1, 2, 3, 4], [0, 0, 2, 2]).numpy()
    array([3, 0, 7], dtype=int32)

    Raises:
        InvalidArgumentError: the numbers do not ascend or are negative, or there are not n of them.
        ShapeMismatchError: segment_ids is not a vector."""

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

def squared_difference(x: _Any, y: _Any, name: _Any = None) -> _Tensor:
    """(x - y) (x - y), with the conjugate of one of them where they are complex. Floats, complex
    numbers, int32 or int64 of one dtype, shapes broadcast.

    >>> tf.math.squared_difference([1, 5, 9], 4).numpy()
    array([ 9,  1, 25], dtype=int32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""

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

def tensor_scatter_add(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
    """A copy of `tensor` to which `updates` are added at `indices` [..., k]: each is the index of
    the first k axes, and updates.shape is indices.shape[:-1] + tensor.shape[k:].

    >>> tf.tensor_scatter_nd_add([1, 2, 3], [[0], [2], [0]], [10, 20, 30]).numpy()
    array([41,  2, 23], dtype=int32)

    Raises:
        InvalidArgumentError: an index is out of range, or the shapes do not fit."""

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

def tensor_scatter_sub(tensor: _Any, indices: _Any, updates: _Any, bad_indices_policy: _Any = '', name: _Any = None) -> _Tensor:
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

def unsorted_segment_max(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The largest of each segment; the smallest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_max([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 3], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_min(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The smallest of each segment; the largest finite number for an empty one.

    data: real numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape
    + [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative
    number are dropped.

    >>> tf.math.unsorted_segment_min([1, 7, 3, 4], [1, 0, 1, -1], num_segments=2).numpy()
    array([7, 1], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_prod(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The product of each segment; 1 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_prod([2, 7, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([7, 1, 6], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def unsorted_segment_sum(data: _Any, segment_ids: _Any, num_segments: _Any, name: _Any = None) -> _Tensor:
    """The sum of each segment; 0 for an empty one.

    data: numbers, of a shape that starts with that of segment_ids (int32 or int64): ids.shape +
    [...]. The result is [num_segments, ...], of the dtype of `data`. Slices with a negative number
    are dropped.

    >>> tf.math.unsorted_segment_sum([1, 2, 3, 4], [2, 0, 2, -1], num_segments=3).numpy()
    array([2, 0, 4], dtype=int32)

    Raises:
        InvalidArgumentError: a number is not below num_segments.
        ShapeMismatchError: the shape of `data` does not start with that of `segment_ids`."""

def zeta(x: _Any, q: _Any, name: _Any = None) -> _Tensor:
    """Hurwitz's zeta function: the sum of (q + k)^-x over k = 0, 1, ... x and q are both float32 or
    float64, shapes broadcast. inf where x is 1, NaN where it is less. The gradient is by q only.

    >>> tf.math.zeta([2.0, 2.0, 1.0], [1.0, 2.0, 1.0]).numpy().round(3)
    array([1.645, 0.645,   inf], dtype=float32)

    Raises:
        ShapeMismatchError: the shapes do not broadcast.
        DTypeMismatchError: the dtypes differ, or are not taken."""
