import types
import torch
from model import Complex, ConvE, DistMult
from probe import attempt, fill, keep, say, whole

args = types.SimpleNamespace(embedding_dim=20, input_drop=0.0, hidden_drop=0.0, feat_drop=0.0, embedding_shape1=5, use_bias=True, hidden_size=8 * 2 * 32)


def run(name, cls):
    model = cls(args, 12, 5)
    model.init()
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.003, weight_decay=1e-4)
    for step in range(4):
        model.train()
        optimizer.zero_grad()
        e1, rel, e2 = whole(step, 12, 6, 1), whole(step + 9, 5, 6, 1), (whole(step + 20, 4, 6, 12) == 0).float()
        e2 = (1.0 - 0.1) * e2 + 1.0 / e2.size(1)
        pred = model.forward(e1, rel)
        loss = model.loss(pred, e2.clamp(max=1.0))
        loss.backward()
        optimizer.step()
        say("%s %d" % (name, step), loss.item())
    model.eval()
    with torch.no_grad():
        pred = model.forward(whole(40, 12, 3, 1), whole(41, 5, 3, 1)).data
        for i in range(3):
            kept = pred[i][2].item()
            pred[i][[1, 4, 7]] = 0.0
            pred[i][2] = kept
        ordered, order = torch.sort(pred, 1, descending=True)
        ranks = [int((order.cpu().numpy()[i] == 2).nonzero()[0][0]) for i in range(3)]
    say(name + " ranks", *ranks, ordered.sum().item())
    keep(name, model)


attempt("conve", lambda: run("conve", ConvE))
attempt("distmult", lambda: run("distmult", DistMult))
attempt("complex", lambda: run("complex", Complex))
