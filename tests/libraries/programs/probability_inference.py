"""TensorFlow Probability beyond single distributions: models of several parts, chains, series."""

import functools

import numpy as np
import tensorflow as tf
import tensorflow_probability as tfp

tfd, tfb = tfp.distributions, tfp.bijectors
kernels = tfp.math.psd_kernels

SEED = (1, 2)
LOC = np.float32([0.5, -1.0])
COV = np.float32([[2.0, 0.5], [0.5, 1.0]])
LOWER = np.float32([[1.0, 0.0], [0.5, 2.0]])
REAL = np.float32([-1.5, 0.2, 2.0])
POSITIVE = np.float32([0.3, 1.2, 2.5])
UNIT = np.float32([0.1, 0.5, 0.8])
POINTS = np.float32([[0.0], [0.7], [1.5], [2.0]])
VALUES = np.float32([0.1, 0.6, 1.0, 0.9])
SERIES = np.sin(np.arange(24.0, dtype="float32") / 2) + np.arange(24.0, dtype="float32") / 10
TARGET = functools.partial(lambda x: tfd.Normal(1.0, 0.5).log_prob(x))


def _all_of(distribution, at, facts=("mean", "stddev")):
    found = [distribution.sample(3, seed=SEED), distribution.log_prob(at)]
    compiled = tf.function(lambda x: distribution.log_prob(x))(tf.constant(at))
    return found, compiled, [getattr(distribution, one)() for one in facts]


def joint_by_names():
    joint = tfd.JointDistributionNamed(
        {
            "scale": tfd.Gamma(2.0, 1.0),
            "loc": lambda scale: tfd.Normal(0.0, scale),
            "x": lambda loc, scale: tfd.Independent(tfd.Normal(loc * tf.ones(3), scale), 1),
        }
    )
    drawn = joint.sample(seed=SEED)
    return drawn, joint.log_prob_parts(drawn), joint.log_prob(drawn), joint.resolve_graph()


def joint_by_a_coroutine():
    @tfd.JointDistributionCoroutineAutoBatched
    def joint():
        scale = yield tfd.LogNormal(0.0, 1.0, name="scale")
        yield tfd.Normal(tf.zeros(3), scale, name="x")

    drawn = joint.sample(2, seed=SEED)
    pinned = joint.experimental_pin(x=tf.ones(3))
    return list(drawn), joint.log_prob(drawn), pinned.unnormalized_log_prob(scale=2.0)


def joint_in_a_row():
    joint = tfd.JointDistributionSequential(
        [tfd.Exponential(1.0), lambda e: tfd.Gamma(2.0, e), lambda n, e: tfd.Normal(n, e)]
    )
    drawn = joint.sample(seed=SEED)
    return list(drawn), joint.log_prob(drawn), list(joint.sample_distributions(seed=SEED)[1])


def hidden_markov_model():
    model = tfd.HiddenMarkovModel(
        tfd.Categorical(probs=[0.8, 0.2]),
        tfd.Categorical(probs=[[0.7, 0.3], [0.2, 0.8]]),
        tfd.Normal([0.0, 15.0], [5.0, 10.0]),
        num_steps=4,
    )
    seen = np.float32([1.0, 4.0, 14.0, 20.0])
    marginals = model.posterior_marginals(seen).logits
    return model.log_prob(seen), model.mean(), model.posterior_mode(seen), marginals


def linear_gaussian_state_space_model():
    model = tfd.LinearGaussianStateSpaceModel(
        num_timesteps=4,
        transition_matrix=tf.linalg.LinearOperatorFullMatrix([[1.0, 0.3], [0.0, 0.9]]),
        transition_noise=tfd.MultivariateNormalDiag(scale_diag=[0.2, 0.1]),
        observation_matrix=tf.linalg.LinearOperatorFullMatrix([[1.0, 0.0]]),
        observation_noise=tfd.MultivariateNormalDiag(scale_diag=[0.5]),
        initial_state_prior=tfd.MultivariateNormalDiag(scale_diag=[1.0, 1.0]),
    )
    seen = VALUES[:, None]
    return [
        model.log_prob(seen),
        model.mean(),
        model.variance(),
        list(model.forward_filter(seen)),
        list(model.posterior_marginals(seen)),
        model.sample(seed=SEED),
    ]


def gaussian_process():
    kernel = kernels.ExponentiatedQuadratic(1.2, 0.7)
    process = tfd.GaussianProcess(kernel, POINTS, observation_noise_variance=0.1)
    return _all_of(process, VALUES, ("mean", "stddev", "covariance"))


def gaussian_process_that_saw_points():
    kernel = kernels.MaternFiveHalves(1.2, 0.7)
    model = tfd.GaussianProcessRegressionModel(
        kernel, POINTS + 0.2, POINTS, VALUES, observation_noise_variance=0.05
    )
    return model.mean(), model.stddev(), model.log_prob(VALUES)


def student_t_process():
    kernel = kernels.RationalQuadratic(1.2, 0.7)
    return _all_of(tfd.StudentTProcess(4.0, kernel, POINTS, observation_noise_variance=0.1), VALUES)


def variational_gaussian_process():
    kernel = kernels.MaternThreeHalves(1.2, 0.7)
    made = tfd.VariationalGaussianProcess(
        kernel, POINTS, POINTS[:2] + 0.1, VALUES[:2], LOWER, observation_noise_variance=0.1
    )
    loss = made.variational_loss(observations=VALUES, observation_index_points=POINTS)
    return made.mean(), made.variance(), loss


def markov_chain():
    chain = tfd.MarkovChain(
        tfd.Normal(0.0, 1.0), lambda _, x: tfd.Normal(0.5 * x, 0.2), num_steps=4
    )
    return chain.sample(2, seed=SEED), chain.log_prob(VALUES)


def autoregressive():
    def given(x):
        return tfd.Independent(tfd.Normal(tf.cumsum(x, exclusive=True, axis=-1), 1.0), 1)

    made = tfd.Autoregressive(given, sample0=tf.zeros(3), num_steps=3)
    return made.sample(seed=SEED), made.log_prob(REAL)


def blockwise():
    made = tfd.Blockwise([tfd.Normal(0.5, 2.0), tfd.MultivariateNormalTriL(LOC, LOWER)])
    return _all_of(made, REAL, ("mean",))


def masked_and_reshaped():
    masked = tfd.Masked(tfd.Normal(REAL, 1.0), [True, False, True])
    shaped = tfd.BatchReshape(tfd.Normal(tf.range(4.0), 1.0), [2, 2])
    wide = tfd.BatchBroadcast(tfd.Normal(REAL, 1.0), [2, 3])
    square = np.ones((2, 2), "float32")
    return [_all_of(masked, REAL, ()), _all_of(shaped, square, ()), _all_of(wide, REAL, ())]


def zero_inflated():
    made = tfd.ZeroInflatedNegativeBinomial(0.3, total_count=3.0, probs=0.4)
    return _all_of(made, np.float32([0, 1, 3]), ("mean", "variance"))


def mixtures():
    mixed = tfd.Mixture(
        tfd.Categorical(probs=[0.3, 0.7]), [tfd.Normal(-1.0, 0.5), tfd.Normal(1.0, 2.0)]
    )
    parts = tfd.MultivariateNormalTriL(np.stack([LOC, -LOC]), LOWER)
    several = tfd.MixtureSameFamily(tfd.Categorical([0.2, 0.5]), parts)
    return _all_of(mixed, REAL), _all_of(several, LOC, ("mean", "covariance"))


def matrices():
    scale = tf.linalg.LinearOperatorLowerTriangular(LOWER)
    normal = tfd.MatrixNormalLinearOperator(COV, scale, scale)
    spread = tfd.MatrixTLinearOperator(4.0, COV, scale, scale)
    return [
        _all_of(normal, COV, ("mean",)),
        _all_of(spread, COV, ("mean",)),
        tfd.CholeskyLKJ(3, 1.5).sample(2, seed=SEED),
        _all_of(tfd.WishartLinearOperator(3.0, scale), COV, ()),
    ]


def transformed():
    made = tfd.MultivariateNormalDiag(LOC, [1.0, 2.0])
    soft = tfb.Chain([tfb.Softplus(), tfb.Scale(0.5)])(made)
    drawn = soft.sample(3, seed=SEED)
    return drawn, soft.log_prob(drawn), tfb.Exp()(tfd.Normal(REAL, 1.0)).cdf(POSITIVE)


def samples_of_many_kinds():
    drawn = {
        "Beta": tfd.Beta(2.0, 3.0),
        "Binomial": tfd.Binomial(5.0, probs=UNIT),
        "Categorical": tfd.Categorical(REAL),
        "Cauchy": tfd.Cauchy(REAL, 1.0),
        "Dirichlet": tfd.Dirichlet(POSITIVE),
        "Exponential": tfd.Exponential(POSITIVE),
        "Gamma": tfd.Gamma(2.0, POSITIVE),
        "Gumbel": tfd.Gumbel(REAL, 1.0),
        "Laplace": tfd.Laplace(REAL, 1.0),
        "LogNormal": tfd.LogNormal(REAL, 1.0),
        "Logistic": tfd.Logistic(REAL, 1.0),
        "Multinomial": tfd.Multinomial(4.0, REAL),
        "NegativeBinomial": tfd.NegativeBinomial(3.0, probs=UNIT),
        "Normal": tfd.Normal(REAL, 1.0),
        "OneHot": tfd.OneHotCategorical(REAL),
        "Poisson": tfd.Poisson(POSITIVE),
        "StudentT": tfd.StudentT(3.0, REAL, 1.0),
        "Triangular": tfd.Triangular(0.0, 1.0, UNIT),
        "TruncatedNormal": tfd.TruncatedNormal(REAL, 1.0, -2.0, 3.0),
        "Uniform": tfd.Uniform(REAL, 3.0),
        "VonMises": tfd.VonMises(REAL, 2.0),
        "Weibull": tfd.Weibull(1.5, POSITIVE),
    }
    return {name: one.sample(4, seed=SEED) for name, one in drawn.items()}


def distributions_go_through_functions():
    @tf.function
    def shifted(distribution):
        return tfd.Normal(distribution.loc + 1.0, distribution.scale)

    found = shifted(tfd.Normal(REAL, 1.0))
    flat = tf.nest.flatten(found, expand_composites=True)
    return found.loc, flat, found.copy(scale=2.0).stddev(), found[1:].mean(), found.dtype.name


def flows():
    tf.keras.utils.set_random_seed(3)
    made = tfb.AutoregressiveNetwork(
        params=2, event_shape=2, hidden_units=[4], kernel_initializer="ones", activation="tanh"
    )
    coupling = tfb.RealNVP(
        num_masked=1, shift_and_log_scale_fn=lambda x, size, **_: (x * size, tf.tanh(x))
    )
    x = np.stack([LOC, -LOC])
    return [
        [one.forward(x), one.inverse(x), one.forward_log_det_jacobian(x, 1)]
        for one in (tfb.MaskedAutoregressiveFlow(made), coupling)
    ]


def bijectors_of_matrices():
    made = {
        "CholeskyOuterProduct": (tfb.CholeskyOuterProduct(), LOWER, 2),
        "CholeskyToInvCholesky": (tfb.CholeskyToInvCholesky(), LOWER, 2),
        "FillTriangular": (tfb.FillTriangular(), REAL, 1),
        "Householder": (tfb.Householder(reflection_axis=LOC / np.linalg.norm(LOC)), LOC, 1),
        "MatrixInverseTriL": (tfb.MatrixInverseTriL(), LOWER, 2),
        "ScaleMatvecDiag": (tfb.ScaleMatvecDiag([1.0, 2.0]), LOC, 1),
        "ScaleMatvecLU": (tfb.ScaleMatvecLU(COV, [0, 1]), LOC, 1),
    }
    return {
        name: [one.forward(x), one.inverse(one.forward(x)), one.forward_log_det_jacobian(x, rank)]
        for name, (one, x, rank) in made.items()
    }


def bijectors_of_parts():
    joint = tfb.JointMap({"a": tfb.Exp(), "b": tfb.Scale(2.0)}).forward({"a": REAL, "b": REAL})
    split = tfb.Split(2).forward(np.float32([1, 2, 3, 4]))
    block = tfb.Blockwise([tfb.Exp(), tfb.Softplus()], [1, 2]).forward(REAL)
    around = tfb.Restructure({"x": 0, "y": 1}).forward([1.0, 2.0])
    return joint, split, block, around, tfb.Exp().forward(1.0)


def _run(kernel, steps=30, state=0.5, traced=lambda _, results: ()):
    @tf.function
    def run():
        return tfp.mcmc.sample_chain(
            steps, state, kernel=kernel, num_burnin_steps=5, seed=[3, 4], trace_fn=traced
        )

    found = run()
    return found.all_states, found.trace


def metropolis_by_random_walks():
    return _run(tfp.mcmc.RandomWalkMetropolis(TARGET))


def hamiltonian_steps():
    kernel = tfp.mcmc.HamiltonianMonteCarlo(TARGET, 0.3, 3)
    return _run(kernel, traced=lambda _, results: [results.is_accepted, results.log_accept_ratio])


def langevin_steps():
    return _run(tfp.mcmc.MetropolisAdjustedLangevinAlgorithm(TARGET, 0.1))


def slices():
    return _run(tfp.mcmc.SliceSampler(TARGET, step_size=1.0, max_doublings=5), steps=10)


def no_u_turns():
    kernel = tfp.mcmc.NoUTurnSampler(TARGET, 0.3, max_tree_depth=3)
    return _run(kernel, 10, traced=lambda _, results: results.leapfrogs_taken)


def adapted_steps():
    inner = tfp.mcmc.HamiltonianMonteCarlo(TARGET, 0.3, 2)
    kernel = tfp.mcmc.SimpleStepSizeAdaptation(inner, num_adaptation_steps=10)
    return _run(kernel, traced=lambda _, results: results.new_step_size)


def dual_averages():
    inner = tfp.mcmc.HamiltonianMonteCarlo(TARGET, 0.3, 2)
    kernel = tfp.mcmc.DualAveragingStepSizeAdaptation(inner, num_adaptation_steps=10)
    return _run(kernel, traced=lambda _, results: results.new_step_size)


def transformed_chains():
    inner = tfp.mcmc.HamiltonianMonteCarlo(tfd.Gamma(2.0, 1.0).log_prob, 0.2, 2)
    return _run(tfp.mcmc.TransformedTransitionKernel(inner, tfb.Softplus()))


def exchanged_replicas():
    kernel = tfp.mcmc.ReplicaExchangeMC(
        TARGET, [1.0, 0.5], lambda f: tfp.mcmc.HamiltonianMonteCarlo(f, 0.3, 2)
    )
    return _run(kernel, steps=10)


def annealed_importance():
    def kernel(target):
        return tfp.mcmc.HamiltonianMonteCarlo(target, 0.2, 2)

    found = tfp.mcmc.sample_annealed_importance_chain(
        5, tfd.Normal(0.0, 1.0).log_prob, TARGET, tf.zeros(3), kernel, seed=[3, 4]
    )
    return found[0], found[1]


def diagnostics_of_chains():
    drawn = np.random.normal(size=(40, 3)).astype("float32")
    return [
        tfp.mcmc.effective_sample_size(drawn),
        tfp.mcmc.effective_sample_size(drawn, cross_chain_dims=1),
        tfp.mcmc.potential_scale_reduction(drawn[..., None]),
    ]


def _parts_of_series():
    ones = np.ones((24, 2), "float32")
    return {
        "autoregressive": tfp.sts.Autoregressive(2, observed_time_series=SERIES),
        "dynamic": tfp.sts.DynamicLinearRegression(ones, observed_time_series=SERIES),
        "level": tfp.sts.LocalLevel(observed_time_series=SERIES),
        "seasons": tfp.sts.Seasonal(4, observed_time_series=SERIES),
        "semi": tfp.sts.SemiLocalLinearTrend(observed_time_series=SERIES),
        "smooth": tfp.sts.SmoothSeasonal(12, [1, 2], observed_time_series=SERIES),
        "trend": tfp.sts.LocalLinearTrend(observed_time_series=SERIES),
    }


def series_by_parts():
    found = {}
    for name, part in _parts_of_series().items():
        shapes = [one.prior.batch_shape + one.prior.event_shape for one in part.parameters]
        model = part.make_state_space_model(24, [0.5 * tf.ones(shape) for shape in shapes])
        names = [one.name for one in part.parameters]
        found[name] = [names, model.log_prob(SERIES[:, None]), part.latent_size]
    return found


def series_are_foreseen():
    parts = _parts_of_series()
    model = tfp.sts.Sum([parts["trend"], parts["seasons"]], observed_time_series=SERIES)
    drawn = [tf.constant([one]) for one in (0.1, 0.2, 0.1, 0.3)]
    ahead = tfp.sts.forecast(model, SERIES, drawn, num_steps_forecast=3)
    split = tfp.sts.decompose_by_component(model, SERIES, drawn)
    step = tfp.sts.one_step_predictive(model, SERIES, drawn)
    means = {one.name: distribution.mean() for one, distribution in split.items()}
    return ahead.mean(), ahead.stddev(), means, step.mean()
