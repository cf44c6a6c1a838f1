"""`tf.compat.v1.variable_scope`: what variables that are made within are called, and start at."""

from __future__ import annotations

import copy
from collections.abc import Callable, Generator
from enum import Enum
from typing import Any, Final
from weakref import WeakKeyDictionary

from ..core import context
from ..core.dtypes import as_dtype, float32
from ..core.process.with_blocks import Enterable, block, enter_until, setting
from ..eager.scopes import name_scope
from ..graph.by_hand.default_graph import root_graph
from ..graph.by_hand.variable_scopes import entered
from .variable_store import VariableStore


class ReuseMode(Enum):
    """`tf.AUTO_REUSE`: take the variable of that name where there is one, else make it."""

    AUTO_REUSE = 1


AUTO_REUSE: Final = ReuseMode.AUTO_REUSE

# What a scope says of its variables, and those within go by unless they say otherwise.
INHERITED: Final = (
    "initializer", "regularizer", "caching_device", "partitioner", "custom_getter", "dtype",
    "use_resource", "constraint",
)  # fmt: skip


class VariableScope:
    """What `with tf.compat.v1.variable_scope(...) as scope` gives.

    Args:
        reuse: True: variables have to be there; `tf.compat.v1.AUTO_REUSE`: are made where they are
            not; False or None: must not be there.
        name: how their names begin.
        initializer: what they start at unless `get_variable` says it, and so on.
    """

    name: str = ""
    original_name_scope: str = ""
    reuse: Any = None
    initializer: Any = None
    regularizer: Any = None
    caching_device: Any = None
    partitioner: Any = None
    custom_getter: Any = None
    dtype: Any = float32
    use_resource: bool | None = None
    constraint: Any = None

    def __init__(
        self,
        reuse: Any,
        name: str = "",
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        name_scope: str = "",
        dtype: Any = float32,
        use_resource: bool | None = None,
        constraint: Any = None,
    ) -> None:
        self.name = name
        self.original_name_scope = name_scope
        self.reuse = reuse or None
        self.initializer = initializer
        self.regularizer = regularizer
        self.caching_device = caching_device
        self.partitioner = partitioner
        self.custom_getter = custom_getter
        self.dtype = dtype
        self.use_resource = use_resource
        self.constraint = constraint

    def reuse_variables(self) -> None:
        """From here on variables have to be there."""
        self.reuse = True

    def set_initializer(self, initializer: Any) -> None:
        """What variables start at."""
        self.initializer = initializer

    def set_dtype(self, dtype: Any) -> None:
        """Of what dtype variables are."""
        self.dtype = dtype

    def set_regularizer(self, regularizer: Any) -> None:
        """What is added to the losses for each variable."""
        self.regularizer = regularizer

    def set_custom_getter(self, custom_getter: Any) -> None:
        """What is called in the place of `get_variable`."""
        self.custom_getter = custom_getter

    def set_partitioner(self, partitioner: Any) -> None:
        """Into how many parts variables are cut: a function of shape and dtype says it."""
        self.partitioner = partitioner

    def set_caching_device(self, caching_device: Any) -> None:
        """Taken and ignored: there is one device."""
        self.caching_device = caching_device

    def set_use_resource(self, use_resource: bool) -> None:
        """Taken and ignored: all variables are resources."""
        self.use_resource = use_resource

    def get_collection(self, name: str) -> list[Any]:
        """What the default graph keeps under `name`, as far as its name begins like ours."""
        graph = root_graph()
        return [] if graph is None else graph.get_collection(name, f"{self.name}/")

    def trainable_variables(self) -> list[Any]:
        """Those of this scope that optimizers change."""
        return self.get_collection("trainable_variables")

    def global_variables(self) -> list[Any]:
        """Those of this scope that are saved."""
        return self.get_collection("variables")

    def local_variables(self) -> list[Any]:
        """Those of this scope that are not."""
        return self.get_collection("local_variables")

    def get_variable(self, store: VariableStore, name: str, **options: Any) -> Any:
        """The variable `name` of this scope, as `tf.compat.v1.get_variable` describes it."""
        for key in ("initializer", "regularizer", "constraint", "custom_getter", "partitioner",
                    "caching_device", "use_resource"):  # fmt: skip
            if options.get(key) is None:
                options[key] = getattr(self, key)
        own = options.pop("reuse", None)
        reuse = own if own is not None else self.reuse
        dtype = self.dtype if options.get("dtype") is None else options["dtype"]
        options["dtype"] = as_dtype(dtype)
        full_name = f"{self.name}/{name}" if self.name else name
        with name_scope(""):
            return store.get_variable(full_name, reuse=reuse, **options)


class Scopes:
    """The variables of one graph by their names, and how often each scope was opened in it."""

    def __init__(self) -> None:
        self.store: Final = VariableStore()
        self.opened: Final[dict[str, int]] = {}
        # The scope around all others: it stays, since it can be told to reuse.
        self.outermost: Final = VariableScope(False)

    def open(self, name: str) -> None:
        self.opened[name] = self.opened.get(name, 0) + 1

    def close_below(self, name: str) -> None:
        """Forget how often scopes within were opened: they are named anew the next time."""
        start = f"{name}/" if name else ""
        for one in self.opened:
            if one.startswith(start) and one != name:
                self.opened[one] = 0

    def unique(self, prefix: str, within: str) -> str:
        """`prefix`, or `prefix_N`, which was not opened within that scope."""
        full = f"{within}/{prefix}" if within else prefix
        if not self.opened.get(full):
            return prefix
        number = 1
        while self.opened.get(f"{full}_{number}"):
            number += 1
        return f"{prefix}_{number}"


_of_graph: Final[WeakKeyDictionary[Any, Scopes]] = WeakKeyDictionary()


def scopes_here() -> Scopes:
    """Those of the graph that is being built; where operations run at once nothing is kept."""
    graph = root_graph()
    return Scopes() if graph is None else _of_graph.setdefault(graph, Scopes())


def store_here() -> VariableStore:
    """The variables of the graph that is being built, by their names."""
    return scopes_here().store


def get_variable_scope() -> VariableScope:
    """The scope that is entered here.

    >>> with tf.compat.v1.variable_scope("layer"):
    ...     print(tf.compat.v1.get_variable_scope().name)
    layer
    """
    graph = root_graph()
    for owner, scope in reversed(entered.get()):
        if owner is graph:
            return scope
    return scopes_here().outermost


class variable_scope(Enterable[VariableScope]):
    """Variables that `get_variable` makes within are called `<scope>/...`.

    name_or_scope: a name, which is added to that of the scope outside, or a VariableScope, which
    is entered again wherever we are. Where it is None the name is `default_name`, with a number if
    it was taken. `reuse`: True: variables of the scope have to be there already, False or None:
    must not (unless the scope outside says so), `tf.compat.v1.AUTO_REUSE`: both is right. Scopes
    within go by the other arguments unless they give their own. Operations get a name scope of the
    same name, unless `auxiliary_name_scope` is False. Where operations run at once every
    `get_variable` makes a variable.

    >>> with tf.Graph().as_default():
    ...     with tf.compat.v1.variable_scope("layer"):
    ...         w = tf.compat.v1.get_variable("w", [2, 3])
    ...     with tf.compat.v1.variable_scope("layer", reuse=True):
    ...         print(tf.compat.v1.get_variable("w", [2, 3]) is w, w.name)
    True layer/w:0

    Raises:
        TypeError: both names are None.
        ValueError: `reuse` is given where there is only a default name.
    """

    def __init__(
        self,
        name_or_scope: Any,
        default_name: str | None = None,
        values: Any = None,
        initializer: Any = None,
        regularizer: Any = None,
        caching_device: Any = None,
        partitioner: Any = None,
        custom_getter: Any = None,
        reuse: Any = None,
        dtype: Any = None,
        use_resource: bool | None = None,
        constraint: Any = None,
        auxiliary_name_scope: bool = True,
    ) -> None:
        if name_or_scope is None and default_name is None:
            raise TypeError("If default_name is None then name_or_scope is required")
        if name_or_scope is None and reuse:
            raise ValueError("reuse=True cannot be used without a name_or_scope")
        if name_or_scope is not None and not isinstance(name_or_scope, (str, VariableScope)):
            raise TypeError("VariableScope: name_or_scope must be a string or VariableScope.")
        super().__init__()
        self._wanted: Final = name_or_scope
        self._default_name: Final = default_name
        self._reuse: Final = reuse or None
        self._names_operations: Final = auxiliary_name_scope
        given = (
            initializer, regularizer, caching_device, partitioner, custom_getter, dtype,
            use_resource, constraint,
        )  # fmt: skip
        self._given: Final[dict[str, Any]] = dict(zip(INHERITED, given, strict=True))

    def _enter(self) -> VariableScope:
        return enter_until(self._entered, self._opened())

    @block
    def _opened(self) -> Generator[VariableScope]:
        outside, scopes = get_variable_scope(), scopes_here()
        local = self._local_name(scopes, outside)
        called = self._default_name if self._wanted is None else local
        with self._operations_of(called) as names:
            scope = self._made(outside, local, names)
            counted = None if scope is self._wanted else dict(scopes.opened)
            if not isinstance(self._wanted, VariableScope):
                scopes.open(scope.name)
            entry = (root_graph(), scope)
            try:
                with setting(entered, (*entered.get(), entry)):
                    yield scope
            finally:
                if isinstance(self._wanted, VariableScope) and counted is not None:
                    scopes.opened.clear()
                    scopes.opened.update(counted)
                else:
                    scopes.close_below(scope.name)

    def _local_name(self, scopes: Scopes, outside: VariableScope) -> str:
        if self._wanted is None:
            assert self._default_name is not None
            return scopes.unique(self._default_name, outside.name)
        if isinstance(self._wanted, VariableScope):
            return self._wanted.name.rpartition("/")[2]
        return self._wanted

    def _operations_of(self, local: str | None) -> Any:
        """The name scope of operations that are made within."""
        if self._names_operations and local:
            return name_scope(local)
        return name_scope(context.top().name_scope)

    def _made(self, outside: VariableScope, local: str, names: str) -> VariableScope:
        wanted = self._wanted
        is_again = isinstance(wanted, VariableScope)
        source = wanted if is_again else outside
        made = copy.copy(source)
        if not is_again:
            made = VariableScope(source.reuse, f"{source.name}/{local}" if source.name else local)
            made.__dict__.update({key: getattr(source, key) for key in INHERITED})
            made.original_name_scope = names
        for key, value in self._given.items():
            if value is not None:
                setattr(made, key, value)
        made.custom_getter = _both(source.custom_getter, self._given["custom_getter"])
        made.reuse = self._reuse or source.reuse or outside.reuse
        return made


def _both(outer: Callable[..., Any] | None, inner: Callable[..., Any] | None) -> Any:
    """A getter that asks `inner`, which asks `outer`."""
    if outer is None or inner is None:
        return inner or outer

    def both(getter: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        def before(*args: Any, **kwargs: Any) -> Any:
            return outer(getter, *args, **kwargs)

        return inner(before, *args, **kwargs)

    return both


def get_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool | None = None,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """The variable of that name in the variable scope that is entered, made where it is new.

    initializer: what a new one starts at: a tensor or array, or a function of a shape (and
    `dtype`); Glorot's uniform numbers (zeros for integers) where neither this nor the scope says.
    `regularizer(variable)` goes into the collection `GraphKeys.REGULARIZATION_LOSSES`.
    `partitioner(shape=..., dtype=...)` tells into how many parts each axis is cut: the result is a
    PartitionedVariable then, whose parts `tf.nn.embedding_lookup` takes, and other functions as one
    tensor.

    >>> with tf.Graph().as_default():
    ...     w = tf.compat.v1.get_variable("w", [2], initializer=tf.compat.v1.ones_initializer())
    >>> w.name, w.shape
    ('w:0', TensorShape([2]))

    Raises:
        ValueError: it is there and the scope does not reuse; it is not there and the scope does;
            it has another shape or dtype; or there is neither a shape nor a value to start at.
    """
    return get_variable_scope().get_variable(
        scopes_here().store,
        name,
        shape=shape,
        dtype=dtype,
        initializer=initializer,
        regularizer=regularizer,
        trainable=trainable,
        collections=collections,
        caching_device=caching_device,
        partitioner=partitioner,
        validate_shape=validate_shape,
        use_resource=use_resource,
        custom_getter=custom_getter,
        constraint=constraint,
        synchronization=synchronization,
        aggregation=aggregation,
    )


def get_local_variable(
    name: str,
    shape: Any = None,
    dtype: Any = None,
    initializer: Any = None,
    regularizer: Any = None,
    trainable: bool = False,
    collections: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    validate_shape: bool = True,
    use_resource: bool | None = None,
    custom_getter: Any = None,
    constraint: Any = None,
    synchronization: Any = None,
    aggregation: Any = None,
) -> Any:
    """`get_variable` of one that is not saved: it is in `GraphKeys.LOCAL_VARIABLES`.

    >>> with tf.Graph().as_default():
    ...     seen = tf.compat.v1.get_local_variable("seen", initializer=tf.constant(0))
    ...     print(seen.trainable, tf.compat.v1.global_variables())
    False []

    Raises:
        ValueError: as `get_variable` does.
    """
    return get_variable(
        name, shape, dtype, initializer, regularizer, False,
        [*(collections or ()), "local_variables"], caching_device, partitioner, validate_shape,
        use_resource, custom_getter, constraint, synchronization, aggregation,
    )  # fmt: skip


def variable_op_scope(
    values: Any,
    name_or_scope: Any,
    default_name: str | None = None,
    initializer: Any = None,
    regularizer: Any = None,
    caching_device: Any = None,
    partitioner: Any = None,
    custom_getter: Any = None,
    reuse: Any = None,
    dtype: Any = None,
    use_resource: bool | None = None,
    constraint: Any = None,
) -> variable_scope:
    """`variable_scope` with its arguments in another order.

    >>> with tf.compat.v1.variable_op_scope([], None, "layer") as scope:
    ...     print(scope.name)
    layer

    Raises:
        TypeError: both names are None.
    """
    return variable_scope(
        name_or_scope, default_name, values, initializer, regularizer, caching_device, partitioner,
        custom_getter, reuse, dtype, use_resource, constraint,
    )  # fmt: skip
