import tempfile
import numpy as np
import torch
import main_gcn as module
from common.graph_utils import adj_mx_from_edges
from common.generators import PoseGenerator
from models.sem_gcn import SemGCN
from probe import attempt, fill, keep, say

EDGES = [(0, 1), (1, 2), (2, 3), (0, 4), (4, 5), (5, 6), (1, 7)]


def run(name, groups, p_dropout=None):
    device = torch.device("cpu")
    adj = adj_mx_from_edges(8, EDGES, sparse=False)
    net = SemGCN(adj, 8, num_layers=2, p_dropout=p_dropout, nodes_group=groups).to(device)
    fill(net, 3)
    rng = np.random.RandomState(4)
    data = PoseGenerator([rng.randn(5, 8, 3).astype("float32") for _ in range(2)], [rng.randn(5, 8, 2).astype("float32") for _ in range(2)], [["walk"] * 5, ["sit"] * 5])
    loader = torch.utils.data.DataLoader(data, batch_size=4, shuffle=False, num_workers=0, pin_memory=True)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3, eps=1e-5)
    lr, step = 1e-3, 0
    for epoch in range(2):
        loss, lr, step = module.train(loader, net, torch.nn.MSELoss(reduction="mean").to(device), optimizer, device, 1e-3, lr, step, 2, 0.9, max_norm=True)
        say(f"{name} {epoch}", loss, lr, step, *module.evaluate(loader, net, device))
    keep(name, net)
    folder = tempfile.mkdtemp()
    module.save_ckpt({"epoch": 2, "state_dict": net.state_dict(), "optimizer": optimizer.state_dict()}, folder, suffix="best")
    held = torch.load(folder + "/ckpt_best.pth.tar")
    optimizer.load_state_dict(held["optimizer"])
    net.load_state_dict(held["state_dict"])
    say(name + " again", *module.evaluate(loader, net, device))


attempt("plain", lambda: run("plain", None))
attempt("groups", lambda: run("groups", [[0, 1], [2, 3], [4, 5], [6, 7]]))
