"""The conftest.py of Keras's own tests, which its wheel leaves out; `suite.py` puts it in place."""

from __future__ import annotations

import gc
from importlib import import_module
from typing import Any

import pytest

from tensormill.compat import install

import_module("absent_modules")  # hides them, if any
install()


def pytest_configure(config: Any) -> None:
    for marker in ("requires_trainable_backend", "multi_device"):
        config.addinivalue_line("markers", marker)


def pytest_collection_finish() -> None:
    """Let no collection of cycles look at Keras and all of its tests again."""
    gc.collect()
    gc.freeze()


def skip_if_backend(name: str, reason: str) -> pytest.MarkDecorator:
    from keras import backend

    return pytest.mark.skipif(backend.backend() == name, reason=reason)
