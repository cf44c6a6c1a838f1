"""Many strings of one length are hashed at once, as one after the other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.strings.hashes import fingerprint, hashes, siphash

random = np.random.default_rng(0)
HASHES: dict[str, Callable[[Any], Any]] = {
    "FarmHash": fingerprint,
    "SipHash": lambda text: siphash(text, (3, -5)),
    "SipHash of a long key": lambda text: siphash(text, (2**63 + 1, 2**64 - 1)),
}


@pytest.mark.parametrize("name", HASHES)
def test_strings_hashed_at_once_have_the_hashes_of_each(name: str) -> None:
    hashed = HASHES[name]
    for size in [*range(40), 63, 64, 65, 127, 128, 129, 192, 193, 300]:
        texts = [random.bytes(size) for _ in range(9)]

        assert [hashed(text) for text in texts] == hashes(hashed, texts).tolist()


def test_strings_of_several_lengths_keep_their_places() -> None:
    texts = [b"x" * (k % 7) + b"%d" % k for k in range(200)]
    expected = [fingerprint(text) % 1000 for text in texts]
    found = tf.strings.to_hash_bucket_fast(tf.reshape(tf.constant(texts), [10, 20]), 1000)

    assert np.array_equal(np.reshape(expected, (10, 20)), found)


def test_no_strings_have_no_hashes() -> None:
    assert tf.strings.to_hash_bucket_strong(tf.zeros([0, 3], tf.string), 5, [1, 2]).shape == (0, 3)
