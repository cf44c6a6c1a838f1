"""Embeddings and sampled losses of TensorFlow 1: tables may be given in parts."""

from __future__ import annotations

from typing import Any

from ...ops.nn import sampled_losses
from ...ops.sparse import embedding_lookup
from ...ops.sparse.embeddings import parts_of_table, rows_named


def _whole_table(tables: Any) -> Any:
    """The table of a list of one."""
    return tables[0] if isinstance(tables, (list, tuple)) and len(tables) == 1 else tables


def _is_in_parts(tables: Any) -> bool:
    return isinstance(tables, list) and len(tables) > 1


def embedding_lookup_sparse(
    params: Any,
    sp_ids: Any,
    sp_weights: Any,
    partition_strategy: str = "mod",
    name: str | None = None,
    combiner: str | None = None,
    max_norm: Any = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """Rows of a table combined, for each row of ids (`tf.nn.embedding_lookup_sparse`).

    >>> table, ids = tf.constant([[1.0], [3.0], [9.0]]), tf.ragged.constant([[0, 1], [2]])
    >>> tf.compat.v1.nn.embedding_lookup_sparse(table, ids, None).numpy()
    array([[2.],
           [9.]], dtype=float32)

    Raises:
        ValueError: there is no such combiner, or no such strategy.
        InvalidArgumentError: the table has no such row.
    """
    params = parts_of_table(params)
    if _is_in_parts(params):
        params, sp_ids = rows_named(params, sp_ids, partition_strategy)
    table = _whole_table(params)
    return embedding_lookup.embedding_lookup_sparse(
        table, sp_ids, sp_weights, combiner, max_norm, name, allow_fast_lookup
    )


def safe_embedding_lookup_sparse(
    embedding_weights: Any,
    sparse_ids: Any,
    sparse_weights: Any = None,
    combiner: str = "mean",
    default_id: int | None = None,
    name: str | None = None,
    partition_strategy: str = "div",
    max_norm: Any = None,
    allow_fast_lookup: bool = False,
) -> Any:
    """`embedding_lookup_sparse` without ids below 0 (`tf.nn.safe_embedding_lookup_sparse`).

    >>> table = tf.constant([[1.0], [3.0], [9.0]])
    >>> ids = tf.SparseTensor([[0, 0], [1, 0]], [2, -1], [2, 1])
    >>> tf.compat.v1.nn.safe_embedding_lookup_sparse(table, ids).numpy()
    array([[9.],
           [0.]], dtype=float32)

    Raises:
        ValueError: there is no such combiner, or no such strategy.
        InvalidArgumentError: the table has no such row.
    """
    embedding_weights = parts_of_table(embedding_weights)
    if _is_in_parts(embedding_weights):
        embedding_weights, sparse_ids = rows_named(
            embedding_weights, sparse_ids, partition_strategy, default_id
        )
        default_id = None if default_id is None else 0
    table = _whole_table(embedding_weights)
    return embedding_lookup.safe_embedding_lookup_sparse(
        table, sparse_ids, sparse_weights, combiner, default_id, max_norm, name, allow_fast_lookup
    )


def nce_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = False,
    partition_strategy: str = "mod",
    name: str | None = "nce_loss",
) -> Any:
    """Noise-contrastive estimation: is each true class told from sampled ones (`tf.nn.nce_loss`)?

    >>> w, b = tf.ones([4, 2]), tf.zeros([4])
    >>> everything = tf.random.all_candidate_sampler([[0]], 1, 4, unique=True)
    >>> tf.compat.v1.nn.nce_loss(
    ...     w, b, [[0]], [[1.0, 1.0]], 4, 4, sampled_values=everything).numpy().round(3)
    array([8.635], dtype=float32)

    Raises:
        ValueError: there is no such strategy.
        InvalidArgumentError: sizes do not fit.
    """
    logits, targets = sampled_losses.sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, None, partition_strategy=partition_strategy,
    )  # fmt: skip
    return sampled_losses.estimation_losses(logits, targets)


def sampled_softmax_loss(
    weights: Any,
    biases: Any,
    labels: Any,
    inputs: Any,
    num_sampled: int,
    num_classes: int,
    num_true: int = 1,
    sampled_values: Any = None,
    remove_accidental_hits: bool = True,
    partition_strategy: str = "mod",
    name: str | None = "sampled_softmax_loss",
    seed: int | None = None,
) -> Any:
    """The cross entropy over the true classes and sampled ones (`tf.nn.sampled_softmax_loss`).

    >>> w, b = tf.ones([4, 2]), tf.zeros([4])
    >>> everything = tf.random.all_candidate_sampler([[0]], 1, 4, unique=True)
    >>> tf.compat.v1.nn.sampled_softmax_loss(
    ...     w, b, [[0]], [[1.0, 1.0]], 4, 4, sampled_values=everything).numpy().round(3)
    array([1.386], dtype=float32)

    Raises:
        ValueError: there is no such strategy.
        InvalidArgumentError: sizes do not fit.
    """
    logits, targets = sampled_losses.sampled_logits(
        weights, biases, labels, inputs, num_sampled, num_classes, num_true, sampled_values,
        remove_accidental_hits, seed, partition_strategy=partition_strategy,
    )  # fmt: skip
    return sampled_losses.softmax_losses(logits, targets)
