"""Every kind of operator does what its matrix does: eagerly, and compiled for any sizes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import tensormill as tf
from tests.linear_operators.kinds import KINDS

each_kind = pytest.mark.parametrize("name", KINDS)
SQUARE = [name for name, (_, matrix) in KINDS.items() if matrix.shape[-1] == matrix.shape[-2]]
REGULAR = [name for name in SQUARE if name not in ("zeros", "Kronecker, rows")]
# One of each way of computing: a program for each takes long.
COMPILED = ["full, batch", "diagonal", "triangle", "circulant", "permutation", "Toeplitz",
            "tridiagonal", "update, diagonal", "Kronecker, batch", "blocks, batch",
            "triangle of blocks", "composition", "adjoint"]  # fmt: skip


def operands(matrix: Any, axis: int, batch: tuple[int, ...] = ()) -> Any:
    """A matrix that fits, of the matrix's dtype; some of its batch broadcasts."""
    shape = (*batch, matrix.shape[axis], 3)
    numbers = np.sin(np.arange(float(np.prod(shape))) * 1.7).reshape(shape) + 0.5
    return numbers + 0.25j * numbers**2 if matrix.dtype.kind == "c" else numbers


def adjoint(matrix: Any) -> Any:
    return np.conj(np.swapaxes(matrix, -1, -2))


def assert_same(expected: Any, found: Any) -> None:
    assert np.shape(expected) == tuple(found.shape)
    np.testing.assert_allclose(expected, found, rtol=1e-9, atol=1e-9)


@pytest.mark.sampled
@each_kind
def test_the_whole_matrix(name: str) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)

    assert_same(matrix, operator.to_dense())
    assert matrix.shape == operator.shape == tuple(operator.shape_tensor().numpy())
    assert_same(np.diagonal(matrix, axis1=-2, axis2=-1), operator.diag_part())
    assert_same(np.trace(matrix, axis1=-2, axis2=-1), operator.trace())
    assert_same(matrix + matrix, operator.add_to_tensor(tf.constant(matrix)))


@pytest.mark.sampled
@each_kind
@pytest.mark.parametrize("batch", [(), (1,), (2,), (3, 1)])
def test_products(name: str, batch: tuple[int, ...]) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)
    x, y = operands(matrix, -1, batch), operands(matrix, -2, batch)

    assert_same(matrix @ x, operator.matmul(tf.constant(x)))
    assert_same(adjoint(matrix) @ y, operator.matmul(tf.constant(y), adjoint=True))
    turned = tf.constant(adjoint(x))
    assert_same(matrix @ x, operator.matmul(turned, adjoint_arg=True))
    assert_same((matrix @ x)[..., 0], operator.matvec(tf.constant(x[..., 0])))
    assert_same(
        (adjoint(matrix) @ y)[..., 0], operator.matvec(tf.constant(y[..., 0]), adjoint=True)
    )


@pytest.mark.sampled
@pytest.mark.parametrize("name", REGULAR)
@pytest.mark.parametrize("batch", [(), (2,), (3, 1)])
def test_systems_of_equations(name: str, batch: tuple[int, ...]) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)
    y = operands(matrix, -2, batch)
    inverse = np.linalg.inv(matrix)

    assert_same(inverse @ y, operator.solve(tf.constant(y)))
    assert_same(adjoint(inverse) @ y, operator.solve(tf.constant(y), adjoint=True))
    assert_same(inverse @ y, operator.solve(tf.constant(adjoint(y)), adjoint_arg=True))
    assert_same((inverse @ y)[..., 0], operator.solvevec(tf.constant(y[..., 0])))


@pytest.mark.sampled
@pytest.mark.parametrize("name", REGULAR)
def test_numbers(name: str) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)
    sizes = np.linalg.svd(matrix, compute_uv=False)

    assert_same(np.linalg.det(matrix), operator.determinant())
    assert_same(np.linalg.slogdet(matrix)[1], tf.math.real(operator.log_abs_determinant()))
    assert_same(sizes.max(-1) / sizes.min(-1), tf.math.real(operator.cond()))
    if operator.is_self_adjoint:
        found = np.sort(np.real(operator.eigvals()), axis=-1)
        assert_same(np.linalg.eigvalsh(matrix), found)


@pytest.mark.sampled
@pytest.mark.parametrize("name", REGULAR)
def test_other_operators(name: str) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)

    assert_same(adjoint(matrix), operator.H.to_dense())
    assert_same(np.linalg.inv(matrix), operator.inverse().to_dense())
    assert_same(matrix, operator.inverse().inverse().to_dense())
    assert_same(matrix, operator.adjoint().adjoint().to_dense())
    if operator.is_self_adjoint and operator.is_positive_definite:
        assert_same(np.linalg.cholesky(matrix), operator.cholesky().to_dense())


def fit(one: Any, other: Any) -> bool:
    return one.shape[-1] == other.shape[-1] and one.dtype == other.dtype


@pytest.mark.sampled
@pytest.mark.parametrize("name", REGULAR)
def test_products_of_operators(name: str) -> None:
    make, left = KINDS[name]
    for also, right in (KINDS[other] for other in REGULAR if fit(left, KINDS[other][1])):
        assert_same(left @ right, (make(tf) @ also(tf)).to_dense())
        assert_same(np.linalg.inv(left) @ right, make(tf).solve(also(tf)).to_dense())


@pytest.mark.sampled
@pytest.mark.parametrize("name", COMPILED)
def test_compiled_for_any_size(name: str) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)
    parts: list[Any] = tf.nest.flatten(operator, expand_composites=True)
    specs = [tf.TensorSpec([None] * len(part.shape), part.dtype) for part in parts]
    x = tf.constant(operands(matrix, -1, (2,)))

    @tf.function(input_signature=[*specs, tf.TensorSpec([None] * len(x.shape), x.dtype)])
    def compiled(*given: Any) -> Any:
        same = tf.nest.pack_sequence_as(operator, given[:-1], expand_composites=True)
        return same.matmul(given[-1]), same.solve(given[-1]), same.determinant(), same.to_dense()

    product, solution, determinant, dense = compiled(*parts, x)

    assert_same(matrix @ x.numpy(), product)
    assert_same(np.linalg.inv(matrix) @ x.numpy(), solution)
    assert_same(np.linalg.det(matrix), determinant)
    assert_same(matrix, dense)


def gradients(run: Callable[[Any], Any], operator: Any) -> list[Any]:
    parts = tf.nest.flatten(operator, expand_composites=True)
    floats = [one for one in parts if one.dtype.is_floating]
    with tf.GradientTape() as tape:
        tape.watch(floats)
        result = run(operator)
    return tape.gradient(result, floats)


DIFFERENTIABLE = [name for name in REGULAR if KINDS[name][1].dtype.kind == "f"
                  and not name.startswith(("identity", "permutation", "zeros"))]  # fmt: skip


@pytest.mark.sampled
@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_those_of_the_whole_matrix(name: str) -> None:
    make, matrix = KINDS[name]
    x = tf.constant(operands(matrix, -1))

    def shortly(operator: Any) -> Any:
        solved = tf.reduce_sum(operator.solve(x) ** 2)
        return tf.reduce_sum(operator.matmul(x) ** 2) + solved + _log_volume(operator)

    def wholly(operator: Any) -> Any:
        dense = operator.to_dense()
        whole = tf.linalg.LinearOperatorFullMatrix(dense)
        return shortly(whole)

    for found, expected in zip(
        gradients(shortly, make(tf)), gradients(wholly, make(tf)), strict=True
    ):
        if name.endswith(("positive", "update")) and found.shape[-1] == found.shape[-2]:
            # One half of it is looked at.
            expected, found = (one + adjoint(one) for one in (expected.numpy(), found.numpy()))
        np.testing.assert_allclose(expected, found, rtol=1e-7, atol=1e-7)


def _log_volume(operator: Any) -> Any:
    return tf.reduce_sum(operator.log_abs_determinant())


@pytest.mark.parametrize("name", ["full, batch", "diagonal, batch", "multiple, batch",
                                  "permutation, batch", "Kronecker, batch", "blocks, batch",
                                  "update, batch", "composition, rows", "inverse"])  # fmt: skip
def test_some_of_a_batch(name: str) -> None:
    make, matrix = KINDS[name]
    operator = make(tf)

    for key in (0, slice(1, 2), slice(None, None, -1), (Ellipsis, None), (slice(None), 0)):
        expected = matrix[(*(key if isinstance(key, tuple) else (key, Ellipsis)),)]
        if isinstance(key, tuple):
            places = np.arange(matrix[..., 0, 0].size).reshape(matrix.shape[:-2])[key]
            expected = matrix.reshape(-1, *matrix.shape[-2:])[places]
        assert_same(expected, operator[key].to_dense())
