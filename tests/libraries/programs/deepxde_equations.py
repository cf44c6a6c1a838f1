"""deepxde on its TensorFlow backend: equations learned for some steps from told weights."""

import deepxde as dde
import numpy as np
import tensorflow as tf


def _learned(data, sizes, *, kind=dde.nn.FNN, optimizer="adam", transform=None, **options):
    net = kind(sizes, "tanh", "Glorot normal")
    if transform is not None:
        net.apply_output_transform(transform)
    model = dde.Model(data, net)
    model.compile(optimizer, lr=0.01, **options)
    net(data.train_x if isinstance(data.train_x, tuple) else data.train_x[:2])
    drawn = np.random.default_rng(5)
    for one in net.weights:
        one.assign(drawn.normal(size=one.shape, scale=0.5).astype("float32"))
    history, _ = model.train(iterations=4, display_every=1, verbose=0)
    return np.array(history.loss_train), np.array(history.metrics_test)


def _interval(pde, *conditions, solution=None):
    geometry = dde.geometry.Interval(-1, 1)
    given = [one(geometry) for one in conditions]
    return dde.data.PDE(geometry, pde, given, 12, 2, "uniform", solution=solution, num_test=9)


def _on_boundary(_, on):
    return on


def poisson_with_fixed_ends():
    def pde(x, y):
        return -dde.grad.hessian(y, x) - np.pi**2 * tf.sin(np.pi * x)

    data = _interval(
        pde, lambda g: dde.icbc.DirichletBC(g, lambda x: 0, _on_boundary),
        solution=lambda x: np.sin(np.pi * x),
    )  # fmt: skip
    return _learned(data, [1, 6, 6, 1], metrics=["l2 relative error"])


def slopes_at_the_ends():
    def pde(x, y):
        return dde.grad.hessian(y, x) - 2

    data = _interval(pde, lambda g: dde.icbc.NeumannBC(g, lambda x: 2 * x, _on_boundary))
    return _learned(data, [1, 6, 1])


def a_solution_with_exact_ends():
    def pde(x, y):
        return dde.grad.jacobian(y, x) + y

    return _learned(_interval(pde), [1, 6, 1], transform=lambda x, y: 1 + (x + 1) * y)


def heat_in_time():
    def pde(x, y):
        return dde.grad.jacobian(y, x, i=0, j=1) - dde.grad.hessian(y, x, i=0, j=0)

    where = dde.geometry.GeometryXTime(dde.geometry.Interval(0, 1), dde.geometry.TimeDomain(0, 1))
    start = dde.icbc.IC(where, lambda x: np.sin(np.pi * x[:, 0:1]), lambda _, on: on)
    data = dde.data.TimePDE(where, pde, [start], 10, 4, 4, "uniform", num_test=9)
    return _learned(data, [2, 6, 1])


def two_equations_at_once():
    def system(x, y):
        first, second = y[:, 0:1], y[:, 1:2]
        return [dde.grad.jacobian(y, x, i=0) - second, dde.grad.jacobian(y, x, i=1) + first]

    return _learned(_interval(system), [1, 6, 2], loss_weights=[1.0, 10.0])


def a_function_of_data():
    x = np.linspace(-1, 1, 10, dtype="float32")[:, None]
    data = dde.data.DataSet(X_train=x, y_train=x**2, X_test=x[:3], y_test=x[:3] ** 2)
    return _learned(data, [1, 6, 1], metrics=["l2 relative error", "MSE"], decay=None)
