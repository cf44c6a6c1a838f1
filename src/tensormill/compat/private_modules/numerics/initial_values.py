"""`tensorflow.python.ops.init_ops_v2`: initial values that the public API has in Keras alone."""

from __future__ import annotations

import math
from functools import partial
from typing import Any, ClassVar, Final

from ....core import dtypes
from ....module.initializers import Initializer, floating, sizes_of_part
from ....ops.array.fill import eye
from ....ops.array.rearrangement import transpose
from ....ops.array.shapes import reshape
from ....ops.linalg.band_parts import tensor_diag_part
from ....ops.linalg.decompositions import qr
from ....ops.math.signs import sign
from ....ops.random.stateless import (
    stateless_normal,
    stateless_truncated_normal,
    stateless_uniform,
)
from ....ops.random.uniform_and_normal import normal, truncated_normal, uniform
from ....version_one.initializers import fans

# The deviation of normal numbers that are within two deviations.
TRUNCATED: Final = 0.87962566103423978
MODES: Final = ("fan_in", "fan_out", "fan_avg")
DISTRIBUTIONS: Final = ("uniform", "truncated_normal", "untruncated_normal")


class NumbersOfSeed:
    """Random numbers that are the same each time where there is a seed."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = None if seed is None else [seed, 0]

    def random_normal(
        self, shape: Any, mean: Any = 0.0, stddev: Any = 1.0, dtype: Any = dtypes.float32
    ) -> Any:
        """Normally distributed numbers."""
        if self.seed is None:
            return normal(shape, mean, stddev, dtype)
        return stateless_normal(shape, self.seed, mean, stddev, dtype)

    def random_uniform(self, shape: Any, minval: Any, maxval: Any, dtype: Any) -> Any:
        """Numbers from `minval` to `maxval`."""
        if self.seed is None:
            return uniform(shape, minval, maxval, dtype)
        return stateless_uniform(shape, self.seed, minval, maxval, dtype)

    def truncated_normal(self, shape: Any, mean: Any, stddev: Any, dtype: Any) -> Any:
        """Normally distributed numbers within two deviations."""
        if self.seed is None:
            return truncated_normal(shape, mean, stddev, dtype)
        return stateless_truncated_normal(shape, self.seed, mean, stddev, dtype)


class VarianceScaling(Initializer):
    """Numbers of variance `scale` / n, where n counts inputs, outputs, or is their mean.

    mode: "fan_in", "fan_out" or "fan_avg". distribution: "truncated_normal" (or "normal"),
    "untruncated_normal" or "uniform".

    Raises:
        ValueError: `scale` is not positive, there is no such mode or distribution, or (when called)
            the dtype is not floating.
    """

    def __init__(
        self,
        scale: float = 1.0,
        mode: str = "fan_in",
        distribution: str = "truncated_normal",
        seed: int | None = None,
    ) -> None:
        if scale <= 0:
            raise ValueError(f"Argument `scale` must be a positive float, got {scale}")
        if mode not in MODES:
            raise ValueError(f"Argument `mode` must be one of {', '.join(MODES)}, got {mode}")
        kind = {"normal": DISTRIBUTIONS[1]}.get(distribution.lower(), distribution.lower())
        if kind not in DISTRIBUTIONS:
            allowed = ", ".join(DISTRIBUTIONS)
            raise ValueError(
                f"Argument `distribution` must be one of {allowed}, got {distribution}"
            )
        self.scale, self.mode, self.distribution, self.seed = scale, mode, kind, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        kind, sizes = floating(dtype), sizes_of_part(shape, kwargs)
        scale = self.scale / max(1.0, fans([*map(int, shape)])[self.mode])
        numbers = NumbersOfSeed(self.seed)
        if self.distribution == "uniform":
            limit = math.sqrt(3.0 * scale)
            return numbers.random_uniform(sizes, -limit, limit, kind)
        if self.distribution == "untruncated_normal":
            return numbers.random_normal(sizes, 0.0, math.sqrt(scale), kind)
        return numbers.truncated_normal(sizes, 0.0, math.sqrt(scale) / TRUNCATED, kind)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        names = ("scale", "mode", "distribution", "seed")
        return {name: getattr(self, name) for name in names}


class MeanVarianceScaling(VarianceScaling):
    """Variance 1 / n, where n is the mean of inputs and outputs (Glorot and Bengio 2010)."""

    drawn: ClassVar[str]

    def __init__(self, seed: int | None = None) -> None:
        super().__init__(1.0, "fan_avg", self.drawn, seed)

    def get_config(self) -> dict[str, Any]:
        """The argument that makes such an initializer."""
        return {"seed": self.seed}


class GlorotUniform(MeanVarianceScaling):
    """Uniform numbers of that variance."""

    drawn = "uniform"


class GlorotNormal(MeanVarianceScaling):
    """Truncated normal numbers of that variance."""

    drawn = "truncated_normal"


class TruncatedNumbers(Initializer):
    """Normally distributed numbers within two deviations: the same each time for one seed.

    Raises:
        ValueError: (when called) the dtype is not floating.
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        kind, sizes = floating(dtype), sizes_of_part(shape, kwargs)
        return NumbersOfSeed(self.seed).truncated_normal(sizes, self.mean, self.stddev, kind)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


class OrthogonalMatrix(Initializer):
    """A matrix with orthogonal rows or columns, times `gain`; the first axes make its rows.

    Raises:
        ValueError: (when called) the shape has less than two axes, the dtype is not floating, or a
            part is asked for.
    """

    def __init__(self, gain: float = 1.0, seed: int | None = None) -> None:
        self.gain, self.seed = gain, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        sizes, kind = matrix_shape(self, shape, kwargs), floating(dtype)
        rows, columns = math.prod(sizes[:-1]), sizes[-1]
        drawn = NumbersOfSeed(self.seed).random_normal(
            [max(rows, columns), min(rows, columns)], dtype=kind
        )
        q, r = qr(drawn, full_matrices=False)
        q *= sign(tensor_diag_part(r))  # then the distribution is uniform
        return self.gain * reshape(q if rows >= columns else transpose(q), sizes)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"gain": self.gain, "seed": self.seed}


class IdentityMatrix(Initializer):
    """The identity matrix, times `gain`.

    Raises:
        ValueError: (when called) the shape is not that of a matrix, the dtype is not floating, or a
            part is asked for.
    """

    def __init__(self, gain: float = 1.0) -> None:
        self.gain = gain

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        kind, sizes = floating(dtype), matrix_shape(self, shape, kwargs)
        if len(sizes) != 2:
            raise ValueError(f"Identity: `shape` must have two axes, got {tuple(sizes)}")
        return self.gain * eye(*sizes, dtype=kind)

    def get_config(self) -> dict[str, Any]:
        """The argument that makes such an initializer."""
        return {"gain": self.gain}


def matrix_shape(initializer: Initializer, shape: Any, kwargs: dict[str, Any]) -> list[int]:
    """Two sizes or more, of the whole."""
    name, sizes = type(initializer).__name__, [*map(int, shape)]
    if kwargs:
        sizes_of_part(shape, kwargs)  # which refuses other keywords
        raise ValueError(f"{name}: there are no initial values of parts")
    if len(sizes) < 2:
        raise ValueError(f"{name}: `shape` must have two axes or more, got {tuple(sizes)}")
    return sizes


def _of_inputs(scale: float, distribution: str, seed: int | None = None) -> VarianceScaling:
    return VarianceScaling(scale, "fan_in", distribution, seed)


he_normal = partial(_of_inputs, 2.0, "truncated_normal")
he_uniform = partial(_of_inputs, 2.0, "uniform")
lecun_normal = partial(_of_inputs, 1.0, "truncated_normal")
lecun_uniform = partial(_of_inputs, 1.0, "uniform")
