from types import SimpleNamespace
import numpy as np
import torch
import train
from hnn import HNN, PixelHNN
from nn_models import MLP, MLPAutoencoder
from probe import array, attempt, fill, fit, keep, say
from utils import integrate_model, rk4


def dataset(seed=0):
    rng = np.random.RandomState(seed)
    x = rng.uniform(-1, 1, (24, 2))
    dx = np.stack([2 * x[:, 1], -2 * x[:, 0]], 1) + 0.1 * rng.randn(24, 2)
    return {"x": x[:16], "dx": dx[:16], "test_x": x[16:], "test_dx": dx[16:]}


class Filled(MLP):
    def __init__(self, *sizes):
        super().__init__(*sizes)
        fill(self, 1)


def run(name, **changes):
    train.get_dataset, train.MLP = dataset, Filled
    args = SimpleNamespace(**{**dict(input_dim=2, hidden_dim=12, learn_rate=1e-2, nonlinearity="tanh", total_steps=5, print_every=2, field_type="solenoidal", seed=0, baseline=False, use_rk4=False, verbose=True), **changes})
    model, stats = train.train(args)
    for key in ("train_loss", "test_loss"):
        say(f"{name} {key}", *stats[key])
    solved = integrate_model(model, [0, 1], np.array([0.5, 0.2]), t_eval=np.linspace(0, 1, 4), rtol=1e-4)
    say(name + " path", *solved["y"].ravel())
    x = torch.tensor(dataset()["x"], requires_grad=True, dtype=torch.float32)
    say(name + " rk4", *rk4(model.time_derivative, x, 0, 0.1).detach().numpy().ravel()[:6])
    keep(name, model)


def fields():
    model = HNN(4, MLP(4, 8, 2, "softplus"), field_type="both", assume_canonical_coords=False)
    fill(model)
    x = array(3, 6, 4).requires_grad_()
    one, two = model.time_derivative(x, separate_fields=True)
    say("fields", one.sum().item(), two.abs().sum().item(), *model.M.reshape(-1))
    fit("fields", model, lambda step: (model.time_derivative(array(step, 6, 4).requires_grad_()) ** 2).mean(), torch.optim.Adam(model.parameters(), 1e-2))


def pixels():
    model = PixelHNN(4, 8, MLPAutoencoder(20, 10, 4, "relu"), nonlinearity="swish")
    fill(model)
    fit("pixels", model, lambda step: ((model(array(step, 5, 20)) - array(step + 9, 5, 20)) ** 2).mean(), torch.optim.Adam(model.parameters(), 1e-3, weight_decay=1e-5))


attempt("hnn", lambda: run("hnn"))
attempt("base", lambda: run("base", baseline=True, nonlinearity="relu"))
attempt("conservative", lambda: run("conservative", field_type="conservative", nonlinearity="sigmoid"))
attempt("fields", fields)
attempt("pixels", pixels)
