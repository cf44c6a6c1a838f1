"""What TensorFlow's rewrites of datasets let users see: how much is lost where an element fails.

There a map and the batches behind it become one operation, which computes all elements of a batch,
after those that do nothing between them are left out. Options switch either off.
"""

from __future__ import annotations

from contextvars import ContextVar
from typing import Any, Final

from ...core.process.named_tuples import NamedTuple
from ...graph.proto.messages import message
from ..option_messages import options_of
from .node import Node


class Rewrites(NamedTuple):
    """Whether maps and batches become one, and whether what does nothing is left out."""

    fuses: bool = True
    drops: bool = True

    def is_one_call(self, child: Node) -> bool:
        """Whether batches of these elements are one operation with the function that makes them."""
        while self.drops and child.does_nothing:
            child = child.inputs[0]
        return self.fuses and child.calls_for_each


USUAL: Final = Rewrites()
# Those of the pass that is under way.
current: Final = ContextVar("rewrites of a pass", default=USUAL)


def rewrites_of(node: Node) -> Rewrites:
    """Those of a pass over a dataset, as its options say."""
    told = message("Options")()
    told.MergeFromString(options_of(node))
    wanted = told.optimization_options
    usual = _told(wanted, "apply_default_optimizations", True)
    return Rewrites(
        _told(wanted, "map_and_batch_fusion", usual), _told(wanted, "noop_elimination", usual)
    )


def _told(options: Any, name: str, usual: bool) -> bool:
    return getattr(options, name) if options.HasField(name) else usual
