"""Gamma, Poisson and binomial numbers: TensorFlow's streams (rejection_sampling.py)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from ...core import dtypes, native_operations
from ...core.dtypes import as_dtype
from ...core.random_state import state
from ...core.shapes import UNKNOWN
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.broadcasting import broadcast_dynamic_shape, broadcast_to, unbroadcast
from ..array.shapes import as_shape_tensor, shape_of
from ..bind import bind
from ..conversion import as_tensor
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..math.arithmetic import maximum
from ..math.cast import cast
from ..math.gamma_functions import RandomGammaGrad
from ..op import FLOATS, INDEX, REGISTRY, Attr, In, Out, as_lower, types
from ..origins import Origin
from ..underivable import no_derivative
from . import compiled_rejection, rejection_sampling
from .draws import RESERVED, Draw, Mixed, StreamAt, words_of
from .keyed import Keyed
from .philox import WordStream
from .seeds import get_seed
from .stateless import Seeded
from .uniform_and_normal import stream_advanced

if TYPE_CHECKING:
    from ..results import Tensor

COUNTS = types("f16 f32 f64 i32 i64")
# Of the compiler's loops, a stream, where in it numbers begin, and vectors of parameters.
Numbers = Callable[..., compiled_rejection.Number]
# Numbers from which native code pays: the kernel takes a microsecond for each and more.
MANY: Final = 1 << 8


class Stateful(Draw, abstract=True):
    """Draws `shape` numbers for every element of a parameter: [*shape, *parameter's shape]."""

    shape = In("S n")
    S = INDEX
    xla = as_lower
    effects = (World.DRAWS,)

    def stream(self, count: int, dtype: Any) -> tuple[WordStream, int]:
        application: Any = self
        seeds = application.seed, application.seed2
        start = state.advance((self.name, *seeds, dtype), count * RESERVED)
        return WordStream.of_seeds(*seeds), start

    def compiled(self, loops: Any, parameter: Any, dtype: Any, numbers: Numbers) -> Any:
        """The numbers in compiled code: `numbers(loops, stream, start, parameters)`."""
        application: Any = self
        many = loops.count(parameter.shape)
        count = loops.count(self.found)
        start = stream_advanced(loops, self, loops.count((count, many, RESERVED)))
        stream = WordStream.of_seeds(application.seed, application.seed2)
        flat = loops.kept(loops.reshape(parameter, (many,)))
        sizes = (*self.found, *parameter.shape)
        number = numbers(loops, stream, start, flat)
        return compiled_rejection.numbers(loops, sizes, count, many, dtype, number)

    def outer(self, parameter: Any, dtype: Any) -> TensorSpec:
        shape = self.shape.as_shape()
        if shape.entries is None or parameter.shape.entries is None:
            return TensorSpec(UNKNOWN, dtype)
        return TensorSpec((*shape.entries, *parameter.shape.entries), dtype)


class RandomGamma(Stateful):
    """Gamma distributed numbers of scale 1; `alpha` is the shape parameter."""

    alpha = In("T ...")
    output = Out("T ...")
    seed = Attr(0)
    seed2 = Attr(0)
    T = types("f16 f32 f64")
    differentiable = True

    def infer(self) -> TensorSpec:
        return self.outer(self.alpha, self.alpha.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        place = self.stream(count * self.alpha.size, self.alpha.dtype)
        return gammas(place, count, self.alpha).reshape((*sizes, *self.alpha.shape))

    def lower(self, loops: Any) -> Any:
        dtype = as_dtype(self.alpha.dtype)
        return self.compiled(loops, self.alpha, dtype, compiled_rejection.gamma)

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
    dtype = Attr(dtypes.int64, types("f16 f32 f64 i32 i64"))
    R = COUNTS
    differentiable = True
    vjp = no_derivative

    def infer(self) -> TensorSpec:
        return self.outer(self.rate, self.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = math.prod(sizes)
        place = self.stream(count * self.rate.size, self.dtype)
        found = poissons(place, count, self.rate, self.dtype)
        return found.reshape((*sizes, *self.rate.shape))

    def lower(self, loops: Any) -> Any:
        return self.compiled(loops, self.rate, self.dtype, compiled_rejection.poisson)


# ---------------------------------------------------------------- determined by seeds


def batches(sizes: tuple[int, ...], parameters: tuple[int, ...]) -> int:
    """How many numbers every element of the parameters gives: the sizes end with theirs.

    Raises:
        InvalidArgumentError: they do not.
    """
    outer = len(sizes) - len(parameters)
    if outer < 0 or sizes[outer:] != parameters:
        raise InvalidArgumentError(NO_END)
    return math.prod(sizes[:outer])


NO_END = "Shape passed in must end with broadcasted shape."


def gammas(place: StreamAt, each: int, alpha: Any) -> Any:
    """So many numbers for each of the parameters: [each, *shape]."""
    found = natively("StatelessRandomGammaV3", place, each, (alpha,))
    if found is None:
        found = rejection_sampling.gammas(*place, alpha, each)
    return rejection_sampling.converted(found, alpha.dtype)


def poissons(place: StreamAt, each: int, rate: Any, dtype: Any) -> Any:
    found = natively("KeyedPoisson", place, each, (rate,), dtype=dtype)
    if found is None:
        found = rejection_sampling.poissons(*place, rate, each)
    return rejection_sampling.converted(found, dtype.storage)


def binomials(place: StreamAt, each: int, counts: Any, probs: Any, dtype: Any) -> Any:
    found = natively("KeyedBinomial", place, each, (counts, probs), dtype=dtype)
    if found is None:
        found = rejection_sampling.binomials(*place, counts, probs, each)
    return rejection_sampling.converted(found, dtype.storage)


def natively(
    name: str, place: StreamAt, each: int, parameters: tuple[Any, ...], **attrs: Any
) -> Any:
    """The numbers that the operation of this name draws; None where they are too few for that."""
    shape = parameters[0].shape
    if each * math.prod(shape) < MANY:
        return None
    dense = [one if one.flags.c_contiguous else one.copy() for one in parameters]
    given = (np.array([each, *shape]), *words_of(*place), np.array(1, np.int32), *dense)
    found = native_operations.run(REGISTRY[name], given, attrs)
    return None if found is None else found[0]


class Batches(Mixed):
    """Numbers of the full `shape`, which ends with the shape of the parameters."""

    __slots__ = ()
    xla = as_lower

    def compiled(self, loops: Any, numbers: Numbers, *parameters: Any) -> Any:
        """The numbers in compiled code: `numbers(loops, stream, start, *parameters)`."""
        sizes, shape = self.found, parameters[0].shape
        outer = len(sizes) - len(shape)
        if outer < 0:
            raise InvalidArgumentError(NO_END)
        for size, wanted in zip(sizes[outer:], shape, strict=True):
            loops.check(wanted == size, InvalidArgumentError, NO_END)
        stream, start = self.compiled_stream(loops, sizes)
        many = loops.count(shape)
        flat = [loops.kept(loops.reshape(one, (many,))) for one in parameters]
        number = numbers(loops, stream, start, *flat)
        each = loops.count(sizes[:outer])
        return compiled_rejection.numbers(loops, sizes, each, many, self.number_dtype(), number)


class Gamma(Batches):
    """Gamma distributed numbers of scale 1."""

    __slots__ = ()
    alpha: Any
    output: Any

    def number_dtype(self) -> Any:
        return as_dtype(self.alpha.dtype)

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = batches(sizes, self.alpha.shape)
        place = self.stream(math.prod(sizes), self.alpha.dtype)
        return gammas(place, count, self.alpha).reshape(sizes)

    def lower(self, loops: Any) -> Any:
        return self.compiled(loops, compiled_rejection.gamma, self.alpha)

    def vjp(self, doutput: Any) -> Any:
        others = [None] * (len(self.inputs) - 1)
        return *others, alpha_gradient(self.alpha, self.output, doutput)


class StatelessRandomGammaV2(Gamma, Seeded):
    """Gamma distributed numbers of scale 1, determined by the seeds."""

    alpha = In("dtype ...")
    output = Out("dtype ...")
    dtype = RandomGamma.T
    differentiable = True


class StatelessRandomGammaV3(Gamma, Keyed):
    """Gamma distributed numbers of scale 1, of a stream that its key and counter determine."""

    shape = In("shape_dtype n")
    shape_dtype = INDEX
    alpha = In("dtype ...")
    output = Out("dtype ...")
    dtype = RandomGamma.T
    differentiable = True


class Poisson(Batches):
    """Poisson distributed numbers."""

    __slots__ = ()
    lam: Any
    dtype: Any

    def number_dtype(self) -> Any:
        return self.dtype

    def eager(self, np: Any) -> Any:
        sizes = self.found
        count = batches(sizes, self.lam.shape)
        place = self.stream(math.prod(sizes), self.dtype)
        return poissons(place, count, self.lam, self.dtype).reshape(sizes)

    def lower(self, loops: Any) -> Any:
        return self.compiled(loops, compiled_rejection.poisson, self.lam)


class StatelessRandomPoisson(Poisson, Seeded):
    """Poisson distributed numbers, determined by the seeds."""

    lam = In("Rtype ...")
    output = Out("dtype ...")
    dtype = Attr(allowed=types("f16 f32 f64 i32 i64"))
    Rtype = COUNTS


class KeyedPoisson(Poisson, Keyed):
    """Poisson distributed numbers of a stream that its key and counter determine."""

    lam = In("Rtype ...")
    output = Out("dtype ...")
    dtype = Attr()
    origin = Origin.GRAPHS
    Rtype = COUNTS


class Binomial(Batches):
    """Binomial numbers."""

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
        place = self.stream(math.prod(sizes), dtypes.uint32)
        return binomials(place, batch, counts, probs, self.dtype).reshape(sizes)

    def lower(self, loops: Any) -> Any:
        shape = loops.broadcast_shape(self.counts.shape, self.probs.shape)
        counts, probs = (loops.broadcast(x, shape) for x in (self.counts, self.probs))
        return self.compiled(loops, compiled_rejection.binomial, counts, probs)


class StatelessRandomBinomial(Binomial, Seeded):
    """Binomial numbers, determined by the seeds."""

    shape = In("S n")
    counts = In("T ...")
    probs = In("T ...")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64, types("f16 f32 f64 i32 i64"))
    S = INDEX
    T = COUNTS


class KeyedBinomial(Binomial, Keyed):
    """Binomial numbers of a generator's stream."""

    counts = In("B ...")
    probs = In("B ...")
    output = Out("dtype ...")
    dtype = Attr(dtypes.int64)
    origin = Origin.GRAPHS
    B = COUNTS


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
        ValueError: dtype is no float.
    """
    if as_dtype(dtype) not in FLOATS:
        raise ValueError(f"The dtype of gamma numbers must be a float, got {as_dtype(dtype).name}")
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

    tiny = float(ml_dtypes.finfo(drawn.dtype.storage).tiny)
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

    Raises:
        InvalidArgumentError: `shape` is no vector, or has a size below 0.
        DTypeMismatchError: `lam` or `dtype` is none of the dtypes that are told above.
    """
    first, second = get_seed(seed)
    rate, sizes = as_tensor(lam, None, dtypes.float32), as_shape_tensor(shape)
    kind = None if dtype is None else as_dtype(dtype)
    return bind(RandomPoissonV2, sizes, rate, dtype=kind, seed=first, seed2=second, name=name)


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
        dtype=None if output_dtype is None else as_dtype(output_dtype), name=name,
    )  # fmt: skip
