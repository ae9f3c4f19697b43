import copy
import types
import torch
from model.ema import EMA
from model.model import BiDAF
from probe import array, fill, keep, quiet, say, whole


def batch(i):
    out = types.SimpleNamespace()
    out.c_char, out.q_char = whole(i, 20, 2, 9, 6), whole(i + 1, 20, 2, 5, 6)
    out.c_word = (whole(i + 2, 30, 2, 9), torch.tensor([9, 7]))
    out.q_word = (whole(i + 3, 30, 2, 5), torch.tensor([4, 5]))
    out.s_idx, out.e_idx = whole(i + 4, 4, 2), whole(i + 5, 4, 2) + 3
    return out


def main():
    args = types.SimpleNamespace(char_vocab_size=20, char_dim=4, char_channel_size=8, char_channel_width=3, word_dim=8, hidden_size=8, dropout=0.0)
    model = BiDAF(args, array(0, 30, 8))
    fill(model)
    quiet(model)
    ema = EMA(0.9)
    for name, param in model.named_parameters():
        if param.requires_grad:
            ema.register(name, param.data)
    optimizer = torch.optim.Adadelta(filter(lambda p: p.requires_grad, model.parameters()), lr=0.5)
    criterion = torch.nn.CrossEntropyLoss()
    model.train()
    for step in range(3):
        b = batch(step * 10)
        p1, p2 = model(b)
        optimizer.zero_grad()
        loss = criterion(p1, b.s_idx) + criterion(p2, b.e_idx)
        loss.backward()
        optimizer.step()
        for name, param in model.named_parameters():
            if param.requires_grad:
                ema.update(name, param.data)
        say("bidaf %d" % step, loss.item())
    keep("bidaf", model)
    best = copy.deepcopy(model)
    model.eval()
    backup = EMA(0)
    for name, param in model.named_parameters():
        if param.requires_grad:
            backup.register(name, param.data)
            param.data.copy_(ema.get(name))
    with torch.set_grad_enabled(False):
        p1, p2 = model(batch(77))
        joint = torch.nn.LogSoftmax(dim=1)(p1).unsqueeze(2) + torch.nn.LogSoftmax(dim=1)(p2).unsqueeze(1)
        mask = (torch.ones(9, 9) * float("-inf")).tril(-1).unsqueeze(0).expand(2, -1, -1)
        score, s = (joint + mask).max(dim=1)
        score, e = score.max(dim=1)
        say("averaged", *score, *torch.gather(s, 1, e.view(-1, 1)).squeeze().float(), *e.float())
    for name, param in model.named_parameters():
        if param.requires_grad:
            param.data.copy_(backup.get(name))
    keep("restored", model)
    best.eval()
    say("best", best(batch(77))[0].sum())


main()
