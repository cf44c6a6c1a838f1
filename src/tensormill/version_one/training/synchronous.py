"""`tf.compat.v1.train.SyncReplicasOptimizer`: one step of what several replicas found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ...control.grouping import group, no_op
from ...eager.scopes import control_dependencies, name_scope
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_collections import global_variables
from ...module.queues import FIFOQueue
from ...ops.array.fill import fill
from ...ops.array.indexed_slices import IndexedSlices
from ..accumulators import ConditionalAccumulator, SparseConditionalAccumulator
from ..initialization import report_uninitialized_variables
from ..queues.queue_runner import QueueRunner
from ..variable import VariableV1
from .hooks import SessionRunHook
from .optimizer import OptimizerV1


class SyncReplicasOptimizer(OptimizerV1):
    """Steps of another optimizer, each by the mean of `replicas_to_aggregate` gradients.

    A replica that runs the train operation hands its gradients to accumulators, which leave out
    those of older steps, and takes a token, for which it may have to wait: the number of the step
    that its next gradients are for. A thread of the chief takes the means, lets `opt` do its step
    and puts out the tokens of the next. `make_session_run_hook` starts it and puts out the first
    tokens. variable_averages: an ExponentialMovingAverage that follows `variables_to_average`.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     step = tf.compat.v1.train.get_or_create_global_step()
    ...     x = tf.compat.v1.get_variable("x", initializer=2.0)
    ...     plain = tf.compat.v1.train.GradientDescentOptimizer(0.25)
    ...     optimizer = tf.compat.v1.train.SyncReplicasOptimizer(plain, replicas_to_aggregate=1)
    ...     train = optimizer.minimize(x * x, global_step=step)
    ...     session.run(tf.compat.v1.global_variables_initializer())
    ...     begun = session.run([optimizer.chief_init_op, optimizer.get_init_tokens_op()])
    ...     number = session.run(train)
    ...     token = session.run(optimizer.get_chief_queue_runner().enqueue_ops)
    ...     print(session.run(x))
    1.0

    Raises:
        ValueError: (of `apply_gradients`) no global step, or no variables.
    """

    def __init__(
        self, opt: Any, replicas_to_aggregate: int, total_num_replicas: int | None = None,
        variable_averages: Any = None, variables_to_average: Any = None, use_locking: bool = False,
        name: str = "sync_replicas",
    ) -> None:  # fmt: skip
        total = replicas_to_aggregate if total_num_replicas is None else total_num_replicas
        super().__init__(use_locking, name)
        self._opt = opt
        self._replicas_to_aggregate = replicas_to_aggregate
        self._total_num_replicas = total
        self._variable_averages = variable_averages
        self._variables_to_average = variables_to_average
        self._applied: _Applied | None = None
        self.chief_init_op: Any = None
        self.local_step_init_op: Any = None
        self.ready_for_local_init_op: Any = None

    def compute_gradients(self, *args: Any, **kwargs: Any) -> list[tuple[Any, Any]]:
        """The pairs of the other optimizer."""
        return self._opt.compute_gradients(*args, **kwargs)

    def apply_gradients(
        self, grads_and_vars: Iterable[tuple[Any, Any]], global_step: Any = None, name: Any = None
    ) -> Any:
        """The operation that hands gradients over and takes a token.

        Raises:
            ValueError: there are no variables, or there is no global step.
        """
        pairs = list(grads_and_vars)
        if not pairs:
            raise ValueError("Must supply at least one variable")
        if global_step is None:
            raise ValueError("Global step is required to check staleness")
        local_step: Any = VariableV1(
            0, trainable=False, collections=[GraphKeys.LOCAL_VARIABLES],
            dtype=global_step.dtype.base_dtype, name="sync_rep_local_step",
        )  # fmt: skip
        self.local_step_init_op = local_step.assign(global_step, read_value=False)
        self.ready_for_local_init_op = report_uninitialized_variables(global_variables())
        with name_scope(self._name):
            gathered = [_Gathered(*pair) for pair in pairs if pair[0] is not None]
            handed = [one.hand_over(local_step.value()) for one in gathered]
            means = [(one.taken(self._replicas_to_aggregate), one.variable) for one in gathered]
        known = {id(one): mean for mean, one in means}
        done = self._opt.apply_gradients(
            [(known.get(id(variable)), variable) for _, variable in pairs], global_step
        )
        tokens = FIFOQueue(-1, global_step.dtype.base_dtype, shapes=(), name="sync_token_q")
        with control_dependencies(handed):
            train = local_step.assign(tokens.dequeue())
        self._applied = _Applied(global_step, tokens, self._refill(done, global_step, tokens))
        with name_scope(self._name):
            moved = [one.accumulator.set_global_step(global_step) for one in gathered]
            self.chief_init_op = group(self.local_step_init_op, *moved, name="group_deps")
        return train

    def _refill(self, done: Any, global_step: Any, tokens: FIFOQueue) -> QueueRunner:
        """What the chief does over and over: a step, and the tokens of the next."""
        with control_dependencies([done]):
            count = max(self._total_num_replicas, self._replicas_to_aggregate)
            filled = tokens.enqueue_many([fill([count], global_step.value())])
        if self._variable_averages is not None:
            with control_dependencies([filled]):
                filled = self._variable_averages.apply(self._variables_to_average)
        return QueueRunner(tokens, [filled])

    def get_chief_queue_runner(self) -> QueueRunner:
        """What makes the steps, in a thread of the chief.

        Raises:
            ValueError: gradients have not been applied.
        """
        if self._applied is None:
            raise ValueError("Should be called after apply_gradients().")
        return self._applied.runner

    def get_init_tokens_op(self, num_tokens: int = -1) -> Any:
        """The operation that puts out the first tokens: `replicas_to_aggregate`, if it is -1.

        Raises:
            ValueError: gradients have not been applied, or the first step would wait forever.
        """
        if self._applied is None:
            raise ValueError("get_init_tokens_op() should be called after apply_gradients().")
        needed = self._replicas_to_aggregate - self._total_num_replicas
        count = self._replicas_to_aggregate if num_tokens == -1 else num_tokens
        if count < needed or count < 0:
            raise ValueError(
                f"Too few tokens to finish the first step: {num_tokens} (given) vs "
                f"{needed} (needed)"
            )
        if count == 0:
            return no_op(name="no_init_tokens")
        step = self._applied.global_step
        return self._applied.tokens.enqueue_many([fill([count], step.value())])

    def make_session_run_hook(self, is_chief: bool, num_tokens: int = -1) -> SessionRunHook:
        """The hook that a monitored session of each replica needs."""
        return SyncReplicasHook(self, is_chief, num_tokens)

    def get_slot(self, var: Any, name: str) -> Any:
        """A slot of the other optimizer."""
        return self._opt.get_slot(var, name)

    def get_slot_names(self) -> list[str]:
        """The names of its slots."""
        return self._opt.get_slot_names()

    def variables(self) -> list[Any]:
        """The variables of the other optimizer."""
        return self._opt.variables()


class _Applied:
    """What is there once gradients have been applied."""

    def __init__(self, global_step: Any, tokens: FIFOQueue, runner: QueueRunner) -> None:
        self.global_step, self.tokens, self.runner = global_step, tokens, runner


class _Gathered:
    """The gradients of one variable: those of all replicas."""

    def __init__(self, gradient: Any, variable: Any) -> None:
        self.gradient, self.variable = gradient, variable
        self._sparse = isinstance(gradient, IndexedSlices)
        kind = SparseConditionalAccumulator if self._sparse else ConditionalAccumulator
        name = f"{variable.name.rpartition(':')[0]}/grad_accum"
        self.accumulator: Any = kind(variable.dtype, shape=variable.shape, shared_name=name)

    def hand_over(self, step: Any) -> Any:
        if self._sparse:
            return self.accumulator.apply_indexed_slices_grad(self.gradient, local_step=step)
        return self.accumulator.apply_grad(self.gradient, local_step=step)

    def taken(self, count: int) -> Any:
        if self._sparse:
            return self.accumulator.take_indexed_slices_grad(count)
        return self.accumulator.take_grad(count)


class SyncReplicasHook(SessionRunHook):
    """Readies a session for a SyncReplicasOptimizer, and starts the steps of the chief."""

    def __init__(self, optimizer: SyncReplicasOptimizer, is_chief: bool, num_tokens: int) -> None:
        self._optimizer, self._is_chief, self._num_tokens = optimizer, is_chief, num_tokens
        self._runner: QueueRunner | None = None
        self._first: Sequence[Any] = ()
        self._ready: Any = None

    def begin(self) -> None:
        optimizer = self._optimizer
        self._ready = optimizer.ready_for_local_init_op
        self._first = [optimizer.local_step_init_op]
        if self._is_chief:
            self._runner = optimizer.get_chief_queue_runner()
            self._first = [optimizer.chief_init_op, optimizer.get_init_tokens_op(self._num_tokens)]

    def after_create_session(self, session: Any, coord: Any) -> None:
        missing = session.run(self._ready)
        if len(missing):
            raise RuntimeError(
                "Init operations did not make model ready for local_init: no values of "
                f"{[one.decode() for one in missing]}"
            )
        for operation in self._first:
            session.run(operation)
        if self._runner is not None:
            self._runner.create_threads(session, coord=coord, daemon=True, start=True)
