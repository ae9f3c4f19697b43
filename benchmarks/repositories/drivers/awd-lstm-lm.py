import types
import torch
import torch.nn as nn
from model import RNNModel
from splitcross import SplitCrossEntropyLoss
from utils import batchify, get_batch, repackage_hidden
from probe import attempt, fill, keep, say, whole


def run(name, kind, wdrop, splits, optimizer_name):
    args = types.SimpleNamespace(bptt=6, alpha=2, beta=1, cuda=False)
    words = batchify(whole(0, 30, 125), 4, args)
    model = RNNModel(kind, 30, 10, 12, 2, 0.0, 0.0, 0.0, 0.0, wdrop, True)
    criterion = SplitCrossEntropyLoss(10, splits=splits, verbose=False)
    fill(model)
    fill(criterion, 1)
    if wdrop:
        for rnn in model.rnns:
            rnn.dropout = 0.0
    params = list(model.parameters()) + list(criterion.parameters())
    optimizer = torch.optim.SGD(params, lr=1.0, weight_decay=1.2e-6) if optimizer_name == "sgd" else torch.optim.ASGD(params, lr=1.0, t0=0, lambd=0.0, weight_decay=1.2e-6)
    hidden = model.init_hidden(4)
    i = batch = 0
    while i < words.size(0) - 1 - 1:
        length = 5 + batch % 3
        rate = optimizer.param_groups[0]["lr"]
        optimizer.param_groups[0]["lr"] = rate * length / args.bptt
        model.train()
        data, targets = get_batch(words, i, args, seq_len=length)
        hidden = repackage_hidden(hidden)
        optimizer.zero_grad()
        output, hidden, hs, dropped = model(data, hidden, return_h=True)
        raw = criterion(model.decoder.weight, model.decoder.bias, output, targets)
        loss = raw + sum(args.alpha * h.pow(2).mean() for h in dropped[-1:])
        loss = loss + sum(args.beta * (h[1:] - h[:-1]).pow(2).mean() for h in hs[-1:])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(params, 0.25)
        optimizer.step()
        optimizer.param_groups[0]["lr"] = rate
        say("%s %d" % (name, batch), raw.item(), loss.item())
        batch += 1
        i += length
    if optimizer_name != "sgd":
        kept = {}
        for p in model.parameters():
            kept[p] = p.data.clone()
            if "ax" in optimizer.state[p]:
                p.data = optimizer.state[p]["ax"].clone()
        model.eval()
        say(name + " averaged", model(data, hidden)[0].abs().sum().item())
        for p in model.parameters():
            p.data = kept[p].clone()
    keep(name, model)


attempt("lstm", lambda: run("lstm", "LSTM", 0, [], "sgd"))
attempt("split", lambda: run("split", "GRU", 0, [10, 20], "sgd"))
attempt("wdrop", lambda: run("wdrop", "LSTM", 0.5, [], "asgd"))
