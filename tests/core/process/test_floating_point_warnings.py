"""NumPy's floating-point warnings while kernels run."""

from __future__ import annotations

import numpy as np
import pytest

from tensormill.core.process import floating_point_warnings


def test_kernels_divide_by_zero_in_silence() -> None:
    token = floating_point_warnings.enter()
    try:
        assert np.isinf(np.float32(1) / np.float32(0))
    finally:
        floating_point_warnings.leave(token)


def test_the_users_own_setting_comes_back() -> None:
    with np.errstate(divide="raise"):
        floating_point_warnings.leave(floating_point_warnings.enter())
        with pytest.raises(FloatingPointError):
            np.divide(1.0, 0.0)
