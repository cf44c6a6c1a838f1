"""`tf.keras`: Keras itself, unmodified, with tensormill under it."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from random import getstate, setstate
from types import ModuleType

from .alias import NAME, install
from .private_names import LEGACY

HINT = "it is not installed; `pip install tensormill[keras]` does that"


def load_keras() -> ModuleType:
    """The module that users know as `tf.keras`; tensormill then stands in for TensorFlow.

    It is Keras 3, or, where TF_USE_LEGACY_KERAS is "1" or "true", Keras 2 (tf_keras).

    Raises:
        ImportError: Keras is not installed.
        RuntimeError: TensorFlow itself is imported already, or Keras runs on another backend.
    """
    install()
    if asked_for_keras_2():
        return load_keras_2()
    check_backend()
    state = getstate()
    try:
        import_module("keras")  # first: it imports what is below it, which would wait for it
        return import_module("keras._tf_keras.keras")
    except ModuleNotFoundError as error:
        if error.name != "keras":
            raise
        raise ImportError(f"tf.keras is Keras 3, and {HINT}", name="keras") from None
    finally:
        # Keras draws a seed as it is imported, in TensorFlow's case before users set theirs.
        setstate(state)


def load_keras_2() -> ModuleType:
    """What `tf.keras` is where the environment asks for Keras 2.

    Raises:
        ImportError: it is not installed.
    """
    try:
        return import_module("tf_keras.api._v2.keras")
    except ModuleNotFoundError as error:
        if error.name != "tf_keras":
            raise
        raise ImportError(
            f"{LEGACY} asks for Keras 2: `pip install --no-deps tf_keras` brings it",
            name="tf_keras",
        ) from None


def check_backend() -> None:
    """Make sure that Keras has, or will have, the backend TensorFlow."""
    present = sys.modules.get("keras")
    backend = present.config.backend() if present else os.environ["KERAS_BACKEND"]
    if backend != NAME:
        raise RuntimeError(
            f"tf.keras needs the backend '{NAME}', but Keras runs on '{backend}': set the "
            f"environment variable KERAS_BACKEND to '{NAME}' before Keras is imported"
        )


def load_keras_1() -> ModuleType:
    """What `tf.compat.v1.keras` is: a part of Keras 2 for TensorFlow 1, or `tf.keras` itself."""
    module = load_keras()
    return import_module("tf_keras.api._v1.keras") if asked_for_keras_2() else module


def asked_for_keras_2() -> bool:
    """Whether the environment asks for Keras 2."""
    return os.environ.get(LEGACY) in ("1", "true", "True")


def __getattr__(name: str) -> ModuleType:
    if name.startswith("__"):
        raise AttributeError(name)
    if name == "keras_1":
        return load_keras_1()
    module = load_keras()
    return module if name == "keras" else getattr(module, name)
