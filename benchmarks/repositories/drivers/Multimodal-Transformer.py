import types
import torch
from torch import nn
from src import ctc, models
from probe import array, attempt, fill, keep, say


def run(name, l, a, v):
    args = types.SimpleNamespace(orig_d_l=7, orig_d_a=5, orig_d_v=6, vonly=v, aonly=a, lonly=l, num_heads=5, layers=2, attn_dropout=0.0, attn_dropout_a=0.0, attn_dropout_v=0.0, relu_dropout=0.0, res_dropout=0.0, out_dropout=0.0, embed_dropout=0.0, attn_mask=True, output_dim=1, model="MULT")
    model = getattr(models, args.model + "Model")(args)
    fill(model)
    optimizer = getattr(torch.optim, "Adam")(model.parameters(), lr=1e-3)
    criterion = getattr(nn, "L1Loss")()
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", patience=0, factor=0.1)
    for step in range(3):
        model.train()
        model.zero_grad()
        text, audio, vision, wanted = array(step, 4, 6, 7), array(step + 10, 4, 8, 5), array(step + 20, 4, 9, 6), array(step + 30, 4, 1)
        total = 0
        for i in range(2):
            preds, hiddens = model(text.chunk(2, dim=0)[i], audio.chunk(2, dim=0)[i], vision.chunk(2, dim=0)[i])
            part = criterion(preds, wanted.chunk(2, dim=0)[i]) / 2
            total += part
            part.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 0.8)
        optimizer.step()
        scheduler.step(total.item())
        say("%s %d" % (name, step), total.item(), hiddens.abs().sum().item(), optimizer.param_groups[0]["lr"])
    keep(name, model)


def aligned():
    net = ctc.CTCModule(5, 4)
    fill(net)
    optimizer = torch.optim.Adam(net.parameters(), 1e-2)
    lost = nn.CTCLoss()
    for step in range(3):
        optimizer.zero_grad()
        x, position = net(array(step, 3, 9, 5))
        labels = torch.tensor([i + 1 for i in range(4)] * 3).int()
        loss = lost(position.transpose(0, 1).log_softmax(2), labels, torch.tensor([9] * 3).int(), torch.tensor([4] * 3).int()) + x.pow(2).mean()
        loss.backward()
        optimizer.step()
        say("ctc %d" % step, loss.item())
    keep("ctc", net)


attempt("all", lambda: run("all", True, True, True))
attempt("vision", lambda: run("vision", False, False, True))
attempt("ctc", aligned)
