"""`tf.train.Example` and its parts: what records hold, by the names of features."""

from __future__ import annotations

from typing import Any, Final

from .messages import message

BytesList: Final[Any] = message("BytesList")
FloatList: Final[Any] = message("FloatList")
Int64List: Final[Any] = message("Int64List")
Feature: Final[Any] = message("Feature")
Features: Final[Any] = message("Features")
FeatureList: Final[Any] = message("FeatureList")
FeatureLists: Final[Any] = message("FeatureLists")
Example: Final[Any] = message("Example")
SequenceExample: Final[Any] = message("SequenceExample")
