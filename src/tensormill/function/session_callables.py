"""What `CallableOptions` ask a session for: a function of arrays for the tensors that they name.

Keras 2 runs its models so where operations are not eager.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import CancelledError, InvalidArgumentError
from ..graph.symbolic import SymbolicTensor

if TYPE_CHECKING:
    from .session import GraphRunner


def callable_of(session: GraphRunner, options: Any) -> Callable[..., list[Any]]:
    """The function for some CallableOptions: of a value for each `feed`, it gives the `fetch`es.

    What `target` names runs, too. Of each `tensor_connection` the first tensor is worked out once,
    and is what the second one is fed.

    Raises:
        CancelledError: the session is closed; also when the function is called.
        InvalidArgumentError: the graph has no such tensor or operation, or one is fed and fetched.
    """
    _check_open(session)
    feeds = [_tensor(session, name) for name in options.feed]
    sources = [_tensor(session, one.from_tensor) for one in options.tensor_connection]
    joined = [_tensor(session, one.to_tensor) for one in options.tensor_connection]
    fetches = [_tensor(session, name) for name in options.fetch]
    targets = [_element(session, name, allow_tensor=False) for name in options.target]
    given = set(map(id, [*feeds, *joined]))
    for one in fetches:
        if id(one) in given:
            raise InvalidArgumentError(f"{one.name} is both fed and fetched.")

    wanted = [*fetches, *targets]

    def call(*values: Any, run_metadata: Any = None) -> list[Any]:
        _check_open(session)
        fed = _fed(feeds, values)
        if not joined:
            return session.run(wanted, fed, options.run_options, run_metadata)[: len(fetches)]
        # Whatever both the sources and the fetches need runs once: they are steps of one run.
        run = session.partial_run_setup([*wanted, *sources], [*feeds, *joined])
        values_there = session.partial_run(run, sources, fed)
        here = dict(zip(joined, values_there, strict=True))
        return session.partial_run(run, wanted, here)[: len(fetches)]

    return call


def _check_open(session: GraphRunner) -> None:
    if session.is_closed:
        raise CancelledError("Session has been closed.")


def _tensor(session: GraphRunner, name: str) -> SymbolicTensor:
    return _element(session, name, allow_operation=False)


def _element(session: GraphRunner, name: str, **kinds: bool) -> Any:
    try:
        return session.graph.as_graph_element(name, **kinds)
    except (KeyError, TypeError, ValueError) as error:
        told = error.args[0] if error.args else error
        raise InvalidArgumentError(f"CallableOptions: {told}") from None


def _fed(feeds: Sequence[SymbolicTensor], values: Sequence[Any]) -> dict[SymbolicTensor, Any]:
    if len(values) != len(feeds):
        raise InvalidArgumentError(f"Expected {len(feeds)} feed tensors, but got {len(values)}")
    for tensor, value in zip(feeds, values, strict=True):
        found = np.asarray(value).dtype
        if found.kind in "biufc" and found != tensor.dtype.as_numpy_dtype:
            raise InvalidArgumentError(
                f"Type mismatch for {tensor.name}: actual {found} vs. expect {tensor.dtype.name}"
            )
    return dict(zip(feeds, values, strict=True))
