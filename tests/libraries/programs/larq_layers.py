"""larq's quantizers, layers, optimizers and summaries, with Keras 2 (tf_keras)."""

import larq
import numpy as np
import tensorflow as tf

QUANTIZERS = "ste_sign approx_sign magnitude_aware_sign swish_sign ste_tern ste_heaviside".split()


def _normal(*shape):
    return np.random.normal(size=shape).astype("float32")


def quantizers_and_their_slopes():
    x = tf.constant(_normal(4, 5))
    found = {}
    for name in QUANTIZERS:
        quantizer = larq.quantizers.get(name)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = quantizer(x)
            loss = tf.reduce_sum(y * tf.range(5.0))
        compiled = tf.function(quantizer)(x)
        found[name] = [y, compiled, tape.gradient(loss, x), quantizer.precision]
    return found


def noise_is_quantized():
    return larq.quantizers.NoOp(precision=1)(_normal(3)), larq.quantizers.DoReFa(2)(_normal(3, 2))


def activations_and_constraints():
    x = _normal(3, 4)
    clipped = larq.constraints.WeightClip(0.5)(tf.constant(x))
    return larq.activations.hard_tanh(x), larq.activations.leaky_tanh(x), clipped


def _options():
    return {"input_quantizer": "ste_sign", "kernel_quantizer": "ste_sign"}


def _layers():
    layers = larq.layers
    picture, row, volume = (2, 6, 6, 3), (2, 8, 3), (1, 5, 5, 5, 2)
    return {
        "dense": (layers.QuantDense(4, **_options()), (2, 3)),
        "conv1d": (layers.QuantConv1D(4, 3, **_options()), row),
        "conv2d": (layers.QuantConv2D(4, 3, padding="same", pad_values=1.0, **_options()), picture),
        "conv3d": (layers.QuantConv3D(2, 3, **_options()), volume),
        "depthwise": (
            layers.QuantDepthwiseConv2D(
                3, input_quantizer="ste_sign", depthwise_quantizer="ste_sign"
            ),
            picture,
        ),
        "separable": (
            layers.QuantSeparableConv2D(
                4, 3, input_quantizer="ste_sign",
                depthwise_quantizer="ste_sign", pointwise_quantizer="ste_sign",
            ),
            picture,
        ),
        "transposed": (layers.QuantConv2DTranspose(2, 3, **_options()), picture),
        "local": (layers.QuantLocallyConnected1D(2, 3, **_options()), row),
    }  # fmt: skip


def layers_and_their_slopes():
    found = {}
    for name, (layer, shape) in _layers().items():
        tf.keras.utils.set_random_seed(3)
        x = tf.constant(_normal(*shape))
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = layer(x)
            loss = tf.reduce_sum(y**2)
        slopes = tape.gradient(loss, [x, *layer.trainable_variables])
        found[name] = [y, tf.function(layer)(x), list(slopes)]
    return found


def variables_are_quantized_in_a_context():
    made = larq.quantized_variable.QuantizedVariable.from_variable(
        tf.Variable(_normal(4)), quantizer=larq.quantizers.SteSign()
    )
    plain = made + 0.0
    with larq.context.quantized_scope(True):
        found = [made + 0.0, 2.0 * made, made.read_value(), tf.reduce_sum(made), made[1:3]]
    made.assign_add(tf.ones(4))
    return plain, found, made + 0.0, made.shape.as_list(), made.dtype.name


def _network():
    return tf.keras.Sequential(
        [
            larq.layers.QuantConv2D(
                4, 3, kernel_quantizer="ste_sign", kernel_constraint="weight_clip",
                use_bias=False, input_shape=(6, 6, 1),
            ),
            tf.keras.layers.BatchNormalization(scale=False),
            larq.layers.QuantConv2D(4, 3, use_bias=False, **_options()),
            tf.keras.layers.Flatten(),
            larq.layers.QuantDense(2, activation="softmax", **_options()),
        ]
    )  # fmt: skip


def _fitted(optimizer):
    tf.keras.utils.set_random_seed(4)
    model = _network()
    model.compile(optimizer, "sparse_categorical_crossentropy", metrics=["accuracy"])
    x, y = _normal(8, 6, 6, 1), np.arange(8) % 2
    fitted = model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0)
    return model, fitted.history, model.predict(x, verbose=0)


def networks_are_trained():
    return _fitted(tf.keras.optimizers.legacy.Adam(0.01))[1:]


def bits_are_flipped():
    cases = [
        (larq.optimizers.Bop.is_binary_variable, larq.optimizers.Bop(threshold=1e-6, gamma=1e-2))
    ]
    other = tf.keras.optimizers.legacy.Adam(0.01)
    optimizer = larq.optimizers.CaseOptimizer(*cases, default_optimizer=other)
    return _fitted(optimizer)[1:]


def models_are_saved_as_bits(path="weights.h5"):
    model, _, before = _fitted(tf.keras.optimizers.legacy.Adam(0.01))
    with larq.context.quantized_scope(True):
        model.save_weights(path)
    tf.keras.utils.set_random_seed(5)
    other = _network()
    other.load_weights(path)
    return before, other.predict(np.ones((1, 6, 6, 1), "float32"), verbose=0)


def models_are_summarized(printed=()):
    lines = []
    larq.models.summary(_network(), print_fn=lines.append)
    return [str(one) for one in lines]
