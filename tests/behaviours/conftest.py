"""On TensorFlow, a test of what differs has to fail; functions never stay eager."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.behaviours.library import OURS, tf


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if OURS:
        return
    for item in items:
        if item.get_closest_marker("differs"):
            item.add_marker(pytest.mark.xfail(strict=True, reason="TensorFlow does otherwise"))


@pytest.fixture(autouse=True)
def compiled() -> Iterator[None]:
    yield
    tf.config.run_functions_eagerly(False)
    if not OURS:
        # A tf.map_fn of TensorFlow's whose function raised leaves this behind, which eager
        # recompute_grad then refuses.
        tf.compat.v1.get_variable_scope()._caching_device = None
