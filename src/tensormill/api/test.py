"""`tf.test`: test cases, and what this build can do."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "experimental=test_experimental",
    "testing.benchmark": "Benchmark benchmark_config",
    "testing.case": "TestCase disable_with_predicate main with_eager_op_as_function",
    "testing.comparisons": "assert_equal_graph_def is_cpu_target_available",
    "testing.gradients": "compute_gradient",
    "eager.devices": (
        "gpu_device_name is_built_with_cuda is_built_with_gpu_support is_built_with_rocm "
        "is_built_with_xla is_gpu_available"
    ),
}

GONE = {
    "create_local_cluster": (
        ": there are no servers of several processes here; test in the one process"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, gone=GONE)
