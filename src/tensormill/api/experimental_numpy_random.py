"""`tf.experimental.numpy.random`: numbers by chance, with NumPy's names."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "numpy_api.random": "poisson rand randint randn random seed standard_normal uniform",
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.experimental.numpy.random")
