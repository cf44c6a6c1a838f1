"""Linear models by dual ascent: what TensorFlow 2.21 gives, whose order of examples is random.

The orders in which it took them were found by trying all of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tensormill.ops.strings.long_fingerprints import long_fingerprint
from tensormill.ops.training.dual_losses import LOSSES

RAW = tf.raw_ops
FEATURES = np.array([[1, 2], [3, 4], [-1, 0.5], [0.3, -2], [2, 0]], np.float32)
LABELS = np.array([1, 0, 1, 0, 1], np.float32)
SPARSE = [[0, 0, 1, 2]], [[0, 2, 1, 2]], [[1.0, 2.0, 3.0, 4.0]]
PLAIN: dict[str, Any] = {"l1": 0.0, "l2": 1.0, "num_loss_partitions": 1}
GIVEN: dict[str, Any] = {
    "five": PLAIN | {"example_weights": [1.0, 2.0, 0.5, 0.0, 3.0], "dense_weights": [[[0.0, 0.0]]]},
    "l1parts": {"l1": 0.2, "l2": 0.7, "num_loss_partitions": 2, "example_weights": [1.0] * 5,
                "dense_weights": [[[0.5, -0.25]]]},
}  # fmt: skip
# The order, what is then known of examples (their weights left out), how weights change.
FOUND: dict[tuple[str, str], Any] = {
    ("logistic_loss", "five"): (
        [3, 1, 4, 0, 2],
        [[0.2498137, 0.6931472, 0.0],
         [-0.05635978, 1.386294, 0.0],
         [0.640477, 0.3465736, 0.0],
         [-0.5, 0.0, 0.0],
         [0.1817422, 2.079442, 0.0]],
        [0.6818694, 0.2088684],
    ),
    ("squared_loss", "five"): (
        [2, 3, 1, 0, 4],
        [[0.144545, 0.5, -0.0],
         [0.006033184, 0.0, 0.0],
         [0.6153846, 0.25, -0.0],
         [0.4, 0.0, 0.0],
         [0.09645358, 1.5, -0.0]],
        [0.4517732, 0.4912016],
    ),
    ("hinge_loss", "five"): (
        [1, 0, 2, 3, 4],
        [[0.288, 1.0, -0.0],
         [-0.02, 2.0, 0.0],
         [1.0, 0.5, -0.0],
         [0.0, 0.0, 0.0],
         [0.1386667, 3.0, -0.0]],
        [0.5, 0.666],
    ),
    ("smooth_hinge_loss", "five"): (
        [0, 4, 3, 1, 2],
        [[0.1666667, 0.5, 0.0],
         [-0.0736551, 1.0, 0.0],
         [0.7140813, 0.25, 0.0],
         [-0.475641, 0.0, 0.0],
         [0.05128205, 1.5, 0.0]],
        [-0.3246123, -0.07738712],
    ),
    ("poisson_loss", "five"): (
        [0, 2, 3, 1, 4],
        [[0.0, 1.0, -1.0],
         [-0.0572178, 2.0, 0.0],
         [0.0, 0.5, -0.5],
         [-1.0, 0.0, 0.0],
         [0.05270568, 3.0, -3.0]],
        [-0.02707273, -0.4577424],
    ),
    ("logistic_loss", "l1parts"): (
        [0, 2, 3, 4, 1],
        [[0.1226985, 0.5917332, 0.0],
         [-0.110546, 1.065368, 0.0],
         [0.3314534, 0.8060189, 0.0],
         [-0.08933455, 0.7258065, 0.0],
         [0.1510554, 0.5016471, 0.0]],
        [-0.3786891, 0.2108698],
    ),
    ("squared_loss", "l1parts"): (
        [1, 0, 3, 2, 4],
        [[0.06497815, 0.3086735, -0.0],
         [-0.008875739, 0.2066326, 0.0],
         [0.2881583, 0.7372449, -0.0],
         [-0.007658846, 0.002066326, 0.0],
         [0.08045977, 0.1632653, -0.0]],
        [-0.130265, 0.3626431],
    ),
    ("hinge_loss", "l1parts"): (
        [1, 0, 3, 2, 4],
        [[0.1006, 0.7857143, -0.0],
         [-0.023, 1.642857, 0.0],
         [0.2994706, 1.214286, -0.0],
         [-0.09339364, 1.064286, 0.0],
         [0.09794436, 0.5714286, -0.0]],
        [-0.1428572, 0.6367465],
    ),
    ("smooth_hinge_loss", "l1parts"): (
        [3, 2, 1, 4, 0],
        [[0.06542056, 0.3086735, 0.0],
         [-0.03040513, 1.142857, 0.0],
         [0.2498944, 0.7142857, 0.0],
         [-0.08389639, 0.5642857, 0.0],
         [0.122427, 0.1632653, 0.0]],
        [-0.08000597, 0.4313723],
    ),
    ("poisson_loss", "l1parts"): (
        [3, 2, 1, 0, 4],
        [[0.0, 1.024691, -1.0],
         [-0.06431872, 1.901907, 0.0],
         [-0.02583509, 1.021403, -1.0],
         [-0.1615164, 1.066397, 0.0],
         [0.0, 1.106492, -1.0]],
        [-0.3079657, 0.07548621],
    ),
}  # fmt: skip


def solved(labels: Any, loss: str = "squared_loss", **told: Any) -> Any:
    count = len(labels)
    given: dict[str, Any] = {
        "sparse_example_indices": [], "sparse_feature_indices": [], "sparse_feature_values": [],
        "dense_features": [], "sparse_indices": [], "sparse_weights": [], "dense_weights": [],
        "example_weights": [1.0] * count, "example_state_data": np.zeros([count, 4], np.float32),
        "num_inner_iterations": 1, "adaptive": False, **PLAIN, **told,
    }  # fmt: skip
    return RAW.SdcaOptimizerV2(example_labels=labels, loss_type=loss, **given)


def sparse(**told: Any) -> dict[str, Any]:
    rows, features, values = SPARSE
    return {"sparse_example_indices": rows, "sparse_feature_indices": features,
            "sparse_feature_values": values, "sparse_indices": [[0, 1, 2]],
            "sparse_weights": [[[0.0, 0.0, 0.0]]]} | told  # fmt: skip


@pytest.mark.parametrize(("loss", "case"), FOUND)
def test_a_pass_gives_what_tensorflows_gives_in_one_of_its_orders(loss: str, case: str) -> None:
    order, known, changes = FOUND[loss, case]
    given = dict(GIVEN[case])
    weights = np.array(given.pop("example_weights"), np.float32)
    state, _, (change,) = solved(
        LABELS[order], loss, dense_features=[FEATURES[order]], example_weights=weights[order],
        **given,
    )  # fmt: skip

    expected = np.c_[known, weights][order]
    np.testing.assert_allclose(expected, state, 2e-6, 1e-6)
    np.testing.assert_allclose([changes], change, 2e-6, 1e-6)


def test_sparse_features_have_weights_by_their_numbers() -> None:
    one = {"sparse_example_indices": [[0, 1]], "sparse_feature_indices": [[100, 7]],
           "sparse_feature_values": [[1.0, 2.0]], "sparse_indices": [[7, 100]],
           "sparse_weights": [[[0.0, 0.0]]]}  # fmt: skip
    state, (change,), _ = solved([1.0, 0.0, 1.0], "hinge_loss", **one)
    alone = solved([1.0, 0.0], "hinge_loss", **one | {"sparse_feature_values": []})

    np.testing.assert_allclose([1.0, -0.25, 1.0], state[:, 0])  # the last one has no features
    np.testing.assert_allclose([[-0.5, 1.0]], change)
    np.testing.assert_allclose([[-1.0, 1.0]], alone.out_delta_sparse_weights[0])


def test_an_older_form_is_the_same_and_graphs_know_the_shapes() -> None:
    given = sparse() | PLAIN | {
        "dense_features": [], "dense_weights": [], "example_weights": [1.0] * 3,
        "example_labels": [1.0, 0.0, 1.0], "example_state_data": np.zeros([3, 4], np.float32),
        "num_inner_iterations": 1, "loss_type": "squared_loss",
    }  # fmt: skip

    @tf.function
    def traced() -> Any:
        found = RAW.SdcaOptimizer(**given, adaptative=True)
        assert [3, 4] == found.out_example_state_data.shape
        assert [1, 3] == found.out_delta_sparse_weights[0].shape
        return found.out_delta_sparse_weights[0]

    newer = RAW.SdcaOptimizerV2(**given, adaptive=False).out_delta_sparse_weights[0]
    np.testing.assert_array_equal(newer, traced())


@pytest.mark.parametrize(
    ("loss", "label", "finite"),
    [("hinge_loss", 0.0, [-1.0, -0.5, 0.0]), ("hinge_loss", 1.0, [0.0, 0.5, 1.0]),
     ("smooth_hinge_loss", 0.0, [-1.0, -0.5, 0.0]), ("smooth_hinge_loss", 1.0, [0.0, 0.5, 1.0]),
     ("poisson_loss", 1.0, [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0])],
)  # fmt: skip
@pytest.mark.parametrize("weight", [0.0, 2.0])
def test_duals_that_no_score_gives_are_without_bound(
    loss: str, label: float, finite: list[float], weight: float
) -> None:
    duals = [-1.5, -1.0, -0.5, 0.0, 0.5, 1.0, 1.5]
    known = np.zeros([7, 4], np.float32)
    known[:, 0] = duals
    state, *_ = solved(
        [label] * 7, loss, dense_features=[np.ones([7, 1])], dense_weights=[[[0.5]]],
        example_weights=[weight] * 7, example_state_data=known,
    )  # fmt: skip

    assert finite == [one for one, own in zip(duals, state[:, 2], strict=True) if own < np.inf]
    assert not np.isnan(state[:, 2]).any()


def test_passes_end_at_the_best_weights() -> None:
    state, weights = np.zeros([5, 4], np.float32), np.zeros([1, 2], np.float32)
    for _ in range(60):
        state, _, (change,) = solved(
            LABELS, dense_features=[FEATURES], dense_weights=[weights], example_state_data=state
        )
        weights = weights + change

    best = np.linalg.solve(np.eye(2) + FEATURES.T @ FEATURES, FEATURES.T @ LABELS)
    np.testing.assert_allclose([best], weights, 1e-5)


@pytest.mark.parametrize(
    ("told", "words"),
    [
        ({"labels": [2.0, 0.0, 1.0], "loss": "hinge_loss"}, "Only labels of 0.0 or 1.0"),
        ({"labels": [-1.0, 0.0, 1.0], "loss": "poisson_loss"}, "non-negative"),
        ({"loss": "other_loss"}, "loss_type"),
        ({"example_weights": [1.0, 1.0]}, "example labels"),
        ({"example_state_data": np.zeros([3, 3])}, r"Expected shape \[3,4\]"),
        ({"num_loss_partitions": 0}, "at least 1"),
        ({"sparse_weights": [], "sparse_indices": [], "sparse_example_indices": [],
          "sparse_feature_indices": [], "sparse_feature_values": []}, "at least one feature"),
        ({"sparse_feature_indices": [[0, 7, 1, 2]]}, "out of range"),
        ({"sparse_feature_indices": [[0, 0, 1, 2]]}, "Duplicate"),
        ({"sparse_feature_indices": [[0, 2, 1]]}, "mismatched"),
        ({"sparse_example_indices": [[0, 0, 2, 1]]}, "rise"),
        ({"dense_features": [np.zeros([3, 3])], "dense_weights": [[[0.0, 0.0]]]}, "index 0"),
    ],
)  # fmt: skip
def test_what_is_no_model_is_refused(told: dict[str, Any], words: str) -> None:
    given: dict[str, Any] = {"labels": [1.0, 0.0, 1.0], **sparse(), **told}

    with pytest.raises(tf.errors.InvalidArgumentError, match=words):
        solved(**given)


def test_steps_end_where_the_dual_has_no_slope() -> None:
    random = np.random.default_rng(3)
    for _ in range(300):
        score, norm = random.normal() * 10 ** random.uniform(-2, 1), 10 ** random.uniform(-3, 4)
        sign, before = random.choice([-1.0, 1.0]), random.uniform()
        after = sign * LOSSES["logistic_loss"].next_dual(sign * before, sign, score, norm)
        odds = sign * score + norm * (after - before)
        np.testing.assert_allclose(1 / (1 + np.exp(odds)), after, 1e-6, 1e-12)

        label = float(random.integers(5))
        after = LOSSES["poisson_loss"].next_dual(label - before, label, score, norm)
        mean = np.exp(score + norm * (after - label + before))
        np.testing.assert_allclose(mean, label - after, 1e-6, 1e-12)


def test_texts_have_sixteen_bytes_that_tell_them_apart() -> None:
    found = RAW.SdcaFprint(input=["a", "b", "", "hello world this is long string, more than 64 "
                                  "bytes of it so that farmhash takes long way, yes"])  # fmt: skip

    assert found.dtype is tf.int64
    assert found.numpy().tolist() == [
        [7969074168056553668, 5955762262185338209], [-852739764441125114, -6481146978075464015],
        [4463240938071824939, 4374473821787594281], [-4985210713497013454, 5744107109387100402],
    ]  # fmt: skip
    assert [0, 2] == RAW.SdcaFprint(input=tf.constant([], tf.string)).shape
    for texts in ("a", [["a"]]):
        with pytest.raises(tf.errors.InvalidArgumentError, match="must be a vector"):
            RAW.SdcaFprint(input=texts)


# By TensorFlow, of texts of so many bytes: around where the way of computing changes.
LONG: dict[int, list[int]] = {
    63: [8814864428391027162, 2012359352216717690],
    64: [8419923822013116298, 7594735357529010113],
    127: [4654836510625058356, -3505800938954844275],
    128: [-1698002469026900083, 7334273075182302032],
    143: [4537884250702086509, -4854826672524800008],
    144: [-6615543863127210377, 6075944406391121665],
    145: [-805887770698124676, -1825159587941151885],
    191: [1019757800702034030, -3475450700404961133],
    257: [-8992882276237480793, 8682951747135957824],
    1000: [-4591152110497629034, 6019602055772515426],
}


@pytest.mark.parametrize("size", LONG)
def test_long_texts_do_so_too(size: int) -> None:
    text = bytes([(37 * k + size) % 256 for k in range(size)])

    assert LONG[size] == [word - (word >> 63 << 64) for word in long_fingerprint(text)]
