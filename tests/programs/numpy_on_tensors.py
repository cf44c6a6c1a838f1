"""NumPy's functions on tensors: arrays, promotion, keys, a model, gradients and compiled code."""

import numpy as np
import tensorflow as tf
import tensorflow.experimental.numpy as tnp

tnp.experimental_enable_numpy_behavior()
tnp.random.seed(7)

# Arrays are tensors.
ones = tnp.ones([5, 3], dtype=tnp.float32)
print(ones.shape, ones.dtype.name, isinstance(ones, tf.Tensor), isinstance(ones, tnp.ndarray))
print(tnp.arange(6).reshape(2, 3).T.tolist())
print(tnp.linspace(0, 1, 5).tolist(), float(tnp.sum(tnp.eye(2, 3))))

# Operands of two dtypes take the one that NumPy gives them.
for first in (tnp.int32, tnp.int64, tnp.float32, tnp.float64):
    row = [
        (tnp.ones(1, first) + tnp.ones(1, one)).dtype.name
        for one in (tnp.int32, tnp.int64, tnp.float32, tnp.float64)
    ]
    print(np.dtype(first).name, *row)
print((tf.constant([1, 2]) + 0.5).dtype.name, (tf.constant([1.0]) + 1).dtype.name)
print(tnp.result_type(np.int8, np.uint8).name)

# Broadcasting and keys.
x = tnp.ones([2, 3])
y = tnp.ones([3])
z = tnp.ones([1, 2, 1])
print((x + y + z).shape)
x = tnp.arange(24).reshape(2, 3, 4)
print(x[1, tf.newaxis, 1:3, ...].shape, x[:, (1, 2, 0)].shape)
print(x[x > 20].tolist(), x[[0, 1], [2, 0], 1].tolist(), x[..., [3, 0]][0].tolist())
print(x.max(axis=0)[0].tolist(), float(x.mean()), x.clip(5, 7).ravel()[:8].tolist(), int(x.size))


class Model:
    """Two dense layers."""

    def __init__(self):
        self.weights = None

    def __call__(self, inputs):
        if self.weights is None:
            size = inputs.shape[-1]
            self.weights = [
                tf.Variable(
                    tnp.random.uniform(low=-1.0, high=1.0, size=[size, 4]).astype(tf.float32)
                ),
                tf.Variable(tnp.random.uniform(low=-1.0, high=1.0, size=[4, 2]).astype(tf.float32)),
            ]
        hidden = tnp.maximum(tnp.matmul(inputs, self.weights[0]), 0)
        logits = tnp.matmul(hidden, self.weights[1])
        return tf.nn.softmax(logits)


model = Model()
batch = tnp.random.randn(8, 3).astype(tnp.float32)
labels = tnp.array([0, 1] * 4)


def loss_of(inputs, targets):
    picked = tnp.take_along_axis(model(inputs), targets[:, None], 1)
    return -tnp.mean(tnp.log(picked))


print(f"{float(loss_of(batch, labels)):.5f}")
compiled = tf.function(loss_of)
print(f"{float(compiled(batch, labels)):.5f}")

for step in range(3):
    with tf.GradientTape() as tape:
        loss = compiled(batch, labels)
    for variable, gradient in zip(model.weights, tape.gradient(loss, model.weights), strict=True):
        variable.assign_sub(gradient * 0.5)
    print(step, f"{float(loss):.5f}")


# A gradient for each example, and a Jacobian.
def of_example(inputs):
    weights = model.weights[0]
    inputs, target = inputs
    with tf.GradientTape() as tape:
        tape.watch(weights)
        hidden = tnp.tanh(tnp.dot(inputs, weights))
        loss = tnp.sum(hidden) * target.astype(tf.float32)
    return tape.gradient(loss, weights)


each = tf.vectorized_map(of_example, (batch, labels))
print(each.shape, f"{float(tnp.sum(tnp.abs(each))):.4f}")
with tf.GradientTape() as tape:
    tape.watch(batch)
    squares = tnp.cumsum(batch * batch, axis=1)
jacobian = tape.batch_jacobian(squares, batch)
print(jacobian.shape, f"{float(jacobian.max()):.4f}", bool(tnp.all(tnp.tril(jacobian) == jacobian)))

# NumPy takes tensors, and tensors take its arrays.
a, b = tnp.ones(3), np.ones(3)
print(np.sum(a), tnp.sum(b).numpy(), type(np.asarray(a)).__name__, (b + a).tolist())
with tf.device("CPU:0"):
    print(
        tnp.einsum("ij,kj->ik", batch, batch).shape,
        np.allclose(np.matmul(batch, batch.T), tnp.inner(batch, batch), atol=1e-5),
    )
