"""How far one distribution is from another, by functions that are registered for pairs of kinds."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...eager.scopes import control_dependencies, name_scope
from ...ops.checks.assertions import Assert
from ...ops.control.flow import identity
from ...ops.math.comparison import is_nan, logical_not
from ...ops.math.reduce import reduce_any

Divergence = Callable[..., Any]
_DIVERGENCES: Final[dict[tuple[type, type], Divergence]] = {}


class RegisterKL:
    """A decorator: the function works out `kl_divergence` of these two classes, and of subclasses.

    >>> class Point(tf.compat.v1.distributions.Normal):
    ...     pass
    >>> @tf.compat.v1.distributions.RegisterKL(Point, Point)
    ... def distance(a, b, name=None):
    ...     return abs(a.loc - b.loc)
    >>> float(tf.compat.v1.distributions.kl_divergence(Point(0.0, 1.0), Point(2.0, 1.0)))
    2.0
    """

    def __init__(self, dist_cls_a: type, dist_cls_b: type) -> None:
        self._key: Final = dist_cls_a, dist_cls_b

    def __call__(self, kl_fn: Divergence) -> Divergence:
        """Register the function, and return it.

        Raises:
            TypeError: it cannot be called.
            ValueError: there is one for these classes already.
        """
        if not callable(kl_fn):
            raise TypeError(f"kl_fn must be callable, received: {kl_fn}")
        if self._key in _DIVERGENCES:
            names = " ".join(one.__name__ for one in self._key)
            raise ValueError(
                f"KL({names}) has already been registered to: {_DIVERGENCES[self._key]}"
            )
        _DIVERGENCES[self._key] = kl_fn
        return kl_fn


def _divergence(first: type, second: type) -> Divergence | None:
    """The function of the nearest pair of base classes."""
    pairs = [
        (i + j, i, _DIVERGENCES[a, b])
        for i, a in enumerate(first.__mro__)
        for j, b in enumerate(second.__mro__)
        if (a, b) in _DIVERGENCES
    ]
    return min(pairs, key=lambda one: one[:2])[2] if pairs else None


def kl_divergence(
    distribution_a: Any, distribution_b: Any, allow_nan_stats: bool = True, name: str | None = None
) -> Any:
    """The mean of log(a(x) / b(x)) where x is drawn from a, for each of the batch.

    >>> d = tf.compat.v1.distributions
    >>> float(d.kl_divergence(d.Normal(0.0, 1.0), d.Normal(1.0, 1.0)))
    0.5

    Raises:
        NotImplementedError: nobody has said how it is worked out for these two kinds.
        InvalidArgumentError: it is nan, and `allow_nan_stats` is False.
    """
    found = _divergence(type(distribution_a), type(distribution_b))
    if found is None:
        raise NotImplementedError(
            "No KL(distribution_a || distribution_b) registered for distribution_a type "
            f"{distribution_a._kind} and distribution_b type {distribution_b._kind}"
        )
    with name_scope(name or "KullbackLeibler"):
        value = found(distribution_a, distribution_b, name=name)
        if allow_nan_stats:
            return value
        right = Assert(
            logical_not(reduce_any(is_nan(value))),
            [f"KL calculation between {distribution_a.name} and {distribution_b.name} returned NaN "
             "values (and was called with allow_nan_stats=False). Values:", value],
        )  # fmt: skip
        with control_dependencies([right] if right is not None else []):
            return identity(value, name="checked_kl")


def cross_entropy(ref: Any, other: Any, allow_nan_stats: bool = True) -> Any:
    """The entropy of a distribution and how far another one is from it, together."""
    return ref.entropy() + kl_divergence(ref, other, allow_nan_stats=allow_nan_stats)
