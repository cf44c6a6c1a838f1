# Written by `make stubs` from the table beside it.

"""`tf.nn`: activations, losses, layers without state."""

from ..eager.tensor import Tensor as _Tensor
from builtins import float as _float
from typing import Any as _Any
from ..version_one.recurrent_wrappers import RNNCellDeviceWrapper as RNNCellDeviceWrapper
from ..version_one.recurrent_wrappers import RNNCellDropoutWrapper as RNNCellDropoutWrapper
from ..version_one.recurrent_wrappers import RNNCellResidualWrapper as RNNCellResidualWrapper
from ..ops.random.candidates import all_candidate_sampler as all_candidate_sampler
from ..ops.array.approximate_top import approx_max_k as approx_max_k
from ..ops.array.approximate_top import approx_min_k as approx_min_k
from ..ops.nn.convolution_functions import atrous_conv2d as atrous_conv2d
from ..ops.nn.convolution_functions import atrous_conv2d_transpose as atrous_conv2d_transpose
from ..ops.nn.pooling_functions import avg_pool as avg_pool
from ..ops.nn.pooling_functions import avg_pool1d as avg_pool1d
from ..ops.nn.pooling_functions import avg_pool2d as avg_pool2d
from ..ops.nn.pooling_functions import avg_pool3d as avg_pool3d
from ..ops.math.moments import batch_norm_with_global_normalization as batch_norm_with_global_normalization
from ..ops.math.moments import batch_normalization as batch_normalization
from ..ops.nn.bias_and_dropout import bias_add as bias_add
from ..ops.nn.label_rows import collapse_repeated as collapse_repeated
from ..ops.nn.sampled_losses import compute_accidental_hits as compute_accidental_hits
from ..ops.nn.losses import compute_average_loss as compute_average_loss
from ..ops.nn.convolution_functions import conv1d as conv1d
from ..ops.nn.convolution_functions import conv1d_transpose as conv1d_transpose
from ..ops.nn.convolution_functions import conv2d as conv2d
from ..ops.nn.convolution_functions import conv2d_transpose as conv2d_transpose
from ..ops.nn.convolution_functions import conv3d as conv3d
from ..ops.nn.convolution_functions import conv3d_transpose as conv3d_transpose
from ..ops.nn.convolution_functions import conv_transpose as conv_transpose
from ..ops.nn.convolution_functions import convolution as convolution
from ..ops.nn.losses import crelu as crelu
from ..ops.nn.ctc_decoding import ctc_beam_search_decoder as ctc_beam_search_decoder
from ..ops.nn.ctc_decoding import ctc_greedy_decoder as ctc_greedy_decoder
from ..ops.nn.ctc import ctc_loss as ctc_loss
from ..ops.nn.label_rows import ctc_unique_labels as ctc_unique_labels
from ..ops.nn.space_to_depth import depth_to_space as depth_to_space
from ..ops.nn.convolution_functions import depthwise_conv2d as depthwise_conv2d
from ..ops.nn.convolution_variants import depthwise_conv2d_backprop_filter as depthwise_conv2d_backprop_filter
from ..ops.nn.convolution_variants import depthwise_conv2d_backprop_input as depthwise_conv2d_backprop_input
from ..ops.nn.morphology import dilation2d as dilation2d
from ..ops.nn.bias_and_dropout import dropout as dropout
from ..ops.sparse.embeddings import embedding_lookup as embedding_lookup
from ..ops.sparse.embedding_lookup import embedding_lookup_sparse as embedding_lookup_sparse
from ..ops.nn.morphology import erosion2d as erosion2d
from . import nn_experimental as experimental
from ..ops.random.candidates import fixed_unigram_candidate_sampler as fixed_unigram_candidate_sampler
from ..ops.nn.fractional_pooling import fractional_avg_pool as fractional_avg_pool
from ..ops.nn.fractional_pooling import fractional_max_pool as fractional_max_pool
from ..ops.nn.activations import gelu as gelu
from ..ops.nn.bias_and_dropout import in_top_k as in_top_k
from ..ops.nn.isotonic import isotonic_regression as isotonic_regression
from ..ops.math.norms import l2_loss as l2_loss
from ..ops.math.norms import l2_normalize as l2_normalize
from ..ops.nn.activations import leaky_relu as leaky_relu
from ..ops.random.candidates import learned_unigram_candidate_sampler as learned_unigram_candidate_sampler
from ..ops.nn.normalisation import local_response_normalization as local_response_normalization
from ..ops.nn.losses import log_poisson_loss as log_poisson_loss
from ..ops.nn.softmax import log_softmax as log_softmax
from ..ops.nn.normalisation import local_response_normalization as lrn
from ..ops.nn.pooling_functions import max_pool as max_pool
from ..ops.nn.pooling_functions import max_pool1d as max_pool1d
from ..ops.nn.pooling_functions import max_pool2d as max_pool2d
from ..ops.nn.pooling_functions import max_pool3d as max_pool3d
from ..ops.nn.pooling_functions import max_pool_with_argmax as max_pool_with_argmax
from ..ops.math.moments import moments as moments
from ..ops.nn.sampled_losses import nce_loss as nce_loss
from ..ops.nn.normalisation import normalize_moments as normalize_moments
from ..ops.nn.pooling_functions import pool as pool
from ..ops.sparse.embedding_lookup import safe_embedding_lookup_sparse as safe_embedding_lookup_sparse
from ..ops.nn.sampled_losses import sampled_softmax_loss as sampled_softmax_loss
from ..ops.nn.losses import scale_regularization_loss as scale_regularization_loss
from ..ops.nn.convolution_functions import separable_conv2d as separable_conv2d
from ..ops.nn.softmax import sigmoid_cross_entropy_with_logits as sigmoid_cross_entropy_with_logits
from ..ops.nn.softmax import softmax as softmax
from ..ops.nn.softmax import softmax_cross_entropy_with_logits as softmax_cross_entropy_with_logits
from ..ops.nn.space_to_depth import space_to_batch as space_to_batch
from ..ops.nn.space_to_depth import space_to_depth as space_to_depth
from ..ops.nn.softmax import sparse_softmax_cross_entropy_with_logits as sparse_softmax_cross_entropy_with_logits
from ..ops.nn.normalisation import sufficient_statistics as sufficient_statistics
from ..ops.nn.activations import swish as swish
from ..ops.array.sorting import top_k as top_k
from ..ops.nn.losses import weighted_cross_entropy_with_logits as weighted_cross_entropy_with_logits
from ..ops.nn.normalisation import weighted_moments as weighted_moments
from ..ops.nn.space_to_depth import with_space_to_batch as with_space_to_batch
from ..ops.math.moments import zero_fraction as zero_fraction

__all__ = ['RNNCellDeviceWrapper', 'RNNCellDropoutWrapper', 'RNNCellResidualWrapper', 'all_candidate_sampler', 'approx_max_k', 'approx_min_k', 'atrous_conv2d', 'atrous_conv2d_transpose', 'avg_pool', 'avg_pool1d', 'avg_pool2d', 'avg_pool3d', 'batch_norm_with_global_normalization', 'batch_normalization', 'bias_add', 'collapse_repeated', 'compute_accidental_hits', 'compute_average_loss', 'conv1d', 'conv1d_transpose', 'conv2d', 'conv2d_transpose', 'conv3d', 'conv3d_transpose', 'conv_transpose', 'convolution', 'crelu', 'ctc_beam_search_decoder', 'ctc_greedy_decoder', 'ctc_loss', 'ctc_unique_labels', 'depth_to_space', 'depthwise_conv2d', 'depthwise_conv2d_backprop_filter', 'depthwise_conv2d_backprop_input', 'dilation2d', 'dropout', 'elu', 'embedding_lookup', 'embedding_lookup_sparse', 'erosion2d', 'experimental', 'fixed_unigram_candidate_sampler', 'fractional_avg_pool', 'fractional_max_pool', 'gelu', 'in_top_k', 'isotonic_regression', 'l2_loss', 'l2_normalize', 'leaky_relu', 'learned_unigram_candidate_sampler', 'local_response_normalization', 'log_poisson_loss', 'log_softmax', 'lrn', 'max_pool', 'max_pool1d', 'max_pool2d', 'max_pool3d', 'max_pool_with_argmax', 'moments', 'nce_loss', 'normalize_moments', 'pool', 'relu', 'relu6', 'safe_embedding_lookup_sparse', 'sampled_softmax_loss', 'scale_regularization_loss', 'selu', 'separable_conv2d', 'sigmoid', 'sigmoid_cross_entropy_with_logits', 'silu', 'softmax', 'softmax_cross_entropy_with_logits', 'softplus', 'softsign', 'space_to_batch', 'space_to_depth', 'sparse_softmax_cross_entropy_with_logits', 'sufficient_statistics', 'swish', 'tanh', 'top_k', 'weighted_cross_entropy_with_logits', 'weighted_moments', 'with_space_to_batch', 'zero_fraction']

def elu(features: _Any, name: _Any = None) -> _Tensor:
    """x where it is positive, e**x - 1 elsewhere, for each element of floats.

    Clevert et al. 2015, https://arxiv.org/abs/1511.07289.

    >>> tf.nn.elu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.632,  0.   ,  2.   ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def relu(features: _Any, name: _Any = None) -> _Tensor:
    """max(x, 0), for each element. The gradient at 0 is 0.

    features: real numbers (not complex), of any shape and dtype; the result has both.

    >>> tf.nn.relu([-2, 0, 3]).numpy()
    array([0, 0, 3], dtype=int32)

    Raises:
        DTypeMismatchError: features are not real numbers."""

def relu6(features: _Any, name: _Any = None) -> _Tensor:
    """min(max(x, 0), 6), for each element of real numbers.

    >>> tf.nn.relu6([-2, 3, 8]).numpy()
    array([0, 3, 6], dtype=int32)

    Raises:
        DTypeMismatchError: features are not real numbers."""

def selu(features: _Any, name: _Any = None) -> _Tensor:
    """scale x where it is positive, scale alpha (e**x - 1) elsewhere, for each element of floats.

    scale is about 1.0507 and alpha about 1.6733 (Klambauer et al. 2017,
    https://arxiv.org/abs/1706.02515).

    >>> tf.nn.selu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-1.111,  0.   ,  2.101], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def sigmoid(x: _Any, name: _Any = None) -> _Tensor:
    """1 / (1 + exp(-x)), computed without overflow. Floats or complex numbers of any shape.

    >>> tf.sigmoid([-1000.0, 0.0, 1.0]).numpy().round(3)
    array([0.   , 0.5  , 0.731], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""

def silu(features: _Any, beta: _float = 1.0) -> _Any:
    """x sigmoid(beta x), for each element.

    features: floats of any shape; the result has this shape and dtype. beta: a number or a scalar.

    >>> tf.nn.silu([-1.0, 0.0, 2.0]).numpy().round(3)
    array([-0.269,  0.   ,  1.762], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats, or `beta` is not of their dtype.
        ShapeMismatchError: the shapes do not broadcast."""

def softplus(features: _Any, name: _Any = None) -> _Tensor:
    """log(1 + e**x), without overflow, for each element of floats.

    >>> tf.math.softplus([-1.0, 0.0, 99.0]).numpy().round(3)
    array([ 0.313,  0.693, 99.   ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def softsign(features: _Any, name: _Any = None) -> _Tensor:
    """x / (1 + |x|), between -1 and 1, for each element of floats.

    >>> tf.math.softsign([-3.0, 0.0, 1.0]).numpy()
    array([-0.75,  0.  ,  0.5 ], dtype=float32)

    Raises:
        DTypeMismatchError: features are not floats."""

def tanh(x: _Any, name: _Any = None) -> _Tensor:
    """The hyperbolic tangent, sinh(x) / cosh(x). Floats or complex numbers of any shape.

    >>> tf.tanh([0.0, 1.0, -np.inf]).numpy().round(3)
    array([ 0.   ,  0.762, -1.   ], dtype=float32)

    Raises:
        DTypeMismatchError: x is a tensor of another dtype."""
