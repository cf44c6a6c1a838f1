"""`tf.*`: the names of the package itself."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "math nn random strings debugging nest config errors dtypes linalg autograph compat types",
    "core.dtypes": (
        "DType as_dtype bool=bool_ int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 "
        "float32 float64 bfloat16 half double complex64 complex128 string resource variant"
    ),
    "core.shapes": "TensorShape",
    "core.specs": "TensorSpec TypeSpec",
    "core.values": "is_tensor",
    "core.context": "init_scope",
    "eager.tensor": "Tensor is_symbolic_tensor=is_symbolic",
    "eager.convert": "constant convert_to_tensor",
    "eager.variable": "Variable",
    "eager.variable_options": "VariableAggregation VariableSynchronization",
    "eager.scopes": "name_scope control_dependencies device executing_eagerly inside_function",
    "module.module": "Module",
    "eager.creation": "variable_creator_scope",
    "ops.indexed_slices": "IndexedSlices",
    "ops.arithmetic": (
        "abs add add_n divide maximum minimum multiply negative pow scalar_mul sign square "
        "subtract truediv floordiv truncatediv truncatemod realdiv"
    ),
    "ops.elementwise": (
        "acos acosh asin asinh atan atan2 atanh cos cosh exp floor round sigmoid sin sinh sqrt "
        "tan tanh"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE)
