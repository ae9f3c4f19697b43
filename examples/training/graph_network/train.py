"""Node classification on a graph of communities (a stochastic block model)."""
from __future__ import division, print_function

import argparse
import time

import numpy as np
import torch
import torch.nn.functional as F
import torch.optim as optim
from model import GNN, add_self_loops, gcn_norm


def load_data(num_nodes=200, num_classes=4, num_features=16, seed=3):
    rng = np.random.RandomState(seed)
    labels = rng.randint(0, num_classes, num_nodes)
    same = labels[:, None] == labels[None, :]
    adj = np.triu(rng.rand(num_nodes, num_nodes) < np.where(same, 0.08, 0.01), 1)
    src, dst = np.nonzero(adj | adj.T)
    edge_index = torch.from_numpy(np.stack([src, dst])).long()

    features = rng.randn(num_nodes, num_features)
    features[np.arange(num_nodes), labels] += 1.0
    features = features / np.abs(features).sum(1, keepdims=True)
    features = torch.FloatTensor(features)
    labels = torch.LongTensor(labels)

    idx = torch.from_numpy(rng.permutation(num_nodes))
    train_mask = torch.zeros(num_nodes, dtype=torch.bool)
    val_mask = torch.zeros(num_nodes, dtype=torch.bool)
    test_mask = torch.zeros(num_nodes, dtype=torch.bool)
    train_mask[idx[:60]] = True
    val_mask[idx[60:120]] = True
    test_mask[idx[120:]] = True
    return edge_index, features, labels, train_mask, val_mask, test_mask


def accuracy(output, labels):
    preds = output.max(1)[1].type_as(labels)
    correct = preds.eq(labels).double()
    correct = correct.sum()
    return correct / len(labels)


parser = argparse.ArgumentParser()
parser.add_argument("--no-cuda", action="store_true", default=False, help="Disables CUDA training.")
parser.add_argument("--fastmode", action="store_true", default=False, help="Validate during training pass.")
parser.add_argument("--seed", type=int, default=42, help="Random seed.")
parser.add_argument("--epochs", type=int, default=120, help="Number of epochs to train.")
parser.add_argument("--lr", type=float, default=0.01, help="Initial learning rate.")
parser.add_argument("--weight_decay", type=float, default=5e-4, help="Weight decay (L2 loss on parameters).")
parser.add_argument("--hidden", type=int, default=16, help="Number of hidden units.")
parser.add_argument("--dropout", type=float, default=0.5, help="Dropout rate (1 - keep probability).")

args = parser.parse_args()
args.cuda = not args.no_cuda and torch.cuda.is_available()

np.random.seed(args.seed)
torch.manual_seed(args.seed)
if args.cuda:
    torch.cuda.manual_seed(args.seed)

edge_index, features, labels, train_mask, val_mask, test_mask = load_data()
edge_index = add_self_loops(edge_index, features.shape[0])
edge_weight = gcn_norm(edge_index, features.shape[0])

model = GNN(nfeat=features.shape[1], nhid=args.hidden, nclass=labels.max().item() + 1, dropout=args.dropout)
optimizer = optim.Adam(
    [
        {"params": [p for n, p in model.named_parameters() if "gc2" not in n], "weight_decay": args.weight_decay},
        {"params": model.gc2.parameters(), "weight_decay": 0.0},
    ],
    lr=args.lr,
)

if args.cuda:
    model.cuda()
    features = features.cuda()
    edge_index, edge_weight = edge_index.cuda(), edge_weight.cuda()
    labels = labels.cuda()
    train_mask, val_mask, test_mask = train_mask.cuda(), val_mask.cuda(), test_mask.cuda()


def train(epoch):
    t = time.time()
    model.train()
    optimizer.zero_grad()
    output = model(features, edge_index, edge_weight)
    loss_train = F.nll_loss(output[train_mask], labels[train_mask])
    acc_train = accuracy(output[train_mask], labels[train_mask])
    loss_train.backward()
    optimizer.step()

    if not args.fastmode:
        # Evaluate validation set performance separately, deactivates dropout during validation run.
        model.eval()
        output = model(features, edge_index, edge_weight)

    loss_val = F.nll_loss(output[val_mask], labels[val_mask])
    acc_val = accuracy(output[val_mask], labels[val_mask])
    if epoch % 20 == 0:
        print('Epoch: {:04d}'.format(epoch + 1),
              'loss_train: {:.4f}'.format(loss_train.item()),
              'acc_train: {:.4f}'.format(acc_train.item()),
              'loss_val: {:.4f}'.format(loss_val.item()),
              'acc_val: {:.4f}'.format(acc_val.item()),
              'time: {:.4f}s'.format(time.time() - t))


def test():
    model.eval()
    with torch.no_grad():
        output = model(features, edge_index, edge_weight)
    loss_test = F.nll_loss(output[test_mask], labels[test_mask])
    acc_test = accuracy(output[test_mask], labels[test_mask])
    print("Test set results:", "loss= {:.4f}".format(loss_test.item()), "accuracy= {:.4f}".format(acc_test.item()))


t_total = time.time()
for epoch in range(args.epochs):
    train(epoch)
print("Optimization Finished!")
print("Total time elapsed: {:.4f}s".format(time.time() - t_total))

# Testing
test()
