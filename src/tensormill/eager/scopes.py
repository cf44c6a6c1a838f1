"""Blocks that change how operations are applied within: names, order, place."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from ..core import context
from ..core.process.with_blocks import Enterable, block, set_until


class name_scope(Enterable[str]):
    """Operations and variables made within are called `<name>/...`; gives that string.

    A name that ends with a slash is the whole scope, whatever scope is outside. In a trace, a scope
    that exists already gets a number: `a_1/`.

    Raises:
        ValueError: the name is no string, or no operation may have such a name (in a trace).
    """

    __slots__ = ("_name",)

    def __init__(self, name: str) -> None:
        if not isinstance(name, str):
            raise ValueError(f"name for name_scope must be a string, got {name!r}")
        super().__init__()
        self._name: Final = name

    @property
    def name(self) -> str:
        """The name that it was given."""
        return self._name

    def _enter(self) -> str:
        here = context.top()
        scope = full_scope(self._name, here)
        set_until(self._entered, context.current, here.replace(name_scope=scope))
        return scope


def full_scope(name: str, here: context.Context) -> str:
    if not name:
        return ""
    interpreter: Any = here.interpreter
    if interpreter.building_graph:
        return interpreter.enter_scope(name)
    return name if name.endswith("/") else f"{here.name_scope}{name}/"


@block
def control_dependencies(control_inputs: Any) -> Generator[None]:
    """Operations made within run after `control_inputs` (tensors or operations).

    Eagerly everything runs in order, so that a callable is called and nothing else happens. None
    forgets the dependencies of the blocks outside.

    >>> total = tf.Variable(0)
    >>> @tf.function
    ... def add_and_read(x):
    ...     with tf.control_dependencies([total.assign_add(x)]):
    ...         return total.read_value()
    >>> int(add_and_read(5))
    5

    Raises:
        TypeError: `control_inputs` is no list; in a graph that is built by hand also where it holds
            a number, a list or a function.
        KeyError (in such a graph): it holds a name of nothing.
    """
    here = context.top()
    if not here.interpreter.building_graph:
        if callable(control_inputs):
            control_inputs()
        elif control_inputs is not None:
            iter(control_inputs)
        yield
        return
    before = () if control_inputs is None else here.control_inputs
    listed: Any = control_inputs() if callable(control_inputs) else control_inputs or ()
    added = tuple(_operation_source(one, here.interpreter) for one in listed)
    with context.entered(here.replace(control_inputs=(*before, *added))):
        yield


def _operation_source(control_input: Any, graph: Any) -> Any:
    """A variable stands for its value; in graphs built by hand a name for what is called so.

    Raises:
        TypeError: it is a number or a function, after which nothing runs.
        KeyError: there is none of that name.
    """
    if not graph.building_function:
        if isinstance(control_input, str):
            return graph.as_graph_element(control_input)
        if isinstance(control_input, (int, float, complex, list, tuple)) or callable(control_input):
            raise TypeError(f"Can not convert {control_input!r} into a tensor or an operation.")
    return control_input.value() if hasattr(control_input, "handle") else control_input


def executing_eagerly() -> bool:
    """Whether operations run at once; False while a function is traced.

    >>> tf.executing_eagerly(), bool(tf.function(lambda: tf.executing_eagerly())())
    (True, False)
    """
    return not context.building_graph()


def inside_function() -> bool:
    """Whether a function is being traced, in `tf.init_scope` too.

    >>> tf.inside_function(), bool(tf.function(lambda: tf.inside_function())())
    (False, True)
    """
    here = context.top()
    graph: Any = here.interpreter
    return here.lifted or (graph.building_graph and getattr(graph, "building_function", True))


def get_current_name_scope() -> str:
    """The name scope that is entered, without its last slash; "" for none.

    >>> with tf.name_scope("outer"), tf.name_scope("inner"):
    ...     print(tf.get_current_name_scope())
    outer/inner
    """
    return context.top().name_scope.removesuffix("/")
