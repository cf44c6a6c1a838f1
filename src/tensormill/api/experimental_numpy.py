"""`tf.experimental.numpy`: NumPy's functions on tensors."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "": "random=experimental_numpy_random",
    "eager.tensor": "ndarray=Tensor",
    "numpy_api.axes": (
        "atleast_1d atleast_2d atleast_3d broadcast_arrays broadcast_to expand_dims flatten flip "
        "fliplr flipud isscalar moveaxis ndim ravel reshape roll rot90 shape size squeeze swapaxes "
        "transpose"
    ),
    "numpy_api.behavior": "experimental_enable_numpy_behavior",
    "numpy_api.creation": (
        "arange array asanyarray asarray ascontiguousarray copy empty empty_like eye full "
        "full_like geomspace identity linspace logspace ones ones_like tri tril "
        "triu vander zeros zeros_like"
    ),
    "numpy_api.diagonals": "diag diag_indices diagflat diagonal trace",
    "numpy_api.dtypes": (
        "bool_ complex128 complex64 complex_ e finfo float16 float32 float64 float_ iinfo inexact "
        "inf int16 int32 int64 int8 int_ issubdtype newaxis object_ pi string_ uint16 uint32 "
        "uint64 uint8 unicode_"
    ),
    "numpy_api.elementwise": (
        "abs=absolute absolute angle arccos arccosh arcsin arcsinh arctan arctanh around "
        "bitwise_not cbrt ceil conj=conjugate conjugate cos cosh deg2rad exp exp2 expm1 fabs fix "
        "floor imag iscomplex iscomplexobj isfinite isinf isnan isneginf isposinf isreal "
        "isrealobj log log10 log1p log2 logical_not negative positive rad2deg real reciprocal "
        "round=around sign signbit sin sinc sinh sqrt square tan tanh"
    ),
    "numpy_api.joining": (
        "append concatenate dsplit dstack hsplit hstack pad repeat split stack tile vsplit vstack"
    ),
    "numpy_api.pairs": (
        "add arctan2 bitwise_and bitwise_or bitwise_xor divide=true_divide divmod equal "
        "float_power floor_divide gcd greater greater_equal heaviside hypot lcm less less_equal "
        "logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mod multiply "
        "nextafter not_equal power remainder=mod subtract true_divide"
    ),
    "numpy_api.products": ("cross dot einsum inner kron matmul outer polyval tensordot vdot"),
    "numpy_api.promotion": "promote_types result_type",
    "numpy_api.reductions": (
        "all allclose amax amin any argmax argmin array_equal average count_nonzero cumprod "
        "cumsum isclose max mean min nanmean nanprod nansum prod ptp std sum var"
    ),
    "numpy_api.selection": (
        "argsort clip compress diff ix_ meshgrid nonzero select sort take take_along_axis where"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.experimental.numpy")
