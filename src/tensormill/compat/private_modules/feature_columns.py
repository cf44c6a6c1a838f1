"""`tf.__internal__.feature_column`: what layers of feature columns are made from."""

from __future__ import annotations

from collections import defaultdict
from typing import Any


class StateManager:
    """The variables of the columns of a layer: weights of that layer."""

    def __init__(self, layer: Any, trainable: bool) -> None:
        self._layer = layer
        self._trainable = trainable
        self._cols_to_vars_map: defaultdict[Any, dict[str, Any]] = defaultdict(dict)

    def create_variable(
        self, feature_column: Any, name: str, shape: Any, dtype: Any = None, trainable: bool = True,
        use_resource: bool = True, initializer: Any = None,
    ) -> Any:  # fmt: skip
        """A new weight of the layer, for a column.

        Raises:
            ValueError: the column has one of that name.
        """
        made = self._cols_to_vars_map[feature_column]
        if name in made:
            raise ValueError(f"Variable already exists: '{name}' of {feature_column.name}")
        made[name] = self._layer.add_weight(
            name=name, shape=shape, dtype=dtype, initializer=initializer,
            trainable=self._trainable and trainable,
        )  # fmt: skip
        return made[name]

    def get_variable(self, feature_column: Any, name: str) -> Any:
        """The variable of that name.

        Raises:
            ValueError: there is none.
        """
        made = self._cols_to_vars_map[feature_column]
        if name not in made:
            raise ValueError(f"Variable does not exist: '{name}' of {feature_column.name}")
        return made[name]
