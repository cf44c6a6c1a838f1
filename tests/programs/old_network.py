"""Digits by a network of TensorFlow 1: summaries, streaming metrics, a saver and its meta graph."""

import os
import tempfile

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def examples(count):
    pixels = np.sin(np.arange(count * 36) * 0.37).reshape(count, 36).astype(np.float32)
    labels = (np.abs(pixels[:, ::6]).sum(1) * 7).astype(np.int64) % 5
    pixels[np.arange(count), labels * 7] += 2.0
    return pixels, labels


def layer(x, units, name, activation=tf.identity):
    with tf.variable_scope(name):
        size = x.get_shape().as_list()[1]
        start = np.cos(np.arange(size * units)).reshape(size, units).astype(np.float32) / size**0.5
        w = tf.get_variable("weights", initializer=start)
        b = tf.get_variable("biases", [units], initializer=tf.constant_initializer(0.1))
        tf.summary.histogram("weights", w)
        return activation(tf.nn.xw_plus_b(x, w, b), name="output")


def streaming(name, function, *args):
    with tf.name_scope(name):
        return function(*args)


files = tempfile.TemporaryDirectory()
folder = files.name
pixels, labels = examples(60)
x = tf.placeholder(tf.float32, [None, 36], name="pixels")
y = tf.placeholder(tf.int64, [None], name="labels")
hidden = layer(x, 12, "hidden", tf.nn.relu)
logits = layer(hidden, 5, "logits")
prediction = tf.argmax(logits, 1, name="prediction")
with tf.name_scope("loss"):
    loss = tf.losses.sparse_softmax_cross_entropy(labels=y, logits=logits)
    tf.summary.scalar("cross_entropy", loss)
tf.summary.image("pixels", tf.reshape(x, [-1, 6, 6, 1]), max_outputs=2)
step = tf.Variable(0, trainable=False, name="step", dtype=tf.int64)
train = tf.train.MomentumOptimizer(0.1, 0.9, use_nesterov=True).minimize(loss, global_step=step)
averages = tf.train.ExponentialMovingAverage(0.9, num_updates=step)
with tf.control_dependencies([train]):
    train = averages.apply(tf.trainable_variables())

correct = tf.cast(tf.equal(prediction, y), tf.float32)
metrics = {
    "accuracy": tf.metrics.accuracy(y, prediction),
    "mean": tf.metrics.mean(loss),
    "precision": tf.metrics.precision(tf.equal(y, 1), tf.equal(prediction, 1)),
    "recall": tf.metrics.recall(tf.equal(y, 1), tf.equal(prediction, 1)),
    "auc": tf.metrics.auc(tf.equal(y, 1), tf.nn.softmax(logits)[:, 1]),
    "iou": tf.metrics.mean_iou(y, prediction, 5),
    "rmse": tf.metrics.root_mean_squared_error(y, prediction),
}
values = {name: pair[0] for name, pair in metrics.items()}
updates = [pair[1] for pair in metrics.values()]
merged = tf.summary.merge_all()
saver = tf.train.Saver(max_to_keep=3)
tf.add_to_collection("predictions", prediction)

print([v.op.name for v in tf.global_variables()])
print([v.op.name for v in tf.local_variables()][:4], len(tf.local_variables()))
with tf.Session() as sess:
    writer = tf.summary.FileWriter(os.path.join(folder, "logs"), sess.graph)
    sess.run([tf.global_variables_initializer(), tf.local_variables_initializer()])
    for epoch in range(6):
        sess.run(tf.local_variables_initializer())
        for start in range(0, 60, 20):
            batch = {x: pixels[start : start + 20], y: labels[start : start + 20]}
            _, summary = sess.run([train, merged], feed_dict=batch)
            # Not beside the step's increment: TensorFlow may read before it or after.
            writer.add_summary(summary, sess.run(step))
            sess.run(updates, feed_dict=batch)
        found = sess.run(values)
        print(epoch, " ".join("%s=%.4f" % pair for pair in sorted(found.items())))
    writer.close()
    path = saver.save(sess, os.path.join(folder, "model.ckpt"), global_step=step)
    shadow = averages.average(tf.trainable_variables()[0])
    print(os.path.basename(path), shadow.op.name, "%.4f" % sess.run(tf.reduce_sum(shadow)))

for name in sorted(os.listdir(os.path.join(folder, "logs"))):
    events = list(tf.train.summary_iterator(os.path.join(folder, "logs", name)))
    print([(e.step, [v.tag for v in e.summary.value]) for e in events if e.summary.value][-1])
    print(
        ["%.4f" % v.simple_value for e in events for v in e.summary.value if "entropy" in v.tag][:5]
    )
    print([e.WhichOneof("what") for e in events][:4])

with tf.Graph().as_default(), tf.Session() as sess:
    loader = tf.train.import_meta_graph(path + ".meta")
    loader.restore(sess, path)
    again = tf.get_collection("predictions")[0]
    print(again.name, sess.run(again, {"pixels:0": pixels[:8]}).tolist(), labels[:8].tolist())
    print([v.name for v in tf.trainable_variables()])
    constant = tf.graph_util.convert_variables_to_constants(
        sess, sess.graph.as_graph_def(), ["prediction"]
    )
    print(sorted({node.op for node in constant.node}))

with tf.Graph().as_default(), tf.Session() as sess:
    (frozen,) = tf.import_graph_def(constant, return_elements=["prediction:0"], name="frozen")
    print(frozen.name, sess.run(frozen, {"frozen/pixels:0": pixels[:8]}).tolist())
files.cleanup()
