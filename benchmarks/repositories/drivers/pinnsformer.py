import numpy as np
import torch
from model.fls import FLS
from model.pinn import PINNs
from model.pinnsformer import PINNsformer
from model.qres import QRes
from pyhessian import hessian
from util import get_data, get_n_params, make_time_sequence
from probe import attempt, fill, keep, say


def run(name, model, sequence):
    fill(model)
    res, b_left, b_right, b_upper, b_lower = get_data([0, 2 * np.pi], [0, 1], 5, 5)
    parts = [res, b_left, b_upper, b_lower]
    if sequence:
        parts = [make_time_sequence(part, num_step=3, step=1e-2) for part in parts]
    res, b_left, b_upper, b_lower = [torch.tensor(part, dtype=torch.float32, requires_grad=True) for part in parts]
    x_res, t_res = res[..., 0:1], res[..., 1:2]
    x_left, t_left = b_left[..., 0:1], b_left[..., 1:2]
    x_upper, t_upper = b_upper[..., 0:1], b_upper[..., 1:2]
    x_lower, t_lower = b_lower[..., 0:1], b_lower[..., 1:2]
    say(name + " size", get_n_params(model))
    optimizer = torch.optim.LBFGS(model.parameters(), line_search_fn="strong_wolfe", max_iter=4)
    track = []
    for i in range(2):

        def closure():
            pred_res = model(x_res, t_res)
            pred_left = model(x_left, t_left)
            pred_upper = model(x_upper, t_upper)
            pred_lower = model(x_lower, t_lower)
            u_x = torch.autograd.grad(pred_res, x_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True)[0]
            u_t = torch.autograd.grad(pred_res, t_res, grad_outputs=torch.ones_like(pred_res), retain_graph=True, create_graph=True)[0]
            loss_res = torch.mean((u_t - 5 * pred_res * (1 - pred_res) + 0.1 * u_x) ** 2)
            loss_bc = torch.mean((pred_upper - pred_lower) ** 2)
            loss_ic = torch.mean((pred_left[:, 0] - torch.exp(-((x_left[:, 0] - torch.pi) ** 2) / (2 * (torch.pi / 4) ** 2))) ** 2)
            track.append([loss_res.item(), loss_bc.item(), loss_ic.item()])
            loss = loss_res + loss_bc + loss_ic
            optimizer.zero_grad()
            loss.backward()
            return loss

        optimizer.step(closure)
        say(f"{name} {i}", len(track), *track[-1])
    keep(name, model)


def landscape():
    model = PINNs(in_dim=2, hidden_dim=8, out_dim=1, num_layer=3)
    fill(model)
    res = torch.tensor(get_data([0, 2 * np.pi], [0, 1], 4, 4)[0], dtype=torch.float32, requires_grad=True)
    np.random.seed(0)
    values, vectors = hessian(model=model, data=(res[:, 0:1], res[:, 1:2])).eigenvalues(maxIter=5, top_n=2)
    say("hessian", *values)
    state = model.state_dict()
    for i, key in enumerate(state.keys()):
        state[key] = state[key] + 0.1 * vectors[0][i].abs()
    model.load_state_dict(state)
    say("moved", sum(p.sum().item() for p in model.parameters()))


attempt("pinn", lambda: run("pinn", PINNs(2, 8, 1, 3), False))
attempt("qres", lambda: run("qres", QRes(2, 8, 1, 3), False))
attempt("fls", lambda: run("fls", FLS(2, 8, 1, 3), False))
attempt("pinnsformer", lambda: run("pinnsformer", PINNsformer(d_out=1, d_hidden=8, d_model=8, N=1, heads=2), True))
attempt("landscape", landscape)
