from types import SimpleNamespace
import numpy as np
import torch
import torch.optim as optim
from model import ClassificationNet, DGCNN_Seg_Encoder, ReconstructionNet
from probe import array, attempt, fill, keep, quiet, say, whole

np.save("sphere.npy", np.random.RandomState(0).randn(2025, 3))
np.save("gaussian.npy", np.random.RandomState(1).randn(2025, 3))


def reconstruct(name, encoder, shape):
    model = ReconstructionNet(SimpleNamespace(encoder=encoder, k=4, task="reconstruct", feat_dims=16, shape=shape))
    fill(model)
    optimizer = optim.Adam(model.get_parameter(), lr=1e-4, betas=(0.9, 0.999), weight_decay=1e-6)
    for step in range(2):
        model.train()
        pts = torch.tanh(array(step, 2, 32, 3))
        optimizer.zero_grad()
        output, feature = model(pts)
        loss = model.get_loss(pts, output)
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item(), feature.abs().sum().item())
    keep(name, model)


def classify():
    model = ClassificationNet(SimpleNamespace(encoder="dgcnn_cls", k=4, task="classify", feat_dims=16, dataset="modelnet10", dropout=0.5, eval=False))
    fill(model)
    quiet(model)
    optimizer = optim.SGD(model.get_parameter(), lr=0.01, momentum=0.9, weight_decay=1e-4)
    scheduler = optim.lr_scheduler.CosineAnnealingLR(optimizer, 5, eta_min=1e-3)
    for step in range(2):
        model.train()
        pts, label = torch.tanh(array(step, 6, 24, 3)), whole(step, 10, 6, 1)
        optimizer.zero_grad()
        output, _ = model(pts)
        loss = model.get_loss(output, label)
        loss.backward()
        optimizer.step()
        scheduler.step()
        say("classify %d" % step, loss.item(), optimizer.param_groups[0]["lr"])
    keep("classify", model)


attempt("fold", lambda: reconstruct("fold", "foldnet", "plane"))
attempt("sphere", lambda: reconstruct("sphere", "dgcnn_cls", "sphere"))
attempt("gaussian", lambda: reconstruct("gaussian", "dgcnn_seg", "gaussian"))
attempt("classify", classify)
