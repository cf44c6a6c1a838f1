"""Attributions by shap's explainers, for small models of several kinds."""

import keras
import numpy as np
import shap
from keras import layers

CLASSES = 3


def _explained(model, *shapes, explainer=shap.DeepExplainer, **options):
    """What each input had to do with each output, for three rows against eight."""
    drawn = [np.random.normal(size=(11, *shape)).astype("float32") for shape in shapes]
    background, rows = ([one[part] for one in drawn] for part in (slice(8), slice(8, 11)))
    if len(shapes) == 1:
        background, rows = background[0], rows[0]
    return explainer(model, background).shap_values(rows, **options)


def _dense(activation):
    keras.utils.set_random_seed(1)
    inputs = keras.Input((5,))
    x = layers.Dense(7, activation=activation)(inputs)
    x = layers.Dense(6, activation="tanh")(x)
    return keras.Model(inputs, layers.Dense(CLASSES, activation="softmax")(x))


def _pictures(pool):
    keras.utils.set_random_seed(2)
    return keras.Sequential(
        [
            keras.Input((8, 8, 2)),
            layers.Conv2D(4, 3, activation="relu"),
            pool(2),
            layers.Flatten(),
            layers.Dense(CLASSES),
        ]
    )


def relu_and_softmax():
    return _explained(_dense("relu"), (5,))


def sigmoid():
    return _explained(_dense("sigmoid"), (5,))


def softplus():
    return _explained(_dense("softplus"), (5,))


def elu():
    return _explained(_dense("elu"), (5,))


def selu():
    return _explained(_dense("selu"), (5,))


def max_pooling():
    return _explained(_pictures(layers.MaxPooling2D), (8, 8, 2))


def average_pooling():
    return _explained(_pictures(layers.AveragePooling2D), (8, 8, 2))


def two_inputs_and_concatenation():
    keras.utils.set_random_seed(3)
    one, other = keras.Input((3,)), keras.Input((2,))
    both = layers.concatenate([layers.Dense(4, activation="relu")(one), other])
    return _explained(keras.Model([one, other], layers.Dense(2)(both)), (3,), (2,))


def products_of_two_branches():
    keras.utils.set_random_seed(4)
    inputs = keras.Input((4,))
    product = layers.multiply([layers.Dense(3)(inputs), layers.Dense(3)(inputs)])
    greater = layers.maximum([product, layers.Dense(3)(inputs)])
    model = keras.Model(inputs, layers.Dense(2)(greater))
    return _explained(model, (4,), check_additivity=False)


def subtraction_and_reshaping():
    keras.utils.set_random_seed(5)
    inputs = keras.Input((6,))
    halves = layers.Reshape((3, 2))(layers.subtract([inputs, layers.Dense(6)(inputs)]))
    model = keras.Model(inputs, layers.Dense(2)(layers.GlobalAveragePooling1D()(halves)))
    return _explained(model, (6,))


def the_two_most_likely_classes():
    return _explained(_dense("relu"), (5,), ranked_outputs=2, check_additivity=False)


def the_model_is_as_before():
    """Explaining replaces the rules of operations; later gradients are those of before."""
    import tensorflow as tf

    model = _dense("relu")
    rows = tf.constant(np.random.normal(size=(4, 5)).astype("float32"))
    _explained(model, (5,))
    with tf.GradientTape() as tape:
        tape.watch(rows)
        likely = model(rows)[:, 0]
    return tape.gradient(likely, rows)


def expected_gradients():
    np.random.seed(6)
    return _explained(_dense("tanh"), (5,), explainer=shap.GradientExplainer, nsamples=50, rseed=6)


def expected_gradients_of_pictures():
    model = _pictures(layers.MaxPooling2D)
    return _explained(model, (8, 8, 2), explainer=shap.GradientExplainer, nsamples=20, rseed=7)


def expected_gradients_of_two_inputs():
    keras.utils.set_random_seed(8)
    one, other = keras.Input((3,)), keras.Input((2,))
    both = layers.concatenate([layers.Dense(4, activation="gelu")(one), other])
    model = keras.Model([one, other], layers.Dense(2)(both))
    options = {"explainer": shap.GradientExplainer, "nsamples": 20, "rseed": 8}
    return _explained(model, (3,), (2,), **options)
