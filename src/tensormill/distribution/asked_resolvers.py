"""Resolvers that ask a service, by a client that the program gives or that is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import Enum
from importlib import import_module
from typing import Any, Final

from ..graph.proto.clusters import ClusterSpec
from .cluster_resolvers import ClusterResolver, address_by

RUNNING: Final = "Running"


class ExecutableLocation(Enum):
    """Whether this process runs in the Kubernetes cluster that it asks about."""

    WITHIN_CLUSTER = 0
    OFF_CLUSTER = 1


class KubernetesClusterResolver(ClusterResolver):
    """Knows the running pods of a Kubernetes cluster, by labels.

    job_to_label_mapping: the label selectors of each job; {"worker": ["job-name=tensorflow"]} if
    it is None. override_client: what answers `list_pod_for_all_namespaces(label_selector=...)`;
    without one, the package `kubernetes` is used.

    >>> class Client:
    ...     def list_pod_for_all_namespaces(self, label_selector):
    ...         status = argparse.Namespace(host_ip="10.0.0.1", phase="Running")
    ...         return argparse.Namespace(items=[argparse.Namespace(status=status)])
    >>> import argparse
    >>> resolver = tf.distribute.cluster_resolver.KubernetesClusterResolver(
    ...     {"worker": ["app=mine"]}, override_client=Client()
    ... )
    >>> resolver.master("worker", 0)
    'grpc://10.0.0.1:8470'

    Raises:
        ImportError: no client is given, and the package is not installed.
        ValueError: there is no such place.
    """

    def __init__(
        self,
        job_to_label_mapping: Mapping[str, Sequence[str]] | None = None,
        tf_server_port: int = 8470,
        rpc_layer: str | None = "grpc",
        override_client: Any = None,
        executable_location: ExecutableLocation = ExecutableLocation.WITHIN_CLUSTER,
    ) -> None:
        self._labels = job_to_label_mapping or {"worker": ["job-name=tensorflow"]}
        self._port = tf_server_port
        self.rpc_layer = rpc_layer
        self._client = override_client or _kubernetes_client(executable_location)

    def cluster_spec(self) -> Any:
        """The addresses of the running pods of each job, in order, as the cluster says now.

        Raises:
            RuntimeError: a pod does not run.
        """
        return ClusterSpec(
            {
                job: [address for label in labels for address in self._addresses(label)]
                for job, labels in self._labels.items()
            }
        )

    def _addresses(self, label: str) -> list[str]:
        pods = self._client.list_pod_for_all_namespaces(label_selector=label).items
        for pod in pods:
            if pod.status.phase != RUNNING:
                raise RuntimeError(
                    f'Pod "{pod.metadata.name}" is not running; phase: "{pod.status.phase}"'
                )
        return sorted(f"{pod.status.host_ip}:{self._port}" for pod in pods)

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process if the program said which it is, or nothing.

        Raises:
            RuntimeError: a pod does not run.
            ValueError: there is no such task.
        """
        job = self.task_type if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        if job is None or number is None:
            return ""
        address = self.cluster_spec().task_address(job, number)
        return address_by(rpc_layer or self.rpc_layer, address)


def _kubernetes_client(place: ExecutableLocation) -> Any:
    try:
        kubernetes = import_module("kubernetes")
        settings = import_module("kubernetes.config")
    except ImportError:
        raise ImportError(
            "KubernetesClusterResolver needs the package kubernetes (pip install kubernetes), or a "
            "client as `override_client`"
        ) from None
    if ExecutableLocation(place) is ExecutableLocation.WITHIN_CLUSTER:
        settings.load_incluster_config()
    else:
        settings.load_kube_config()
    return kubernetes.client.CoreV1Api()


class GCEClusterResolver(ClusterResolver):
    """Knows the running instances of a group of Google Compute Engine: one job of them.

    service: the client of its API, version 1; without one, the package google-api-python-client
    makes it, with `credentials`, or those of the machine.

    Raises:
        ImportError: no service is given, and the package is not installed.
    """

    rpc_layer: str | None = None

    def __init__(
        self,
        project: str,
        zone: str,
        instance_group: str,
        port: int,
        task_type: str = "worker",
        task_id: int = 0,
        rpc_layer: str | None = "grpc",
        credentials: Any = "default",
        service: Any = None,
    ) -> None:
        self._where = {"project": project, "zone": zone}
        self._group = instance_group
        self._port = port
        self._job, self.task_id = task_type, task_id
        self.rpc_layer = rpc_layer
        self._service = service or _compute_service(credentials)

    @property
    def task_type(self) -> str:
        """The job of this process, which all instances are in.

        Raises:
            RuntimeError: it is assigned.
        """
        return self._job

    @task_type.setter
    def task_type(self, task_type: str) -> None:
        raise RuntimeError("the task_type of a GCEClusterResolver cannot change: make another one")

    def cluster_spec(self) -> Any:
        """The addresses of the instances, in order, as the service says now."""
        groups, instances = self._service.instanceGroups(), self._service.instances()
        asked = groups.listInstances(
            **self._where,
            instanceGroups=self._group,
            body={"instanceState": "RUNNING"},
            orderBy="name",
        )
        found: list[str] = []
        while asked is not None:
            told = asked.execute()
            for item in told.get("items", ()):
                name = item["instance"].rpartition("/")[2]
                instance = instances.get(**self._where, instance=name).execute()
                found.append(f"{instance['networkInterfaces'][0]['networkIP']}:{self._port}")
            asked = groups.listInstances_next(previous_request=asked, previous_response=told)
        return ClusterSpec({self._job: sorted(found)})

    def master(
        self, task_type: str | None = None, task_id: int | None = None, rpc_layer: str | None = None
    ) -> str:
        """The address of a task, or of this process.

        Raises:
            ValueError: there is no such task.
        """
        job = self._job if task_type is None else task_type
        number = self.task_id if task_id is None else task_id
        address = self.cluster_spec().task_address(job, number)
        return address_by(rpc_layer or self.rpc_layer, address)


def _compute_service(credentials: Any) -> Any:
    try:
        discovery = import_module("googleapiclient.discovery")
    except ImportError:
        raise ImportError(
            "GCEClusterResolver needs the package google-api-python-client (pip install "
            "google-api-python-client), or a client as `service`"
        ) from None
    given = None if credentials == "default" else credentials
    return discovery.build("compute", "v1", credentials=given)
