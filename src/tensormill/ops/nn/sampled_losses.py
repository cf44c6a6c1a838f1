"""Losses over very many classes, of which some are sampled: `nce_loss`, `sampled_softmax_loss`."""

from __future__ import annotations

from typing import Any

from ...core import dtypes
from ...core.process.tracebacks import shallow
from ...core.specs import TensorSpec
from ...errors import InvalidArgumentError
from ..array.concatenation import concat
from ..array.fill import ones_like, zeros_like
from ..array.scatter import scatter_nd
from ..array.shapes import expand_dims, reshape, shape_of
from ..bind import bind
from ..control.flow import stop_gradient
from ..conversion import as_tensor
from ..demands import refuse
from ..dispatch.meanings import dispatchable
from ..linalg.matmul import matmul
from ..math.cast import cast
from ..math.elementwise import log
from ..math.reduce import reduce_sum
from ..op import Attr, In, Op, Out, as_results
from ..random.candidates import TOO_FEW, WRONG_COLUMNS, log_uniform_candidate_sampler
from ..random.seeds import get_seed
from ..sparse.embeddings import parts_of_table, rows_of_parts
from .softmax import sigmoid_cross_entropy_with_logits, softmax_cross_entropy_with_logits


class ComputeAccidentalHits(Op):
    """Where a sampled class is a true one: the row, the place in the sample, and a large negative
    weight.
    """

    true_classes = In("i64 b t")
    sampled_candidates = In("i64 n")
    indices = Out("i32 hits")
    ids = Out("i64 hits")
    weights = Out("f32 hits")
    num_true = Attr(int)
    seed = Attr(0)
    seed2 = Attr(0)
    differentiable = False

    def demands(self, sizes: Any) -> None:
        if self.num_true < 1:
            refuse(InvalidArgumentError, TOO_FEW, "num_true", self.num_true)
        shape = sizes.shape(self.true_classes, 2)
        fits = sizes.equal(shape[1], self.num_true)
        sizes.require(fits, InvalidArgumentError, WRONG_COLUMNS, self.num_true, shape)

    def infer(self) -> tuple[TensorSpec, ...]:
        kinds = (dtypes.int32, dtypes.int64, dtypes.float32)
        return tuple([TensorSpec([None], one) for one in kinds])

    def eager(self, np: Any) -> Any:
        places = {one: place for place, one in enumerate(self.sampled_candidates.tolist())}
        hits = [
            (row, places[one])
            for row, classes in enumerate(self.true_classes.tolist())
            for one in classes
            if one in places
        ]
        rows, found = np.array(hits, np.int64).reshape(-1, 2).T
        weights = np.full(len(hits), -np.finfo(np.float32).max, np.float32)
        return rows.astype(np.int32), np.ascontiguousarray(found), weights


def compute_accidental_hits(
    true_classes: Any, sampled_candidates: Any, num_true: int, seed: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Where sampled classes are true ones.

    true_classes: int64 [batch, num_true]. sampled_candidates: int64 [n]. The results, of one
    length: int32 rows of the batch, int64 places in the sample, and float32 weights, all the most
    negative number. Added to logits [batch, n] at these places they take the hits away.

    >>> rows, places, weights = tf.nn.compute_accidental_hits([[0], [5]], [7, 5, 0], 1)
    >>> rows.numpy(), places.numpy()
    (array([0, 1], dtype=int32), array([2, 1]))

    Raises:
        InvalidArgumentError: `true_classes` has not `num_true` columns.
    """
    first, second = get_seed(seed)
    hits = bind(
        ComputeAccidentalHits, as_tensor(true_classes, dtypes.int64),
        as_tensor(sampled_candidates, dtypes.int64), num_true=num_true, seed=first, seed2=second,
        name=name,
    )  # fmt: skip
    return as_results(ComputeAccidentalHits)._make(hits)


@dispatchable
@shallow
def nce_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
    num_true: int = 1, sampled_values: Any = None, remove_accidental_hits: bool = False,
    name: str | None = "nce_loss",
) -> Any:  # fmt: skip
    """Noise-contrastive estimation: is each true class told from sampled ones? One loss a row.

    weights: [num_classes, dim], or a list of such tables whose rows follow each other. biases:
    [num_classes]. labels: int64 [batch, num_true]. inputs: [batch, dim]. sampled_values: what a
    candidate sampler returned; by default that of `log_uniform_candidate_sampler` with `unique`.
    remove_accidental_hits: whether sampled classes that are true ones do not count. The result is
    [batch]. (Gutmann and Hyvärinen 2010.)

    >>> w, b = tf.ones([4, 2]), tf.zeros([4])
    >>> everything = tf.random.all_candidate_sampler([[0]], 1, 4, unique=True)
    >>> tf.nn.nce_loss(w, b, [[0]], [[1.0, 1.0]], 4, 4, sampled_values=everything).numpy().round(3)
    array([8.635], dtype=float32)

    Raises:
        InvalidArgumentError: sizes do not fit.
    """
    logits, targets = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, None,
    )  # fmt: skip
    return estimation_losses(logits, targets)


def estimation_losses(logits: Any, targets: Any) -> Any:
    """How badly each class is told from sampled ones, added up over the classes of a row."""
    return reduce_sum(sigmoid_cross_entropy_with_logits(labels=targets, logits=logits), 1)


@dispatchable
@shallow
def sampled_softmax_loss(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
    num_true: int = 1, sampled_values: Any = None, remove_accidental_hits: bool = True,
    seed: int | None = None, name: str | None = "sampled_softmax_loss",
) -> Any:  # fmt: skip
    """The cross entropy of a softmax over the true classes and sampled ones, for training.

    The arguments are those of `tf.nn.nce_loss`; the result is [batch]. It is less than that of the
    softmax over all classes. (Jean et al. 2014.)

    >>> w, b = tf.ones([4, 2]), tf.zeros([4])
    >>> everything = tf.random.all_candidate_sampler([[0]], 1, 4, unique=True)
    >>> loss = tf.nn.sampled_softmax_loss(
    ...     w, b, [[0]], [[1.0, 1.0]], 4, 4, sampled_values=everything)
    >>> loss.numpy().round(3)
    array([1.386], dtype=float32)

    Raises:
        InvalidArgumentError: sizes do not fit.
    """
    logits, targets = sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, seed,
    )  # fmt: skip
    return softmax_losses(logits, targets)


def softmax_losses(logits: Any, targets: Any) -> Any:
    """The cross entropy of a softmax over true and sampled classes."""
    return softmax_cross_entropy_with_logits(labels=stop_gradient(targets), logits=logits)


def sampled_logits(
    weights: Any, biases: Any, labels: Any, inputs: Any, num_sampled: int, num_classes: int,
    num_true: int, sampled_values: Any, remove_accidental_hits: bool, seed: int | None,
    subtract_log_q: bool = True, partition_strategy: str = "div",
) -> tuple[Any, Any]:  # fmt: skip
    """Logits [batch, num_true + sampled] and what they should be, 1 / num_true or 0.

    From each the logarithm of how often its class is expected is taken away, if `subtract_log_q`.
    Of `weights` and `biases` in parts, `partition_strategy` says which rows a part has.
    """
    inputs, labels = as_tensor(inputs), cast(as_tensor(labels), dtypes.int64)
    table, offsets = _parts(weights), _parts(biases)
    if sampled_values is None:
        sampled_values = log_uniform_candidate_sampler(
            labels, num_true, num_sampled, True, num_classes, seed
        )
    sampled, true_count, sampled_count = map(stop_gradient, map(as_tensor, sampled_values))
    sampled = cast(sampled, dtypes.int64)

    true_rows = reshape(labels, [-1])
    rows = rows_of_parts(table, concat([true_rows, sampled], 0), partition_strategy)
    rows = rows if rows.dtype is inputs.dtype else cast(rows, inputs.dtype)
    count = shape_of(true_rows)[0]
    width = shape_of(rows)[1]
    dots = expand_dims(inputs, 1) * reshape(rows[:count], [-1, num_true, width])
    true_offsets = rows_of_parts(offsets, true_rows, partition_strategy)
    other_offsets = rows_of_parts(offsets, sampled, partition_strategy)
    true_logits = reduce_sum(dots, 2) + reshape(true_offsets, [-1, num_true])
    other_logits = matmul(inputs, rows[count:], transpose_b=True) + other_offsets
    if remove_accidental_hits:
        other_logits += _hits(labels, sampled, num_true, other_logits)
    if subtract_log_q:
        true_logits -= log(true_count)
        other_logits -= log(sampled_count)
    logits = concat([true_logits, other_logits], 1)
    targets = [ones_like(true_logits) / num_true, zeros_like(other_logits)]
    return logits, concat(targets, 1)


def _parts(tables: Any) -> list[Any]:
    """The parts of a table, mostly one."""
    tables = parts_of_table(tables)
    if isinstance(tables, (list, tuple)) and getattr(tables[0], "shape", None) is not None:
        return [*tables]
    return [tables]


def _hits(labels: Any, sampled: Any, num_true: int, logits: Any) -> Any:
    rows, places, weights = compute_accidental_hits(labels, sampled, num_true)
    where = concat([expand_dims(cast(rows, dtypes.int64), 1), expand_dims(places, 1)], 1)
    shape = cast(shape_of(logits), dtypes.int64)
    return scatter_nd(where, cast(weights, logits.dtype), shape)
