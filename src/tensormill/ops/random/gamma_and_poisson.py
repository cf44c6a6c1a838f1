"""Gamma, Poisson, binomial and categorical numbers: TensorFlow's streams (rejection_sampling.py).

Rejection runs in Python: a compiled function calls back for it. Categories need none.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.random_state import state
from ...core.shapes import UNKNOWN
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..array.broadcasting import broadcast_dynamic_shape, broadcast_to, unbroadcast
from ..array.shapes import as_shape_tensor, shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..demands import either, refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.gamma_functions import RandomGammaGrad
from ..op import FLOATS, INDEX, Attr, In, Op, Out, types
from ..underivable import no_derivative
from . import distributions, rejection_sampling
from .draws import RESERVED, Draw, Mixed, drawn
from .keyed import Keyed
from .philox import WordStream
from .seeds import get_seed
from .stateless import Seeded, compiled_stream_of, demand_two_seeds, stream_of
from .uniform_and_normal import stream_advanced

if TYPE_CHECKING:
    from ..results import Tensor

COUNTS = types("f16 bf16 f32 f64 i32 i64")


class Stateful(Draw, abstract=True):
    """Draws `shape` numbers for every element of a parameter: [*shape, *parameter's shape]."""

    shape = In("S n")
    S = INDEX
    effects = (World.DRAWS,)

    def stream(self, count: int, dtype: Any) -> tuple[WordStream, int]:
        application: Any = self
        seeds = application.seed, application.seed2
        start = state.advance((self.name, *seeds), count * RESERVED)
        return WordStream.of_seeds(*seeds), start

    def outer(self, parameter: Any, dtype: Any) -> TensorSpec:
        shape = self.shape.as_shape()
        if shape.dims is None or parameter.shape.dims is None:
            return TensorSpec(UNKNOWN, dtype)
        return TensorSpec((*shape.dims, *parameter.shape.dims), dtype)


class RandomGamma(Stateful):
    """Gamma distributed numbers of scale 1; `alpha` is the shape parameter."""

    alpha = In("T ...")
    output = Out("T ...")
    seed = Attr(0)
    seed2 = Attr(0)
    T = FLOATS
    differentiable = True

    def infer(self) -> TensorSpec:
        return self.outer(self.alpha, self.alpha.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        stream, start = self.stream(count * self.alpha.size, self.alpha.dtype)
        found = rejection_sampling.gammas(stream, start, self.alpha, count)
        found = found.reshape((*sizes, *self.alpha.shape))
        return rejection_sampling.converted(found, self.alpha.dtype)

    def vjp(self, doutput: Any) -> Any:
        return None, alpha_gradient(self.alpha, self.output, doutput)


def alpha_gradient(alpha: Any, sample: Any, d: Any) -> Any:
    """Figurnov et al. 2018, "Implicit reparameterization gradients"."""
    return unbroadcast(d * bind(RandomGammaGrad, alpha, sample), alpha, sample)


class RandomPoissonV2(Stateful):
    """Poisson distributed numbers."""

    rate = In("R ...")
    output = Out("dtype ...")
    seed = Attr(0)
    seed2 = Attr(0)
    dtype = Attr(dtypes.int64)
    R = COUNTS
    differentiable = True
    vjp = no_derivative

    def infer(self) -> TensorSpec:
        return self.outer(self.rate, self.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        stream, start = self.stream(count * self.rate.size, self.dtype)
        found = rejection_sampling.poissons(stream, start, self.rate, count)
        found = found.reshape((*sizes, *self.rate.shape))
        return rejection_sampling.converted(found, self.dtype.numpy)


class Multinomial(Op):
    """Classes [batch, num_samples], drawn with the probabilities softmax(logits)."""

    logits = In("T b k")
    num_samples = In("i32")
    output = Out("output_dtype b m")
    seed = Attr(0)
    seed2 = Attr(0)
    output_dtype = Attr(dtypes.int64)
    T = COUNTS
    effects = (World.DRAWS,)
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        return demand_classes(sizes, self)

    def infer(self) -> TensorSpec:
        return classes(self.logits, self.num_samples, self.output_dtype)

    def eager(self, np: Any) -> Any:
        count = self.found
        key = (self.name, self.seed, self.seed2)
        start = state.advance(key, len(self.logits) * -(-count // 4) * 8 * RESERVED)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        return rejection_sampling.categories(stream, start, self.logits, count).astype(
            self.output_dtype.numpy
        )

    def lower(self, loops: Any) -> Any:
        count = self.found
        groups = (count + 3) // 4
        reserved = loops.count((self.logits.shape[0], groups, 8 * RESERVED))
        start = stream_advanced(loops, self, reserved)
        return categories(loops, self, count, WordStream.of_seeds(self.seed, self.seed2), start)


def classes(logits: Any, num_samples: Any, dtype: Any) -> TensorSpec:
    rows = None if logits.shape.dims is None else logits.shape.dims[0]
    return TensorSpec((rows, (num_samples.sizes or (None,))[0]), dtype)


def demand_classes(sizes: Any, application: Any) -> Any:
    """How many are drawn of each row, of which there is a class to draw."""
    (count,) = sizes.numbers(application.num_samples)
    sizes.require(count >= 0, InvalidArgumentError, NEGATIVE_COUNT, count)
    shape = sizes.shape(application.logits, 2)
    if len(shape) != 2:
        message = "logits should be a matrix (rank 2), got shape {}"
        refuse(ShapeMismatchError, message, shape)
    rows, known = shape
    some = either(known > 0, sizes.equal(rows, 0), sizes.equal(count, 0))
    sizes.require_late(some, InvalidArgumentError, NO_CLASSES, known)
    return count


def categories(loops: Any, application: Any, count: Any, stream: WordStream, start: Any) -> Any:
    """`rejection_sampling.categories` in compiled code."""
    s, (rows, known) = loops.scalars, application.logits.shape
    running = loops.kept(loops.scan("sum", _weights(loops, application.logits), 1, False, False))
    numbers = drawn(
        loops, (rows, count), dtypes.float64, stream, start,
        lambda words, lane: distributions.unit_float(s, words, lane, dtypes.float64),
    )  # fmt: skip

    def wanted(row: Any, j: Any) -> Any:
        return numbers[row, j] * running[row, known - 1]

    marks = loops.kept(loops.map((rows, count), dtypes.float64, wanted))

    def is_below(place: Any, row: Any, j: Any) -> Any:
        return running[row, place] <= marks[row, j]

    return loops.search(known, marks, application.output_dtype, is_below)


def _weights(loops: Any, logits: Any) -> Any:
    """How probable each class is, the most probable one 1: classes of no number are not drawn."""
    s, (rows, known) = loops.scalars, logits.shape
    nothing = loops.constant(0.0, dtypes.float64)
    lowest = loops.constant(float("-inf"), dtypes.float64)
    wide = loops.kept(
        loops.map((rows, known), dtypes.float64, lambda *at: s.cast(logits[at], dtypes.float64))
    )

    def finite(at: Any, otherwise: Any) -> Any:
        return s.where(s.is_finite(wide[at]), wide[at], otherwise)

    highest = loops.kept(
        loops.reduce(
            "max", (rows,), (known,), dtypes.float64, lambda o, r: finite((*o, *r), lowest)
        )
    )

    def weight(row: Any, k: Any) -> Any:
        return s.where(s.is_finite(wide[row, k]), s.exp(wide[row, k] - highest[(row,)]), nothing)

    return loops.map((rows, known), dtypes.float64, weight)


NEGATIVE_COUNT = "num_samples should be nonnegative, got {}"
NO_CLASSES = "num_classes should be positive, got {}"


# ---------------------------------------------------------------- determined by seeds


def batches(sizes: tuple[int, ...], parameters: tuple[int, ...]) -> int:
    """How many numbers every element of the parameters gives: the sizes end with theirs.

    Raises:
        InvalidArgumentError: they do not.
    """
    outer = len(sizes) - len(parameters)
    if outer < 0 or sizes[outer:] != parameters:
        raise InvalidArgumentError("Shape passed in must end with broadcasted shape.")
    return math.prod(sizes[:outer])


class Gamma(Mixed):
    """Gamma distributed numbers of scale 1."""

    __slots__ = ()
    alpha: Any
    output: Any

    def number_dtype(self) -> Any:
        return self.alpha.dtype

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = batches(sizes, self.alpha.shape)
        stream, start = self.stream(math.prod(sizes), self.alpha.dtype)
        found = rejection_sampling.gammas(stream, start, self.alpha, count)
        return rejection_sampling.converted(found.reshape(sizes), self.alpha.dtype)

    def vjp(self, doutput: Any) -> Any:
        others = [None] * (len(self.inputs) - 1)
        return *others, alpha_gradient(self.alpha, self.output, doutput)


class StatelessRandomGammaV2(Gamma, Seeded):
    """Gamma distributed numbers of scale 1, determined by the seeds."""

    alpha = In("dtype ...")
    output = Out("dtype ...")
    dtype = FLOATS
    differentiable = True


class StatelessRandomGammaV3(Gamma, Keyed):
    """Gamma distributed numbers of scale 1, of a stream that its key and counter determine."""

    alpha = In("dtype ...")
    output = Out("dtype ...")
    dtype = FLOATS
    differentiable = True


class StatelessRandomPoisson(Seeded):
    """Poisson distributed numbers, determined by the seeds."""

    lam = In("Rtype ...")
    output = Out("dtype ...")
    dtype = Attr()
    Rtype = COUNTS

    def number_dtype(self) -> Any:
        return self.dtype

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = batches(sizes, self.lam.shape)
        found = rejection_sampling.poissons(stream_of(self.seed), 0, self.lam, count)
        return rejection_sampling.converted(found.reshape(sizes), self.dtype.numpy)


class Binomial(Mixed):
    """Binomial numbers of the full `shape`, which ends with the shape of the parameters."""

    __slots__ = ()
    counts: Any
    probs: Any
    dtype: Any

    def number_dtype(self) -> Any:
        return self.dtype

    def eager(self, np: Any) -> Any:
        counts, probs = np.broadcast_arrays(self.counts, self.probs)
        sizes = self.found
        batch = batches(sizes, counts.shape)
        stream, start = self.stream(math.prod(sizes), dtypes.uint32)
        found = rejection_sampling.binomials(stream, start, counts, probs, batch)
        return rejection_sampling.converted(found.reshape(sizes), self.dtype.numpy)


class StatelessRandomBinomial(Binomial, Seeded):
    """Binomial numbers, determined by the seeds."""

    counts = In("B ...")
    probs = In("B ...")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64)
    B = COUNTS


class KeyedBinomial(Binomial, Keyed):
    """Binomial numbers of a generator's stream."""

    counts = In("B ...")
    probs = In("B ...")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64)
    B = COUNTS


class StatelessMultinomial(Op):
    """Classes [batch, num_samples] of the probabilities softmax(logits), determined by seeds."""

    logits = In("T b k")
    num_samples = In("i32")
    seed = In("Tseed 2")
    output = Out("output_dtype b m")
    output_dtype = Attr(dtypes.int64)
    T = COUNTS
    Tseed = INDEX
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        demand_two_seeds(sizes, self.seed)
        return demand_classes(sizes, self)

    def infer(self) -> TensorSpec:
        return classes(self.logits, self.num_samples, self.output_dtype)

    def eager(self, np: Any) -> Any:
        count = self.found
        stream = stream_of(self.seed)
        return rejection_sampling.categories(stream, 0, self.logits, count).astype(
            self.output_dtype.numpy
        )

    def lower(self, loops: Any) -> Any:
        return categories(loops, self, self.found, *compiled_stream_of(loops, self.seed))


# ---------------------------------------------------------------- functions


@dispatchable
def gamma(
    shape: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Gamma distributed numbers [*shape, *shape of alpha + beta]: `alpha` is the shape parameter,
    `beta` the inverse scale (1).

    dtype: a float, of the parameters too, which must be above 0. There are gradients to both
    (Figurnov et al. 2018). seed: an int, of this operation; it and `tf.random.set_seed` tell the
    stream.

    >>> tf.random.gamma([5], alpha=[1., 2.], beta=[[1.], [10.], [100.]]).shape
    TensorShape([5, 3, 2])

    Raises:
        InvalidArgumentError: `alpha` and `beta` do not broadcast.
    """
    alpha, beta = _gamma_parameters(alpha, beta, dtype)
    first, second = get_seed(seed)
    drawn = bind(RandomGamma, as_shape_tensor(shape), alpha, seed=first, seed2=second)
    return _scaled_gamma(drawn, beta, name)


@dispatchable
def stateless_gamma(
    shape: Any,
    seed: Any,
    alpha: Any,
    beta: Any = None,
    dtype: Any = dtypes.float32,
    name: str | None = None,
) -> Any:
    """Gamma distributed numbers of shape `shape` that `seed`, two integers, determines.

    `alpha` is the shape parameter, `beta` the inverse scale (1); the shape ends with theirs. dtype:
    a float, of the parameters too, which must be above 0.

    >>> tf.random.stateless_gamma([3, 2], seed=[1, 2], alpha=[1., 50.]).numpy().round(1)
    array([[ 3.5, 52.4],
           [ 1.7, 52.6],
           [ 2.2, 48.7]], dtype=float32)

    Raises:
        InvalidArgumentError: it does not; or the seed has another shape than [2].
    """
    alpha, beta = _gamma_parameters(alpha, beta, dtype)
    drawn = bind(StatelessRandomGammaV2, as_shape_tensor(shape), seed, alpha)
    return _scaled_gamma(drawn, beta, name)


def _gamma_parameters(alpha: Any, beta: Any, dtype: Any) -> tuple[Any, Any]:
    found = as_dtype(dtype)
    alpha = as_tensor(alpha, found)
    beta = as_tensor(1 if beta is None else beta, found)
    return broadcast_to(alpha, broadcast_dynamic_shape(shape_of(alpha), shape_of(beta))), beta


def _scaled_gamma(drawn: Any, beta: Any, name: str | None) -> Any:
    import ml_dtypes

    tiny = float(ml_dtypes.finfo(drawn.dtype.numpy).tiny)
    return maximum(as_tensor(tiny, drawn.dtype), drawn / beta, name=name)


@dispatchable
def poisson(
    shape: Any,
    lam: Any,
    dtype: Any = dtypes.float32,
    seed: int | None = None,
    name: str | None = None,
) -> Tensor:
    """Poisson distributed numbers [*shape, *shape of lam].

    lam: the mean, float16, bfloat16, float32, float64, int32 or int64. dtype: that of the result,
    float32 by default. seed: an int, of this operation; it and `tf.random.set_seed` tell the
    stream.

    >>> tf.random.poisson([5], lam=[1., 20., 300.]).shape
    TensorShape([5, 3])
    """
    first, second = get_seed(seed)
    rate, sizes = as_tensor(lam, None, dtypes.float32), as_shape_tensor(shape)
    return bind(
        RandomPoissonV2, sizes, rate, dtype=as_dtype(dtype), seed=first, seed2=second, name=name
    )


@dispatchable
def stateless_poisson(
    shape: Any, seed: Any, lam: Any, dtype: Any = dtypes.int32, name: str | None = None
) -> Any:
    """Poisson distributed numbers of shape `shape`, which ends with that of `lam`, that `seed`
    determines.

    seed: two integers. lam: the mean, floats, int32 or int64. dtype: that of the result.

    >>> tf.random.stateless_poisson([3, 2], seed=[1, 2], lam=[1., 50.]).numpy()
    array([[ 3, 58],
           [ 3, 43],
           [ 2, 56]], dtype=int32)

    Raises:
        InvalidArgumentError: the shape does not end so; or the seed has another shape than [2].
    """
    sizes, rate = as_shape_tensor(shape), as_tensor(lam, None, dtypes.float32)
    return bind(StatelessRandomPoisson, sizes, seed, rate, dtype=as_dtype(dtype), name=name)


@dispatchable
def stateless_binomial(
    shape: Any,
    seed: Any,
    counts: Any,
    probs: Any,
    output_dtype: Any = dtypes.int32,
    name: str | None = None,
) -> Any:
    """Numbers of successes in `counts` trials that succeed with probability `probs`; `seed`
    determines them, and `shape` ends with the shape of the parameters.

    seed: two integers. counts, probs: they broadcast; probs are floats, from 0 to 1.

    >>> tf.random.stateless_binomial([3, 2], seed=[1, 2], counts=1000, probs=[0.5, 0.1]).numpy()
    array([[519, 111],
           [510,  91],
           [523, 108]], dtype=int32)

    Raises:
        InvalidArgumentError: it does not; or the seed has another shape than [2].
    """
    probs = as_tensor(probs, None, dtypes.float32)
    counts = cast(as_tensor(counts), probs.dtype)
    return bind(
        StatelessRandomBinomial, as_shape_tensor(shape), seed, counts, probs,
        dtype=as_dtype(output_dtype), name=name,
    )  # fmt: skip


@dispatchable
def categorical(
    logits: Any, num_samples: Any, dtype: Any = None, seed: int | None = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """Classes [batch, num_samples], int64, drawn with the probabilities softmax(logits).

    logits: [batch, classes], floats, int32 or int64: logarithms of probabilities, up to a constant.
    Class k is the integer k. dtype: another one of the result. seed: an int, of this operation; it
    and `tf.random.set_seed` tell the stream.

    >>> tf.random.categorical([[0., 99.], [99., 0.]], 3).numpy()
    array([[1, 1, 1],
           [0, 0, 0]])

    Raises:
        InvalidArgumentError: `logits` is no matrix, or has no classes; `num_samples` is negative.
    """
    first, second = get_seed(seed)
    found = dtypes.int64 if dtype is None else as_dtype(dtype)
    return bind(
        Multinomial, logits, num_samples, output_dtype=found, seed=first, seed2=second, name=name
    )


@dispatchable
def stateless_categorical(
    logits: Any, num_samples: Any, seed: Any, dtype: Any = dtypes.int64, name: str | None = None
) -> Any:
    """Classes [batch, num_samples] of the probabilities softmax(logits) that `seed` determines.

    logits: [batch, classes], floats, int32 or int64. seed: two integers. dtype: that of the result.

    >>> tf.random.stateless_categorical([[0., 0.], [0., 9.]], 6, seed=[1, 2]).numpy()
    array([[1, 1, 0, 1, 1, 1],
           [1, 1, 1, 1, 1, 1]])

    Raises:
        InvalidArgumentError: `logits` is no matrix, or has no classes; `num_samples` is negative;
            or the seed has another shape than [2].
    """
    found = as_dtype(dtype)
    return bind(StatelessMultinomial, logits, num_samples, seed, output_dtype=found, name=name)
