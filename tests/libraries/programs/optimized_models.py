"""tensorflow-model-optimization: models pruned, clustered and quantized, with Keras 2."""

import numpy as np
import tensorflow_model_optimization as tfmot
import tf_keras as keras

PRUNING, CLUSTERING = tfmot.sparsity.keras, tfmot.clustering.keras


def _given_weights(model):
    model.set_weights(
        [np.abs(np.random.normal(size=w.shape)) * 0.3 + 0.05 for w in model.get_weights()]
    )
    return model


def _model():
    dense = keras.layers.Dense
    return _given_weights(
        keras.Sequential(
            [dense(16, activation="relu", input_shape=(8,)), dense(4, activation="softmax")]
        )
    )


def _fitted(model, callbacks=()):
    x = np.random.normal(size=(64, 8)).astype("float32")
    y = np.random.randint(0, 4, 64)
    model.compile("sgd", "sparse_categorical_crossentropy", metrics=["accuracy"])
    fitted = model.fit(
        x, y, epochs=2, batch_size=16, shuffle=False, verbose=0, callbacks=[*callbacks]
    )
    return fitted.history, model.predict(x[:5], verbose=0)


def _pruned(schedule):
    model = PRUNING.prune_low_magnitude(_model(), pruning_schedule=schedule)
    found = _fitted(model, [PRUNING.UpdatePruningStep()])
    stripped = PRUNING.strip_pruning(model)
    return found, [w == 0 for w in stripped.get_weights()], stripped.get_weights()


def small_weights_are_pruned():
    return _pruned(PRUNING.ConstantSparsity(0.5, 0, frequency=1))


def more_weights_are_pruned_step_by_step():
    return _pruned(PRUNING.PolynomialDecay(0.2, 0.8, 0, 6, frequency=2))


def weights_are_clustered():
    model = CLUSTERING.cluster_weights(
        _model(), number_of_clusters=4,
        cluster_centroids_init=CLUSTERING.CentroidInitialization.LINEAR,
    )  # fmt: skip
    found = _fitted(model)
    stripped = CLUSTERING.strip_clustering(model)
    return found, [len(np.unique(w)) for w in stripped.get_weights()], stripped.get_weights()


def training_knows_of_quantization():
    return _fitted(tfmot.quantization.keras.quantize_model(_model()))


def convolutions_are_quantized_with_what_follows():
    layers = keras.layers
    model = _given_weights(
        keras.Sequential(
            [
                layers.Conv2D(4, 3, input_shape=(8, 8, 1)),
                layers.BatchNormalization(),
                layers.ReLU(),
                layers.Flatten(),
                layers.Dense(2),
            ]
        )
    )
    quantized = tfmot.quantization.keras.quantize_model(model)
    quantized.compile("sgd", "mse")
    x = np.random.normal(size=(16, 8, 8, 1)).astype("float32")
    y = np.random.normal(size=(16, 2)).astype("float32")
    fitted = quantized.fit(x, y, epochs=2, batch_size=8, shuffle=False, verbose=0)
    return fitted.history, quantized.predict(x[:3], verbose=0)
