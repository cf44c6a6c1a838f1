"""What optimizers of TensorFlow 1 have in common: gradients, slots, and one update of all."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Final
from weakref import WeakKeyDictionary

from ...autodiff.symbolic import gradients
from ...autodiff.tape import GradientTape
from ...control.grouping import group
from ...core import context, tree
from ...core.values import TensorLike
from ...distribution.current import one_of_several_replicas
from ...eager.convert import convert_to_tensor
from ...eager.scopes import control_dependencies, name_scope
from ...eager.variable import Variable
from ...eager.variable_saving import tell_place
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph, root_graph
from ...graph.by_hand.variable_scopes import within_scope
from ...ops.array.distinct import unique
from ...ops.array.fill import zeros
from ...ops.array.gather import gather
from ...ops.array.indexed_slices import IndexedSlices
from ...ops.array.shapes import size
from ...ops.bind import bind
from ...ops.math.segments import unsorted_segment_sum
from ...ops.state.variable_rows import ResourceScatterUpdate
from ..variable import VariableV1

Pairs = Sequence[tuple[Any, Any]]


class OptimizerV1:
    """Changes variables by gradients: `minimize(loss)` gives the operation that does one step.

    Members say how by `_updated`, which works out new values; users' subclasses may instead define
    `_resource_apply_dense(grad, var)` and `_resource_apply_sparse(grad, var, indices)` (or
    `_apply_dense`, `_apply_sparse`), and `_create_slots`, `_prepare`, `_finish` around them.
    """

    GATE_NONE: ClassVar[int] = 0
    GATE_OP: ClassVar[int] = 1
    GATE_GRAPH: ClassVar[int] = 2

    # The names of slots, and what each starts at: a number.
    slots: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, use_locking: bool, name: str, use_own_namescope_for_non_slot_vars: bool = False
    ) -> None:
        """`name` begins those of operations and slots.

        Raises:
            ValueError: there is none.
        """
        if not name:
            raise ValueError("Must specify the optimizer name")
        self._use_locking = use_locking
        self._name: Final = name
        self._slots: dict[str, dict[Any, Any]] = {}
        self._others: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()
        self._others_eager: dict[str, Any] = {}

    def get_name(self) -> str:
        """The name that it was given."""
        return self._name

    # ---- what users call
    def minimize(
        self,
        loss: Any,
        global_step: Any = None,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        name: str | None = None,
        grad_loss: Any = None,
    ) -> Any:
        """The operation that makes `loss` smaller; eagerly, one step, where `loss` is a function.

        global_step: a variable that counts steps. var_list: all trainable ones, if not given.

        Raises:
            ValueError: there are no variables, or `loss` depends on none of them.
            RuntimeError: eagerly `loss` is no function.
        """
        pairs = self.compute_gradients(
            loss, var_list, gate_gradients, aggregation_method, colocate_gradients_with_ops,
            grad_loss,
        )  # fmt: skip
        if all(gradient is None for gradient, _ in pairs):
            raise ValueError(
                "No gradients provided for any variable, check your graph for ops that do not "
                f"support gradients, between variables {[str(one) for _, one in pairs]} and loss "
                f"{loss}."
            )
        return self.apply_gradients(pairs, global_step, name)

    def compute_gradients(
        self,
        loss: Any,
        var_list: Any = None,
        gate_gradients: int = GATE_OP,
        aggregation_method: Any = None,
        colocate_gradients_with_ops: bool = False,
        grad_loss: Any = None,
    ) -> list[tuple[Any, Any]]:
        """Pairs of a gradient (None where `loss` does not depend on it) and a variable.

        Raises:
            ValueError: there are no variables, or the loss is no float.
            RuntimeError: eagerly `loss` is no function.
        """
        if callable(loss) and not isinstance(loss, TensorLike):
            return _recorded(loss, var_list, grad_loss)
        if not context.building_graph():
            raise RuntimeError(
                "`loss` passed to Optimizer.compute_gradients should be a function when eager "
                "execution is enabled."
            )
        if gate_gradients not in (0, 1, 2):
            raise ValueError(f"gate_gradients must be one of 0, 1, 2, not {gate_gradients}")
        if not loss.dtype.is_floating and not loss.dtype.is_complex:
            raise ValueError(f"Invalid type {loss.dtype!r} for {loss}, expected a float.")
        variables = _flat(var_list) if var_list is not None else _trainable()
        if not variables:
            raise ValueError("No variables to optimize.")
        return list(zip(gradients(loss, variables, grad_loss), variables, strict=True))

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: Any = None
    ) -> Any:
        """The operation that changes variables by gradients; eagerly they are changed.

        Raises:
            ValueError: there are no pairs, or all gradients are None.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("No variables provided.")
        with_gradients = [(gradient, one) for gradient, one in pairs if gradient is not None]
        if not with_gradients:
            raise ValueError(
                f"No gradients provided for any variable: {[str(one) for _, one in pairs]}."
            )
        replica = one_of_several_replicas()
        if replica is not None:
            return replica.merge_call(self._apply_together, (with_gradients, global_step, name))
        return self._apply(with_gradients, self._update, global_step, name)

    def _apply(self, pairs: Pairs, update: Callable[..., Any], global_step: Any, name: Any) -> Any:
        with _outside_of_functions():
            self._create_slots([one for _, one in pairs])
        with name_scope(name or self._name) as scope:
            self._prepare()
            updates = [update(*pair) for pair in pairs]
            return _noted(self._stepped(updates, global_step, scope))

    def _apply_together(self, strategy: Any, pairs: Pairs, global_step: Any, name: Any) -> Any:
        """One step of all replicas: by the sums of their gradients, of each part of a variable."""
        sums = strategy.extended.batch_reduce_to("SUM", pairs)
        totals = [(total, one) for total, (_, one) in zip(sums, pairs, strict=True)]

        def update(total: Any, var: Any) -> Any:
            # `var` and its slots are their own parts within.
            done = strategy.extended.update(
                var, lambda _, mine: self._update(mine, var), (total,), group=False
            )
            return group(*operations(done)) if context.building_graph() else None

        return self._apply(totals, update, global_step, name)

    def _stepped(self, updates: list[Any], global_step: Any, scope: str) -> Any:
        if global_step is None:
            return self._finish(updates, scope)
        with control_dependencies(operations([self._finish(updates, "update")])):
            return global_step.assign_add(1, name=scope, read_value=False)

    # ---- slots
    def get_slot(self, var: Any, name: str) -> Any:
        """The variable `name` that belongs to `var`, or None."""
        return self._slots.get(name, {}).get(_key(var))

    def get_slot_names(self) -> list[str]:
        """The names of slots, sorted."""
        return sorted(self._slots)

    def variables(self) -> list[Any]:
        """All that it made: slots, and what belongs to no variable."""
        graph = root_graph()
        others = self._others_eager if graph is None else self._others.get(graph, {})
        slots = [one for found in self._slots.values() for one in found.values()]
        ours = [*others.values(), *slots]
        if graph is not None:
            ours = [one for one in ours if one.graph is graph]
        return sorted(ours, key=lambda one: one.name)

    def _slot_dict(self, slot_name: str) -> dict[Any, Any]:
        return self._slots.setdefault(slot_name, {})

    def _get_or_make_slot(self, var: Any, val: Any, slot_name: str, op_name: str) -> Any:
        """The slot, which starts at the tensor `val`."""
        return self._slot(var, slot_name, op_name, lambda: val)

    def _get_or_make_slot_with_initializer(
        self, var: Any, initializer: Any, shape: Any, dtype: Any, slot_name: str, op_name: str
    ) -> Any:
        return self._slot(var, slot_name, op_name, lambda: initializer(shape, dtype=dtype))

    def _zeros_slot(self, var: Any, slot_name: str, op_name: str) -> Any:
        """The slot, which starts at zeros."""
        return self._slot(var, slot_name, op_name, lambda: zeros(var.shape, var.dtype))

    def _slot(self, var: Any, slot_name: str, op_name: str, initial: Callable[[], Any]) -> Any:
        named = self._slot_dict(slot_name)
        key = _key(var)
        if key not in named:
            with name_scope(""):
                name = within_scope(f"{var.name.rpartition(':')[0]}/{op_name}")
                named[key] = VariableV1(initial, trainable=False, name=name)
                tell_place(named[key], var)
        return named[key]

    def _create_non_slot_variable(
        self, initial_value: Any, name: str, colocate_with: Any = None
    ) -> Any:
        """A variable of the optimizer that belongs to no other one."""
        graph = root_graph()
        found = self._others_eager if graph is None else self._others.setdefault(graph, {})
        if name not in found:
            found[name] = VariableV1(initial_value, name=name, trainable=False)
        return found[name]

    def _get_non_slot_variable(self, name: str, graph: Any = None) -> Any:
        here = root_graph() if graph is None else graph
        return (self._others_eager if here is None else self._others.get(here, {})).get(name)

    # ---- what members say
    def _create_slots(self, var_list: Sequence[Any]) -> None:
        """Make the slots of these variables, before anything is updated."""

    def _prepare(self) -> None:
        """Make tensors of what updates take."""

    def _finish(self, update_ops: Sequence[Any], name_scope: str) -> Any:
        """One operation of all updates."""
        return group(*operations(update_ops), name=name_scope)

    def _updated(self, value: Any, gradient: Any, *slots: Any) -> Sequence[Any]:
        """The new value, and the new values of the slots, all of one shape."""
        raise NotImplementedError(f"{type(self).__name__} does not say how variables change")

    # ---- updates
    def _update(self, gradient: Any, var: Any) -> Any:
        with name_scope(f"update_{var.name.rpartition(':')[0].replace(':', '_')}"):
            if isinstance(gradient, IndexedSlices):
                change = self._resource_apply_sparse_duplicate_indices
                done = change(gradient.values, var, gradient.indices)
            else:
                done = self._resource_apply_dense(convert_to_tensor(gradient), var)
            if var.constraint is None:
                return done
            with control_dependencies(operations([done])):
                return var.assign(var.constraint(var.value()))

    def _resource_apply_dense(self, grad: Any, handle: Any) -> Any:
        """Change a variable by a gradient of its shape."""
        if type(self)._apply_dense is not OptimizerV1._apply_dense:
            return self._apply_dense(grad, handle)
        kept = [handle, *self._slots_of(handle)]
        return _assigned(kept, self._updated(handle.value(), grad, *_values(kept[1:])))

    def _resource_apply_sparse_duplicate_indices(self, grad: Any, handle: Any, indices: Any) -> Any:
        """Change rows by gradients; several of one row are added up."""
        rows, places = unique(indices)
        summed = unsorted_segment_sum(grad, places, size(rows))
        return self._resource_apply_sparse(summed, handle, rows)

    def _resource_apply_sparse(self, grad: Any, handle: Any, indices: Any) -> Any:
        """Change rows of a variable by one gradient each."""
        if type(self)._apply_sparse is not OptimizerV1._apply_sparse:
            return self._apply_sparse(IndexedSlices(grad, indices), handle)
        kept = [handle, *self._slots_of(handle)]
        rows = [gather(one.value(), indices) for one in kept]
        changed = self._updated(rows[0], grad, *rows[1:])
        return group(*[_scattered(*pair, indices) for pair in zip(kept, changed, strict=True)])

    def _apply_dense(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError

    def _apply_sparse(self, grad: Any, var: Any) -> Any:
        raise NotImplementedError

    def _slots_of(self, var: Any) -> list[Any]:
        return [self.get_slot(var, name) for name in self.slots]

    def _call_if_callable(self, param: Any) -> Any:
        """What hyperparameters are: values, or functions of nothing that give them."""
        return param() if callable(param) and not isinstance(param, TensorLike) else param

    def _tensor(self, param: Any, name: str) -> Any:
        return convert_to_tensor(self._call_if_callable(param), name=name)


def _key(var: Any) -> Any:
    return var._unique_id


def _values(variables: Sequence[Any]) -> list[Any]:
    return [one.value() for one in variables]


def _assigned(variables: Sequence[Any], values: Sequence[Any]) -> Any:
    """All values are worked out before any variable changes."""
    pairs = zip(variables, values, strict=True)
    done = [one.assign(value, read_value=False) for one, value in pairs]
    return group(*operations(done)) if context.building_graph() else None


def _scattered(variable: Any, rows: Any, indices: Any) -> Any:
    bind(ResourceScatterUpdate, variable.handle, indices, rows, dtype=variable.dtype)
    return getattr(context.top().interpreter, "latest_operation", None)


def operations(done: Sequence[Any]) -> list[Any]:
    """What was done as operations; eagerly nothing is left of it."""
    if not context.building_graph():
        return []
    return [getattr(one, "op", one) for one in done if one is not None]


def _noted(train_op: Any) -> Any:
    graph = root_graph()
    if graph is not None and train_op is not None:
        operations = graph.get_collection_ref(GraphKeys.TRAIN_OP)
        if train_op not in operations:
            operations.append(train_op)
    return train_op


def _outside_of_functions() -> Any:
    """Where slots are made: in the graph that is built by hand, or eagerly."""
    return context.init_scope() if root_graph() is None else context.entered(context.top())


def _flat(var_list: Any) -> list[Any]:
    variables = tree.flatten(var_list)
    for one in variables:
        if not isinstance(one, (Variable, TensorLike)):
            raise TypeError(f"Argument is not a tf.Variable: {one}")
    return variables


def _trainable() -> list[Any]:
    graph = get_default_graph()
    keys = GraphKeys.TRAINABLE_VARIABLES, GraphKeys.TRAINABLE_RESOURCE_VARIABLES
    return [one for key in keys for one in graph.get_collection(key)]


def _recorded(loss: Callable[[], Any], var_list: Any, grad_loss: Any) -> list[tuple[Any, Any]]:
    """Gradients of a function that works the loss out."""
    with GradientTape() as tape:
        if var_list is not None:
            tape.watch([one.handle if hasattr(one, "handle") else one for one in _flat(var_list)])
        value = loss()
    variables = list(tape.watched_variables()) if var_list is None else _flat(var_list)
    found = tape.gradient(value, variables, grad_loss)
    return list(zip(found, variables, strict=True))
