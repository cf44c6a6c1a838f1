"""Threads that run the operations which fill a queue, until it is closed."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Iterable, Sequence
from typing import Any, Final

from ...core.process.logs import logger
from ...errors import CancelledError, OutOfRangeError
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ...graph.by_hand.sessions import get_default_session
from ...graph.proto.messages import message

# An error's class by its number, as far as queues are closed by it.
_CODES: Final[dict[int, type[Exception]]] = {1: CancelledError, 11: OutOfRangeError}


class QueueRunner:
    """Holds a queue and the operations that fill it; each of them gets a thread.

    queue: a `tf.queue` of the graph. enqueue_ops: operations, each run over and over by a thread of
    its own. close_op, cancel_op: what closes the queue, and what lets nobody wait for it; those of
    the queue if they are not given. queue_closed_exception_types: the exceptions that say that
    nothing more is put in (OutOfRangeError). queue_runner_def: a proto, in the place of all these.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     queue = tf.queue.FIFOQueue(5, tf.int32, shapes=[[]])
    ...     runner = tf.compat.v1.train.QueueRunner(queue, [queue.enqueue(7)])
    ...     coordinator = tf.train.Coordinator()
    ...     threads = runner.create_threads(session, coordinator, start=True)
    ...     print(session.run(queue.dequeue_many(3)))
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [7 7 7]

    Raises:
        ValueError: there is no queue or nothing that fills it, or a proto and something else.
        TypeError: `queue_closed_exception_types` are no tuple of errors.
    """

    def __init__(
        self,
        queue: Any = None,
        enqueue_ops: Sequence[Any] | None = None,
        close_op: Any = None,
        cancel_op: Any = None,
        queue_closed_exception_types: Any = None,
        queue_runner_def: Any = None,
        import_scope: str | None = None,
    ) -> None:
        self._lock: Final = threading.Lock()
        self._errors: Final[list[BaseException]] = []
        self._running: Final[weakref.WeakKeyDictionary[Any, int]] = weakref.WeakKeyDictionary()
        if queue_runner_def is not None:
            if queue is not None or enqueue_ops is not None:
                raise ValueError("QueueRunner: give a queue_runner_def, or a queue, not both")
            self._read(queue_runner_def, import_scope)
            return
        if queue is None or not enqueue_ops:
            raise ValueError("Must provide queue and enqueue_ops.")
        closing = queue_closed_exception_types or (OutOfRangeError,)
        if not isinstance(closing, tuple) or not all(_is_error(one) for one in closing):
            raise TypeError(f"queue_closed_exception_types must be a tuple of errors: {closing}")
        self._queue: Any = queue
        self._enqueue_ops: Sequence[Any] = list(enqueue_ops)
        self._close_op: Any = queue.close() if close_op is None else close_op
        cancels = {"cancel_pending_enqueues": True}
        self._cancel_op: Any = queue.close(**cancels) if cancel_op is None else cancel_op
        self._closing: tuple[type[Exception], ...] = closing

    def _read(self, proto: Any, scope: str | None) -> None:
        graph, before = get_default_graph(), f"{scope}/" if scope else ""

        def found(name: str) -> Any:
            return graph.as_graph_element(before + name)

        self._queue = found(proto.queue_name)
        self._enqueue_ops = [found(name) for name in proto.enqueue_op_name]
        self._close_op = found(proto.close_op_name)
        self._cancel_op = found(proto.cancel_op_name)
        codes = proto.queue_closed_exception_types
        self._closing = tuple(_CODES[one] for one in codes if one in _CODES) or (OutOfRangeError,)

    # ---- what it is

    @property
    def queue(self) -> Any:
        """The queue."""
        return self._queue

    @property
    def enqueue_ops(self) -> Sequence[Any]:
        """What fills it."""
        return self._enqueue_ops

    @property
    def close_op(self) -> Any:
        """What closes it."""
        return self._close_op

    @property
    def cancel_op(self) -> Any:
        """What lets nobody wait for it."""
        return self._cancel_op

    @property
    def queue_closed_exception_types(self) -> tuple[type[Exception], ...]:
        """The exceptions that say that there is nothing more."""
        return self._closing

    @property
    def exceptions_raised(self) -> list[BaseException]:
        """What threads without a coordinator have ended with."""
        return self._errors

    @property
    def name(self) -> str:
        """The name of the queue's operation."""
        return getattr(self._queue, "queue_ref", self._queue).name.partition(":")[0]

    # ---- its threads

    def create_threads(
        self, sess: Any, coord: Any = None, daemon: bool = False, start: bool = False
    ) -> list[threading.Thread]:
        """A thread for each of the operations; with a coordinator one more, which lets nobody wait
        when all have to stop. There are none where a session has such threads already.

        daemon: whether the process ends without them. start: whether they begin at once.
        """
        with self._lock:
            if self._running.get(sess, 0) > 0:
                return []
            self._running[sess] = len(self._enqueue_ops)
        threads = [
            threading.Thread(
                target=self._fill, args=(sess, one, coord), daemon=daemon,
                name=f"QueueRunnerThread-{self.name}-{one.name}",
            )
            for one in self._enqueue_ops
        ]  # fmt: skip
        if coord is not None:
            name = f"QueueRunnerThread-{self.name}-close_on_stop"
            closer = threading.Thread(
                target=self._close_on_stop, args=(sess, coord), daemon=daemon, name=name
            )
            threads.append(closer)
        for one in threads:
            if coord is not None:
                coord.register_thread(one)
            if start:
                one.start()
        return threads

    def _fill(self, session: Any, operation: Any, coordinator: Any) -> None:
        """Run one operation over and over."""
        ended = False
        try:
            run = session.make_callable(operation)
            while not (coordinator is not None and coordinator.should_stop()):
                try:
                    run()
                except self._closing:
                    ended = True
                    if self._count_off(session):
                        self._close(session, self._close_op)
                    return
        except Exception as error:
            if coordinator is not None:
                coordinator.request_stop(error)
                return
            logger.error("a thread that fills the queue %s ended: %s", self.name, error)
            with self._lock:
                self._errors.append(error)
            raise
        finally:
            if not ended:
                self._count_off(session)

    def _count_off(self, session: Any) -> bool:
        """Count off a thread of the session; whether no other one is left."""
        with self._lock:
            self._running[session] = self._running.get(session, 1) - 1
            return self._running[session] == 0

    def _close(self, session: Any, operation: Any) -> None:
        try:
            session.run(operation)
        except Exception as error:  # somebody closed it already, or the session
            logger.debug("the queue %s is not closed: %s", self.name, error)

    def _close_on_stop(self, session: Any, coordinator: Any) -> None:
        coordinator.wait_for_stop()
        self._close(session, self._cancel_op)

    # ---- as a message

    def to_proto(self, export_scope: str | None = None) -> Any:
        """A QueueRunnerDef, or None where its queue is not in `export_scope`."""
        before = f"{export_scope}/" if export_scope else ""
        if not self.name.startswith(before):
            return None
        codes = [code for code, kind in _CODES.items() if kind in self._closing]
        return message("QueueRunnerDef")(
            queue_name=self.name.removeprefix(before),
            enqueue_op_name=[one.name.removeprefix(before) for one in self._enqueue_ops],
            close_op_name=self._close_op.name.removeprefix(before),
            cancel_op_name=self._cancel_op.name.removeprefix(before),
            queue_closed_exception_types=codes,
        )

    @staticmethod
    def from_proto(queue_runner_def: Any, import_scope: str | None = None) -> QueueRunner:
        """The runner that a QueueRunnerDef describes, in the default graph."""
        return QueueRunner(queue_runner_def=queue_runner_def, import_scope=import_scope)


def _is_error(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, Exception)


def add_queue_runner(qr: QueueRunner, collection: str = GraphKeys.QUEUE_RUNNERS) -> None:
    """Keep a runner, for `start_queue_runners` to find it.

    >>> with tf.Graph().as_default() as graph:
    ...     queue = tf.queue.FIFOQueue(5, tf.int32, shapes=[[]])
    ...     runner = tf.compat.v1.train.QueueRunner(queue, [queue.enqueue(7)])
    ...     tf.compat.v1.train.add_queue_runner(runner)
    ...     len(graph.get_collection(tf.compat.v1.GraphKeys.QUEUE_RUNNERS))
    1

    Raises:
        TypeError: the collection has no name that can be looked up.
    """
    get_default_graph().add_to_collection(collection, qr)


def start_queue_runners(
    sess: Any = None,
    coord: Any = None,
    daemon: bool = True,
    start: bool = True,
    collection: str = GraphKeys.QUEUE_RUNNERS,
) -> list[threading.Thread]:
    """Start the threads of all runners that the graph keeps; they are given.

    sess: the default session, if it is not given.

    >>> with tf.Graph().as_default(), tf.compat.v1.Session() as session:
    ...     number = tf.compat.v1.train.range_input_producer(3, num_epochs=1, shuffle=False)
    ...     next_number = number.dequeue()
    ...     session.run(tf.compat.v1.local_variables_initializer())
    ...     coordinator = tf.train.Coordinator()
    ...     threads = tf.compat.v1.train.start_queue_runners(session, coordinator)
    ...     print([int(session.run(next_number)) for _ in range(3)])
    ...     coordinator.request_stop()
    ...     coordinator.join(threads)
    [0, 1, 2]

    Raises:
        ValueError: there is no session.
        TypeError: it is none of `tf.compat.v1`.
    """
    session = get_default_session() if sess is None else sess
    if session is None:
        raise ValueError(
            "Cannot start queue runners: no default session is registered; enter one by "
            "`with sess.as_default():`, or pass sess=..."
        )
    if not hasattr(session, "make_callable"):
        raise TypeError(f"sess must be a session of tf.compat.v1, not {type(session).__name__}")
    runners: Iterable[QueueRunner] = session.graph.get_collection(collection)
    return [
        thread
        for runner in runners
        for thread in runner.create_threads(session, coord, daemon=daemon, start=start)
    ]
