"""Variables that are created while a function is traced: statements F64 to F67."""

from __future__ import annotations

from typing import Any

import pytest

from tests.behaviours.library import behaviour, differs, tf

SCALAR = tf.TensorSpec([])


class Holder:
    """Keeps the variable of a function, and counts how often its body ran."""

    def __init__(self) -> None:
        self.v: Any = None
        self.runs = 0


def creating(holder: Holder, initial: Any, **options: Any) -> Any:
    """A function that adds its argument to a variable that starts at `initial(x)`."""

    @tf.function(autograph=False, **options)
    def f(x: Any) -> Any:
        holder.runs += 1
        if holder.v is None:
            holder.v = tf.Variable(initial(x))
        holder.v.assign_add(x)
        return holder.v.read_value()

    return f


# ---- once, outside


@behaviour("F64")
def test_a_variable_may_be_created_on_the_first_call_and_kept_outside() -> None:
    holder = Holder()
    f = creating(holder, lambda x: 10.0)
    results = [f(tf.constant(1.0)).numpy() for _ in range(3)]

    assert results == [11.0, 12.0, 13.0]
    assert holder.v.numpy() == 13.0


@behaviour("F64")
def test_the_body_runs_twice_on_that_call_and_never_again() -> None:
    holder = Holder()
    f = creating(holder, lambda x: 10.0)
    runs = []
    for _ in range(3):
        f(tf.constant(1.0))
        runs.append(holder.runs)

    assert runs == [2, 2, 2]


@behaviour("F64")
def test_another_signature_finds_the_variable() -> None:
    holder = Holder()
    f = creating(holder, lambda x: 10.0)
    f(tf.constant(1.0))
    first = holder.v

    assert f(2.0).numpy() == 13.0
    assert holder.v is first
    assert holder.runs == 3


# ---- again and again


@behaviour("F65")
def test_a_variable_on_every_call_is_refused_each_time() -> None:
    @tf.function
    def f(x: Any) -> Any:
        return tf.Variable(1.0) + x

    for _ in range(2):
        with pytest.raises(ValueError, match=r"singleton tf\.Variables created on the first call"):
            f(tf.constant(1.0))


@behaviour("F65")
def test_a_later_trace_may_not_create() -> None:
    made: list[Any] = []

    @tf.function
    def f(x: Any, again: Any) -> Any:
        if again or not made:
            made.append(tf.Variable(1.0))
        return made[0] + x

    assert f(tf.constant(1.0), False).numpy() == 2.0
    for _ in range(2):
        with pytest.raises(ValueError, match=r"singleton tf\.Variables created on the first call"):
            f(tf.constant(1.0), True)


# ---- initial values


@behaviour("F66")
@pytest.mark.parametrize("initial", [lambda x: 10.0, lambda x: tf.constant(5.0) * 2.0])
def test_an_initial_value_that_needs_no_argument_is_computed_once(initial: Any) -> None:
    holder = Holder()
    f = creating(holder, initial)

    assert [f(tf.constant(1.0)).numpy() for _ in range(2)] == [11.0, 12.0]


@behaviour("F66")
def test_such_a_variable_has_its_value_when_a_concrete_function_is_returned() -> None:
    holder = Holder()
    cf = creating(holder, lambda x: tf.constant(5.0) * 2.0).get_concrete_function(SCALAR)

    assert holder.v.numpy() == 10.0
    assert cf(tf.constant(1.0)).numpy() == 11.0


@behaviour("F66")
def test_an_initial_value_from_an_argument_is_that_of_the_first_call() -> None:
    holder = Holder()
    f = creating(holder, lambda x: x * 10.0)

    assert f(tf.constant(1.0)).numpy() == 11.0
    assert f(tf.constant(2.0)).numpy() == 13.0


@behaviour("F66")
def test_an_initial_value_from_a_spec_cannot_be_had() -> None:
    f = creating(Holder(), lambda x: x * 10.0)

    with pytest.raises(Exception, match="depends transitively on placeholder") as failure:
        f.get_concrete_function(SCALAR)
    assert type(failure.value).__name__ == "UnliftableError"


@behaviour("F66")
def test_random_initial_values_of_equal_seeds_are_equal() -> None:
    made: list[Any] = []

    @tf.function
    def f() -> Any:
        if not made:
            made.append(tf.Variable(tf.random.uniform([2], seed=22)))
            made.append(tf.Variable(lambda: tf.random.uniform([2], seed=22)))
        return made[0] + made[1]

    tf.random.set_seed(22)
    f()

    for v in made:
        assert v.numpy() == pytest.approx([0.08503413, 0.5980128])
    assert tf.random.uniform([2], seed=22).numpy() == pytest.approx([0.08503413, 0.5980128])


@behaviour("F65")
def test_a_generator_of_random_numbers_may_be_made_by_the_first_call() -> None:
    holder = Holder()

    @tf.function
    def f() -> Any:
        if holder.v is None:
            holder.v = tf.random.Generator.from_seed(1)
        return holder.v.normal([])

    assert [f().numpy() for _ in range(2)] == pytest.approx([0.43842274, 1.6272374])


@behaviour("F66")
def test_an_initial_value_from_a_function_may_depend_on_an_argument() -> None:
    holder = Holder()
    f = creating(holder, lambda x: lambda: x * 10.0)

    assert f(tf.constant(1.0)).numpy() == 11.0


@behaviour("F66")
@pytest.mark.parametrize(
    "initial",
    [
        tf.zeros_like,
        lambda x: tf.ones_like(x, tf.int32),
        lambda x: tf.zeros_like(tf.reduce_mean(x, 0)) + 1.0,
        lambda x: lambda: tf.zeros_like(tf.tile(x, [1, 1000])),
    ],
)
def test_an_initial_value_from_the_shape_of_an_argument_needs_no_call(initial: Any) -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        made.append(made[0] if made else tf.Variable(initial(x)))
        return x

    spec = tf.TensorSpec([1, 3])
    f.get_concrete_function(spec)

    expected = initial(tf.ones([1, 3]))
    expected = expected() if callable(expected) else expected
    assert made[0].dtype == expected.dtype
    assert made[0].numpy().tolist() == expected.numpy().tolist()


@behaviour("F66")
def test_an_initial_value_may_be_a_list_with_tensors() -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(x: Any) -> Any:
        made.append(made[0] if made else tf.Variable([x * 2.0, 1.0]))
        return made[0] + x

    assert f(tf.constant(3.0)).numpy().tolist() == [9.0, 4.0]


@behaviour("F66")
def test_an_initial_value_may_come_from_a_variable_that_is_an_argument() -> None:
    made: list[Any] = []

    @tf.function(autograph=False)
    def f(v: Any) -> Any:
        made.append(made[0] if made else tf.Variable(v * 2.0))
        return made[0] + v

    assert f(tf.Variable(3.0)).numpy() == 9.0


@behaviour("F66")
def test_a_variable_has_the_sizes_that_are_known_when_it_is_made() -> None:
    holder = Holder()
    signature = [tf.TensorSpec([None, 2])]

    @tf.function(input_signature=signature, autograph=False)
    def f(x: Any) -> Any:
        if holder.v is None:
            holder.v = tf.Variable(tf.zeros_like(x))
        return holder.v.assign(x)

    for rows in (1, 2):
        assert f(tf.ones([rows, 2])).shape == (rows, 2)
    assert holder.v.shape.as_list() == [None, 2]


@behaviour("F66")
@differs
def test_an_initial_value_from_an_argument_is_no_obstacle_to_compiling() -> None:
    holder = Holder()
    f = creating(holder, lambda x: x * 10.0, jit_compile=True)

    assert [f(tf.constant(1.0)).numpy() for _ in range(2)] == [11.0, 12.0]


# ---- nested, lifted, in branches


@behaviour("F67")
def test_a_nested_function_may_create_on_its_first_call() -> None:
    holder = Holder()
    inner = creating(holder, lambda x: 10.0)
    outer = tf.function(lambda x: inner(x) * 2.0)

    assert [outer(tf.constant(1.0)).numpy() for _ in range(2)] == [22.0, 24.0]


@behaviour("F67")
def test_a_function_within_others_may_start_at_what_they_compute() -> None:
    holder = Holder()
    inner = creating(holder, lambda x: x * 10.0)
    middle = tf.function(lambda x: inner(x * 2.0))
    outer = tf.function(lambda x: middle(x + 1.0))

    assert outer(tf.constant(1.0)).numpy() == 44.0
    assert holder.v.numpy() == 44.0


@behaviour("F67")
def test_under_init_scope_creation_is_eager() -> None:
    made: list[Any] = []

    @tf.function
    def f(x: Any) -> Any:
        with tf.init_scope():
            if not made:
                made.append(tf.Variable(10.0))
                made.append(made[0].numpy())
        return made[0].assign_add(x)

    assert [f(tf.constant(1.0)).numpy() for _ in range(2)] == [11.0, 12.0]
    assert made[1] == 10.0


@behaviour("F67")
def test_a_branch_on_a_tensor_may_not_create() -> None:
    class Model(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.v: Any = None

    m = Model()

    @tf.function
    def f(x: Any) -> Any:
        if x > 0.0:
            m.v = tf.Variable(1.0)
        return x

    with pytest.raises(ValueError, match=r"'m\.v' is None at the end of the else branch"):
        f(tf.constant(1.0))
