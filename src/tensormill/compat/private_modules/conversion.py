"""`tf.__internal__.autograph`: clients that call users' functions have them converted."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from ...autograph.api import convert_function
from ...core.context import building_graph
from ...core.process.named_tuples import NamedTuple


class Status(Enum):
    """Whether the code around is converted."""

    UNSPECIFIED = 0
    ENABLED = 1
    DISABLED = 2


class ControlStatusCtx(NamedTuple):
    """What `control_status_ctx` found."""

    status: Status
    options: Any = None


def control_status_ctx() -> ControlStatusCtx:
    """What holds here: in a trace, users' functions are converted."""
    return ControlStatusCtx(Status.ENABLED if building_graph() else Status.UNSPECIFIED)


def tf_convert(
    f: Callable[..., Any],
    ctx: ControlStatusCtx,
    convert_by_default: bool = True,
    user_requested: bool = False,
) -> Callable[..., Any]:
    """`f`, converted where that is wanted: `ctx` is enabled, or says nothing and it is default.

    Where it is `user_requested`, also if it is a library's.
    """
    wanted = ctx.status is Status.ENABLED or (
        ctx.status is Status.UNSPECIFIED and convert_by_default
    )
    return convert_function(f, asked=user_requested) if wanted else f
