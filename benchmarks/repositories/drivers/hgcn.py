import sys
import numpy as np
import torch
import optimizers
from config import parser
from models.base_models import NCModel, LPModel
from utils.data_utils import process
import scipy.sparse as sp
from probe import attempt, fill, keep, say, whole


def run(name, flags, Model):
    args = parser.parse_args(flags)
    r = np.random.RandomState(0)
    adj = (r.rand(20, 20) > 0.8).astype(float)
    adj = sp.csr_matrix(np.maximum(adj, adj.T))
    adj_n, features = process(adj, r.randn(20, 7) ** 2, args.normalize_adj, args.normalize_feats)
    data = {'features': features, 'adj_train_norm': adj_n, 'labels': whole(3, 3, 20),
            'idx_train': list(range(12)), 'idx_val': list(range(12, 20)),
            'train_edges': whole(5, 20, 15, 2), 'train_edges_false': whole(6, 20, 30, 2)}
    args.n_nodes, args.feat_dim, args.n_classes, args.device = 20, 7, 3, 'cpu'
    args.nb_false_edges, args.nb_edges = 30, 15
    model = Model(args)
    fill(model)
    optimizer = getattr(optimizers, args.optimizer)(params=model.parameters(), lr=args.lr, weight_decay=args.weight_decay)
    lr_scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=float(args.gamma))
    np.random.seed(3)
    for epoch in range(4):
        model.train()
        optimizer.zero_grad()
        found = model.compute_metrics(model.encode(data['features'], data['adj_train_norm']), data, 'train')
        found['loss'].backward()
        for p in list(model.parameters()):
            torch.nn.utils.clip_grad_norm_(p, 0.5)
        optimizer.step()
        lr_scheduler.step()
        say("%s %d" % (name, epoch), *found.values())
    keep(name, model)


base = ['--dim', '6', '--lr', '0.01', '--num-layers', '2', '--weight-decay', '0.001', '--grad-clip', '0.5']
for name, flags, Model in [
    ("gcn", ['--model', 'GCN'], NCModel),
    ("gat", ['--model', 'GAT', '--n-heads', '2'], NCModel),
    ("hgcn", ['--model', 'HGCN', '--manifold', 'PoincareBall'], NCModel),
    ("hgcnc", ['--model', 'HGCN', '--manifold', 'Hyperboloid', '--task', 'lp', '--optimizer', 'RiemannianAdam'], LPModel),
    ("hnn", ['--model', 'HNN', '--manifold', 'PoincareBall', '--task', 'lp', '--optimizer', 'RiemannianAdam'], LPModel),
]:
    attempt(name, lambda: run(name, base + flags, Model))
