"""TensorFlow Probability: distributions, bijectors, divergences, chains, by told parameters."""

import functools

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors

COV = np.float32([[2.0, 0.5], [0.5, 1.0]])
LOWER = np.float32([[1.0, 0.0], [0.5, 2.0]])
LOC = np.float32([0.5, -1.0])
LOGITS = np.float32([0.2, -0.5, 1.0])
POSITIVE = np.float32([0.3, 1.2, 2.5])
UNIT = np.float32([0.1, 0.5, 0.8])
REAL = np.float32([-1.5, 0.2, 2.0])
COUNTS = np.float32([0.0, 1.0, 3.0])
SIMPLEX = np.float32([0.2, 0.3, 0.5])

# What each distribution is made of, and where it is asked.
DISTRIBUTIONS = {
    "Bates": (lambda: tfd.Bates(4.0, 0.0, 1.0), UNIT),
    "Bernoulli": (lambda: tfd.Bernoulli(probs=[0.2, 0.5, 0.9]), np.float32([0, 1, 1])),
    "Beta": (lambda: tfd.Beta(2.0, 3.0), UNIT),
    "BetaBinomial": (lambda: tfd.BetaBinomial(4.0, 2.0, 3.0), COUNTS),
    "Binomial": (lambda: tfd.Binomial(4.0, probs=0.3), COUNTS),
    "Categorical": (lambda: tfd.Categorical(LOGITS), np.int32([0, 1, 2])),
    "Cauchy": (lambda: tfd.Cauchy(0.5, 2.0), REAL),
    "Chi": (lambda: tfd.Chi(3.0), POSITIVE),
    "Chi2": (lambda: tfd.Chi2(3.0), POSITIVE),
    "ContinuousBernoulli": (lambda: tfd.ContinuousBernoulli(probs=0.3), UNIT),
    "Deterministic": (lambda: tfd.Deterministic(0.5), REAL),
    "Dirichlet": (lambda: tfd.Dirichlet([1.0, 2.0, 3.0]), SIMPLEX),
    "DirichletMultinomial": (
        lambda: tfd.DirichletMultinomial(4.0, [1.0, 2.0, 3.0]),
        np.float32([1, 0, 3]),
    ),
    "DoublesidedMaxwell": (lambda: tfd.DoublesidedMaxwell(0.5, 2.0), REAL),
    "ExpGamma": (lambda: tfd.ExpGamma(2.0, 3.0), REAL),
    "ExpInverseGamma": (lambda: tfd.ExpInverseGamma(2.0, 3.0), REAL),
    "Exponential": (lambda: tfd.Exponential(2.0), POSITIVE),
    "ExponentiallyModifiedGaussian": (
        lambda: tfd.ExponentiallyModifiedGaussian(0.5, 1.0, 2.0),
        REAL,
    ),
    "FiniteDiscrete": (
        lambda: tfd.FiniteDiscrete([1.0, 2.0, 4.0], probs=SIMPLEX),
        np.float32([1, 2, 4]),
    ),
    "Gamma": (lambda: tfd.Gamma(2.0, 3.0), POSITIVE),
    "GammaGamma": (lambda: tfd.GammaGamma(2.0, 3.0, 1.5), POSITIVE),
    "GeneralizedExtremeValue": (lambda: tfd.GeneralizedExtremeValue(0.0, 1.0, 0.2), REAL),
    "GeneralizedNormal": (lambda: tfd.GeneralizedNormal(0.5, 1.0, 1.5), REAL),
    "GeneralizedPareto": (lambda: tfd.GeneralizedPareto(0.0, 1.0, 0.2), POSITIVE),
    "Geometric": (lambda: tfd.Geometric(probs=0.3), COUNTS),
    "Gumbel": (lambda: tfd.Gumbel(0.5, 2.0), REAL),
    "HalfCauchy": (lambda: tfd.HalfCauchy(0.0, 2.0), POSITIVE),
    "HalfNormal": (lambda: tfd.HalfNormal(2.0), POSITIVE),
    "HalfStudentT": (lambda: tfd.HalfStudentT(3.0, 0.0, 2.0), POSITIVE),
    "Horseshoe": (lambda: tfd.Horseshoe(2.0), REAL),
    "InverseGamma": (lambda: tfd.InverseGamma(3.0, 2.0), POSITIVE),
    "InverseGaussian": (lambda: tfd.InverseGaussian(1.5, 2.0), POSITIVE),
    "JohnsonSU": (lambda: tfd.JohnsonSU(0.2, 1.5, 0.5, 2.0), REAL),
    "Kumaraswamy": (lambda: tfd.Kumaraswamy(2.0, 3.0), UNIT),
    "LKJ": (lambda: tfd.LKJ(2, 1.5), np.float32([[1, 0.3], [0.3, 1]])),
    "Laplace": (lambda: tfd.Laplace(0.5, 2.0), REAL),
    "LogLogistic": (lambda: tfd.LogLogistic(0.5, 0.4), POSITIVE),
    "LogNormal": (lambda: tfd.LogNormal(0.5, 0.8), POSITIVE),
    "Logistic": (lambda: tfd.Logistic(0.5, 2.0), REAL),
    "LogitNormal": (lambda: tfd.LogitNormal(0.5, 2.0), UNIT),
    "Moyal": (lambda: tfd.Moyal(0.5, 2.0), REAL),
    "Multinomial": (lambda: tfd.Multinomial(4.0, probs=SIMPLEX), np.float32([1, 0, 3])),
    "MultivariateNormalDiag": (lambda: tfd.MultivariateNormalDiag(LOC, [1.0, 2.0]), LOC * 2),
    "MultivariateNormalFullCovariance": (
        lambda: tfd.MultivariateNormalFullCovariance(LOC, COV),
        LOC * 2,
    ),
    "MultivariateNormalTriL": (lambda: tfd.MultivariateNormalTriL(LOC, LOWER), LOC * 2),
    "MultivariateStudentTLinearOperator": (
        lambda: tfd.MultivariateStudentTLinearOperator(
            3.0, LOC, tf.linalg.LinearOperatorLowerTriangular(LOWER)
        ),
        LOC * 2,
    ),
    "NegativeBinomial": (lambda: tfd.NegativeBinomial(3.0, probs=0.4), COUNTS),
    "Normal": (lambda: tfd.Normal(0.5, 2.0), REAL),
    "NormalInverseGaussian": (lambda: tfd.NormalInverseGaussian(0.5, 2.0, 0.3, 1.0), REAL),
    "OneHotCategorical": (lambda: tfd.OneHotCategorical(LOGITS), np.float32([0, 1, 0])),
    "OrderedLogistic": (lambda: tfd.OrderedLogistic([-1.0, 1.0], 0.3), np.int32([0, 1, 2])),
    "PERT": (lambda: tfd.PERT(0.0, 0.4, 1.0), UNIT),
    "Pareto": (lambda: tfd.Pareto(3.0, 0.2), POSITIVE),
    "PlackettLuce": (lambda: tfd.PlackettLuce([1.0, 2.0, 3.0]), np.int32([2, 0, 1])),
    "Poisson": (lambda: tfd.Poisson(1.5), COUNTS),
    "PowerSpherical": (lambda: tfd.PowerSpherical([0.6, 0.8], 2.0), np.float32([1, 0])),
    "ProbitBernoulli": (lambda: tfd.ProbitBernoulli(probs=0.3), np.float32([0, 1, 1])),
    "RelaxedBernoulli": (lambda: tfd.RelaxedBernoulli(0.5, probs=0.3), UNIT),
    "RelaxedOneHotCategorical": (lambda: tfd.RelaxedOneHotCategorical(0.5, LOGITS), SIMPLEX),
    "SinhArcsinh": (lambda: tfd.SinhArcsinh(0.5, 2.0, 0.3), REAL),
    "Skellam": (lambda: tfd.Skellam(1.5, 2.0), COUNTS),
    "StudentT": (lambda: tfd.StudentT(3.0, 0.5, 2.0), REAL),
    "Triangular": (lambda: tfd.Triangular(0.0, 1.0, 0.4), UNIT),
    "TruncatedCauchy": (lambda: tfd.TruncatedCauchy(0.0, 1.0, -2.0, 3.0), REAL),
    "TruncatedNormal": (lambda: tfd.TruncatedNormal(0.0, 1.0, -2.0, 3.0), REAL),
    "TwoPieceNormal": (lambda: tfd.TwoPieceNormal(0.5, 1.0, 1.5), REAL),
    "Uniform": (lambda: tfd.Uniform(-2.0, 3.0), REAL),
    "VonMises": (lambda: tfd.VonMises(0.5, 2.0), REAL),
    "VonMisesFisher": (lambda: tfd.VonMisesFisher([0.6, 0.8], 2.0), np.float32([1, 0])),
    "Weibull": (lambda: tfd.Weibull(1.5, 2.0), POSITIVE),
    "WishartTriL": (lambda: tfd.WishartTriL(3.0, LOWER), COV),
    "Zipf": (lambda: tfd.Zipf(2.5), COUNTS + 1),
    "Independent": (lambda: tfd.Independent(tfd.Normal(LOC, 1.0), 1), LOC * 2),
    "MixtureSameFamily": (
        lambda: tfd.MixtureSameFamily(tfd.Categorical(LOGITS), tfd.Normal(REAL, POSITIVE)), REAL,
    ),
    "Quantized": (lambda: tfd.QuantizedDistribution(tfd.Normal(0.5, 2.0), -3.0, 5.0), COUNTS),
    "Sample": (lambda: tfd.Sample(tfd.Normal(0.5, 2.0), 3), REAL),
    "TransformedDistribution": (
        lambda: tfd.TransformedDistribution(tfd.Normal(0.5, 1.0), tfb.Softplus()), POSITIVE,
    ),
}  # fmt: skip
VALUES = ("log_prob", "prob", "cdf", "log_cdf", "survival_function")
FACTS = (
    "mean",
    "variance",
    "stddev",
    "mode",
    "entropy",
    "batch_shape_tensor",
    "event_shape_tensor",
)


def _asked(name, method):
    make, at = DISTRIBUTIONS[name]
    made = make()
    return getattr(made, method)(at) if method in VALUES else getattr(made, method)()


def _compiled(name):
    make, at = DISTRIBUTIONS[name]
    return tf.function(lambda x: make().log_prob(x))(tf.constant(at))


def _drawn(name):
    """Of a seed's draws only what does not hang on how they are computed."""
    found = DISTRIBUTIONS[name][0]().sample(4, seed=[1, 2])
    return found.dtype.name, found.shape.as_list(), bool(tf.reduce_all(found == found))


def _slope(name):
    make, at = DISTRIBUTIONS[name]
    x = tf.constant(at, tf.float32)
    with tf.GradientTape() as tape:
        tape.watch(x)
        found = make().log_prob(x)
    return tape.gradient(found, x)


BIJECTORS = {
    "Ascending": (tfb.Ascending, REAL), "CorrelationCholesky": (tfb.CorrelationCholesky, REAL),
    "Cumsum": (tfb.Cumsum, REAL), "Exp": (tfb.Exp, REAL), "Expm1": (tfb.Expm1, REAL),
    "FillScaleTriL": (tfb.FillScaleTriL, REAL),
    "GompertzCDF": (lambda: tfb.GompertzCDF(0.5, 1.0), POSITIVE),
    "GumbelCDF": (lambda: tfb.GumbelCDF(0.5, 2.0), REAL), "Identity": (tfb.Identity, REAL),
    "IteratedSigmoidCentered": (tfb.IteratedSigmoidCentered, REAL),
    "KumaraswamyCDF": (lambda: tfb.KumaraswamyCDF(2.0, 3.0), UNIT), "Log": (tfb.Log, POSITIVE),
    "MoyalCDF": (lambda: tfb.MoyalCDF(0.5, 2.0), REAL), "NormalCDF": (tfb.NormalCDF, REAL),
    "Permute": (lambda: tfb.Permute([2, 0, 1]), REAL), "Power": (lambda: tfb.Power(3.0), POSITIVE),
    "PowerTransform": (
        lambda: tfb.PowerTransform(0.5), REAL), "Reciprocal": (tfb.Reciprocal,
        POSITIVE,
    ),
    "RationalQuadraticSpline": (
        lambda: tfb.RationalQuadraticSpline([1.0, 2.0], [1.5, 1.5], [0.7]), UNIT,
    ),
    "Scale": (lambda: tfb.Scale(2.0), REAL), "Shift": (lambda: tfb.Shift(2.0), REAL),
    "ScaleMatvecTriL": (lambda: tfb.ScaleMatvecTriL(LOWER), LOC), "Sigmoid": (tfb.Sigmoid, REAL),
    "Sinh": (tfb.Sinh, REAL), "SinhArcsinh": (lambda: tfb.SinhArcsinh(0.3, 1.5), REAL),
    "SoftClip": (
        lambda: tfb.SoftClip(-1.0, 3.0), REAL), "Softfloor": (lambda: tfb.Softfloor(0.5),
        REAL,
    ),
    "SoftmaxCentered": (tfb.SoftmaxCentered, REAL), "Softplus": (tfb.Softplus, REAL),
    "Softsign": (tfb.Softsign, REAL), "Square": (tfb.Square, POSITIVE), "Tanh": (tfb.Tanh, REAL),
    "TransformDiagonal": (lambda: tfb.TransformDiagonal(tfb.Exp()), LOWER),
    "Transpose": (lambda: tfb.Transpose(rightmost_transposed_ndims=2), LOWER),
    "UnitVector": (tfb.UnitVector, REAL),
    "WeibullCDF": (lambda: tfb.WeibullCDF(2.0, 1.5), POSITIVE),
    "Chain": (lambda: tfb.Chain([tfb.Exp(), tfb.Scale(0.5), tfb.Shift(1.0)]), REAL),
    "Invert": (lambda: tfb.Invert(tfb.Exp()), POSITIVE),
}  # fmt: skip


def _transformed(name):
    make, x = BIJECTORS[name]
    bijector = make()
    y = bijector.forward(x)
    ranks = {"event_ndims": bijector.forward_min_event_ndims}
    slope = bijector.forward_log_det_jacobian(x, **ranks)
    return y, make().inverse(tf.identity(y)), slope, bijector.forward_event_shape_tensor(x.shape)


DIVERGENCES = (
    ("Normal", lambda: tfd.Normal(0.0, 1.0), lambda: tfd.Normal(0.5, 2.0)),
    ("Gamma", lambda: tfd.Gamma(2.0, 1.0), lambda: tfd.Gamma(1.5, 2.0)),
    ("Beta", lambda: tfd.Beta(2.0, 1.0), lambda: tfd.Beta(1.5, 2.0)),
    ("Bernoulli", lambda: tfd.Bernoulli(0.2), lambda: tfd.Bernoulli(-0.4)),
    ("Categorical", lambda: tfd.Categorical(LOGITS), lambda: tfd.Categorical(-LOGITS)),
    ("Dirichlet", lambda: tfd.Dirichlet(POSITIVE), lambda: tfd.Dirichlet(POSITIVE + 1)),
    ("Exponential", lambda: tfd.Exponential(2.0), lambda: tfd.Exponential(0.5)),
    ("Gumbel", lambda: tfd.Gumbel(0.0, 1.0), lambda: tfd.Gumbel(0.5, 2.0)),
    ("Laplace", lambda: tfd.Laplace(0.0, 1.0), lambda: tfd.Laplace(0.5, 2.0)),
    ("Poisson", lambda: tfd.Poisson(2.0), lambda: tfd.Poisson(0.5)),
    ("Uniform", lambda: tfd.Uniform(0.0, 1.0), lambda: tfd.Uniform(-1.0, 2.0)),
    (
        "TriL",
        lambda: tfd.MultivariateNormalTriL(LOC, LOWER),
        lambda: tfd.MultivariateNormalDiag(LOC * 2),
    ),
    ("Weibull", lambda: tfd.Weibull(1.5, 2.0), lambda: tfd.Weibull(2.0, 1.0)),
)  # fmt: skip


def _apart(first, second):
    return tfd.kl_divergence(first(), second())


def _chain(kernel, steps):
    """A chain on a normal distribution: where it is by mean and spread, roughly."""
    found = tf.function(
        lambda: tfp.mcmc.sample_chain(
            steps, tf.zeros([20]), kernel=kernel, num_burnin_steps=20, seed=[3, 4], trace_fn=None
        )
    )()
    return found.dtype.name, found.shape.as_list(), bool(abs(tf.reduce_mean(found) - 1.0) < 0.3)


TARGET = functools.partial(lambda x: tfd.Normal(1.0, 0.5).log_prob(x))
OTHERS = {
    "hamiltonian": lambda: _chain(tfp.mcmc.HamiltonianMonteCarlo(TARGET, 0.3, 3), 60),
    "no_u_turns": lambda: _chain(tfp.mcmc.NoUTurnSampler(TARGET, 0.3, max_tree_depth=4), 20),
    "random_walk": lambda: _chain(tfp.mcmc.RandomWalkMetropolis(TARGET), 200),
    "bfgs": lambda: (
        tfp.optimizer.bfgs_minimize(
            lambda x: tfp.math.value_and_gradient(lambda x: tf.reduce_sum((x - LOC) ** 2), x),
            tf.zeros(2),
        ).position
    ),
    "nelder_mead": lambda: (
        tfp.optimizer.nelder_mead_minimize(
            lambda x: tf.reduce_sum((x - LOC) ** 2), initial_vertex=tf.ones(2), func_tolerance=1e-9
        ).position
    ),
    "trend": lambda: (
        tfp.sts.LocalLinearTrend(observed_time_series=REAL)
        .make_state_space_model(3, [0.5, 0.2])
        .log_prob(REAL[:, None])
    ),
    "percentile": lambda: tfp.stats.percentile(REAL, [10.0, 50.0]),
    "interpolation": lambda: tfp.math.interp_regular_1d_grid(UNIT, 0.0, 1.0, REAL),
}


def checks():
    found = {
        f"{name}.{method}": functools.partial(_asked, name, method)
        for name in DISTRIBUTIONS
        for method in (*VALUES, *FACTS)
    }
    for name in DISTRIBUTIONS:
        found[f"{name} in a function"] = functools.partial(_compiled, name)
        found[f"{name}.sample"] = functools.partial(_drawn, name)
        found[f"{name} differentiated"] = functools.partial(_slope, name)
    found |= {f"bijectors.{name}": functools.partial(_transformed, name) for name in BIJECTORS}
    for name, first, second in DIVERGENCES:
        found[f"kl {name}"] = functools.partial(
            lambda a, b: tfd.kl_divergence(a(), b()), first, second
        )
    return found | OTHERS
