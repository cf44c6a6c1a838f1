"""`tf.compat.v1.train.Scaffold`: what sessions that train run at their beginning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

from ...control.grouping import group
from ...graph.by_hand.collections import GraphKeys
from ...graph.by_hand.default_graph import get_default_graph
from ..initialization import (
    global_variables_initializer,
    local_variables_initializer,
    report_uninitialized_variables,
    tables_initializer,
)
from ..summaries import merge_all
from ..training.saver import Saver


class Scaffold:
    """The operations by which a session gets ready, and the saver; what is not given is made by
    `finalize`, unless a collection of the graph has it.

    init_op, init_feed_dict, init_fn: what gives variables their first values where there is no
    checkpoint; `init_fn` gets the scaffold and the session. local_init_op: what runs then in any
    case. ready_op, ready_for_local_init_op: the names of variables without a value, empty where all
    is ready. copy_from_scaffold: another scaffold, whose parts stand for those that are not given.

    >>> with tf.Graph().as_default():
    ...     v = tf.Variable(1.0)
    ...     scaffold = tf.compat.v1.train.Scaffold().finalize()
    ...     print(type(scaffold.saver).__name__)
    Saver

    Raises:
        TypeError: `copy_from_scaffold` is none.
    """

    def __init__(
        self,
        init_op: Any = None,
        init_feed_dict: Any = None,
        init_fn: Callable[[Scaffold, Any], Any] | None = None,
        ready_op: Any = None,
        ready_for_local_init_op: Any = None,
        local_init_op: Any = None,
        summary_op: Any = None,
        saver: Any = None,
        copy_from_scaffold: Scaffold | None = None,
        local_init_feed_dict: Any = None,
    ) -> None:
        other = copy_from_scaffold
        if other is not None and not isinstance(other, Scaffold):
            raise TypeError("copy_from_scaffold is not a Scaffold instance.")

        def chosen(given: Any, name: str) -> Any:
            return getattr(other, name) if given is None and other is not None else given

        self._init_op = chosen(init_op, "init_op")
        self._init_feed_dict = chosen(init_feed_dict, "init_feed_dict")
        self._ready_op = chosen(ready_op, "ready_op")
        self._ready_for_local_init_op = chosen(ready_for_local_init_op, "ready_for_local_init_op")
        self._local_init_op = chosen(local_init_op, "local_init_op")
        self._local_init_feed_dict = chosen(local_init_feed_dict, "local_init_feed_dict")
        self._summary_op = chosen(summary_op, "summary_op")
        self._saver = chosen(saver, "saver")
        self._init_fn: Any = None
        if init_fn is not None:
            self._init_fn = lambda session: init_fn(self, session)
        elif other is not None:
            self._init_fn = other.init_fn

    def finalize(self) -> Self:
        """Make what is missing, and let the graph take nothing more."""
        keys = GraphKeys
        if self._init_op is None:
            self._init_op = self.get_or_default("init_op", keys.INIT_OP, _initializer)
        if self._ready_op is None:
            report = report_uninitialized_variables
            self._ready_op = self.get_or_default("ready_op", keys.READY_OP, report)
        if self._ready_for_local_init_op is None:
            self._ready_for_local_init_op = self.get_or_default(
                "ready_for_local_init_op", keys.READY_FOR_LOCAL_INIT_OP, report_global
            )
        if self._local_init_op is None:
            self._local_init_op = self.get_or_default(
                "local_init_op", keys.LOCAL_INIT_OP, self.default_local_init_op
            )
        if self._summary_op is None:
            self._summary_op = self.get_or_default("summary_op", keys.SUMMARY_OP, merge_all)
        if self._saver is None:
            self._saver = saver_of_graph()
        self._saver.build()
        get_default_graph().finalize()
        return self

    @staticmethod
    def get_or_default(
        arg_name: str, collection_key: str, default_constructor: Callable[[], Any]
    ) -> Any:
        """The one thing that a collection has, or else what `default_constructor` makes for it.

        Raises:
            RuntimeError: it has several.
        """
        graph = get_default_graph()
        kept = graph.get_collection(collection_key)
        if len(kept) > 1:
            raise RuntimeError(
                f"More than one item in the collection '{collection_key}': say which one is meant, "
                f"by `tf.train.Scaffold({arg_name}=...)`"
            )
        if kept:
            return kept[0]
        made = default_constructor()
        if made is not None:
            graph.add_to_collection(collection_key, made)
        return made

    @staticmethod
    def default_local_init_op() -> Any:
        """What gives local variables their first values, and fills lookup tables."""
        return group(local_variables_initializer(), tables_initializer())

    # ---- its parts

    @property
    def init_op(self) -> Any:
        """What gives variables their first values."""
        return self._init_op

    @property
    def init_feed_dict(self) -> Any:
        """What is fed to it."""
        return self._init_feed_dict

    @property
    def init_fn(self) -> Any:
        """What is called with the session then."""
        return self._init_fn

    @property
    def ready_op(self) -> Any:
        """The names of what has no value."""
        return self._ready_op

    @property
    def ready_for_local_init_op(self) -> Any:
        """The names of what has no value, and should before local variables get theirs."""
        return self._ready_for_local_init_op

    @property
    def local_init_op(self) -> Any:
        """What gives local variables their first values."""
        return self._local_init_op

    @property
    def local_init_feed_dict(self) -> Any:
        """What is fed to it."""
        return self._local_init_feed_dict

    @property
    def summary_op(self) -> Any:
        """All summaries."""
        return self._summary_op

    @property
    def saver(self) -> Any:
        """The saver."""
        return self._saver


def _initializer() -> Any:
    return group(global_variables_initializer())


def report_global() -> Any:
    """The names of the global variables without a value."""
    return report_uninitialized_variables(
        get_default_graph().get_collection(GraphKeys.GLOBAL_VARIABLES)
    )


def saver_of_graph() -> Any:
    """The saver that the graph keeps, or a new one of all that is saved.

    Raises:
        RuntimeError: the graph keeps several.
    """
    return Scaffold.get_or_default("saver", GraphKeys.SAVERS, lambda: Saver(allow_empty=True))
