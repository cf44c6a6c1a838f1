"""All of Keras's tests, in parts that take minutes at most; the quick ones first."""

from __future__ import annotations

FOLDERS = (
    "tree", "regularizers", "activations", "losses", "initializers", "constraints", "optimizers",
    "metrics", "dtype_policies", "random", "wrappers", "testing", "datasets",
    "applications/imagenet_utils_test.py", "layers/layer_test.py",
    "layers/activations", "layers/regularization", "layers/normalization", "layers/reshaping",
    "layers/merging", "layers/pooling", "layers/attention", "layers/core", "layers/convolutional",
    "layers/rnn", "layers/preprocessing", "backend/common", "backend/tensorflow", "backend/tests",
    "saving", "export", "legacy", "callbacks", "models", "quantizers", "distribution",
    "distillation", "utils", "trainers", "ops/core_test.py", "ops/einops_test.py",
    "ops/function_test.py", "ops/image_test.py", "ops/linalg_test.py", "ops/math_test.py",
    "ops/node_test.py", "ops/operation_test.py", "ops/operation_utils_test.py", "ops/ops_test.py",
    "ops/symbolic_arguments_test.py", "ops/nn_test.py", "ops/numpy_test.py",
)  # fmt: skip

# What is not asked of us.
OF_OTHERS = {
    "applications/applications_test.py": "downloads weights",
    "backend/jax": "of another backend",
    "backend/torch": "of another backend",
}
