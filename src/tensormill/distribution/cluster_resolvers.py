"""`tf.distribute.cluster_resolver`: who takes part in a program of several processes."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections import defaultdict
from typing import Any, Final

from ..graph.proto.clusters import ClusterSpec

TASK: Final = 'write it as {"type": "worker", "index": 0}'
NOT_JSON: Final = "the environment variable TF_CONFIG is not JSON: set it to JSON, or unset it"


def address_by(layer: str | None, address: str) -> str:
    """An address with the protocol by which it is spoken to."""
    return f"{layer}://{address}" if layer else address


class ClusterResolver(ABC):
    """Knows the processes of a program, and which of them this is."""

    task_type: str | None = None
    task_id: int | None = None

    @abstractmethod
    def cluster_spec(self) -> Any:
        """The addresses of the tasks of each job, at this moment."""

    @abstractmethod
    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process."""

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """How many devices of each kind a task has besides its CPU: there are none here."""
        return defaultdict(int)

    @property
    def environment(self) -> str | None:
        """What kind of place it runs in: nothing is known."""
        return ""


class SimpleClusterResolver(ClusterResolver):
    """Knows what it is told.

    cluster_spec: a `tf.train.ClusterSpec`. master: the address of this process. rpc_layer: the
    protocol of addresses. num_accelerators: how many devices each task has.

    >>> cluster = tf.train.ClusterSpec({"worker": ["a:1", "b:2"]})
    >>> resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(cluster, rpc_layer="grpc")
    >>> resolver.master("worker", 1)
    'grpc://b:2'

    Raises:
        TypeError: `cluster_spec` is none.
    """

    rpc_layer: str | None = None

    def __init__(
        self,
        cluster_spec: Any,
        master: str = "",
        task_type: str | None = None,
        task_id: int | None = None,
        environment: str = "",
        num_accelerators: dict[str, int] | None = None,
        rpc_layer: str | None = None,
    ) -> None:
        if not isinstance(cluster_spec, ClusterSpec):
            raise TypeError(f"cluster_spec must be a `tf.train.ClusterSpec`, not {cluster_spec!r}.")
        self._cluster = cluster_spec
        self._master = master
        self.task_type = task_type
        self.task_id = task_id
        self.rpc_layer = rpc_layer
        self._environment = environment
        self._accelerators = num_accelerators

    def cluster_spec(self) -> Any:
        """The cluster that it was told."""
        return self._cluster

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process.

        Raises:
            ValueError: there is no such task.
        """
        address = self._master
        if task_type is not None and task_id is not None:
            address = self._cluster.task_address(task_type, task_id)
        return address_by(rpc_layer or self.rpc_layer, address)

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """What it was told, the same for all tasks."""
        return self._accelerators or {}

    @property
    def environment(self) -> str:
        """What it was told."""
        return self._environment


class TFConfigClusterResolver(ClusterResolver):
    """Knows what the environment variable TF_CONFIG says, each time that it is asked.

    TF_CONFIG: JSON as '{"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker",
    "index": 0}}'. What is given here counts instead.

    >>> tf.distribute.cluster_resolver.TFConfigClusterResolver(task_type="worker").task_type
    'worker'

    Raises:
        JSONDecodeError (when it is asked): TF_CONFIG is not JSON.
        TypeError, ValueError (when it is asked): its task has no such form.
    """

    def __init__(
        self,
        task_type: str | None = None,
        task_id: int | None = None,
        rpc_layer: str | None = None,
        environment: str | None = None,
    ) -> None:
        self._type, self._number, self._layer = task_type, task_id, rpc_layer
        self._environment = environment

    @property
    def task_type(self) -> str | None:
        """The job of this process."""
        return _task().get("type") if self._type is None else self._type

    @task_type.setter
    def task_type(self, task_type: str | None) -> None:
        self._type = task_type

    @property
    def task_id(self) -> int | None:
        """The number of this process in its job."""
        if self._number is not None:
            return self._number
        found = _task().get("index")
        try:
            return None if found is None else int(found)
        except (TypeError, ValueError) as error:
            raise type(error)(
                f"the index in TF_CONFIG is {found!r}, not a number: {TASK}"
            ) from None

    @task_id.setter
    def task_id(self, task_id: int | None) -> None:
        self._number = task_id

    @property
    def rpc_layer(self) -> str | None:
        """The protocol of addresses."""
        return _tf_config().get("rpc_layer") if self._layer is None else self._layer

    @rpc_layer.setter
    def rpc_layer(self, rpc_layer: str | None) -> None:
        self._layer = rpc_layer

    @property
    def environment(self) -> str | None:
        """What it was told."""
        return self._environment

    def cluster_spec(self) -> Any:
        """The addresses that TF_CONFIG has; none where there is no TF_CONFIG."""
        return ClusterSpec(_tf_config().get("cluster", {}))

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process; nothing where there is at most one process.

        Raises:
            ValueError: there is no such task.
        """
        cluster = self.cluster_spec()
        if sum(cluster.num_tasks(job) for job in cluster.jobs) <= 1:
            return ""
        job = self.task_type if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        return address_by(rpc_layer or self.rpc_layer, cluster.task_address(job, number))


def _tf_config() -> dict[str, Any]:
    text = os.environ.get("TF_CONFIG", "{}")
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        raise json.JSONDecodeError(f"{NOT_JSON}: {error.msg}", text, error.pos) from None
    if not isinstance(found, dict | list | str):
        raise TypeError(f"TF_CONFIG is {found!r}, not an object with a cluster: {TASK}")
    return found if isinstance(found, dict) else {}


def _task() -> dict[str, Any]:
    found = _tf_config().get("task", {})
    if not isinstance(found, dict):
        raise TypeError(f"the task in TF_CONFIG is {found!r}, not an object: {TASK}")
    return found


class UnionResolver(ClusterResolver):
    """Knows what several resolvers know; of this process, what the first one says.

    task_type, task_id, rpc_layer: what counts instead.

    >>> simple = tf.distribute.cluster_resolver.SimpleClusterResolver
    >>> resolvers = [simple(tf.train.ClusterSpec({job: ["a:1"]})) for job in ("ps", "worker")]
    >>> tf.distribute.cluster_resolver.UnionResolver(*resolvers).cluster_spec().as_dict()
    {'ps': ['a:1'], 'worker': ['a:1']}

    Raises:
        ValueError: no resolver is given, or an unknown keyword.
        TypeError: an argument is no resolver.
    """

    rpc_layer: str | None = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        told = {name: kwargs.pop(name, None) for name in ("task_type", "task_id", "rpc_layer")}
        if kwargs:
            raise ValueError(f"Unexpected kwargs provided {kwargs!r}")
        if not args:
            raise ValueError("At least one ClusterResolver is required.")
        if not all(isinstance(one, ClusterResolver) for one in args):
            raise TypeError(f"All arguments must be a sub-class of `ClusterResolver`, not {args}")
        first: Any = args[0]
        self._resolvers = args
        self._layer = told["rpc_layer"]
        self.task_type = first.task_type if told["task_type"] is None else told["task_type"]
        self.task_id = first.task_id if told["task_id"] is None else told["task_id"]
        self.rpc_layer = self._layer or getattr(first, "rpc_layer", None)

    def cluster_spec(self) -> Any:
        """The addresses of all.

        Raises:
            KeyError: two resolvers know a task of the same number.
        """
        jobs: dict[str, Any] = {}
        for resolver in self._resolvers:
            for job, tasks in resolver.cluster_spec().as_dict().items():
                jobs[job] = _joined(jobs[job], tasks) if job in jobs else tasks
        return ClusterSpec(jobs)

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or what the first resolver says of this process.

        Raises:
            ValueError: there is no such task.
        """
        if task_type is None or task_id is None:
            return self._resolvers[0].master(rpc_layer=rpc_layer)
        address = self.cluster_spec().task_address(task_type, task_id)
        return address_by(rpc_layer or self._layer, address)

    def num_accelerators(
        self, task_type: str | None = None, task_id: int | None = None, config_proto: Any = None
    ) -> dict[str, int]:
        """What the first resolver says."""
        return self._resolvers[0].num_accelerators(task_type, task_id, config_proto)

    @property
    def environment(self) -> str | None:
        """What the first resolver says."""
        return self._resolvers[0].environment


def _joined(one: Any, another: Any) -> Any:
    """The tasks of a job by two resolvers: lists go on, numbers stay."""
    if isinstance(one, list) and isinstance(another, list):
        return one + another
    first, second = (
        dict(enumerate(tasks)) if isinstance(tasks, list) else tasks for tasks in (one, another)
    )
    twice = first.keys() & second.keys()
    if twice:
        raise KeyError(f"Duplicate keys detected when merging two ClusterSpecs: {twice}")
    return dict(sorted({**first, **second}.items()))
