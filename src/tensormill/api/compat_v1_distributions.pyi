# Written by `make stubs` from the table beside it.

"""`tf.compat.v1.distributions`: what TensorFlow Probability began as."""

from ..version_one.distributions.classes import BernoulliDistribution as Bernoulli
from ..version_one.distributions.positive import BetaDistribution as Beta
from ..version_one.distributions.classes import CategoricalDistribution as Categorical
from ..version_one.distributions.shares import DirichletDistribution as Dirichlet
from ..version_one.distributions.shares import DirichletMultinomialDistribution as DirichletMultinomial
from ..version_one.distributions.distribution import Distribution as Distribution
from ..version_one.distributions.positive import ExponentialDistribution as Exponential
from ..version_one.distributions.distribution import FULLY_REPARAMETERIZED as FULLY_REPARAMETERIZED
from ..version_one.distributions.positive import GammaDistribution as Gamma
from ..version_one.distributions.locations import LaplaceDistribution as Laplace
from ..version_one.distributions.classes import MultinomialDistribution as Multinomial
from ..version_one.distributions.distribution import NOT_REPARAMETERIZED as NOT_REPARAMETERIZED
from ..version_one.distributions.locations import NormalDistribution as Normal
from ..version_one.distributions.divergences import RegisterKL as RegisterKL
from ..version_one.distributions.distribution import ReparameterizationType as ReparameterizationType
from ..version_one.distributions.locations import StudentTDistribution as StudentT
from ..version_one.distributions.locations import UniformDistribution as Uniform
from ..version_one.distributions.divergences import kl_divergence as kl_divergence

__all__ = ['Bernoulli', 'Beta', 'Categorical', 'Dirichlet', 'DirichletMultinomial', 'Distribution', 'Exponential', 'FULLY_REPARAMETERIZED', 'Gamma', 'Laplace', 'Multinomial', 'NOT_REPARAMETERIZED', 'Normal', 'RegisterKL', 'ReparameterizationType', 'StudentT', 'Uniform', 'kl_divergence']
