"""Prices of a million options by Black and Scholes, calls and puts: one pass over memory."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from bench.work import Bound, Goal, Timed, Work, tf2

OPTIONS, RATE, VOLATILITY = 1_000_000, 0.02, 0.3


def operands() -> list[np.ndarray]:
    """Prices today, prices agreed on, years until then."""
    generator = np.random.default_rng(0)
    ranges = (80, 120), (80, 120), (0.1, 2)
    return [generator.uniform(*one, OPTIONS).astype(np.float32) for one in ranges]


def pricing(log: Any, sqrt: Any, exp: Any, erf: Any) -> Callable[..., Any]:
    """The formula with one library's functions."""

    def normal(x: Any) -> Any:
        return 0.5 * (1.0 + erf(x * 0.7071067811865476))

    def prices(price: Any, agreed: Any, years: Any) -> Any:
        spread = VOLATILITY * sqrt(years)
        above = (log(price / agreed) + (RATE + VOLATILITY * VOLATILITY / 2) * years) / spread
        later = agreed * exp(-RATE * years)
        call = price * normal(above) - later * normal(above - spread)
        return call, call - price + later

    return prices


def with_tf2(tf: Any) -> Timed:
    prices = tf.function(pricing(tf.math.log, tf.sqrt, tf.exp, tf.math.erf))
    given = [tf.constant(value) for value in operands()]
    return Timed(lambda: prices(*given), check=total(prices(*given)))


def with_jax() -> Timed:
    jax = import_module("jax")
    jnp = jax.numpy
    prices = jax.jit(pricing(jnp.log, jnp.sqrt, jnp.exp, jax.scipy.special.erf))
    given = [jnp.asarray(value) for value in operands()]
    return Timed(lambda: prices(*given), jax.block_until_ready, total(prices(*given)))


def with_torch() -> Timed:
    """Operation by operation: its compiler needs one for C++, which a user may not have."""
    torch = import_module("torch")
    prices = pricing(torch.log, torch.sqrt, torch.exp, torch.erf)
    given = [torch.from_numpy(value) for value in operands()]
    return Timed(lambda: prices(*given), check=total(prices(*given)))


def total(results: Any) -> float:
    return float(sum(np.asarray(one).sum(dtype=np.float64) for one in results))


WORK = Work(
    title="Black-Scholes, a million options",
    unit="call",
    programs=tf2(with_tf2) | {"jax": with_jax, "torch": with_torch},
    goals=(Goal("torch", 0.6),),
    bound=Bound(bytes=(3 + 2) * 4 * OPTIONS),
)
