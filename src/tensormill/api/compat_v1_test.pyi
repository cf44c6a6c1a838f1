# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.test`: test cases, and what helps them."""

from ..testing.benchmark import Benchmark as Benchmark
from ..testing.stubs import StubOutForTesting as StubOutForTesting
from ..testing.case import TestCase as TestCase
from ..version_one.functions.assertions import assert_equal_graph_def as assert_equal_graph_def
from ..testing.benchmark import benchmark_config as benchmark_config
from ..version_one.gradient_checks import compute_gradient as compute_gradient
from ..version_one.gradient_checks import compute_gradient_error as compute_gradient_error
from ..testing.case import disable_with_predicate as disable_with_predicate
from . import test_experimental as experimental
from ..testing.folders import get_temp_dir as get_temp_dir
from ..eager.devices import gpu_device_name as gpu_device_name
from ..eager.devices import is_built_with_cuda as is_built_with_cuda
from ..eager.devices import is_built_with_gpu_support as is_built_with_gpu_support
from ..eager.devices import is_built_with_rocm as is_built_with_rocm
from ..eager.devices import is_built_with_xla as is_built_with_xla
from ..testing.comparisons import is_cpu_target_available as is_cpu_target_available
from ..eager.devices import is_gpu_available as is_gpu_available
from ..testing.case import main as main
from ..testing.folders import test_src_dir_path as test_src_dir_path
from ..testing.case import with_eager_op_as_function as with_eager_op_as_function

__all__ = ['Benchmark', 'StubOutForTesting', 'TestCase', 'assert_equal_graph_def', 'benchmark_config', 'compute_gradient', 'compute_gradient_error', 'disable_with_predicate', 'experimental', 'get_temp_dir', 'gpu_device_name', 'is_built_with_cuda', 'is_built_with_gpu_support', 'is_built_with_rocm', 'is_built_with_xla', 'is_cpu_target_available', 'is_gpu_available', 'main', 'test_src_dir_path', 'with_eager_op_as_function']
