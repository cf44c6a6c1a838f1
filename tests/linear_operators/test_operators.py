"""What is known of operators beforehand, and where they may go."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import linalg

import tensormill as tf

Diag = tf.linalg.LinearOperatorDiag
Full = tf.linalg.LinearOperatorFullMatrix
KNOWN: dict[str, Any] = {"is_self_adjoint": True, "is_positive_definite": True}
MATRIX = [[2.0, 1.0], [1.0, 3.0]]


def hints(operator: Any) -> tuple[bool | None, ...]:
    return (
        operator.is_non_singular,
        operator.is_self_adjoint,
        operator.is_positive_definite,
        operator.is_square,
    )


@pytest.mark.parametrize(
    ("expected", "operator"),
    [
        ((None, True, None, True), Diag([1.0, 2.0])),
        ((True, True, True, True), Diag([1.0, 2.0], is_positive_definite=True)),
        ((None, None, None, True), Diag([1.0 + 1j, 2.0])),
        ((None, None, None, True), Full(MATRIX)),
        ((None, None, None, False), Full([[1.0, 2.0]])),
        ((True, True, True, True), tf.linalg.LinearOperatorIdentity(2)),
        ((None, True, None, True), tf.linalg.LinearOperatorScaledIdentity(2, 3.0)),
        ((False, True, False, True), tf.linalg.LinearOperatorZeros(2)),
        ((None, True, False, True), tf.linalg.LinearOperatorHouseholder([1.0, 0.0])),
        ((None, None, None, True), tf.linalg.LinearOperatorPermutation([1, 0])),
        ((True, True, True, True), tf.linalg.LinearOperatorBlockDiag([Full(MATRIX, **KNOWN)] * 2)),
        ((True, True, True, True), tf.linalg.LinearOperatorKronecker([Full(MATRIX, **KNOWN)] * 2)),
        (
            (True, True, True, True),
            tf.linalg.LinearOperatorComposition([Full(MATRIX, **KNOWN)] * 2),
        ),
        ((True, True, True, True), Full(MATRIX, **KNOWN).inverse()),
    ],
)
def test_what_is_known(expected: tuple[bool | None, ...], operator: Any) -> None:
    assert expected == hints(operator)


def test_a_matrix_times_its_adjoint_is_self_adjoint() -> None:
    matrix = Full([[1.0, 2.0], [0.0, 1.0]])

    assert matrix.matmul(matrix, adjoint_arg=True).is_self_adjoint
    assert matrix.matmul(matrix).is_self_adjoint is None


def test_a_product_that_reads_the_same_backwards_is_self_adjoint() -> None:
    matrix = Full([[1.0, 2.0], [0.0, 1.0]], is_non_singular=True)
    diagonal = Diag([1.0, 2.0])
    both = tf.linalg.LinearOperatorComposition([matrix, matrix.adjoint()])
    around = tf.linalg.LinearOperatorComposition([matrix, diagonal, diagonal, matrix.adjoint()])

    assert (True, True, True, True) == hints(both)
    assert (None, True, None, True) == hints(around)


def test_a_product_with_a_singular_matrix_is_singular() -> None:
    singular = Full(MATRIX, is_non_singular=False)

    assert singular.matmul(Full(MATRIX)).is_non_singular is False
    assert tf.linalg.LinearOperatorComposition([singular, Full(MATRIX)]).is_non_singular is None


@pytest.mark.parametrize(
    ("error", "words", "make"),
    [
        (ValueError, "always self adjoint", lambda: Diag([1.0], is_self_adjoint=False)),
        (ValueError, "at least 1 dimension", lambda: Diag(1.0)),
        (ValueError, "determined to be self-adjoint", lambda: tf.linalg.LinearOperatorComposition(
            [Diag([1.0])], is_self_adjoint=False)),
        (ValueError, "composition of non-singular", lambda: tf.linalg.LinearOperatorComposition(
            [Full(MATRIX, is_non_singular=True)] * 2, is_non_singular=False)),
        (ValueError, "determined to be non-singular", lambda: tf.linalg.LinearOperatorComposition(
            [Full(MATRIX, **KNOWN)] * 2, is_positive_definite=False)),
        (ValueError, "identity, which is positive", lambda: tf.linalg.LinearOperatorLowRankUpdate(
            Diag([1.0]), [[1.0]], is_diag_update_positive=False)),
        (ValueError, "always non-singular", lambda: Full(
            MATRIX, is_positive_definite=True, is_non_singular=False)),
        (ValueError, "is_square=False", lambda: Full(MATRIX, is_square=False).is_square),
        (ValueError, "at least 2 dimensions", lambda: Full([1.0])),
        (TypeError, "must have dtype", lambda: Full([[1]])),
        (ValueError, "non-negative", lambda: tf.linalg.LinearOperatorIdentity(-1)),
        (TypeError, "integer type", lambda: tf.linalg.LinearOperatorIdentity(2.0)),
        (ValueError, "is_square=True, but", lambda: tf.linalg.LinearOperatorZeros(2, 3)),
        (ValueError, "always singular", lambda: tf.linalg.LinearOperatorZeros(
            2, is_non_singular=True)),
        (ValueError, "a permutation of 0", lambda: tf.linalg.LinearOperatorPermutation([0, 0])),
        (TypeError, "integer type", lambda: tf.linalg.LinearOperatorPermutation([0.0, 1.0])),
        (ValueError, "non-empty", lambda: tf.linalg.LinearOperatorComposition([])),
        (TypeError, "same dtype", lambda: tf.linalg.LinearOperatorComposition(
            [Diag([1.0]), Diag([1.0 + 0j])])),
        (ValueError, "incompatible", lambda: tf.linalg.LinearOperatorComposition(
            [Diag([1.0]), Diag([1.0, 2.0])])),
        (ValueError, "has 2 blocks", lambda: tf.linalg.LinearOperatorBlockLowerTriangular(
            [[Diag([1.0])], [Diag([1.0])]])),
        (ValueError, "do not fit", lambda: tf.linalg.LinearOperatorLowRankUpdate(
            Diag([1.0]), [[1.0], [2.0]])),
        (ValueError, "represents a singular", lambda: tf.linalg.LinearOperatorZeros(2).inverse()),
        (ValueError, "not square", lambda: Full([[1.0, 2.0]]).inverse()),
        (ValueError, "Cholesky", lambda: Full(MATRIX).cholesky()),
        (NotImplementedError, "expected to be singular", lambda: tf.linalg.LinearOperatorZeros(
            2).solve([[1.0], [2.0]])),
        (NotImplementedError, "not be square", lambda: Full([[1.0, 2.0]]).determinant()),
        (NotImplementedError, "Only self-adjoint", lambda: Full(MATRIX).eigvals()),
        (TypeError, "Input had dtype float64", lambda: Diag([1.0]).matmul(np.ones([1, 1]))),
        (ValueError, "not compatible", lambda: Diag([1.0]).matmul([[1.0], [2.0]])),
        (ValueError, "Operators are incompatible", lambda: Diag([1.0]) @ Diag([1.0, 2.0])),
        (ValueError, "2 indices", lambda: Diag([[1.0]])[0, 0]),
        (ValueError, "1 indices", lambda: tf.linalg.LinearOperatorIdentity(2)[0]),
        (tf.errors.InvalidArgumentError, "2 indices", lambda: Diag([[1.0]])[0, 0]),
        (tf.errors.InvalidArgumentError, "out of bounds", lambda: tf.linalg.LinearOperatorZeros(
            2, batch_shape=[3])[3]),
        (NotImplementedError, "_shape", lambda: tf.linalg.LinearOperator(tf.float32).shape),
    ],
)  # fmt: skip
def test_what_cannot_be(error: type[Exception], words: str, make: Any) -> None:
    with pytest.raises(error, match=words):
        make()


@pytest.mark.parametrize("kind", ["Identity", "Zeros"])
@pytest.mark.parametrize(
    ("slices", "batch"),
    [
        (0, [3]),
        ((slice(1, None), -1), [1]),
        ((..., 2), [2]),
        ((tf.newaxis, 1), [1, 3]),
        ((), [2, 3]),
    ],
)
def test_operators_without_tensors_have_batches_to_slice(
    kind: str, slices: Any, batch: list[int]
) -> None:
    make = getattr(tf.linalg, f"LinearOperator{kind}")
    whole = make(4, batch_shape=[2, 3], dtype=tf.float64)

    some = whole[slices]

    assert (type(whole), tf.float64, [*batch, 4, 4]) == (type(some), some.dtype, some.shape)
    np.testing.assert_allclose(whole.to_dense()[0, 0] + np.zeros([*batch, 4, 4]), some.to_dense())

    @tf.function
    def sliced(batch_shape: Any) -> Any:
        return make(4, batch_shape=batch_shape, dtype=tf.float64)[slices].to_dense()

    np.testing.assert_allclose(some.to_dense(), sliced(tf.constant([2, 3])))


def test_the_cholesky_factor_of_a_circulant_is_a_triangle() -> None:
    spectrum = tf.constant([4.0 + 0j, 1.0, 1.0], tf.complex128)
    hints: Any = {"is_self_adjoint": True, "is_positive_definite": True}
    operator = tf.linalg.LinearOperatorCirculant(spectrum, tf.float64, **hints)

    factor = operator.cholesky()

    assert isinstance(factor, tf.linalg.LinearOperatorLowerTriangular)
    np.testing.assert_allclose(np.linalg.cholesky(operator.to_dense()), factor.to_dense())


@pytest.mark.parametrize(
    ("check", "good", "bad"),
    [
        ("assert_non_singular", Full(MATRIX), Full([[1.0, 1.0], [1.0, 1.0]])),
        ("assert_non_singular", Diag([1.0]), Diag([0.0])),
        ("assert_self_adjoint", Full(MATRIX), Full([[1.0, 2.0], [0.0, 1.0]])),
        ("assert_self_adjoint", Diag([1.0 + 0j]), Diag([1j])),
        ("assert_positive_definite", Full(MATRIX, **KNOWN), Full([[-1.0]], is_self_adjoint=True)),
        ("assert_positive_definite", Diag([1.0]), Diag([-1.0])),
        (
            "assert_non_singular",
            tf.linalg.LinearOperatorIdentity(2),
            tf.linalg.LinearOperatorZeros(2),
        ),
    ],
)
def test_checks(check: str, good: Any, bad: Any) -> None:
    getattr(good, check)()
    with pytest.raises(tf.errors.InvalidArgumentError):
        getattr(bad, check)()


def test_an_operator_of_variables_reads_them_each_time() -> None:
    numbers = tf.Variable([1.0, 2.0])
    operator = Diag(numbers)
    numbers.assign([3.0, 4.0])

    assert [3.0, 4.0] == operator.diag_part().numpy().tolist()
    assert (numbers,) == operator.trainable_variables
    assert operator.diag is numbers


def test_operators_of_variables_are_arguments_of_functions() -> None:
    one, other = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def doubled(operator: Any) -> Any:
        return operator.matvec([2.0, 2.0])

    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(doubled(Diag(one)) ** 2)

    assert [8.0, 16.0] == tape.gradient(loss, one).numpy().tolist()
    assert [6.0, 8.0] == doubled(Diag(other)).numpy().tolist()
    assert 1 == doubled.experimental_get_tracing_count()
    both = tf.linalg.LinearOperatorComposition([Diag(one), Diag(other)])
    assert [6.0, 16.0] == doubled(both).numpy().tolist()


def test_one_variable_in_two_operators_is_another_trace() -> None:
    one, other = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])

    @tf.function
    def changed(left: Any, right: Any) -> Any:
        left.diag.assign_add([1.0, 1.0])
        return right.diag + 0.0

    assert [3.0, 4.0] == changed(Diag(one), Diag(other)).numpy().tolist()
    assert [3.0, 4.0] == changed(Diag(one), Diag(one)).numpy().tolist()


def test_operators_go_through_functions_branches_datasets_and_structures() -> None:
    operator = Diag([1.0, 2.0])
    chosen = tf.cond(tf.constant(True), lambda: Diag([1.0, 2.0]), lambda: Diag([3.0, 4.0]))
    returned = tf.function(lambda x: Diag(x) @ Diag(x))(tf.constant([2.0, 3.0]))
    (element,) = tf.data.Dataset.from_tensors(operator)
    packed = tf.nest.map_structure(lambda x: x + 1.0, operator, expand_composites=True)

    assert [1.0, 2.0] == chosen.diag_part().numpy().tolist()
    assert [4.0, 9.0] == returned.diag_part().numpy().tolist()
    assert [1.0, 2.0] == element.diag_part().numpy().tolist()
    assert [2.0, 3.0] == packed.diag_part().numpy().tolist()


def test_operators_are_modules(tmp_path: Any) -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.scale = Diag(tf.Variable([1.0, 2.0]))

    model, copy = Model(), Model()
    model.scale.diag.assign([5.0, 6.0])
    path = tf.train.Checkpoint(model=model).save(str(tmp_path / "model"))
    tf.train.Checkpoint(model=copy).restore(path)

    assert [5.0, 6.0] == copy.scale.diag.numpy().tolist()
    assert (model.scale.diag,) == model.trainable_variables
    assert (model.scale,) == model.submodules


def test_a_kind_of_the_users_needs_a_product_alone() -> None:
    class Doubling(tf.linalg.LinearOperator):
        def __init__(self, size: int) -> None:
            super().__init__(tf.float32, is_square=True, parameters={"size": size})
            self.size = size

        def _shape(self) -> Any:
            return tf.TensorShape([self.size, self.size])

        def _shape_tensor(self) -> Any:
            return tf.constant([self.size, self.size])

        def _matmul(self, x: Any, adjoint: bool = False, adjoint_arg: bool = False) -> Any:
            return 2.0 * (tf.linalg.adjoint(x) if adjoint_arg else x)

    operator = Doubling(2)

    assert [[2.0, 0.0], [0.0, 2.0]] == operator.to_dense().numpy().tolist()
    assert 4.0 == operator.determinant().numpy()
    assert [0.5, 1.0] == operator.solvevec([1.0, 2.0]).numpy().tolist()
    assert [4.0, 8.0] == (operator @ operator).matvec([1.0, 2.0]).numpy().tolist()
    assert {"size": 2} == operator.parameters


def test_blocks_take_parts() -> None:
    blocks = tf.linalg.LinearOperatorBlockDiag([Full(MATRIX), Diag([4.0])])
    parts = [tf.constant([1.0, 1.0]), tf.constant([2.0])]

    assert [[3.0, 4.0], [8.0]] == [one.numpy().tolist() for one in blocks.matvec(parts)]
    solved = blocks.solvevec(blocks.matvec(parts))
    np.testing.assert_allclose(np.concatenate(parts), np.concatenate(solved), rtol=1e-6)


@pytest.mark.parametrize("compiled", [False, True])
def test_blocks_need_not_be_square(compiled: bool) -> None:
    wide, tall = np.arange(6.0).reshape(2, 3), np.array([[7.0], [8.0], [9.0], [1.0]])
    blocks = tf.linalg.LinearOperatorBlockDiag([Full(tf.constant(wide)), Full(tf.constant(tall))])
    dense: Any = linalg.block_diag(wide, tall)
    x, y = np.ones((4, 2)), np.ones((6, 2))
    run: Any = tf.function if compiled else lambda function: function

    assert (False, [6, 4], [4, 6]) == (blocks.is_square, blocks.shape, blocks.H.shape)
    assert dense.tolist() == run(blocks.to_dense)().numpy().tolist()
    assert dense.T.tolist() == blocks.H.to_dense().numpy().tolist()
    assert (dense @ x).tolist() == run(blocks.matmul)(x).numpy().tolist()
    assert (dense.T @ y).tolist() == blocks.matmul(y, adjoint=True).numpy().tolist()
    parts = blocks.matvec([tf.ones(2, tf.float64), tf.ones(4, tf.float64)], adjoint=True)
    assert [[3.0, 5.0, 7.0], [25.0]] == [one.numpy().tolist() for one in parts]
    for refused in (blocks.trace, blocks.diag_part, blocks.determinant):
        with pytest.raises(NotImplementedError):
            refused()


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("preconditioned", [False, True])
def test_conjugate_gradients_solve(compiled: bool, preconditioned: bool) -> None:
    spread = np.diag(np.arange(1.0, 9.0)) + 0.1
    operator = Full(tf.constant(spread), **KNOWN)
    helper = Diag(tf.constant(1 / np.diag(spread)), **KNOWN) if preconditioned else None
    rhs = np.cos(np.arange(16.0)).reshape(2, 8)
    solve: Any = tf.linalg.experimental.conjugate_gradient
    run = tf.function(solve) if compiled else solve

    state = run(operator, tf.constant(rhs), preconditioner=helper, tol=1e-12, max_iter=50)

    np.testing.assert_allclose(np.linalg.solve(spread, rhs[..., None])[..., 0], state.x, rtol=1e-9)
    np.testing.assert_allclose(rhs - state.x.numpy() @ spread, state.r, atol=1e-9)
    assert state.i.numpy() <= 10
    assert 5 == int(run(operator, tf.constant(rhs), tol=0.0, max_iter=5).i)


def test_conjugate_gradients_want_hints() -> None:
    with pytest.raises(ValueError, match="self-adjoint, positive definite"):
        tf.linalg.experimental.conjugate_gradient(Full(MATRIX), tf.constant([1.0, 2.0]))


def test_conditions_and_logarithms_of_complex_operators_are_real() -> None:
    numbers = np.array([3 + 4j, 1j])
    diagonal = tf.linalg.LinearOperatorDiag(numbers)
    multiple = tf.linalg.LinearOperatorScaledIdentity(2, 3 + 4j)
    triangle = tf.linalg.LinearOperatorLowerTriangular(np.diag(numbers))

    assert 5.0 == diagonal.cond().numpy() == tf.linalg.LinearOperatorKronecker([diagonal]).cond()
    assert tf.float64 is diagonal.cond().dtype
    for expected, operator in ((np.log(25), multiple), (np.log(5), triangle)):
        found = operator.log_abs_determinant()
        assert found.dtype in (tf.float64, tf.float32)
        np.testing.assert_allclose(expected, found.numpy(), rtol=1e-6)
    assert tf.float32 is tf.linalg.LinearOperatorZeros(2, dtype=tf.complex64).cond().dtype


FUNCTIONS = {
    "matmul": lambda one: tf.matmul(one, MATRIX, adjoint_b=True),
    "of the adjoint": lambda one: tf.matmul(one, MATRIX, adjoint_a=True),
    "from the left": lambda one: tf.matmul(MATRIX, one),
    "by operator": lambda one: tf.constant(MATRIX) @ one,
    "of both adjoints": lambda one: tf.matmul(MATRIX, one, adjoint_a=True, adjoint_b=True),
    "matvec": lambda one: tf.linalg.matvec(one, [1.0, 2.0]),
    "solve": lambda one: tf.linalg.solve(one, MATRIX, adjoint=True),
    "det": tf.linalg.det, "logdet": tf.linalg.logdet, "trace": tf.linalg.trace,
    "diag_part": tf.linalg.diag_part, "inv": tf.linalg.inv, "adjoint": tf.linalg.adjoint,
    "adjoint of inv": lambda one: tf.linalg.inv(one, adjoint=True),
    "cholesky": tf.linalg.cholesky,
}  # fmt: skip


@pytest.mark.parametrize("function", FUNCTIONS.values(), ids=FUNCTIONS)
def test_functions_of_matrices_take_operators(function: Any) -> None:
    found = function(Full(MATRIX, **KNOWN))

    dense = found.to_dense() if isinstance(found, tf.linalg.LinearOperator) else found
    np.testing.assert_allclose(function(tf.constant(MATRIX)), dense, rtol=1e-6, atol=1e-7)


def test_functions_of_two_operators_give_one() -> None:
    assert isinstance(tf.matmul(Diag([1.0, 2.0]), Diag([3.0, 4.0])), Diag)
    assert isinstance(tf.linalg.solve(Diag([1.0, 2.0]), Diag([3.0, 4.0])), Diag)


def test_what_functions_of_operators_do_not_do() -> None:
    for words, function in {
        "not transposed": lambda: tf.matmul(Diag([1.0]), [[1.0]], transpose_b=True),
        "not sparse": lambda: tf.matmul(Diag([1.0]), [[1.0]], a_is_sparse=True),
        "main diagonal": lambda: tf.linalg.diag_part(Diag([1.0]), k=1),
        "is_self_adjoint": lambda: tf.linalg.logdet(Full(MATRIX)),
    }.items():
        with pytest.raises(ValueError, match=words):
            function()


def test_sizes_are_dimensions_as_in_tensorflow_1() -> None:
    wide = tf.linalg.LinearOperatorFullMatrix([[1.0, 2.0]])

    assert ("Dimension(1)", "Dimension(2)") == (
        repr(wide.range_dimension), repr(wide.domain_dimension)
    )  # fmt: skip
    assert (2, 2) == (wide.domain_dimension, wide.domain_dimension.value)


def test_a_real_circulant_times_a_complex_one_is_complex() -> None:
    circulant = tf.linalg.LinearOperatorCirculant
    real = circulant(tf.signal.fft(tf.constant([5.0, 1.0, 2.0], tf.complex64)), tf.float32)
    other = circulant(tf.constant([1.0, 2.0j, 0.5], tf.complex64), tf.complex64)

    expected = tf.cast(real.to_dense(), tf.complex64) @ other.to_dense()
    for product in (real @ other, other @ real):
        assert tf.complex64 is product.dtype
        np.testing.assert_allclose(expected, product.to_dense(), 1e-5)


@pytest.mark.parametrize("kind", ["Diag", "Identity"])
def test_what_is_solved_for_zeros_has_them_as_a_factor(kind: str) -> None:
    left = (
        tf.linalg.LinearOperatorDiag([2.0, 3.0])
        if kind == "Diag"
        else tf.linalg.LinearOperatorIdentity(2)
    )

    found = left.solve(tf.linalg.LinearOperatorZeros(2))

    expected = "LinearOperatorComposition" if kind == "Diag" else "LinearOperatorZeros"
    assert (type(found).__name__, found.is_non_singular) == (expected, False)
    np.testing.assert_array_equal(found.to_dense().numpy(), np.zeros((2, 2)))
