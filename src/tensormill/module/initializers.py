"""Initial values of variables: `tf.zeros_initializer`, `tf.random_normal_initializer` and the like.

They are called with a shape and a dtype. Keras has its own (`tf.initializers`), and takes these.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from ..core import dtypes
from ..core.dtypes import DType, as_dtype
from ..eager.convert import constant
from ..ops.array.fill import ones, zeros
from ..ops.random.stateless import stateless_normal, stateless_uniform
from ..ops.random.uniform_and_normal import normal, uniform

# What a variable that is cut into parts says of the part that is wanted.
_OF_PARTS: Final = ("partition_shape", "partition_offset")


class Initializer:
    """What makes a tensor of a shape and a dtype."""

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        raise NotImplementedError

    def get_config(self) -> dict[str, Any]:
        """The arguments that make an initializer like this one."""
        return {}

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> Any:
        """An initializer of what `get_config` returned; a "dtype" in it is left out."""
        return cls(**{key: value for key, value in config.items() if key != "dtype"})


class Zeros(Initializer):
    """Zeros.

    Raises:
        ValueError: the dtype is neither numeric nor boolean.
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        return zeros(sizes_of_part(shape, kwargs), _number(dtype))


class Ones(Initializer):
    """Ones.

    Raises:
        ValueError: the dtype is neither numeric nor boolean.
    """

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        return ones(sizes_of_part(shape, kwargs), _number(dtype))


class Constant(Initializer):
    """One number everywhere, or the elements of a list or an array of as many.

    Args:
        value: a Python value or an array.
        support_partition: whether parts of a variable may be asked for.

    Raises:
        TypeError: `value` is a tensor, or has another number of elements than the shape.
        ValueError: a part is asked for.
    """

    def __init__(self, value: Any = 0, support_partition: bool = False) -> None:
        if not (np.isscalar(value) or isinstance(value, (list, tuple, np.ndarray))):
            raise TypeError(
                f"Invalid type for initial value: {type(value).__name__}; numbers, nested lists or "
                "tuples of them, and NumPy arrays are taken"
            )
        self.value = value
        self.support_partition = support_partition

    def __call__(self, shape: Any, dtype: Any = None, **kwargs: Any) -> Any:
        if kwargs and not self.support_partition:
            sizes_of_part(shape, kwargs)
            raise ValueError("constant_initializer: parts need support_partition=True")
        wanted = None if dtype is None else as_dtype(dtype)
        return constant(self.value, wanted, shape=sizes_of_part(shape, kwargs))

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"value": self.value}


class RandomUniform(Initializer):
    """Numbers between `minval` and `maxval`: the same each time where there is a seed.

    Raises:
        ValueError: the dtype is not numeric.
    """

    def __init__(self, minval: Any = -0.05, maxval: Any = 0.05, seed: int | None = None) -> None:
        self.minval, self.maxval, self.seed = minval, maxval, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        kind, sizes = _number(dtype), sizes_of_part(shape, kwargs)
        if self.seed is None:
            return uniform(sizes, self.minval, self.maxval, kind)
        return stateless_uniform(sizes, [self.seed, 0], self.minval, self.maxval, kind)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"minval": self.minval, "maxval": self.maxval, "seed": self.seed}


class RandomNormal(Initializer):
    """Normally distributed numbers: the same each time where there is a seed.

    Raises:
        ValueError: the dtype is not floating.
    """

    def __init__(self, mean: Any = 0.0, stddev: Any = 0.05, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **kwargs: Any) -> Any:
        kind, sizes = floating(dtype), sizes_of_part(shape, kwargs)
        if self.seed is None:
            return normal(sizes, self.mean, self.stddev, kind)
        return stateless_normal(sizes, [self.seed, 0], self.mean, self.stddev, kind)

    def get_config(self) -> dict[str, Any]:
        """The arguments that make such an initializer."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed}


def floating(dtype: Any) -> DType:
    """A dtype of floats.

    Raises:
        ValueError: it is another one.
    """
    kind = as_dtype(dtype)
    if not kind.is_floating:
        raise ValueError(f"Argument `dtype` is expected to be floating point. Received: {kind}.")
    return kind


def _number(dtype: Any) -> DType:
    kind = as_dtype(dtype)
    if kind.family == "string":
        raise ValueError(f"Argument `dtype` expected to be numeric or boolean. Received {kind}.")
    return kind


def sizes_of_part(shape: Any, kwargs: Mapping[str, Any]) -> Any:
    """The shape to make: that of a part, where one is asked for."""
    for name in kwargs:
        if name not in _OF_PARTS:
            raise TypeError(
                f"Keyword argument should be one of {list(_OF_PARTS)}. Received: {name}"
            )
    return kwargs.get("partition_shape", shape)
