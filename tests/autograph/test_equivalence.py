from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tensormill.autograph.conversion import is_converted
from tensormill.autograph.options import ConversionOptions
from tensormill.autograph.runtime.namespace import runtime_for
from tests.autograph.programs import python_control_flow, python_functions

PROGRAMS = python_control_flow.PROGRAMS | python_functions.PROGRAMS


def outcome(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    try:
        return repr(function(*arguments))
    except Exception as error:
        # The variables of a body are free in it: Python words their absence in another way.
        return NameError if isinstance(error, NameError) else (type(error), str(error))


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_converted_function_does_what_it_does_as_written(name: str) -> None:
    function, calls = PROGRAMS[name]
    converted = runtime_for(ConversionOptions()).converted(function)

    assert is_converted(converted.__code__)
    for arguments in calls:
        assert outcome(function, arguments) == outcome(converted, arguments)
