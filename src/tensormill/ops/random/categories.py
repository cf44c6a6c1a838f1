"""Categories: classes drawn with the probabilities that logits tell; TensorFlow's streams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...core import dtypes
from ...core.dtypes import as_dtype
from ...core.random_state import state
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError, ShapeMismatchError
from ..bind import bind
from ..composed import composed
from ..demands import either, refuse
from ..dispatch.meanings import dispatchable
from ..effects import World
from ..op import INDEX, Attr, In, Op, Out, types
from . import distributions, rejection_sampling
from .draws import RESERVED, drawn, drawn_in_xla
from .gamma_and_poisson import COUNTS
from .philox import WordStream
from .seeds import get_seed
from .stateless import compiled_stream_of, demand_two_seeds, stream_of
from .uniform_and_normal import stream_advanced

if TYPE_CHECKING:
    from ..results import Tensor


class Multinomial(Op):
    """Classes [batch, num_samples], drawn with the probabilities softmax(logits)."""

    logits = In("T b k")
    num_samples = In("i32")
    output = Out("output_dtype b m")
    seed = Attr(0)
    seed2 = Attr(0)
    output_dtype = Attr(dtypes.int64, INDEX)
    T = COUNTS | types("bf16")
    effects = (World.DRAWS,)
    differentiable = False

    def demands(self, sizes: Any) -> Any:
        return demand_classes(sizes, self)

    def infer(self) -> TensorSpec:
        return classes(self.logits, self.num_samples, self.output_dtype)

    def eager(self, np: Any) -> Any:
        count = self.found
        key = (self.name, self.seed, self.seed2, self.logits.dtype.char, self.output_dtype)
        start = state.advance(key, len(self.logits) * -(-count // 4) * 8 * RESERVED)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        return rejection_sampling.categories(stream, start, self.logits, count).astype(
            self.output_dtype.storage
        )

    def lower(self, loops: Any) -> Any:
        count = self.found
        groups = (count + 3) // 4
        reserved = loops.count((self.logits.shape[0], groups, 8 * RESERVED))
        start = stream_advanced(loops, self, reserved)
        return categories(loops, self, count, WordStream.of_seeds(self.seed, self.seed2), start)

    def xla(self, xla: Any) -> Any:
        count = xla.fixed(self.found)
        reserved = self.logits.shape[0] * -(-count // 4) * 8 * RESERVED
        start = stream_advanced(xla, self, reserved)
        stream = WordStream.of_seeds(self.seed, self.seed2)
        return categories_in_xla(xla, self, count, stream, start)


def classes(logits: Any, num_samples: Any, dtype: Any) -> TensorSpec:
    rows = None if logits.shape.entries is None else logits.shape.entries[0]
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


def categories_in_xla(
    xla: Any, application: Any, count: int, stream: WordStream, start: Any
) -> Any:
    """The same in a program of XLA."""
    np, (rows, known) = xla.np, application.logits.shape
    if not known:  # then nothing is drawn
        return np.zeros((rows, count), application.output_dtype.storage)
    wide = application.logits.astype(np.float64)
    finite = np.isfinite(wide)
    highest = np.max(np.where(finite, wide, -np.inf), 1, keepdims=True)
    running = np.cumsum(np.where(finite, np.exp(wide - highest), 0.0), 1)
    numbers = drawn_in_xla(
        xla, (rows, count), dtypes.float64, stream, start,
        lambda words, lane: distributions.unit_float(xla.scalars, words, lane, dtypes.float64),
    )  # fmt: skip
    places = xla.jax.vmap(lambda sums, wanted: np.searchsorted(sums, wanted, side="right"))
    return places(running, numbers * running[:, -1:]).astype(application.output_dtype.storage)


def _weights(loops: Any, logits: Any) -> Any:
    """How probable each class is, the most probable one 1: classes of no number are not drawn."""
    s, (rows, known) = loops.scalars, logits.shape
    nothing = loops.constant(0.0, dtypes.float64)
    # Infinity would be left out by LLVM, and with it the vectors of this maximum.
    lowest = loops.constant(dtypes.float64.min, dtypes.float64)
    logits = loops.kept(logits)

    def wide(*at: Any) -> Any:
        return s.cast(logits[at], dtypes.float64)

    def finite(at: Any, otherwise: Any) -> Any:
        return s.where(s.is_finite(wide(*at)), wide(*at), otherwise)

    highest = loops.kept(
        loops.reduce(
            "max", (rows,), (known,), dtypes.float64, lambda o, r: finite((*o, *r), lowest)
        )
    )

    def weight(row: Any, k: Any) -> Any:
        number = wide(row, k)
        return s.where(s.is_finite(number), s.exp(number - highest[(row,)]), nothing)

    return loops.map((rows, known), dtypes.float64, weight)


NEGATIVE_COUNT = "num_samples should be nonnegative, got {}"
NO_CLASSES = "num_classes should be positive, got {}"


class StatelessMultinomial(Op):
    """Classes [batch, num_samples] of the probabilities softmax(logits), determined by seeds."""

    logits = In("T b k")
    num_samples = In("i32")
    seed = In("Tseed 2")
    output = Out("output_dtype b m")
    output_dtype = Attr(dtypes.int64, INDEX)
    T = COUNTS | types("bf16")
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
            self.output_dtype.storage
        )

    def lower(self, loops: Any) -> Any:
        return categories(loops, self, self.found, *compiled_stream_of(loops, self.seed))

    def xla(self, xla: Any) -> Any:
        stream = compiled_stream_of(xla, self.seed)
        return categories_in_xla(xla, self, xla.fixed(self.found), *stream)


@dispatchable
@composed("categorical")
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

    logits: [batch, classes], floats, int32 or int64. seed: two integers. dtype: that of the result,
    int64 where it is None.

    >>> tf.random.stateless_categorical([[0., 0.], [0., 9.]], 6, seed=[1, 2]).numpy()
    array([[1, 1, 0, 1, 1, 1],
           [1, 1, 1, 1, 1, 1]])

    Raises:
        InvalidArgumentError: `logits` is no matrix, or has no classes; `num_samples` is negative;
            or the seed has another shape than [2].
    """
    found = dtypes.int64 if dtype is None else as_dtype(dtype)
    return bind(StatelessMultinomial, logits, num_samples, seed, output_dtype=found, name=name)
