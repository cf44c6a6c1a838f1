"""`tf.compat.v1.Session`: running parts of a graph that was built by hand."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager
from typing import Any, Final

from ..core import context, tree
from ..core.process.with_blocks import Enterable, block, enter_until, setting
from ..core.shapes import as_shape
from ..core.values import TensorLike
from ..eager.convert import convert_to_tensor
from ..graph.builder import FuncGraph, SymbolicTensor, get_default_graph
from ..graph.operation import Operation
from ..graph.sessions import entered
from ..graph.subgraphs import part_of
from .callee import Callee
from .signature.arguments import is_variable


class Session(Enterable["Session"]):
    """Runs a graph: `session.run(fetches, feed_dict)`.

    Each combination of fetches and feeds is compiled once, as a function is. Variables have their
    initial values from the beginning, and belong to the program: all sessions see the same.
    """

    def __init__(
        self, target: str = "", graph: FuncGraph | None = None, config: Any = None
    ) -> None:
        """`graph` is the one that is being built here unless it is given. The rest is ignored.

        Raises:
            RuntimeError: there is no graph.
        """
        super().__init__()
        self.graph: Final = graph or get_default_graph()
        self._compiled: dict[tuple[Any, ...], Callee] = {}
        self._reads: dict[int, tuple[Any, SymbolicTensor]] = {}
        self._is_closed = False

    def run(
        self,
        fetches: Any,
        feed_dict: Mapping[Any, Any] | None = None,
        options: Any = None,
        run_metadata: Any = None,
    ) -> Any:
        """The values of `fetches`, a nest of tensors, operations, variables and names, as arrays.

        An operation runs, and gives None. `feed_dict` has values for tensors, mostly placeholders.
        Only what the fetches need runs, in the order in which it was added to the graph.

        Raises:
            RuntimeError: the session is closed.
            InvalidArgumentError: a placeholder that is needed has no value.
            TypeError: a fetch is nothing that can be fetched, or a key is no tensor.
            ValueError: a fetch is of another graph, or a value does not fit its tensor.
        """
        if self._is_closed:
            raise RuntimeError("Attempted to use a closed Session.")
        elements = [self._element(one) for one in tree.flatten(fetches)]
        feeds = {id(key): (key, value) for key, value in self._feeds(feed_dict or {})}
        key = (tuple(map(id, elements)), tuple(feeds))
        callee = self._compiled.get(key)
        if callee is None:
            inputs = [tensor for tensor, _ in feeds.values()]
            part = part_of(self.graph, inputs, elements, "session_run")
            callee = self._compiled[key] = Callee(*part)
        with context.init_scope():
            results = iter(callee.call([_as_feed(*one) for one in feeds.values()]))
        values = [None if isinstance(one, Operation) else next(results).numpy() for one in elements]
        return tree.pack_sequence_as(fetches, values)

    def _element(self, fetch: Any) -> Operation | SymbolicTensor:
        if is_variable(fetch):
            return self._read(fetch)
        try:
            return self.graph.as_graph_element(fetch)
        except TypeError:
            raise TypeError(
                f"Fetch argument {fetch!r} has invalid type {type(fetch).__name__}, must be a "
                "tensor, an operation, a variable or a name"
            ) from None

    def _read(self, variable: Any) -> SymbolicTensor:
        """The operation that reads a variable: one, however often it is fetched."""
        if id(variable) not in self._reads:
            with self.graph.as_default():
                self._reads[id(variable)] = (variable, variable.value())
        return self._reads[id(variable)][1]

    def _feeds(self, feed_dict: Mapping[Any, Any]) -> list[tuple[SymbolicTensor, Any]]:
        found: list[tuple[SymbolicTensor, Any]] = []
        for key, value in feed_dict.items():
            tensor = self.graph.as_graph_element(key, allow_operation=False)
            assert isinstance(tensor, SymbolicTensor)
            found.append((tensor, value))
        return found

    def as_default(self) -> AbstractContextManager[Session]:
        """Make this the session of `tensor.eval()` and `operation.run()`."""
        return setting(entered, (*entered.get(), self), self)

    def close(self) -> None:
        """Forget what was compiled; the session cannot run any more."""
        self._is_closed = True
        self._compiled.clear()

    def _enter(self) -> Session:
        return enter_until(self._entered, self._in_graph())

    @block
    def _in_graph(self) -> Generator[Session]:
        with self.graph.as_default(), self.as_default():
            try:
                yield self
            finally:
                self._is_closed = True
                self._compiled.clear()


def _as_feed(tensor: SymbolicTensor, value: Any) -> Any:
    if isinstance(value, TensorLike) and getattr(value, "symbolic", False):
        raise TypeError(f"The value of a feed cannot be a symbolic tensor: {value!r}")
    fed = convert_to_tensor(value, tensor.dtype)
    if not tensor.shape.is_compatible_with(as_shape(fed.shape)):
        raise ValueError(
            f"Cannot feed value of shape {fed.shape} for Tensor '{tensor.name}', which has shape "
            f"'{tensor.shape}'"
        )
    return fed
