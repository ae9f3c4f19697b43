import random
from types import SimpleNamespace

import numpy as np
import torch
from model import TiSASRec
from utils import Relation, computeRePos, evaluate

from probe import fill, keep, say


def main():
    r = np.random.RandomState(0)
    random.seed(0)
    np.random.seed(0)
    args = SimpleNamespace(device="cpu", hidden_units=8, maxlen=6, time_span=16, dropout_rate=0.0, num_blocks=2, num_heads=2, l2_emb=5e-4)
    items, users = 25, 5
    train = {u: [[int(i), int(t)] for i, t in zip(r.randint(1, items + 1, 8), np.sort(r.randint(0, 40, 8)))] for u in range(1, users + 1)}
    relations = Relation(train, users, args.maxlen, args.time_span)
    say("relation", np.asarray(relations[1]).sum(), computeRePos(np.arange(4), 2).sum())
    model = TiSASRec(users, items, items, args)
    for name, param in model.named_parameters():
        try:
            torch.nn.init.xavier_uniform_(param.data)
        except ValueError:
            pass
    fill(model)
    criterion = torch.nn.BCEWithLogitsLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2, betas=(0.9, 0.98))
    model.train()
    for step in range(4):
        r = np.random.RandomState(step)
        seq = r.randint(0, items + 1, (3, args.maxlen))
        seq[:, 0] = 0
        pos, neg = r.randint(1, items + 1, seq.shape) * (seq > 0), r.randint(1, items + 1, seq.shape) * (seq > 0)
        times = np.array([computeRePos(np.sort(r.randint(0, 30, args.maxlen)), args.time_span) for _ in range(3)])
        high, low = model(np.arange(3), seq, times, pos, neg)
        optimizer.zero_grad()
        seen = np.where(pos != 0)
        loss = criterion(high[seen], torch.ones(high.shape)[seen]) + criterion(low[seen], torch.zeros(low.shape)[seen])
        for table in (model.item_emb, model.abs_pos_K_emb, model.time_matrix_V_emb):
            for param in table.parameters():
                loss += args.l2_emb * torch.norm(param)
        loss.backward()
        optimizer.step()
        say(f"step {step}", loss.item())
    keep("tisasrec", model)
    model.eval()
    held = {u: [[int(r.randint(1, items + 1)), 45]] for u in train}
    say("evaluated", *evaluate(model, [train, held, held, users, items, 40], args))
    say("predicted", *(-model.predict(np.array([1]), seq[:1], times[:1], list(range(1, 6))))[0])


main()
