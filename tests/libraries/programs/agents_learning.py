"""tf_agents: networks, losses of agents, and replay buffers, with Keras 2."""

import numpy as np
import tensorflow as tf
from tf_agents.agents.dqn import dqn_agent
from tf_agents.networks import q_network, value_network
from tf_agents.replay_buffers import tf_uniform_replay_buffer
from tf_agents.specs import tensor_spec
from tf_agents.trajectories import time_step, trajectory

SEEN = tensor_spec.TensorSpec([4], tf.float32)
CHOSEN = tensor_spec.BoundedTensorSpec([], tf.int32, 0, 1)
STEPS = time_step.time_step_spec(SEEN)


def _observations(*shape):
    return tf.constant(np.random.normal(size=(*shape, 4)).astype("float32"))


def _experience(batch, steps):
    numbers = np.random.randint(0, 2, (batch, steps)).astype("int32")
    last = np.ones((batch, steps), "int32")
    last[:, 0] = 0
    return trajectory.Trajectory(
        step_type=tf.constant(last),
        observation=_observations(batch, steps),
        action=tf.constant(numbers),
        policy_info=(),
        next_step_type=tf.ones([batch, steps], tf.int32),
        reward=tf.constant(np.random.normal(size=(batch, steps)).astype("float32")),
        discount=tf.ones([batch, steps]),
    )


def _q_agent():
    tf.keras.utils.set_random_seed(1)
    network = q_network.QNetwork(SEEN, CHOSEN, fc_layer_params=(8,))
    optimizer = tf.keras.optimizers.legacy.Adam(0.01)
    agent = dqn_agent.DdqnAgent(STEPS, CHOSEN, q_network=network, optimizer=optimizer)
    agent.initialize()
    return agent, network


def values_of_networks():
    _, network = _q_agent()
    tf.keras.utils.set_random_seed(2)
    judge = value_network.ValueNetwork(SEEN, fc_layer_params=(6,))
    judge.create_variables()
    seen = _observations(3)
    return network(seen)[0], judge(seen, tf.ones([3], tf.int32))[0], network.summary() is None


def q_agents_learn():
    agent, network = _q_agent()
    experience = _experience(5, 2)
    losses = [agent.train(experience).loss for _ in range(3)]
    step = time_step.restart(_observations(3), 3)
    return losses, network.trainable_variables, agent.policy.action(step).action


def steps_are_replayed():
    agent, _ = _q_agent()
    buffer = tf_uniform_replay_buffer.TFUniformReplayBuffer(
        agent.collect_data_spec, batch_size=2, max_length=5
    )
    whole = _experience(2, 7)
    for number in range(7):
        buffer.add_batch(tf.nest.map_structure(lambda one, at=number: one[:, at], whole))
    kept = buffer.gather_all()
    return buffer.num_frames(), kept.observation, kept.action
