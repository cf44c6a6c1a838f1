"""The body that is traced: the user's function, converted by AutoGraph unless that is off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..options import FunctionOptions


def staged(
    function: Callable[..., Any], options: FunctionOptions, asked: bool = True
) -> Callable[..., Any]:
    """What to call on placeholders. Where nobody `asked` for it, a library's own is left alone."""
    if not options.autograph:
        return function
    from ...autograph.api import convert_function

    return convert_function(function, options.autograph_features, asked=asked)
