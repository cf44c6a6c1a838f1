"""Functions of ragged tensors that are those of the values inside, and do not look at elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dispatch.meanings import means_for
from ..math.cast import bitcast
from ..math.norms import clip_by_value
from ..nn.bias_and_dropout import dropout, stateless_dropout
from .elementwise import broadcast
from .ragged_tensor import RaggedTensor


def means_values(function: Callable[..., Any]) -> None:
    """Declare that `function` of a ragged first argument is that of its values, in its rows."""

    @means_for(function, RaggedTensor)
    def of_values(first: Any, *rest: Any, **options: Any) -> Any:
        if not isinstance(first, RaggedTensor):
            return NotImplemented
        return first.with_flat_values(function(first.flat_values, *rest, **options))


for each in (bitcast, dropout, stateless_dropout):
    means_values(each)


@means_for(clip_by_value, RaggedTensor)
def clipped(t: Any, clip_value_min: Any, clip_value_max: Any, name: str | None) -> Any:
    """Bounds may be ragged, too."""
    return broadcast(clip_by_value, [t, clip_value_min, clip_value_max])
