"""Who takes part in a program, as TensorFlow 2.21's resolvers tell (run beside these)."""

from __future__ import annotations

import json
import os
from types import SimpleNamespace as Facts
from typing import Any

import pytest

import tensormill as tf

R: Any = tf.distribute.cluster_resolver
CLUSTER = tf.train.ClusterSpec({"worker": ["a:1", "b:2"], "ps": ["c:3"]})
SLURM = {
    "PROCID": "1", "STEP_NUM_TASKS": "5", "STEP_TASKS_PER_NODE": "2(x2),1",
    "STEP_NODELIST": "n[1-2,4]",
}  # fmt: skip


def test_a_simple_resolver_says_what_it_was_told() -> None:
    resolver = R.SimpleClusterResolver(
        CLUSTER, "m:0", "worker", 1, "cloud", num_accelerators={"GPU": 2}, rpc_layer="grpc"
    )

    assert resolver.cluster_spec() is CLUSTER
    assert ("grpc://m:0", "grpc://c:3") == (resolver.master(), resolver.master("ps", 0))
    assert ("worker", 1, "cloud") == (resolver.task_type, resolver.task_id, resolver.environment)
    assert {"GPU": 2} == resolver.num_accelerators()
    with pytest.raises(ValueError, match="No task with index 5 in job 'worker'"):
        resolver.master("worker", 5)
    with pytest.raises(TypeError, match="cluster_spec must be"):
        R.SimpleClusterResolver({"worker": ["a:1"]})


def test_resolvers_are_subclasses_that_say_both() -> None:
    with pytest.raises(TypeError, match="abstract"):
        R.ClusterResolver()


@pytest.mark.parametrize(
    ("config", "cluster", "master", "task"),
    [
        ({}, {}, "", (None, None)),
        ([1], {}, "", (None, None)),
        ({"cluster": {"worker": ["a:1"]}}, {"worker": ["a:1"]}, "", (None, None)),
        (
            {"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": "1"}},
            {"worker": ["a:1", "b:2"]}, "b:2", ("worker", 1),
        ),
        (
            {
                "cluster": {"worker": ["a:1"], "ps": ["c:3"]}, "rpc_layer": "rpc",
                "task": {"type": "ps", "index": 0},
            },
            {"worker": ["a:1"], "ps": ["c:3"]}, "rpc://c:3", ("ps", 0),
        ),
    ],
)  # fmt: skip
def test_tf_config_is_read(
    monkeypatch: Any, config: Any, cluster: Any, master: str, task: Any
) -> None:
    monkeypatch.setenv("TF_CONFIG", json.dumps(config))
    resolver = R.TFConfigClusterResolver()

    assert cluster == resolver.cluster_spec().as_dict()
    assert master == resolver.master()
    assert task == (resolver.task_type, resolver.task_id)


def test_tf_config_is_json(monkeypatch: Any) -> None:
    monkeypatch.setenv("TF_CONFIG", "not")

    with pytest.raises(json.JSONDecodeError, match="TF_CONFIG is not JSON"):
        R.TFConfigClusterResolver().cluster_spec()


@pytest.mark.parametrize(
    ("task", "error", "says"),
    [
        (3, TypeError, "the task in TF_CONFIG is 3"),
        ("worker", TypeError, "the task in TF_CONFIG is 'worker'"),
        ({"type": "worker", "index": "one"}, ValueError, "the index in TF_CONFIG is 'one'"),
        ({"type": "worker", "index": [1]}, TypeError, r"the index in TF_CONFIG is \[1\]"),
    ],
)
def test_a_task_in_tf_config_has_a_type_and_a_number(
    monkeypatch: Any, task: Any, error: Any, says: str
) -> None:
    cluster = {"worker": ["a:1", "b:2"]}
    monkeypatch.setenv("TF_CONFIG", json.dumps({"cluster": cluster, "task": task}))

    with pytest.raises(error, match=says):
        _ = R.TFConfigClusterResolver().task_id


def test_a_union_knows_what_all_know() -> None:
    def simple(tasks: Any, **more: Any) -> Any:
        return R.SimpleClusterResolver(tf.train.ClusterSpec(tasks), **more)

    first = R.SimpleClusterResolver(CLUSTER, task_type="worker", task_id=0, rpc_layer="grpc")
    union = R.UnionResolver(first, simple({"x": ["d:1"], "worker": ["e:5"]}))
    numbered = R.UnionResolver(simple({"w": {3: "a:1"}}), simple({"w": ["b:1"]}), rpc_layer="q")
    twice = R.UnionResolver(simple({"w": {3: "a:1"}}), simple({"w": {3: "b:1"}}))

    assert {"worker": ["a:1", "b:2", "e:5"], "ps": ["c:3"], "x": ["d:1"]} == (
        union.cluster_spec().as_dict()
    )
    assert ("worker", 0, "grpc") == (union.task_type, union.task_id, union.rpc_layer)
    assert ("grpc://", "e:5") == (union.master(), union.master("worker", 2))
    assert {"w": {0: "b:1", 3: "a:1"}} == numbered.cluster_spec().as_dict()
    assert "q://a:1" == numbered.master("w", 3)
    with pytest.raises(KeyError, match="Duplicate keys"):
        twice.cluster_spec()
    with pytest.raises(ValueError, match="At least one ClusterResolver"):
        R.UnionResolver()


@pytest.mark.parametrize(
    ("variables", "arguments", "cluster", "task", "visible"),
    [
        ({}, {}, {"worker": ["n1:8888", "n1:8889", "n2:8888", "n2:8889", "n4:8888"]},
         ("worker", 1), ""),
        ({}, {"jobs": {"worker": 4, "ps": 1}, "port_base": 1000, "gpus_per_node": 4,
              "gpus_per_task": 2},
         {"ps": ["n1:1000"], "worker": ["n1:1001", "n2:1000", "n2:1001", "n4:1000"]},
         ("worker", 0), "2,3"),
        ({"PROCID": "2", "STEP_NUM_TASKS": "4", "STEP_TASKS_PER_NODE": "1(x4)",
          "STEP_NODELIST": "host,a[02-03,007]"}, {},
         {"worker": ["a007:8888", "a02:8888", "a03:8888", "host:8888"]}, ("worker", 2), ""),
        ({}, {"gpus_per_node": 5}, {"worker": ["n1:8888", "n1:8889", "n2:8888", "n2:8889",
          "n4:8888"]}, ("worker", 1), "2,3"),
    ],
)  # fmt: skip
def test_slurm_tells_the_tasks(
    monkeypatch: Any, variables: Any, arguments: Any, cluster: Any, task: Any, visible: str
) -> None:
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "")
    for name, value in {**SLURM, **variables}.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    resolver = R.SlurmClusterResolver(**arguments)

    assert cluster == resolver.cluster_spec().as_dict()
    assert task == resolver.get_task_info()
    assert f"grpc://{cluster[task[0]][task[1]]}" == resolver.master()
    assert visible == os.environ["CUDA_VISIBLE_DEVICES"]


def test_tasks_of_slurm_share_the_gpus_that_are_visible(monkeypatch: Any) -> None:
    for name, value in SLURM.items():
        monkeypatch.setenv(f"SLURM_{name}", value)
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "4,5")

    assert {"GPU": 1} == R.SlurmClusterResolver().num_accelerators()
    assert "5" == os.environ["CUDA_VISIBLE_DEVICES"]


@pytest.mark.parametrize("text", ["3", "null", "true"])
def test_a_number_is_no_cluster(monkeypatch: Any, text: str) -> None:
    monkeypatch.setenv("TF_CONFIG", text)

    with pytest.raises(TypeError, match="TF_CONFIG is"):
        R.TFConfigClusterResolver().cluster_spec()


@pytest.mark.parametrize(
    ("variables", "arguments", "error", "words"),
    [
        ({}, {"jobs": {"worker": 3}}, RuntimeError, "Requested 3 tasks but only 5"),
        ({}, {"tasks_per_node": 2}, RuntimeError, "Requested 5 tasks but only 6"),
        ({}, {"gpus_per_node": 1, "gpus_per_task": 1}, RuntimeError, "more GPUs per node"),
        ({"STEP_NODELIST": "n[1-2]x"}, {}, ValueError, "Invalid hostlist format"),
        ({"STEP_TASKS_PER_NODE": "abc"}, {}, ValueError, "Invalid tasks-per-node list"),
        ({"PROCID": "9"}, {}, RuntimeError, "SLURM_PROCID is 9"),
    ],
)
def test_what_slurm_cannot_mean_is_refused(
    monkeypatch: Any, variables: Any, arguments: Any, error: Any, words: str
) -> None:
    for name, value in {**SLURM, **variables}.items():
        monkeypatch.setenv(f"SLURM_{name}", value)

    with pytest.raises(error, match=words):
        R.SlurmClusterResolver(**arguments)


def test_there_is_no_slurm_step_here(monkeypatch: Any) -> None:
    monkeypatch.delenv("SLURM_PROCID", raising=False)

    with pytest.raises(RuntimeError, match="Not running inside a SLURM step"):
        R.SlurmClusterResolver()


class Pods:
    """A client of Kubernetes whose pods have the addresses that labels tell."""

    def __init__(self, phase: str = "Running", **addresses: list[str]) -> None:
        self.phase, self.addresses = phase, addresses

    def list_pod_for_all_namespaces(self, label_selector: str) -> Any:
        statuses = [Facts(host_ip=ip, phase=self.phase) for ip in self.addresses[label_selector]]
        return Facts(items=[Facts(status=one, metadata=Facts(name="pod")) for one in statuses])


def test_kubernetes_tells_the_pods_of_labels_in_order() -> None:
    pods = Pods(a=["10.0.0.2", "10.0.0.1"], b=["10.0.0.3"])
    resolver = R.KubernetesClusterResolver({"worker": ["a"], "ps": ["b", "a"]}, 1, "", pods)

    assert {
        "worker": ["10.0.0.1:1", "10.0.0.2:1"],
        "ps": ["10.0.0.3:1", "10.0.0.1:1", "10.0.0.2:1"],
    } == resolver.cluster_spec().as_dict()
    assert "" == resolver.master()
    resolver.task_type, resolver.task_id = "worker", 1
    assert "grpc://10.0.0.2:1" == resolver.master(rpc_layer="grpc")


def test_kubernetes_tells_of_a_pod_that_does_not_run() -> None:
    resolver = R.KubernetesClusterResolver(
        {"worker": ["a"]}, override_client=Pods("Pending", a=["x"])
    )

    with pytest.raises(RuntimeError, match='Pod "pod" is not running; phase: "Pending"'):
        resolver.cluster_spec()


def test_services_are_not_asked_without_a_client() -> None:
    with pytest.raises(ImportError, match="override_client"):
        R.KubernetesClusterResolver()
    with pytest.raises(ImportError, match="as `service`"):
        R.GCEClusterResolver("project", "zone", "group", 1)


class Compute:
    """A client of Compute Engine that has two pages of instances."""

    def instanceGroups(self) -> Any:
        return self

    def instances(self) -> Any:
        return self

    def listInstances(self, **told: Any) -> Any:
        self.asked = told
        return Reply({"items": [{"instance": "zones/z/instances/b"}]})

    def listInstances_next(self, previous_request: Any, previous_response: Any) -> Any:
        last = previous_response["items"][0]["instance"].endswith("a")
        return None if last else Reply({"items": [{"instance": "zones/z/instances/a"}]})

    def get(self, project: str, zone: str, instance: str) -> Any:
        return Reply({"networkInterfaces": [{"networkIP": f"{project}.{zone}.{instance}"}]})


class Reply:
    def __init__(self, told: Any) -> None:
        self.told = told

    def execute(self) -> Any:
        return self.told


def test_compute_engine_tells_the_instances_of_a_group() -> None:
    service = Compute()
    resolver = R.GCEClusterResolver("p", "z", "g", 7, credentials=None, service=service)

    assert {"worker": ["p.z.a:7", "p.z.b:7"]} == resolver.cluster_spec().as_dict()
    assert ("grpc://p.z.a:7", "grpc://p.z.b:7") == (resolver.master(), resolver.master("worker", 1))
    assert ("worker", 0, "g") == (
        resolver.task_type, resolver.task_id, service.asked["instanceGroups"]
    )  # fmt: skip
    with pytest.raises(RuntimeError, match="cannot change"):
        resolver.task_type = "ps"
