"""`tf.math.sobol_sample`: points that fill a cube evenly."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..bind import bind
from ..conversion import as_tensor
from ..op import Attr, In, Op, Out, types

MOST_AXES = 21201  # Joe and Kuo 2008 have so many direction numbers, and so has SciPy


class SobolSample(Op):
    """Points of a Sobol sequence (SciPy's), the first of all left out."""

    dim = In("i32")
    num_results = In("i32")
    skip = In("i32")
    samples = Out("dtype n d")
    dtype = Attr(dtypes.float32, types("f32 f64"))
    differentiable = False

    def infer(self) -> TensorSpec:
        known = [
            None if one.value is None else int(one.value) for one in (self.num_results, self.dim)
        ]
        return TensorSpec(known, self.dtype)

    def eager(self, np: Any) -> Any:
        dim, count, skip = int(self.dim), int(self.num_results), int(self.skip)
        for name, number, least in (("dim", dim, 1), ("num_results", count, 1), ("skip", skip, 0)):
            if number < least:
                raise InvalidArgumentError(f"{name} must be at least {least}, not {number}")
        if dim > MOST_AXES:
            raise InvalidArgumentError(f"dim must be at most {MOST_AXES}, not {dim}")
        from scipy.stats.qmc import Sobol

        sequence = Sobol(dim, scramble=False, bits=32)
        sequence.fast_forward(skip + 1)
        return sequence.random(count).astype(self.dtype.storage)


FLOATS_OF_SOBOL = types("f32 f64")


def sobol_sample(
    dim: Any, num_results: Any, skip: Any = 0, dtype: Any = dtypes.float32, name: str | None = None
) -> Any:
    """Points of the Sobol sequence, which fill [0, 1)^dim more evenly than random ones.

    dim, num_results: positive ints. skip: how many points are left out before. dtype: float32 or
    float64. The result is [num_results, dim]. (Joe and Kuo 2008.)

    >>> tf.math.sobol_sample(2, 3).numpy()
    array([[0.5 , 0.5 ],
           [0.75, 0.25],
           [0.25, 0.75]], dtype=float32)

    Raises:
        InvalidArgumentError: `dim` or `num_results` is below 1, or `skip` is negative.
    """
    numbers = [as_tensor(one, dtypes.int32) for one in (dim, num_results, skip)]
    found = as_dtype(dtype)
    if found not in FLOATS_OF_SOBOL:
        raise TypeError(f"sobol_sample gives float32 or float64, not {found.name}")
    return bind(SobolSample, *numbers, dtype=found, name=name)
