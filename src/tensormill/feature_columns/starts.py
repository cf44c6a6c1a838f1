"""How the vectors of embeddings begin."""

from __future__ import annotations

from typing import Any

from ..core import dtypes
from ..ops.random.uniform_and_normal import truncated_normal


class StartOfVectors:
    """How vectors begin: normal numbers within two standard deviations."""

    public_name = "TruncatedNormal"

    def __init__(self, mean: float = 0.0, stddev: float = 1.0, seed: int | None = None) -> None:
        self.mean, self.stddev, self.seed = mean, stddev, seed

    def __call__(self, shape: Any, dtype: Any = dtypes.float32, **_: Any) -> Any:
        return truncated_normal(shape, self.mean, self.stddev, dtype, self.seed)

    def get_config(self) -> dict[str, Any]:
        """What it was made of."""
        return {"mean": self.mean, "stddev": self.stddev, "seed": self.seed, "dtype": "float32"}
