"""`tf.compat.v1.distributions`: what TensorFlow Probability began as."""

from __future__ import annotations

from .lazy import namespace

TABLE = {
    "version_one.distributions.classes": (
        "Bernoulli=BernoulliDistribution Categorical=CategoricalDistribution "
        "Multinomial=MultinomialDistribution"
    ),
    "version_one.distributions.distribution": (
        "Distribution FULLY_REPARAMETERIZED NOT_REPARAMETERIZED ReparameterizationType"
    ),
    "version_one.distributions.divergences": "RegisterKL kl_divergence",
    "version_one.distributions.locations": (
        "Laplace=LaplaceDistribution Normal=NormalDistribution StudentT=StudentTDistribution "
        "Uniform=UniformDistribution"
    ),
    "version_one.distributions.positive": (
        "Beta=BetaDistribution Exponential=ExponentialDistribution Gamma=GammaDistribution"
    ),
    "version_one.distributions.shares": (
        "Dirichlet=DirichletDistribution DirichletMultinomial=DirichletMultinomialDistribution"
    ),
}

__getattr__, __dir__, __all__ = namespace(__name__, TABLE, "tf.compat.v1.distributions")
