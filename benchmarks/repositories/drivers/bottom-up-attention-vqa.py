import types
import torch
from torch.utils.data import DataLoader, TensorDataset
import base_model
import train as training
from probe import array, attempt, fill, keep, quiet, say, whole

dataset = types.SimpleNamespace(dictionary=types.SimpleNamespace(ntoken=20), v_dim=10, num_ans_candidates=7)


def run(name, make):
    model = make(dataset, 8)
    fill(model)
    model.w_emb.emb.weight.data[20] = 0
    for p in model.parameters():  # the lengths of normalised weights are drawn, too
        if p.dim() == 0:
            p.data.fill_(1.5)
    quiet(model)
    answers = torch.sigmoid(array(3, 12, 7)) * (array(4, 12, 7) > 0).float()
    loader = DataLoader(TensorDataset(array(0, 12, 5, 10), array(1, 12, 5, 6), whole(2, 21, 12, 4), answers), batch_size=4)
    model.train()
    training.train(model, loader, loader, 2, "saved-" + name)
    score, bound = training.evaluate(model, loader)
    say(name, score, bound)
    say(name + " loaded", len(torch.load("saved-%s/model.pth" % name)))
    keep(name, model)


attempt("old", lambda: run("old", base_model.build_baseline0))
attempt("new", lambda: run("new", base_model.build_baseline0_newatt))
