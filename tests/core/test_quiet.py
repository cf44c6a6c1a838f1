"""NumPy's floating-point warnings while kernels run."""

from __future__ import annotations

import numpy as np
import pytest

from tensormill.core import quiet


def test_kernels_divide_by_zero_in_silence() -> None:
    token = quiet.enter()
    try:
        assert np.isinf(np.float32(1) / np.float32(0))
    finally:
        quiet.leave(token)


def test_the_users_own_setting_comes_back() -> None:
    with np.errstate(divide="raise"):
        quiet.leave(quiet.enter())
        with pytest.raises(FloatingPointError):
            np.divide(1.0, 0.0)
