"""Tables of embeddings, with the slots of their optimizers, as parts of models and checkpoints."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Final, NoReturn

from ...core import dtypes
from ...core.tree import flatten
from ...eager.variable import Variable
from ...module.trackable import AutoTrackable
from .optimizers import EmbeddingOptimizer
from .serving import serving_embedding_lookup
from .tables import FeatureConfig, SparseCoreEmbeddingConfig, TableConfig

PARAMETERS: Final = "parameters"


class EmbeddingTables(AutoTrackable):
    """The tables of some features: a variable for each, and one for each slot of its optimizer.

    Variables are made when they are first asked for. In checkpoints those of a table "t" are
    children called "t" and "t/slot".
    """

    def __init__(self, feature_config: Any, optimizer: EmbeddingOptimizer | None) -> None:
        self._feature_config = feature_config
        self._output_shapes = [feature.output_shape for feature in flatten(feature_config)]
        tables = dict.fromkeys(feature.table for feature in flatten(feature_config))
        names: set[str] = set()
        for number, table in enumerate(tables):
            _complete(table, number, optimizer)
            if table.name in names:
                raise ValueError(f"Tables must have a unique name: two are called '{table.name}'.")
            names.add(table.name)
        self._table_config = list(tables)
        self._built = False

    def build(self) -> None:
        """Make the variables."""
        if self._built:
            return
        self._built = True
        self._variables = {str(one.name): self._variables_of(one) for one in self._table_config}

    def _variables_of(self, table: TableConfig) -> dict[str, Any]:
        parameters = self._add(str(table.name), table, table.initializer, True)
        return {**self._slots_of(table, parameters), PARAMETERS: parameters}

    def _slots_of(self, table: TableConfig, parameters: Any) -> dict[str, Any]:
        optimizer = table.optimizer
        slots = {} if optimizer is None else optimizer.slots()
        if optimizer is None or not slots:
            return {}
        if optimizer.slot_variable_creation_fn is not None:
            return optimizer.slot_variable_creation_fn(
                parameters, list(slots), list(slots.values())
            )
        return {
            slot: self._add(f"{table.name}/{slot}", table, initializer, False)
            for slot, initializer in slots.items()
        }

    def _add(self, name: str, table: TableConfig, initializer: Any, trainable: bool) -> Variable:
        """A variable of a table, as a child."""
        shape = (table.vocabulary_size, table.dim)
        made = Variable(
            partial(initializer, shape, dtype=dtypes.float32), trainable=trainable, name=name
        )
        return self._track_trackable(made, name)

    @property
    def embedding_tables(self) -> dict[TableConfig, Any]:
        """The variable of each table."""
        self.build()
        return {one: self._variables[one.name][PARAMETERS] for one in self._table_config}


class TPUEmbeddingForServing(EmbeddingTables):
    """Embeddings that TPUs train, looked up by the CPU: a part of models and of checkpoints.

    feature_config: a structure of `FeatureConfig`. optimizer: that of tables that have none, or
    None. Its slots are variables, too, so that checkpoints of training can be restored.

    >>> table = tf.tpu.experimental.embedding.TableConfig(
    ...     vocabulary_size=3, dim=2, initializer=tf.ones_initializer(), name="words"
    ... )
    >>> layer = tf.tpu.experimental.embedding.TPUEmbeddingForServing(
    ...     {"word": tf.tpu.experimental.embedding.FeatureConfig(table)},
    ...     tf.tpu.experimental.embedding.Adam(),
    ... )
    >>> layer({"word": tf.constant([2])})["word"].numpy()
    array([[1., 1.]], dtype=float32)
    >>> sorted(layer.variables["words"])
    ['momenta', 'parameters', 'velocities']

    Raises:
        ValueError: two tables have one name; `optimizer` is none of
            `tf.tpu.experimental.embedding`.
    """

    def __init__(
        self,
        feature_config: Any,
        optimizer: EmbeddingOptimizer | None,
        experimental_sparsecore_restore_info: dict[str, Any] | None = None,
    ) -> None:
        if experimental_sparsecore_restore_info is not None:
            raise NotImplementedError(
                "experimental_sparsecore_restore_info: tables that TPUs with SparseCores stacked "
                "are not taken apart here; restore them by TensorFlow, and save them again"
            )
        super().__init__(feature_config, optimizer)

    @property
    def variables(self) -> dict[str, dict[str, Any]]:
        """The variables of each table, by its name: its slots, and "parameters"."""
        self.build()
        return self._variables

    def embedding_lookup(self, features: Any, weights: Any = None) -> Any:
        """The rows for features: see `serving_embedding_lookup`.

        Raises:
            ValueError, InvalidArgumentError: `serving_embedding_lookup` says when.
        """
        return serving_embedding_lookup(
            features, weights, self.embedding_tables, self._feature_config
        )

    def __call__(self, features: Any, weights: Any = None) -> Any:
        return self.embedding_lookup(features, weights)


class TPUEmbedding(EmbeddingTables):
    """Embeddings that TPUs train. Without any, there are its tables, for checkpoints and lookups.

    >>> table = tf.tpu.experimental.embedding.TableConfig(vocabulary_size=3, dim=2)
    >>> layer = tf.tpu.experimental.embedding.TPUEmbedding(
    ...     tf.tpu.experimental.embedding.FeatureConfig(table),
    ...     tf.tpu.experimental.embedding.SGD(0.1),
    ... )
    >>> layer.embedding_tables[table].shape
    TensorShape([3, 2])

    Raises:
        ValueError: two tables have one name; `optimizer` is none of
            `tf.tpu.experimental.embedding`.
    """

    def __init__(
        self,
        feature_config: Any,
        optimizer: EmbeddingOptimizer | None,
        pipeline_execution_with_tensor_core: bool = False,
    ) -> None:
        super().__init__(feature_config, optimizer)

    def build(
        self, per_replica_input_shapes: Any = None, per_replica_batch_size: int | None = None
    ) -> None:
        """Make the variables. The sizes are for TPUs."""
        super().build()

    def enqueue(
        self,
        features: Any,
        weights: Any = None,
        training: bool = True,
        name: str | None = None,
        device: str | None = None,
    ) -> NoReturn:
        """Would give ids to TPUs.

        Raises:
            RuntimeError: there are none.
        """
        _refuse("enqueue")

    def dequeue(self, name: str | None = None) -> NoReturn:
        """Would take rows from TPUs.

        Raises:
            RuntimeError: there are none.
        """
        _refuse("dequeue")

    def apply_gradients(self, gradients: Any, name: str | None = None) -> NoReturn:
        """Would give gradients to TPUs.

        Raises:
            RuntimeError: there are none.
        """
        _refuse("apply_gradients")


class TPUEmbeddingV0(AutoTrackable):
    """Embeddings in programs of TPUs. Without TPUs, what annotations and `isinstance` ask for.

    Raises:
        RuntimeError: one is made: as in TensorFlow, outside of a `TPUStrategy`.
    """

    def __init__(
        self, feature_config: FeatureConfig | Iterable[Any], optimizer: EmbeddingOptimizer | None
    ) -> None:
        _require_tpus(self)


class TPUEmbeddingV2(AutoTrackable):
    """Embeddings on TPUs' SparseCores. Without TPUs, what annotations and `isinstance` ask for.

    Raises:
        RuntimeError: one is made: as in TensorFlow, outside of a `TPUStrategy`.
    """

    DEFAULT_MAX_IDS_PER_TABLE: Final = 256
    DEFAULT_MAX_UNIQUE_IDS_PER_TABLE: Final = 256

    def __init__(
        self,
        feature_config: FeatureConfig | Iterable[Any],
        optimizer: EmbeddingOptimizer | None = None,
        pipeline_execution_with_tensor_core: bool = False,
        sparse_core_embedding_config: SparseCoreEmbeddingConfig | None = None,
    ) -> None:
        _require_tpus(self)


def _require_tpus(made: Any) -> NoReturn:
    raise RuntimeError(
        f"{type(made).__name__} should be created under TPUStrategy, on TPUs that train its tables,"
        " and found none: tf.tpu.experimental.embedding.TPUEmbedding has the tables without TPUs, "
        "TPUEmbeddingForServing looks rows up"
    )


def _complete(table: TableConfig, number: int, optimizer: Any) -> None:
    """Give a table the optimizer and the name that it lacks."""
    if table.optimizer is None:
        table.optimizer = optimizer
    if table.optimizer is not None and not isinstance(table.optimizer, EmbeddingOptimizer):
        raise ValueError(
            f"{type(table.optimizer)} is an unsupported optimizer class: take one of those in "
            "tf.tpu.experimental.embedding"
        )
    if table.name is None:
        table.name = f"table_{number}"


def _refuse(method: str) -> NoReturn:
    raise RuntimeError(
        f"{method} is not valid when TPUEmbedding object is not created under a TPUStrategy on "
        "TPUs: look rows up by tf.tpu.experimental.embedding.serving_embedding_lookup"
    )
