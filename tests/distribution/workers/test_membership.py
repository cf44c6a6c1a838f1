"""What TF_CONFIG says of the cluster and of this process."""

import json
from typing import Any

import pytest

import tensormill as tf
from tensormill.distribution.workers.membership import Membership, membership

TWO = ["a:1", "b:2"]


def member_of(monkeypatch: Any, config: Any) -> Membership:
    text = config if isinstance(config, str) else json.dumps(config)
    monkeypatch.setenv("TF_CONFIG", text)
    return membership(tf.distribute.cluster_resolver.TFConfigClusterResolver())


def config(task_type: Any = "worker", index: Any = 0, **jobs: Any) -> dict[str, Any]:
    return {"cluster": jobs, "task": {"type": task_type, "index": index}}


def test_workers_are_ranked_behind_the_chief(monkeypatch: Any) -> None:
    found = member_of(monkeypatch, config(index=1, worker=TWO, chief=["c:3"]))

    assert found == Membership("worker", 1, 2, ["c:3", "a:1", "b:2"])
    assert not found.leads
    assert member_of(monkeypatch, config("chief", worker=TWO, chief=["c:3"])).leads


def test_one_process_needs_no_others(monkeypatch: Any) -> None:
    monkeypatch.delenv("TF_CONFIG", raising=False)
    assert membership(tf.distribute.cluster_resolver.TFConfigClusterResolver()).size == 1
    assert member_of(monkeypatch, config(worker=["a:1"])).size == 1
    assert member_of(monkeypatch, {"cluster": {"worker": ["a:1"]}}).size == 1


def test_evaluators_are_on_their_own(monkeypatch: Any) -> None:
    assert member_of(monkeypatch, config("evaluator", worker=TWO, evaluator=["e:1"])).size == 1


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        ("{oops", json.JSONDecodeError, "TF_CONFIG is not JSON"),
        ({"cluster": {"worker": TWO}}, ValueError, "which task this process"),
        (
            {"cluster": {"worker": TWO}, "task": {"type": "worker"}},
            ValueError, "which task this process",
        ),
        (config(index=2, worker=TWO), ValueError, "no task worker:2: the cluster has 2"),
        (config("boss", worker=TWO), ValueError, r"'boss', and the cluster has only \['worker'\]"),
        (config(worker=TWO, ps=["p:1"]), ValueError, "a job 'ps'"),
        (config("chief", chief=TWO), ValueError, "at most one 'chief'"),
        (config(worker=["a", "b:2"]), tf.errors.InvalidArgumentError, "'a' is no address"),
        (config(worker=["a:0", "b:2"]), tf.errors.InvalidArgumentError, "'a:0' is no address"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_told(monkeypatch: Any, wrong: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text):
        member_of(monkeypatch, wrong)
