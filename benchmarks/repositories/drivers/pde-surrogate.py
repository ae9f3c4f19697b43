import math
import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim
from models.codec import Decoder, DenseED
from models.cppn import CPPN, ResCPPN
from models.darcy import conv_boundary_condition, conv_constitutive_constraint, conv_constitutive_constraint_nonlinear, conv_continuity_constraint, mixed_residual_fc, neumann_boundary_mixed, primal_residual_fc, primal_variational_fc
from models.glow_msc import MultiScaleCondGlow
from utils.image_gradient import SobelFilter
from utils.practices import OneCycleScheduler, adjust_learning_rate
from probe import array, attempt, fill, keep, say


def surrogate():
    model = DenseED(1, 3, 16, [1, 2, 1], growth_rate=4, init_features=6)
    fill(model)
    sobel_filter = SobelFilter(16, correct=True, device="cpu")
    optimizer = optim.Adam(model.parameters(), lr=1e-3, weight_decay=1e-4)
    scheduler = OneCycleScheduler(lr_max=1e-3, div_factor=2.0, pct_start=0.3)
    for step in range(4):
        x = torch.exp(array(step, 3, 1, 16, 16) * 0.3)
        model.zero_grad()
        output = model(x)
        pde = conv_constitutive_constraint(x, output, sobel_filter) + conv_continuity_constraint(output, sobel_filter)
        dirichlet, neumann = conv_boundary_condition(output)
        loss = pde + (dirichlet + neumann) * 10
        loss.backward()
        lr = adjust_learning_rate(optimizer, scheduler.step(step / 4))
        optimizer.step()
        say("surrogate %d" % step, loss.item(), pde.item(), dirichlet.item(), neumann.item(), lr)
    keep("surrogate", model)
    say("sizes", *model.model_size)


def decoder():
    model = Decoder(1, out_channels=3, blocks=[1, 1], growth_rate=4, init_features=6)
    fill(model)
    perm, latent = torch.exp(array(0, 1, 1, 16, 16) * 0.3), array(1, 1, 1, 4, 4) * 0.5
    sobel_filter = SobelFilter(16, correct=False, device="cpu")
    optimizer = optim.LBFGS(model.parameters(), lr=0.5, max_iter=4, history_size=10)
    for epoch in range(2):
        model.train()

        def closure():
            optimizer.zero_grad()
            output = model(latent)
            energy = conv_constitutive_constraint_nonlinear(perm, output, sobel_filter, 0.1, 0.1) + conv_continuity_constraint(output, sobel_filter, use_tb=False)
            dirichlet, neumann = conv_boundary_condition(output)
            loss = energy + (dirichlet + neumann) * 10
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        say("decoder %d" % epoch, loss.item() if not isinstance(loss, float) else loss)
    keep("decoder", model)


def collocation(name, net, residual, off_grid=False):
    fill(net)
    optimizer = optim.LBFGS(net.parameters(), lr=0.5, max_iter=4, history_size=10)
    points = torch.sigmoid(array(0, 25, 2)) * 3.9
    left, bottom = torch.sigmoid(array(1, 6, 2)), torch.sigmoid(array(2, 6, 2))
    for epoch in range(2):
        net.train()

        def closure():
            optimizer.zero_grad()
            loss = residual(net, points) + 10 * (F.mse_loss(net(left)[:, [0]], torch.ones(6, 1)) + neumann_boundary_mixed(net, bottom))
            loss.backward()
            return loss

        loss = optimizer.step(closure)
        say("%s %d" % (name, epoch), loss.item() if not isinstance(loss, float) else loss)
    say(name + " sizes", *net._model_size())
    keep(name, net)


def glow():
    np.random.seed(0)
    model = MultiScaleCondGlow(16, 1, 3, [1, 1, 1], [1, 2, 1], LUdecompose=True)
    sobel_filter = SobelFilter(16, correct=True, device="cpu")
    rng = np.random.RandomState(5)
    with torch.no_grad():
        for name, p in model.named_parameters():
            if ("conv" in name or "norm" in name) and p.dim() in (1, 4):
                p.copy_(torch.from_numpy((rng.randn(*p.shape) * 0.02 + (1 if name.endswith("norm1.weight") or name.endswith("norm2.weight") else 0)).astype("float32")))
    optimizer = optim.Adam(model.parameters(), lr=1.5e-3)
    for step in range(3):
        x = torch.exp(array(step, 2, 1, 16, 16) * 0.3)
        model.zero_grad()
        eps = [array(40 + step * 3 + i, 2, *shape) for i, shape in enumerate(model._z_shapes())]
        output, log_likelihood = model.generate(x, eps)
        residual = conv_constitutive_constraint(x, output, sobel_filter) + conv_continuity_constraint(output, sobel_filter)
        dirichlet, neumann = conv_boundary_condition(output)
        entropy = log_likelihood.mean() / math.log(2.0) / 768
        loss = (residual + (dirichlet + neumann) * 50) * 150 + entropy
        loss.backward()
        optimizer.step()
        say("glow %d" % step, loss.item(), residual.item(), entropy.item())
    model.eval()
    with torch.no_grad():
        z, logdet, eps = model(output.detach(), x, return_eps=True)
        mean, logp = model.approx_pred_mean(x)
        say("glow forward", z.mean().item(), *logdet.flatten(), *[e.abs().mean().item() for e in eps], mean.mean().item(), *logp.flatten())


grid = torch.exp(array(9, 25, 1) * 0.3)
attempt("surrogate", surrogate)
attempt("decoder", decoder)
attempt("mixed", lambda: collocation("mixed", CPPN(2, 3, 8, 2), lambda net, x: mixed_residual_fc(net, x, grid)))
attempt("off grid", lambda: collocation("off-grid", ResCPPN(2, 3, 8, 2), lambda net, x: mixed_residual_fc(net, x, torch.exp(array(9, 1, 5, 5) * 0.3)[0], rand_colloc=True)))


def primal(net, x):
    def pressure(p):
        return net(p)[:, [0]]

    return primal_residual_fc(pressure, x, array(3, 25), array(4, 25), grid[:, 0])


def variational(net, x):
    def pressure(p):
        return net(p)[:, [0]]

    return primal_variational_fc(pressure, x, grid[:, 0])


attempt("primal", lambda: collocation("primal", CPPN(2, 2, 8, 2), primal))
attempt("variational", lambda: collocation("variational", CPPN(2, 2, 8, 3), variational))
attempt("glow", glow)
