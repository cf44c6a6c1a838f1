"""`tensorflow.python.saved_model.model_utils.mode_keys`: words for what a model is built for."""

from __future__ import annotations

from typing import Final


class KerasModeKeys:
    """What Keras calls them."""

    TRAIN: Final = "train"
    TEST: Final = "test"
    PREDICT: Final = "predict"


class EstimatorModeKeys:
    """What estimators called them."""

    TRAIN: Final = "train"
    EVAL: Final = "eval"
    PREDICT: Final = "infer"
