import numpy as np
import torch
import main
from probe import attempt, fill, keep, say

say("script", main.model.test_loss().item())
keep("script", main.model)


def run(name, **changed):
    model = main.Burgers_DNN(width=6, blocks=2, data=main.Burgers_data, **changed)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    model.train(optimizer=optimizer, epochs=4, beta=2, loss_term="mix", show_interval=2, sample_num_int=9, sample_num_partial=3)
    say(name, model.test_loss().item(), *(p.abs().sum().item() for p in model.parameters()))
    keep(name, model)


attempt("free", lambda: run("free"))
attempt("fixed", lambda: run("fixed", bc="fix"))
