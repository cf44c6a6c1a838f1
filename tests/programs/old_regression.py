"""Linear regression as in the first examples of TensorFlow 1; a loop and a branch in the graph."""

import numpy as np
import tensorflow as tf

tf.compat.v1.disable_eager_execution()
v1 = tf.compat.v1

rng = np.random.RandomState(7)
train_x = rng.uniform(0, 10, 17)
train_y = 0.25 * train_x + 0.8 + rng.normal(0, 0.05, 17)

x = v1.placeholder("float")
y = v1.placeholder("float")
w = tf.Variable(-0.5, name="weight")
b = tf.Variable(0.3, name="bias")
prediction = tf.add(tf.multiply(x, w), b)
cost = tf.reduce_sum(tf.pow(prediction - y, 2)) / (2 * train_x.shape[0])
optimizer = v1.train.GradientDescentOptimizer(0.01).minimize(cost)

halvings = tf.while_loop(
    lambda value, count: value > 1.0, lambda value, count: (value / 2.0, count + 1), [cost, 0]
)
verdict = tf.cond(cost < 0.01, lambda: tf.constant("good"), lambda: tf.constant("not yet"))
slopes = tf.gradients(cost, [w, b])
seen = v1.scan(lambda total, one: total + one, tf.constant([1.0, 2.0, 3.0]))
chosen = v1.boolean_mask(tf.constant([1, 2, 3]), [True, False, True])

with v1.Session() as sess:
    sess.run(v1.global_variables_initializer())
    feed = {x: train_x, y: train_y}
    print("halvings:", sess.run(halvings, feed)[1], sess.run(verdict, feed).decode())
    for epoch in range(100):
        for one_x, one_y in zip(train_x, train_y):
            sess.run(optimizer, feed_dict={x: one_x, y: one_y})
        if (epoch + 1) % 25 == 0:
            c, now_w, now_b = sess.run([cost, w, b], feed_dict=feed)
            print("epoch %04d cost=%.6f W=%.5f b=%.5f" % (epoch + 1, c, now_w, now_b))
    print("verdict:", sess.run(verdict, feed).decode())
    print("slopes:", ["%.4f" % abs(slope) for slope in sess.run(slopes, feed)])
    print(sess.run(seen).tolist(), sess.run(chosen).tolist())
