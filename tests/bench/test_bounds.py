from __future__ import annotations

import numpy as np

from bench.bounds import Rates
from bench.work import Bound, product, trained
from bench.workloads.large import mlp
from bench.workloads.models.convnet import MODEL as CONVNET
from bench.workloads.models.training import initial


def test_products_and_bytes_take_their_time_one_after_the_other() -> None:
    assert Rates(operations=100.0, bytes=10.0).seconds(Bound(operations=200, bytes=5)) == 2.5


def test_a_product_adds_for_each_multiplication() -> None:
    assert product(2, 3, 5) == 2 * 30


def test_the_first_product_of_a_step_has_one_gradient_the_others_two() -> None:
    assert trained(10, 100, 1000) == 2 * 10 + 3 * 1100


def test_the_large_network_is_counted_by_hand() -> None:
    layer = 2 * 256 * 1024 * 1024
    parameters = 2 * (1024 * 1024 + 1024)

    assert mlp.WORK.bound == Bound(operations=5 * layer, bytes=7 * 4 * parameters)


def test_the_convolutions_are_counted_by_hand() -> None:
    first = 128 * 26 * 26 * 9 * 32 * 2
    second = 128 * 11 * 11 * 9 * 32 * 64 * 2
    dense = 128 * 1600 * 10 * 2

    assert CONVNET.operations == 2 * first + 3 * (second + dense)


def test_kernels_are_drawn_and_vectors_kept() -> None:
    generator = np.random.default_rng(0)

    assert initial(np.ones(3), generator).tolist() == [1, 1, 1]
    kernel = initial(np.ones((3, 3, 50, 64), np.float32), generator)
    assert kernel.dtype == np.float32
    assert abs(kernel.std() / (2 / 450) ** 0.5 - 1) < 0.02
