"""TensorFlow Probability's mathematics, statistics, minimizers, and what is trained with them."""

import collections
import functools

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb, tfm, tfs = tfp.distributions, tfp.bijectors, tfp.math, tfp.stats
kernels = tfm.psd_kernels

SEED = (1, 2)
LOC = np.float32([0.5, -1.0])
COV = np.float32([[2.0, 0.5], [0.5, 1.0]])
LOWER = np.float32([[1.0, 0.0], [0.5, 2.0]])
MORE = np.float32([[0.5, 0.25], [1.0, 0.5], [9.0, 1.0], [1.0, 8.0]])  # columns beside LOWER's
REAL = np.float32([-1.5, 0.2, 2.0])
POSITIVE = np.float32([0.3, 1.2, 2.5])
UNIT = np.float32([0.1, 0.5, 0.8])
POINTS = np.float32([[0.0], [0.7], [1.5], [2.0]])


def special_functions():
    x, p, u = REAL, POSITIVE, UNIT
    return {
        "bessel": [tfm.bessel_ive(1.5, p), tfm.bessel_kve(1.5, p), tfm.log_bessel_ive(0.5, p)],
        "beta": [tfm.lbeta(p, 2.0), tfm.betainc(p, 2.0, u), tfm.betaincinv(2.0, 3.0, u)],
        "erf": [tfm.erfcx(x), tfm.erfcinv(u), tfm.logerfc(x), tfm.logerfcx(x), tfm.owens_t(x, 0.5)],
        "gamma": [
            tfm.log_gamma_correction(p + 8),
            tfm.log_gamma_difference(p, 10.0),
            tfm.dawsn(x),
            tfm.igammainv(2.0, u),
            tfm.igammacinv(2.0, u),
        ],
        "logs": [
            tfm.log1mexp(p),
            tfm.log1psquare(x),
            tfm.log_add_exp(x, 1.0),
            tfm.log_sub_exp(3.0, x),
            tfm.log_cosh(x),
            tfm.log_cumsum_exp(x),
            tfm.log_combinations(6.0, p),
            tfm.softplus_inverse(p),
            tfm.soft_threshold(x, 0.5),
            tfm.soft_sorting_matrix(x, 0.5),
        ],
        "other": [
            tfm.lambertw(p),
            tfm.lambertw_winitzki_approx(p),
            tfm.clip_by_value_preserve_gradient(x, 0, 1),
            tfm.round_exponential_bump_function(u),
            tfm.sqrt1pm1(u),
            tfm.smootherstep(x),
            tfm.reduce_logmeanexp(x),
            tfm.reduce_log_harmonic_mean_exp(x),
            tfm.reduce_weighted_logsumexp(x, p),
            tfm.atan_difference(x, p),
        ],
        "hypergeometric": tfm.hypergeometric.hyp2f1_small_argument(1.0, 2.0, 3.5, u),
    }


def slopes_of_special_functions():
    rules = {
        "bessel_ive": lambda x: tfm.bessel_ive(1.5, x),
        "erfcx": tfm.erfcx,
        "lambertw": tfm.lambertw,
        "betainc": lambda x: tfm.betainc(2.0, 3.0, x / 4),
        "log1mexp": tfm.log1mexp,
        "log_cosh": tfm.log_cosh,
        "owens_t": lambda x: tfm.owens_t(x, 0.5),
        "dawsn": tfm.dawsn,
        "igammainv": lambda x: tfm.igammainv(2.0, x / 4),
        "lbeta": lambda x: tfm.lbeta(x, 2.0),
    }
    return {name: tfm.value_and_gradient(rule, POSITIVE) for name, rule in rules.items()}


def matrices_and_grids():
    grid = np.float32(np.arange(12).reshape(4, 3))
    return [
        tfm.cholesky_concat(LOWER, MORE),
        tfm.lu_reconstruct(*tf.linalg.lu(COV)),
        tfm.lu_solve(*tf.linalg.lu(COV), rhs=COV),
        tfm.pivoted_cholesky(COV, 2),
        tfm.fill_triangular(REAL),
        tfm.fill_triangular_inverse(LOWER),
        tfm.batch_interp_regular_1d_grid(UNIT, 0.0, 1.0, REAL),
        tfm.batch_interp_regular_nd_grid(
            np.float32([[0.5, 1.5]]), [0.0, 0.0], [3.0, 2.0], grid, -2
        ),
        tfm.interp_regular_1d_grid(UNIT, 0.0, 1.0, REAL),
        tfm.sparse_or_dense_matmul(tf.sparse.from_dense(COV), COV),
        tfm.hpsd_logdet(COV),
        tfm.hpsd_quadratic_form_solve(COV, COV),
        tfm.low_rank_cholesky(tf.linalg.LinearOperatorFullMatrix(COV), 2),
    ]


def roots():
    def cube(x):
        return x**3 - 2.0

    return [
        tfm.find_root_secant(cube, 1.5).estimated_root,
        tfm.find_root_chandrupatla(cube, 0.0, 3.0)[0],
        tfm.bracket_root(cube),
        tfm.value_and_gradient(cube, 2.0),
    ]


def differential_equations():
    def law(t, y):
        return -0.5 * y

    times = [0.5, 1.0, 2.0]
    stiff = tfm.ode.BDF(rtol=1e-5).solve(law, 0.0, tf.constant([1.0, 2.0]), times)
    plain = tfm.ode.DormandPrince(rtol=1e-5).solve(law, 0.0, tf.constant([1.0, 2.0]), times)
    return stiff.states, plain.states, plain.times


def a_loss_is_minimized():
    x = tf.Variable([3.0, -2.0])
    losses = tfm.minimize(
        lambda: tf.reduce_sum((x - LOC) ** 2), 20, tf.keras.optimizers.legacy.Adam(0.3)
    )
    return losses, x


def kernels_of_many_kinds():
    made = {
        "quadratic": kernels.ExponentiatedQuadratic(1.2, 0.7),
        "half": kernels.MaternOneHalf(1.2, 0.7),
        "linear": kernels.Linear(0.5, 1.5, 0.2),
        "polynomial": kernels.Polynomial(0.5, 1.5, 0.2, 2),
        "curve": kernels.GammaExponential(1.2, 0.7, power=1.5),
        "periodic": kernels.ExpSinSquared(1.2, 0.7, 2.0),
        "constant": kernels.Constant(0.5),
        "generalized": kernels.GeneralizedMatern(1.7, 1.2, 0.7),
        "parabolic": kernels.Parabolic(1.2, 3.0),
        "cosine": kernels.SpectralMixture([0.2, 0.5], [[0.5], [0.2]], [[0.5], [0.3]]),
        "scaled": kernels.FeatureScaled(kernels.MaternOneHalf(), [2.0]),
    }
    made["sum"] = made["quadratic"] + made["linear"] * made["half"]
    return {
        name: [k.matrix(POINTS, POINTS + 0.1), k.apply(POINTS, POINTS + 0.2)]
        for name, k in made.items()
    }


# ---------------------------------------------------------------- statistics and optimizers


def statistics():
    x = np.random.normal(size=(20, 3)).astype("float32")
    edges = np.float32([-3.0, -1.0, 0.0, 1.0, 4.0])
    return [
        tfs.auto_correlation(x, axis=0, max_lags=4),
        tfs.covariance(x),
        tfs.correlation(x),
        tfs.cholesky_covariance(x),
        tfs.stddev(x),
        tfs.variance(x),
        tfs.percentile(x, 30.0),
        tfs.quantiles(x, 4),
        tfs.histogram(x[:, 0], edges),
        tfs.find_bins(x[:, 0], edges),
        tfs.cumulative_variance(x),
        tfs.windowed_mean(x, [0, 1], [5, 9]),
        tfs.windowed_variance(x, [0, 1], [5, 9]),
        tfs.count_integers([1, 1, 0], dtype=tf.int32),
        tfs.brier_score(labels=[1, 0], logits=np.float32([[0.1, 0.4], [0.2, 0.3]])),
        tfs.expected_calibration_error(3, x, np.int32(np.arange(20) % 3)),
        tfs.kendalls_tau(np.int32([1, 2, 3]), np.int32([1, 3, 2])),
    ]


def _bowl(x):
    return tf.reduce_sum((x - LOC) ** 4 + (x - LOC) ** 2, axis=-1)


def minimizers():
    both = functools.partial(tfm.value_and_gradient, _bowl)
    optimizer = tfp.optimizer
    evolved = optimizer.differential_evolution_minimize(
        _bowl, initial_position=tf.zeros(2), seed=SEED, max_iterations=20, population_size=8
    )
    return {
        "bfgs": optimizer.bfgs_minimize(both, tf.zeros(2)).position,
        "lbfgs": optimizer.lbfgs_minimize(both, tf.zeros(2)).position,
        "simplex": optimizer.nelder_mead_minimize(_bowl, initial_vertex=tf.ones(2)).position,
        "evolved": [evolved.position, evolved.num_iterations],
        "line": optimizer.linesearch.hager_zhang(lambda t: _line(t), initial_step_size=0.1).left.x,
    }


def _line(t):
    value, slope = tfm.value_and_gradient(lambda x: (x - 0.7) ** 2 + 0.1 * x**4, t)
    return _AtPoint(t, value, slope, tf.concat([[t], [slope]], 0))


_AtPoint = collections.namedtuple("_AtPoint", "x f df full_gradient")


# ---------------------------------------------------------------- models that are trained


def generalized_linear_models():
    x = np.random.normal(size=(20, 2)).astype("float32")
    y = np.float32(x @ LOC > 0)
    found = tfp.glm.fit(x, y, tfp.glm.Bernoulli(), l2_regularizer=0.1, maximum_iterations=5)
    families = {
        one: getattr(tfp.glm, one)()(REAL)
        for one in ("Normal", "Poisson", "Bernoulli", "GammaExp", "LogNormal", "NegativeBinomial")
    }
    return found[0], found[1], found[3], families


def surrogates_are_fitted():
    made = tfp.experimental.vi.build_factored_surrogate_posterior(event_shape={"x": [2]}, seed=SEED)
    loss = tfp.vi.monte_carlo_variational_loss(
        lambda x: tf.reduce_sum(tfd.Normal(LOC, 1.0).log_prob(x), -1), made, 4, seed=SEED
    )
    fitted = tfp.vi.fit_surrogate_posterior(
        lambda x: tf.reduce_sum(tfd.Normal(LOC, 1.0).log_prob(x), -1),
        made,
        tf.keras.optimizers.legacy.Adam(0.1),
        5,
        sample_size=2,
        seed=SEED,
    )
    return loss, fitted, made.mean()["x"]


def csiszar_divergences():
    rules = "kl_forward kl_reverse jensen_shannon pearson total_variation squared_hellinger".split()
    return {one: getattr(tfp.vi, one)(REAL) for one in rules}


def layers_of_distributions():
    tf.keras.utils.set_random_seed(5)
    layers = tf.keras.layers
    model = tf.keras.Sequential(
        [
            layers.Dense(tfp.layers.IndependentNormal.params_size(1), input_shape=(2,)),
            tfp.layers.IndependentNormal(1),
        ]
    )
    model.compile("sgd", lambda y, d: -d.log_prob(y))
    x = np.float32([[1.0, 2.0], [0.5, -1.0], [0.0, 0.3], [2.0, 1.0]])
    fitted = model.fit(x, x[:, :1], epochs=2, verbose=0, shuffle=False)
    return fitted.history, model(x).mean(), model(x).stddev()


def layers_of_many_kinds():
    tf.keras.utils.set_random_seed(6)
    x = np.float32([[1.0, 2.0], [0.5, -1.0]])
    made = {
        "lambda": tfp.layers.DistributionLambda(lambda t: tfd.Normal(t, 1.0)),
        "bernoulli": tfp.layers.IndependentBernoulli([2]),
        "poisson": tfp.layers.IndependentPoisson([2]),
        "logistic": tfp.layers.IndependentLogistic([1]),
        "tril": tfp.layers.MultivariateNormalTriL(1),
        "mixture": tfp.layers.IndependentNormal([1]),
    }
    return {
        name: [layer(x).mean(), layer(x).log_prob(layer(x).mean())] for name, layer in made.items()
    }


def variational_layers():
    tf.keras.utils.set_random_seed(7)
    x = np.float32([[1.0, 2.0], [0.5, -1.0]])
    layer = tfp.layers.DenseReparameterization(3)
    shape = layer(x).shape.as_list()
    flipout = tfp.layers.DenseFlipout(3)
    return (
        shape,
        [v.shape.as_list() for v in layer.trainable_variables],
        flipout(x).shape.as_list(),
        len(layer.losses),
    )


def monte_carlo():
    drawn = tfd.Normal(0.0, 1.0).sample(100, seed=SEED)
    found = tfp.monte_carlo.expectation(lambda x: x**2, drawn, tfd.Normal(0.0, 1.0).log_prob)
    points = tfp.mcmc.sample_halton_sequence(2, num_results=5, randomized=False)
    return found, points


def automatic_parameters():
    tf.keras.utils.set_random_seed(8)
    scale = tfp.util.TransformedVariable(2.0, tfb.Softplus(), name="scale")
    late = tfp.util.DeferredTensor(tf.Variable(0.5), tf.exp)
    made = tfd.Normal(late, scale)
    with tf.GradientTape() as tape:
        loss = -made.log_prob(1.0)
    slopes = tape.gradient(loss, made.trainable_variables)
    return (
        loss,
        slopes,
        [v.name for v in made.trainable_variables],
        scale + 1.0,
        tfp.util.SeedStream(3, "x")(),
    )
