"""What a graph that is built by hand keeps under names: its variables, losses, summaries."""

from __future__ import annotations

import re
from typing import Any, Final


class GraphKeys:
    """The names of collections that the library itself fills or asks for."""

    GLOBAL_VARIABLES: Final = "variables"
    LOCAL_VARIABLES: Final = "local_variables"
    METRIC_VARIABLES: Final = "metric_variables"
    MODEL_VARIABLES: Final = "model_variables"
    TRAINABLE_VARIABLES: Final = "trainable_variables"
    SUMMARIES: Final = "summaries"
    QUEUE_RUNNERS: Final = "queue_runners"
    TABLE_INITIALIZERS: Final = "table_initializer"
    ASSET_FILEPATHS: Final = "asset_filepaths"
    MOVING_AVERAGE_VARIABLES: Final = "moving_average_variables"
    REGULARIZATION_LOSSES: Final = "regularization_losses"
    CONCATENATED_VARIABLES: Final = "concatenated_variables"
    SAVERS: Final = "savers"
    WEIGHTS: Final = "weights"
    BIASES: Final = "biases"
    ACTIVATIONS: Final = "activations"
    UPDATE_OPS: Final = "update_ops"
    LOSSES: Final = "losses"
    SAVEABLE_OBJECTS: Final = "saveable_objects"
    RESOURCES: Final = "resources"
    LOCAL_RESOURCES: Final = "local_resources"
    TRAINABLE_RESOURCE_VARIABLES: Final = "trainable_resource_variables"
    INIT_OP: Final = "init_op"
    LOCAL_INIT_OP: Final = "local_init_op"
    READY_OP: Final = "ready_op"
    READY_FOR_LOCAL_INIT_OP: Final = "ready_for_local_init_op"
    SUMMARY_OP: Final = "summary_op"
    GLOBAL_STEP: Final = "global_step"
    EVAL_STEP: Final = "eval_step"
    TRAIN_OP: Final = "train_op"
    COND_CONTEXT: Final = "cond_context"
    WHILE_CONTEXT: Final = "while_context"
    VARIABLES: Final = "variables"


class Collections:
    """The members of `tf.Graph` that keep things under names."""

    _collections: dict[Any, list[Any]]

    def add_to_collection(self, name: str, value: Any) -> None:
        """Keep `value`, also where it is kept already."""
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        """Keep `value` under several names, once under each."""
        for name in [names] if isinstance(names, str) else dict.fromkeys(names):
            self.add_to_collection(name, value)

    def get_collection_ref(self, name: str) -> list[Any]:
        """The list itself: who changes it changes the collection."""
        return self._collections.setdefault(name, [])

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        """A copy of the list. With a `scope`, those whose `name` the regular expression matches."""
        found = self._collections.get(name, [])
        if scope is None or not found:
            return list(found)
        matches = re.compile(scope).match
        return [one for one in found if hasattr(one, "name") and matches(one.name)]

    def get_all_collection_keys(self) -> list[str]:
        """The names under which there is something."""
        return [name for name in self._collections if isinstance(name, str)]

    def clear_collection(self, name: str) -> None:
        """Forget what is kept under a name."""
        self._collections.pop(name, None)

    @property
    def collections(self) -> list[Any]:
        """The names under which there is something."""
        return list(self._collections)
