"""Exclusive or, which no single layer can learn, learnt by two: modules in one `tf.function`."""

import tensorflow as tf

INPUTS = tf.constant([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
ANSWERS = tf.constant([[0.0], [1.0], [1.0], [0.0]])


class Dense(tf.Module):
    """An affine map followed by `activation`; its weights are made when the input is first seen."""

    def __init__(self, width, activation, name=None):
        super().__init__(name=name)
        self.width, self.activation = width, activation
        self.weights = None

    @tf.Module.with_name_scope
    def __call__(self, x):
        if self.weights is None:
            self.weights = tf.Variable(tf.random.normal([x.shape[-1], self.width]), name="weights")
            self.bias = tf.Variable(tf.zeros([self.width]), name="bias")
        return self.activation(x @ self.weights + self.bias)


class Network(tf.Module):
    def __init__(self):
        super().__init__(name="xor")
        self.layers = [Dense(8, tf.tanh, "hidden"), Dense(1, tf.identity, "logit")]

    @tf.function
    def __call__(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Momentum(tf.Module):
    """Gradient descent that keeps some of its speed."""

    def __init__(self, variables, rate=0.5, keep=0.9):
        super().__init__()
        self.rate, self.keep = rate, keep
        self.speeds = [tf.Variable(tf.zeros_like(v), trainable=False) for v in variables]

    def apply(self, variables, gradients):
        for speed, variable, gradient in zip(self.speeds, variables, gradients, strict=True):
            speed.assign(self.keep * speed + gradient)
            variable.assign_sub(self.rate * speed)


tf.random.set_seed(3)
network = Network()
network(INPUTS)
optimizer = Momentum(network.trainable_variables)


@tf.function
def train(steps):
    loss = tf.constant(0.0)
    for _ in tf.range(steps):
        with tf.GradientTape() as tape:
            losses = tf.nn.sigmoid_cross_entropy_with_logits(ANSWERS, network(INPUTS))
            loss = tf.reduce_mean(losses)
        variables = network.trainable_variables
        optimizer.apply(variables, tape.gradient(loss, variables))
    return loss


for variable in network.trainable_variables:
    print(variable.name, variable.shape)
for _ in range(4):
    print(f"loss after 50 more steps: {train(tf.constant(50)):.4f}")
for pair, answer in zip(INPUTS, tf.sigmoid(network(INPUTS)), strict=True):
    print(pair.numpy(), "->", int(answer[0] > 0.5))
