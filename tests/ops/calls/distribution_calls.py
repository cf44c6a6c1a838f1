"""Calls of `tf.compat.v1.distributions`, written for TensorFlow and for us alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .call import Call, gradient

A = np.array([0.7, 1.5, 2.0], np.float32)
B = np.array([[1.2], [3.0]], np.float32)
X = np.array([[0.1, 0.4, 0.9], [0.2, 0.5, 0.3]], np.float32)
SHARES = np.array([0.2, 0.3, 0.5], np.float32)
COUNTS = np.array([[1, 0, 3], [2, 2, 0]], np.float32)
MOMENTS = "mean variance stddev entropy"
TAILS = "log_cdf cdf log_survival_function survival_function"

# What makes each of two arrays, what it is asked of itself, and of values.
KINDS: dict[str, tuple[Callable[..., Any], list[Any], str, str]] = {
    "Normal": (lambda d, a, b: d.Normal(a, b), [A, B], f"{MOMENTS} mode", f"{TAILS} quantile"),
    "Laplace": (lambda d, a, b: d.Laplace(a, b), [A, B], f"{MOMENTS} mode", TAILS),
    "StudentT": (lambda d, a, b: d.StudentT(b + 0 * a, a + 0 * b, 2.0), [A, B], MOMENTS, TAILS),
    "Uniform": (lambda d, a, b: d.Uniform(a - 1.0, b), [A, B], MOMENTS, TAILS),
    "Gamma": (lambda d, a, b: d.Gamma(a, b), [A, B], f"{MOMENTS} mode", TAILS),
    "Exponential": (lambda d, a, b: d.Exponential(a * b), [A, B], f"{MOMENTS} mode", TAILS),
    "Beta": (lambda d, a, b: d.Beta(a + 0 * b, b + 0 * a), [A, B], f"{MOMENTS} mode", TAILS),
    "Bernoulli": (lambda d, a, b: d.Bernoulli(a - b), [A, B], f"{MOMENTS} mode", ""),
    "Categorical": (lambda d, a, b: d.Categorical(a * b), [A, B], "entropy mode", TAILS),
    "Dirichlet": (lambda d, a, b: d.Dirichlet(a * b), [A, B], f"{MOMENTS} covariance", ""),
    "Multinomial": (
        lambda d, a, b: d.Multinomial([4.0, 4.0], logits=a * b), [A, B],
        "mean variance stddev covariance", "",
    ),
    "DirichletMultinomial": (
        lambda d, a, b: d.DirichletMultinomial([4.0, 4.0], a * b), [A, B], "", "",
    ),
}  # fmt: skip
VALUES = {
    "Bernoulli": np.array([[1, 0, 1], [0, 0, 1]], np.int32),
    "Categorical": np.array([1, 2], np.int32),
    "Dirichlet": SHARES,
    "Multinomial": COUNTS,
    "DirichletMultinomial": COUNTS,
}
# Of those whose samples are one draw of TensorFlow's stream.
SAMPLED = "Normal Laplace StudentT Uniform Gamma Exponential Beta Bernoulli Categorical Dirichlet"
DIVERGING = "Normal Gamma Exponential Beta Bernoulli Categorical Dirichlet"


def asked(kind: str) -> Callable[..., Any]:
    make, _, moments, tails = KINDS[kind]

    def call(tf: Any, a: Any, b: Any, x: Any) -> Any:
        one = make(tf.compat.v1.distributions, a, b)
        shapes = [one.batch_shape_tensor(), one.event_shape_tensor(), one.is_scalar_event()]
        found = [getattr(one, name)() for name in moments.split()]
        return shapes + found + [getattr(one, name)(x) for name in tails.split()]

    return call


def probability(kind: str) -> Callable[..., Any]:
    def call(tf: Any, a: Any, b: Any, x: Any) -> Any:
        one = KINDS[kind][0](tf.compat.v1.distributions, a, b)
        return [one.log_prob(x), one.prob(x)]

    return call


def density(kind: str) -> Callable[..., Any]:
    return lambda tf, a, b: KINDS[kind][0](tf.compat.v1.distributions, a, b).log_prob(
        VALUES.get(kind, X)
    )


def divergence(kind: str) -> Callable[..., Any]:
    def call(tf: Any, a: Any, b: Any) -> Any:
        d = tf.compat.v1.distributions
        one, other = KINDS[kind][0](d, a, b), KINDS[kind][0](d, a + 0.5, b * 2.0)
        return [d.kl_divergence(one, other), one.cross_entropy(other)]

    return call


def sample(kind: str) -> Callable[..., Any]:
    def call(tf: Any, a: Any, b: Any) -> Any:
        tf.random.set_seed(5)
        one = KINDS[kind][0](tf.compat.v1.distributions, a, b)
        return [one.sample([2, 2], seed=3), tf.shape(one.sample())]

    return call


def checked(make: Callable[..., Any]) -> Callable[..., Any]:
    return lambda tf, x: make(tf.compat.v1.distributions, x)


CALLS: dict[str, Call] = {}
for name, (_, arrays, _, _) in KINDS.items():
    x = VALUES.get(name, X)
    CALLS[f"{name} distribution"] = (asked(name), [*arrays, x])
    CALLS[f"{name} distribution, probabilities"] = (probability(name), [*arrays, x])
    CALLS[f"{name} distribution, gradient"] = (gradient(density(name)), arrays)
CALLS |= {f"{kind} samples": (sample(kind), [A, B]) for kind in SAMPLED.split()}
CALLS |= {
    f"{kind} divergence": (divergence(kind), [A.astype(float), B.astype(float)])
    for kind in DIVERGING.split()
}
CALLS |= {
    "normal tails": (
        lambda tf, x: tf.compat.v1.distributions.Normal(0.0, 1.0).log_cdf(x),
        [np.array([-30, -12, -9.5, -1, 0, 4, 6, 9], np.float32)],
    ),
    "gradients through samples": (
        gradient(
            lambda tf, a: tf.compat.v1.distributions.Normal(a, 2.0 * a).sample(seed=1) * 0 + a
        ),
        [A],
    ),
    "no divergence": (
        lambda tf, x: tf.compat.v1.distributions.Uniform(x, 9.0).kl_divergence(
            tf.compat.v1.distributions.Normal(x, 1.0)
        ),
        [A],
    ),
    "modes of shares": (
        lambda tf, x: [tf.compat.v1.distributions.Dirichlet(x + add).mode() for add in (0.0, 1.0)],
        [A],
    ),
    "counts of shares": (
        lambda tf, x: [
            getattr(tf.compat.v1.distributions.DirichletMultinomial(4.0, x), name)()
            for name in ("mean", "variance", "covariance")
        ],
        [A],
    ),
    "classes by probabilities": (
        lambda tf, x: [
            tf.compat.v1.distributions.Categorical(probs=x).log_prob([0, 2]),
            tf.compat.v1.distributions.Bernoulli(probs=x).entropy(),
            tf.compat.v1.distributions.Multinomial(3.0, probs=x).prob([1.0, 1.0, 1.0]),
        ],
        [SHARES],
    ),
}
CALLS |= {
    f"refused: {title}": (checked(make), [A])
    for title, make in {
        "a scale below 0": lambda d, x: d.Normal(0.0, -x, validate_args=True).mean(),
        "integers": lambda d, x: d.Normal(0, 1),
        "two dtypes": lambda d, x: d.Gamma(x, np.float64(1)),
        "low above high": lambda d, x: d.Uniform(x, 0.0, validate_args=True).mean(),
        "both probabilities": lambda d, x: d.Bernoulli(x, x),
        "no probabilities": lambda d, x: d.Categorical(),
        "a class that is none": lambda d, x: d.Categorical(x, validate_args=True).prob(3),
        "no mode": lambda d, x: d.Gamma(x, 2.0, allow_nan_stats=False).mode(),
        "no cdf": lambda d, x: d.Dirichlet(x).cdf(x),
        "no mean": lambda d, x: d.Categorical(x).mean(),
        "shares that are none": lambda d, x: d.Dirichlet(x, validate_args=True).prob(x),
        "counts of more": lambda d, x: d.Multinomial(4.0, x, validate_args=True).prob(x),
    }.items()
}
COMPILED = frozenset({"Normal distribution", "Dirichlet distribution", "Gamma divergence"})
