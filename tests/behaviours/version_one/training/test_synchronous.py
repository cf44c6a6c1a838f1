"""Steps of several replicas' gradients: statement I10."""

from __future__ import annotations

import pytest

from tests.behaviours.library import behaviour, tf

v1 = tf.compat.v1


def synchronous(count, total=None, **options):
    plain = v1.train.GradientDescentOptimizer(0.1)
    return v1.train.SyncReplicasOptimizer(plain, count, total, **options)


def readied(session, optimizer):
    """What the hook does, but for the thread of the chief: its operation."""
    session.run(v1.global_variables_initializer())
    session.run(v1.local_variables_initializer())
    session.run([optimizer.chief_init_op, optimizer.get_init_tokens_op()])
    return optimizer.get_chief_queue_runner().enqueue_ops


@behaviour("I10")
def test_a_step_takes_the_mean_of_all_gradients():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.get_variable("x", initializer=[1.0, 2.0])
        table = v1.get_variable("table", initializer=[[1.0], [2.0]])
        fed = v1.placeholder(tf.float32, [2])
        row = tf.IndexedSlices(fed[:1, None], tf.constant([1], tf.int64), [2, 1])
        step = v1.train.get_or_create_global_step()
        optimizer = synchronous(2, 2)
        train = optimizer.apply_gradients([(fed, x), (row, table)], global_step=step)
        of_the_chief = readied(session, optimizer)
        tokens = optimizer.get_init_tokens_op()

        taken = [session.run(train, {fed: pair}) for pair in ([1.0, 1.0], [3.0, 5.0])]
        session.run(of_the_chief)

        assert [0, 0, 1] == [*taken, session.run(step)]
        assert [0.8, 1.7] == pytest.approx(session.run(x).tolist())
        assert [1.0, 1.8] == pytest.approx(session.run(table).ravel().tolist())

        # What was found before the step is of no use any more.
        assert 1 == session.run(train, {fed: [9.0, 9.0]})
        for number in (2.0, 4.0):
            session.run(train, {fed: [number, number]})
            session.run(tokens)
        session.run(of_the_chief)
        assert [0.5, 1.4] == pytest.approx(session.run(x).tolist())


@behaviour("I10")
def test_means_of_variables_follow_the_steps():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.get_variable("x", initializer=1.0)
        step = v1.train.get_or_create_global_step()
        mean = tf.train.ExponentialMovingAverage(0.5)
        optimizer = synchronous(1, variable_averages=mean, variables_to_average=[x])
        train = optimizer.minimize(x * 5.0, global_step=step)
        of_the_chief = readied(session, optimizer)

        session.run(train)
        session.run(of_the_chief)

        assert [0.5, 0.75] == session.run([x, mean.average(x)])


@behaviour("I10")
def test_hooks_want_variables_that_have_values():
    with tf.Graph().as_default(), v1.Session() as session:
        x = v1.get_variable("x", initializer=1.0)
        step = v1.train.get_or_create_global_step()
        optimizer = synchronous(1)
        optimizer.minimize(x * 5.0, global_step=step)
        hook = optimizer.make_session_run_hook(False)
        hook.begin()

        with pytest.raises(RuntimeError, match="did not make model ready"):
            hook.after_create_session(session, None)
        session.run(v1.global_variables_initializer())
        session.run(step.assign(7))
        hook.after_create_session(session, None)
        assert [7] == session.run(v1.local_variables())


@behaviour("I10")
def test_slots_are_those_of_the_other_optimizer():
    with tf.Graph().as_default():
        x = v1.get_variable("x", initializer=[1.0])
        step = v1.train.get_or_create_global_step()
        plain = v1.train.MomentumOptimizer(0.1, 0.9)
        optimizer = v1.train.SyncReplicasOptimizer(plain, 3, 1)
        optimizer.minimize(x * x, global_step=step)

        assert ["momentum"] == optimizer.get_slot_names()
        assert ["x/Momentum:0"] == [one.name for one in optimizer.variables()]
        assert "x/Momentum:0" == optimizer.get_slot(x, "momentum").name
        assert "sync_token_q" == optimizer.get_chief_queue_runner().name
        assert ["sync_rep_local_step:0"] == [one.name for one in v1.local_variables()]
        with pytest.raises(ValueError, match="Too few tokens"):
            optimizer.get_init_tokens_op(1)


@behaviour("I10")
def test_gradients_are_applied_first():
    with tf.Graph().as_default():
        optimizer, x = synchronous(1), v1.get_variable("x", initializer=1.0)

        for asked in (optimizer.get_chief_queue_runner, optimizer.get_init_tokens_op):
            with pytest.raises(ValueError, match="after apply_gradients"):
                asked()
        with pytest.raises(ValueError, match="Global step"):
            optimizer.apply_gradients([(tf.constant(1.0), x)])
        with pytest.raises(ValueError, match="at least one variable"):
            optimizer.apply_gradients([], global_step=v1.train.get_or_create_global_step())
