"""What a conversion may be asked for."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from ..core.process.named_tuples import NamedTuple


class Feature(enum.Enum):
    """Optional behaviour of converted code, TensorFlow's names.

    `BUILTIN_FUNCTIONS` makes `print` a `tf.print`, `NAME_SCOPES` puts the names of functions in
    front of those of their operations, `ALL` does both. What the others ask for is always on
    (`ASSERT_STATEMENTS`, `EQUALITY_OPERATORS`, `AUTO_CONTROL_DEPS`, `LISTS`).
    """

    ALL = "ALL"
    AUTO_CONTROL_DEPS = "AUTO_CONTROL_DEPS"
    ASSERT_STATEMENTS = "ASSERT_STATEMENTS"
    BUILTIN_FUNCTIONS = "BUILTIN_FUNCTIONS"
    EQUALITY_OPERATORS = "EQUALITY_OPERATORS"
    LISTS = "LISTS"
    NAME_SCOPES = "NAME_SCOPES"

    @classmethod
    def all_but(cls, exclude: Feature | Iterable[Feature]) -> tuple[Feature, ...]:
        """Every feature but `ALL` and these."""
        others = {exclude} if isinstance(exclude, Feature) else set(exclude)
        return tuple(feature for feature in cls if feature not in {cls.ALL, *others})


class ConversionOptions(NamedTuple):
    """How converted code behaves; part of the runtime, so all options share one conversion."""

    recursive: bool = True
    features: frozenset[Feature] = frozenset()

    @staticmethod
    def of(
        features: Feature | Iterable[Feature] | None = None, recursive: bool = True
    ) -> ConversionOptions:
        """Raises: TypeError if `features` holds anything but `Feature`s."""
        if features is None:
            return ConversionOptions(recursive)
        asked = (features,) if isinstance(features, Feature) else tuple(features)
        for feature in asked:
            if not isinstance(feature, Feature):
                raise TypeError(
                    f"optional features must be tf.autograph.experimental.Feature, got {feature!r}"
                )
        return ConversionOptions(recursive, frozenset(asked))

    def has(self, feature: Feature) -> bool:
        return feature in self.features or Feature.ALL in self.features
