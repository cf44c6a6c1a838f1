"""tensorflow-lattice's layers, alone and in a model, with Keras 2 (tf_keras)."""

import numpy as np
import tensorflow_lattice as tfl
import tf_keras as keras


def _points(count=96):
    x = np.random.uniform(-2, 2, size=(count, 3)).astype("float32")
    return x, x[:, 0] + np.sin(x[:, 1]) - x[:, 2] ** 2


def _fitted(model, x, y, optimizer="sgd"):
    model.compile(optimizer, "mse")
    history = model.fit(x, y, epochs=3, batch_size=32, shuffle=False, verbose=0).history
    return history, model.get_weights(), model.predict(x, verbose=0)


def calibrated_lattices_learn():
    x, y = _points()
    inputs = [keras.Input((1,)) for _ in range(3)]
    calibrated = [
        tfl.layers.PWLCalibration(
            input_keypoints=np.linspace(-2, 2, 6), output_min=0.0, output_max=top,
            monotonicity=monotonicity, kernel_initializer="equal_heights", clamp_min=top == 2.0,
        )(one)
        for one, top, monotonicity in zip(
            inputs, (2.0, 1.0, 3.0), ("increasing", "none", "decreasing"), strict=True
        )
    ]  # fmt: skip
    output = tfl.layers.Lattice(
        [3, 2, 4], monotonicities=["increasing", "none", "increasing"],
        edgeworth_trusts=(0, 1, "positive"), kernel_initializer="linear_initializer",
    )(calibrated)  # fmt: skip
    model = keras.Model(inputs, output)
    columns = [x[:, k : k + 1] for k in range(3)]
    found = _fitted(model, columns, y, keras.optimizers.Adagrad(0.1))
    return found, [*map(np.size, model.layers[-1].assert_constraints())]


def categories_are_calibrated():
    inputs = keras.Input((1,), dtype="int32")
    output = tfl.layers.CategoricalCalibration(
        num_buckets=4, output_min=-1, output_max=1, monotonicities=[(0, 1), (2, 3)],
        kernel_initializer="constant",
    )(inputs)  # fmt: skip
    x = np.random.randint(0, 4, (64, 1))
    return _fitted(keras.Model(inputs, output), x, (x % 3 - 1).astype("float32"), "adam")


def linear_weights_keep_their_signs():
    inputs = keras.Input((3,))
    output = tfl.layers.Linear(
        3, monotonicities=[1, 0, -1], normalization_order=1, kernel_initializer="ones"
    )(inputs)
    return _fitted(keras.Model(inputs, output), *_points())


def lattices_are_factored():
    inputs = keras.Input((3,))
    output = tfl.layers.KroneckerFactoredLattice(
        2, num_terms=2, kernel_initializer=keras.initializers.Constant(0.7)
    )(keras.layers.Activation("sigmoid")(inputs))
    return _fitted(keras.Model(inputs, output), *_points())


def calibration_runs_side_by_side():
    combined = tfl.layers.ParallelCombination(single_output=False)
    for top in (1.0, 2.0, 3.0):
        combined.append(
            tfl.layers.PWLCalibration(
                input_keypoints=np.linspace(-2, 2, 5), output_min=0.0, output_max=top,
                kernel_initializer="equal_slopes",
            )
        )  # fmt: skip
    return combined(_points(5)[0])
