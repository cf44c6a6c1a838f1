"""Seeds of several draws out of the one that a sample is given."""

from __future__ import annotations

import hashlib


def another_seed(seed: int | None, salt: str) -> int | None:
    """A seed for another draw of the same sample: TensorFlow's, so that samples are the same."""
    if seed is None:
        return None
    digest = hashlib.md5(f"{seed}{salt}".encode(), usedforsecurity=False).hexdigest()
    return int(digest[:8], 16) & 0x7FFFFFFF
