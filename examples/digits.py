"""Read handwritten digits: a small network, an optimizer and a training loop in plain TensorFlow 2.

Nothing here comes from a layer library, so that everything that happens can be seen: two layers
that own their variables, the Adam rule written out, and one `tf.function` that runs a whole
training step: the network, its gradient and the update of every variable.

    python examples/digits.py             # with TensorFlow
    tensormill run examples/digits.py     # the same file, compiled by tensormill

It prints the accuracy on digits that the network has not seen and how many steps a second makes,
and draws the loss and some misread digits. It fails if less than 96 % of the digits are read.
"""

import argparse
import sys
import time

import matplotlib
import numpy as np
import tensorflow as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split
from tqdm import tqdm

PIXELS, HIDDEN, CLASSES = 64, 96, 10
BATCH = 64
ACCURACY_TO_REACH = 0.96


class Dense(tf.Module):
    """An affine map: float32[batch, inputs] to float32[batch, outputs]."""

    def __init__(self, inputs, outputs, name=None):
        super().__init__(name=name)
        with self.name_scope:
            # The scale that keeps the variance of a signal through a relu (He et al. 2015).
            weights = tf.random.normal([inputs, outputs], stddev=(2 / inputs) ** 0.5)
            self.weights = tf.Variable(weights, name="weights")
            self.bias = tf.Variable(tf.zeros([outputs]), name="bias")

    @tf.Module.with_name_scope
    def __call__(self, x):
        return tf.matmul(x, self.weights) + self.bias


class Classifier(tf.Module):
    """Two layers: float32[batch, 64] pixels to float32[batch, 10] logits."""

    def __init__(self, name="classifier"):
        super().__init__(name=name)
        with self.name_scope:
            self.hidden = Dense(PIXELS, HIDDEN, name="hidden")
            self.output = Dense(HIDDEN, CLASSES, name="output")

    @tf.Module.with_name_scope
    def __call__(self, images):
        return self.output(tf.nn.relu(self.hidden(images)))


class Adam(tf.Module):
    """Steps along a running mean of the gradient, scaled by its running size (Kingma, Ba 2015)."""

    def __init__(self, parameters, rate=2e-3, beta_1=0.9, beta_2=0.999, epsilon=1e-7):
        super().__init__(name="adam")
        self.rate, self.beta_1, self.beta_2, self.epsilon = rate, beta_1, beta_2, epsilon
        self.parameters = parameters
        self.steps = tf.Variable(0.0, trainable=False, name="steps")
        self.means = [tf.Variable(tf.zeros_like(p), trainable=False) for p in parameters]
        self.squares = [tf.Variable(tf.zeros_like(p), trainable=False) for p in parameters]

    def apply(self, gradients):
        """Update every parameter in place."""
        self.steps.assign_add(1.0)
        # Both means start at zero; this undoes the bias that they have in the first steps.
        mean_bias = 1.0 - tf.pow(self.beta_1, self.steps)
        square_bias = 1.0 - tf.pow(self.beta_2, self.steps)
        rate = self.rate * tf.sqrt(square_bias) / mean_bias
        for parameter, gradient, mean, square in zip(
            self.parameters, gradients, self.means, self.squares, strict=True
        ):
            mean.assign_add((1.0 - self.beta_1) * (gradient - mean))
            square.assign_add((1.0 - self.beta_2) * (gradient * gradient - square))
            parameter.assign_sub(rate * mean / (tf.sqrt(square) + self.epsilon))


def make_train_step(model, optimizer):
    """Return a function of (images, labels) that trains `model` once and returns the loss."""
    any_images = tf.TensorSpec([None, PIXELS], tf.float32)
    any_labels = tf.TensorSpec([None], tf.int64)

    @tf.function(input_signature=[any_images, any_labels])
    def train_step(images, labels):
        with tf.GradientTape() as tape:
            logits = model(images)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
            loss = tf.reduce_mean(losses)
        optimizer.apply(tape.gradient(loss, optimizer.parameters))
        return loss

    return train_step


def new_training():
    """Return a fresh model and its train step."""
    model = Classifier()
    return model, make_train_step(model, Adam(model.trainable_variables))


def read_data():
    """Return (train images, train labels), (test images, test labels); pixels are in 0..1."""
    digits = load_digits()
    images, labels = (digits.data / 16).astype("float32"), digits.target.astype("int64")
    train_x, test_x, train_y, test_y = train_test_split(
        images, labels, test_size=0.2, stratify=labels, random_state=0
    )
    return (train_x, train_y), (test_x, test_y)


def batches(images, labels, epochs):
    """Yield (images, labels) in batches; each epoch sees every digit once, in a new order."""
    generator = np.random.default_rng(0)
    for _ in range(epochs):
        order = generator.permutation(len(images))
        for start in range(0, len(images), BATCH):
            chosen = order[start : start + BATCH]
            yield tf.constant(images[chosen]), tf.constant(labels[chosen])


def train(train_step, images, labels, epochs):
    """Train for `epochs`; return the loss of every step."""
    steps = epochs * -(-len(images) // BATCH)
    progress = tqdm(batches(images, labels, epochs), total=steps, desc="training", unit="step")
    losses = []
    for batch in progress:
        losses.append(float(train_step(*batch)))
        if len(losses) % 50 == 0:
            progress.set_postfix(loss=f"{losses[-1]:.4f}")
    return losses


def predict(model, images):
    """Return the most likely digit of each image, int64[batch]."""
    return tf.argmax(model(tf.constant(images)), axis=1)


def steps_per_second(images, labels, seconds=1.0):
    """Train a model that is thrown away for some time; return the rate of its steps.

    The first call is not counted: it traces and compiles.
    """
    _, train_step = new_training()
    batch = tf.constant(images[:BATCH]), tf.constant(labels[:BATCH])
    train_step(*batch)
    count, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        float(train_step(*batch))
        count += 1
    return count / (time.perf_counter() - start)


def compare_speeds(images, labels):
    """Print how fast the same step runs operation by operation, and as one compiled function."""
    compiled = steps_per_second(images, labels)
    tf.config.run_functions_eagerly(True)
    eager = steps_per_second(images, labels)
    tf.config.run_functions_eagerly(False)
    print(f"steps per second: {eager:,.0f} eager, {compiled:,.0f} compiled", end="")
    print(f" ({compiled / eager:.1f} times as many)")


def draw(path, losses, images, labels, predicted):
    """Write a picture of the loss curve and of up to twelve misread digits."""
    matplotlib.use("Agg")
    from matplotlib import pyplot as plt

    figure = plt.figure(figsize=(11, 4.5), layout="constrained")
    left, right = figure.subfigures(1, 2, width_ratios=[3, 2])
    draw_losses(left.subplots(), losses)

    misread = np.flatnonzero(predicted != labels)
    right.suptitle(f"{len(misread)} of {len(labels)} unseen digits are misread")
    cells = right.subplots(3, 4).ravel()
    for cell in cells:
        cell.axis("off")
    for cell, index in zip(cells, misread, strict=False):
        cell.imshow(images[index].reshape(8, 8), cmap="gray_r")
        cell.set_title(f"read {predicted[index]}, is {labels[index]}", fontsize=9)
    figure.savefig(path, dpi=120)


def draw_losses(axes, losses, window=25):
    """Draw the loss of every step and its moving average on logarithmic axes."""
    averages = np.convolve(losses, np.full(window, 1 / window), mode="valid")
    axes.semilogy(losses, color="0.8", linewidth=1, label="each step")
    middle = np.arange(len(averages)) + window // 2
    axes.semilogy(middle, averages, color="tab:blue", label=f"average of {window} steps")
    axes.set(title="Training loss", xlabel="step", ylabel="cross entropy")
    axes.legend()


def main():
    """Train, measure, draw; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=40, help="passes over the training digits")
    parser.add_argument("--picture", default="digits.png", help="where to write the picture")
    options = parser.parse_args()

    tf.random.set_seed(0)
    (train_x, train_y), (test_x, test_y) = read_data()
    model, train_step = new_training()
    losses = train(train_step, train_x, train_y, options.epochs)

    predicted = predict(model, test_x)
    correct = tf.cast(tf.equal(predicted, test_y), tf.float32)
    accuracy = float(tf.reduce_mean(correct))
    print(f"test accuracy: {accuracy:.1%} of {len(test_y)} digits")
    compare_speeds(train_x, train_y)
    draw(options.picture, losses, test_x, test_y, predicted.numpy())
    print(f"picture: {options.picture}")

    if accuracy < ACCURACY_TO_REACH:
        print(f"the network should read {ACCURACY_TO_REACH:.0%} of the digits", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
