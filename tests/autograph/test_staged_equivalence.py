from __future__ import annotations

import pytest

from tests.autograph.programs import tensor_control_flow, tensor_functions
from tests.autograph.staging import eager, staged, staged_with_unknown_shapes

PROGRAMS = tensor_control_flow.PROGRAMS | tensor_functions.PROGRAMS


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_traced_function_returns_what_it_returns_eagerly(name: str) -> None:
    function, calls = PROGRAMS[name]

    for arguments in calls:
        assert eager(function, *arguments) == staged(function, *arguments)


@pytest.mark.sampled
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_function_of_unknown_sizes_returns_what_it_returns_eagerly(name: str) -> None:
    function, calls = PROGRAMS[name]

    for arguments in calls:
        assert eager(function, *arguments) == staged_with_unknown_shapes(function, *arguments)
