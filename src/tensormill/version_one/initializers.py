"""Initial values of variables, as TensorFlow 1 has them: made with a dtype, called with a shape.

Their numbers come from operations of the graph: each session that initializes draws others.
"""

from __future__ import annotations

import math
from typing import Any, ClassVar, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import as_dtype
from ..core.shapes import as_shape
from ..eager.convert import constant
from ..ops.array.fill import eye, ones, zeros
from ..ops.array.rearrangement import transpose
from ..ops.array.shapes import reshape
from ..ops.array.slicing import slice as slice_of
from ..ops.linalg.band_parts import tensor_diag_part
from ..ops.linalg.decompositions import qr
from ..ops.math.signs import sign
from ..ops.random.uniform_and_normal import normal, truncated_normal, uniform

# The standard deviation of normal numbers of which those beyond two deviations are drawn again.
_TRUNCATED: Final = 0.87962566103423978


class InitializerV1:
    """What makes a tensor of a shape; `dtype` is what it has unless a call says another."""

    dtype: Any

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if cls.__module__ == __name__:  # called as in TensorFlow, where another module has it
            cls.__name__ = cls.__name__.removesuffix("V1")

    def __call__(
        self, shape: Any, dtype: Any = None, partition_info: Any = None, **options: Any
    ) -> Any:
        """A tensor of `shape`."""
        wanted = as_dtype(self.dtype if dtype is None else dtype)
        sizes = as_shape(shape).as_list()
        if partition_info is None:
            return self._made(sizes, wanted)
        return self._made_part(sizes, wanted, partition_info)

    def _made_part(self, shape: Any, dtype: Any, part: Any) -> Any:
        """What a part of a variable starts at, which is of that shape."""
        return self._made(shape, dtype)

    def _made(self, shape: Any, dtype: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {**vars(self), "dtype": as_dtype(self.dtype).name}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> Any:
        """An initializer of what `get_config` returned."""
        return cls(**config)


class ZerosV1(InitializerV1):
    """Zeros.

    >>> tf.compat.v1.zeros_initializer()([2]).numpy()
    array([0., 0.], dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return zeros(shape, dtype)


class OnesV1(InitializerV1):
    """Ones.

    >>> tf.compat.v1.ones_initializer()([2]).numpy()
    array([1., 1.], dtype=float32)
    """

    def __init__(self, dtype: Any = dtypes.float32) -> None:
        self.dtype = dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return ones(shape, dtype)


class ConstantV1(InitializerV1):
    """One number everywhere, or the elements of a list or an array.

    >>> tf.compat.v1.constant_initializer(3)([2]).numpy()
    array([3., 3.], dtype=float32)

    Raises:
        TypeError: `value` is a tensor, or (when called) has another number of elements.
    """

    def __init__(
        self, value: Any = 0, dtype: Any = dtypes.float32, verify_shape: bool = False
    ) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}; numbers, nested lists or "
                "tuples of them, and NumPy arrays are taken"
            )
        self.value = value
        self.dtype = dtype
        self._verify_shape = verify_shape

    def _made(self, shape: list[int], dtype: Any) -> Any:
        if self._verify_shape and list(np.shape(self.value)) != shape:
            raise TypeError(f"Expected Tensor's shape: {tuple(shape)}, got {np.shape(self.value)}.")
        return constant(self.value, dtype, shape=shape)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"value": self.value, "dtype": as_dtype(self.dtype).name}


class RandomUniformV1(InitializerV1):
    """Uniform numbers from `minval` up to `maxval`, which for floats is 1 if nothing is said.

    >>> tf.compat.v1.random_uniform_initializer(1, 2, seed=1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, minval: Any = 0.0, maxval: Any = None, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        self.minval, self.maxval, self.seed, self.dtype = minval, maxval, seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return uniform(shape, self.minval, self.maxval, dtype, self.seed)


class RandomNormalV1(InitializerV1):
    """Normal numbers.

    >>> tf.compat.v1.random_normal_initializer(stddev=0.1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return normal(shape, self.mean, self.stddev, dtype, self.seed)


class TruncatedNormalV1(InitializerV1):
    """Normal numbers; those more than two standard deviations off are drawn again.

    >>> tf.compat.v1.truncated_normal_initializer(stddev=0.1)([2]).shape
    TensorShape([2])
    """

    def __init__(
        self, mean: Any = 0.0, stddev: Any = 1.0, seed: Any = None, dtype: Any = dtypes.float32
    ) -> None:
        self.mean, self.stddev, self.seed, self.dtype = mean, stddev, seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)


class UniformUnitScaling(InitializerV1):
    """Uniform numbers that keep the scale of what a layer gets: up to sqrt(3 / inputs) * factor.

    >>> tf.compat.v1.uniform_unit_scaling_initializer()([2, 3]).shape
    TensorShape([2, 3])
    """

    def __init__(
        self, factor: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.factor, self.seed, self.dtype = factor, seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return self._scaled(shape, dtype, shape)

    def _made_part(self, shape: list[int], dtype: Any, part: Any) -> Any:
        return self._scaled(shape, dtype, part.full_shape)

    def _scaled(self, shape: list[int], dtype: Any, whole: list[int]) -> Any:
        inputs = max(math.prod(whole[:-1]) if whole else 1, 1)
        limit = math.sqrt(3 / inputs) * self.factor
        return uniform(shape, -limit, limit, dtype, self.seed)


class VarianceScalingV1(InitializerV1):
    """Numbers of variance `scale` / n, where n counts inputs, outputs, or is their mean.

    The last axis counts outputs, the one before it inputs; all others are a window.

    mode: "fan_in", "fan_out" or "fan_avg". distribution: "truncated_normal" (or "normal"),
    "untruncated_normal", or "uniform".

    >>> tf.compat.v1.variance_scaling_initializer(2.0)([2, 3]).shape
    TensorShape([2, 3])

    Raises:
        ValueError: `scale` is not positive, or there is no such mode or distribution.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
        dtype: Any = dtypes.float32,
    ) -> None:
        if scale <= 0.0:
            raise ValueError(f"Argument `scale` must be a positive float, got {scale}")
        if mode not in ("fan_in", "fan_out", "fan_avg"):
            raise ValueError(f"Argument `mode` should be fan_in, fan_out or fan_avg, got {mode}")
        kind = distribution.lower()
        if kind not in ("normal", "uniform", "truncated_normal", "untruncated_normal"):
            raise ValueError(
                "Argument `distribution` should be normal, truncated_normal, untruncated_normal "
                f"or uniform, got {distribution}"
            )
        self.scale, self.mode, self.distribution = scale, mode, kind
        self.seed, self.dtype = seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        return self._scaled(shape, dtype, shape)

    def _made_part(self, shape: list[int], dtype: Any, part: Any) -> Any:
        return self._scaled(shape, dtype, part.full_shape)

    def _scaled(self, shape: list[int], dtype: Any, whole: list[int]) -> Any:
        scale = self.scale / max(1.0, fans(whole)[self.mode])
        match self.distribution:
            case "uniform":
                limit = math.sqrt(3.0 * scale)
                return uniform(shape, -limit, limit, dtype, self.seed)
            case "untruncated_normal":
                return normal(shape, 0.0, math.sqrt(scale), dtype, self.seed)
            case _:
                deviation = math.sqrt(scale) / _TRUNCATED
                return truncated_normal(shape, 0.0, deviation, dtype, self.seed)


def fans(shape: list[int]) -> dict[str, float]:
    """How many inputs and outputs weights of a shape join."""
    outputs = shape[-1] if shape else 1
    inputs = shape[-2] if len(shape) > 1 else outputs
    window = math.prod(shape[:-2])
    return {
        "fan_in": window * inputs,
        "fan_out": window * outputs,
        "fan_avg": window * (inputs + outputs) / 2.0,
    }


class Scaled(VarianceScalingV1):
    """Those that only differ in the arguments of `VarianceScalingV1`."""

    given: ClassVar[tuple[float, str, str]]

    def __init__(self, seed: int | None = None, dtype: Any = dtypes.float32) -> None:
        super().__init__(*self.given, seed=seed, dtype=dtype)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"seed": self.seed, "dtype": as_dtype(self.dtype).name}


class GlorotUniformV1(Scaled):
    """Uniform numbers of variance 2 / (inputs + outputs) (Glorot and Bengio 2010).

    >>> weights = tf.compat.v1.glorot_uniform_initializer()([2, 4])
    >>> weights.shape, bool(tf.reduce_all(tf.abs(weights) <= 1))
    (TensorShape([2, 4]), True)
    """

    given = (1.0, "fan_avg", "uniform")


class GlorotNormalV1(Scaled):
    """Truncated normal numbers of variance 2 / (inputs + outputs) (Glorot and Bengio 2010).

    >>> tf.compat.v1.glorot_normal_initializer()([2, 4]).shape
    TensorShape([2, 4])
    """

    given = (1.0, "fan_avg", "truncated_normal")


class Orthogonal(InitializerV1):
    """A matrix with orthogonal rows or columns, times `gain`; the first axes make its rows.

    >>> q = tf.compat.v1.orthogonal_initializer(seed=1)([2, 2])
    >>> bool(tf.reduce_all(tf.abs(tf.matmul(q, q, transpose_b=True) - tf.eye(2)) < 1e-5))
    True

    Raises:
        ValueError: (when called) the shape has less than two axes.
    """

    def __init__(
        self, gain: float = 1.0, seed: int | None = None, dtype: Any = dtypes.float32
    ) -> None:
        self.gain, self.seed, self.dtype = gain, seed, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        if len(shape) < 2:
            raise ValueError(
                f"The tensor to initialize must be at least two-dimensional, got the shape {shape}"
            )
        rows, columns = math.prod(shape[:-1]), shape[-1]
        drawn = normal([max(rows, columns), min(rows, columns)], dtype=dtype, seed=self.seed)
        q, r = qr(drawn, full_matrices=False)
        q *= sign(tensor_diag_part(r))  # then the distribution is uniform
        return self.gain * reshape(q if rows >= columns else transpose(q), shape)


class IdentityV1(InitializerV1):
    """The identity matrix, times `gain`.

    >>> tf.compat.v1.initializers.identity()([2, 2]).numpy().tolist()
    [[1.0, 0.0], [0.0, 1.0]]

    Raises:
        ValueError: (when called) the shape is not that of a matrix.
    """

    def __init__(self, gain: float = 1.0, dtype: Any = dtypes.float32) -> None:
        self.gain, self.dtype = gain, dtype

    def _made(self, shape: list[int], dtype: Any) -> Any:
        if len(shape) != 2:
            raise ValueError(f"The tensor to initialize must be two-dimensional, got {shape}")
        return self.gain * eye(*shape, dtype=dtype)

    def _made_part(self, shape: list[int], dtype: Any, part: Any) -> Any:
        return slice_of(self._made(part.full_shape, dtype), part.var_offset, shape)


def he_normal(seed: int | None = None) -> VarianceScalingV1:
    """Truncated normal numbers of variance 2 / inputs (He and others 2015).

    >>> tf.compat.v1.initializers.he_normal()([2, 4]).shape
    TensorShape([2, 4])

    Raises:
        ValueError (when it is called): the shape is unknown, or has a size below 0; or the dtype is
            not one of floats.
    """
    return VarianceScalingV1(2.0, "fan_in", "truncated_normal", seed)


def he_uniform(seed: int | None = None) -> VarianceScalingV1:
    """Uniform numbers of variance 2 / inputs (He and others 2015).

    >>> tf.compat.v1.initializers.he_uniform()([2, 4]).shape
    TensorShape([2, 4])

    Raises:
        ValueError (when it is called): the shape is unknown, or has a size below 0; or the dtype is
            not one of floats.
    """
    return VarianceScalingV1(2.0, "fan_in", "uniform", seed)


def lecun_normal(seed: int | None = None) -> VarianceScalingV1:
    """Truncated normal numbers of variance 1 / inputs (LeCun and others 1998).

    >>> tf.compat.v1.initializers.lecun_normal()([2, 4]).shape
    TensorShape([2, 4])

    Raises:
        ValueError (when it is called): the shape is unknown, or has a size below 0; or the dtype is
            not one of floats.
    """
    return VarianceScalingV1(1.0, "fan_in", "truncated_normal", seed)


def lecun_uniform(seed: int | None = None) -> VarianceScalingV1:
    """Uniform numbers of variance 1 / inputs (LeCun and others 1998).

    >>> tf.compat.v1.initializers.lecun_uniform()([2, 4]).shape
    TensorShape([2, 4])

    Raises:
        ValueError (when it is called): the shape is unknown, or has a size below 0; or the dtype is
            not one of floats.
    """
    return VarianceScalingV1(1.0, "fan_in", "uniform", seed)
