"""Arrays of tensors by their older names, by each of those who read graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill import backends

from . import older_arrays as arrays


@pytest.mark.sampled
@pytest.mark.parametrize("backend", ["reference", "cpu", "xla"])
@pytest.mark.parametrize("version", arrays.VERSIONS)
def test_readers_agree_about_older_arrays(version: str, backend: str) -> None:
    expected = arrays.EXPECTED[version]

    @tf.function
    def run(*given: Any) -> Any:
        named = dict(zip(arrays.GIVEN, given, strict=True))
        proto = arrays.of(tf, version)
        return tf.graph_util.import_graph_def(proto, named, return_elements=[*expected])

    with backends.using(backend):
        found = run(*map(tf.constant, arrays.GIVEN.values()))

    for (name, wanted), one in zip(expected.items(), found, strict=True):
        np.testing.assert_array_equal(one.numpy(), wanted, name, strict=True)
