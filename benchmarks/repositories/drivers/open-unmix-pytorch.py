import copy
import numpy as np
import torch
from openunmix import filtering, model, transforms, utils
from probe import array, attempt, fill, keep, say


def no_dropout(net):
    for m in net.modules():
        if isinstance(m, torch.nn.LSTM):
            m.dropout = 0.0


def training(name, unidirectional):
    stft, _ = transforms.make_filterbanks(n_fft=32, n_hop=8, sample_rate=100.0)
    encoder = torch.nn.Sequential(stft, model.ComplexNorm(mono=False))
    rng = np.random.RandomState(0)
    unmix = model.OpenUnmix(nb_bins=17, nb_channels=2, hidden_size=8, nb_layers=2, unidirectional=unidirectional, input_mean=rng.randn(17) * 0.1, input_scale=1 + rng.rand(17), max_bin=14)
    fill(unmix)
    no_dropout(unmix)
    optimizer = torch.optim.Adam(unmix.parameters(), lr=1e-3, weight_decay=1e-5)
    scheduler = torch.optim.lr_scheduler.ReduceLROnPlateau(optimizer, factor=0.3, patience=0, cooldown=1)
    stopping = utils.EarlyStopping(patience=1)
    losses = utils.AverageMeter()
    for step in range(3):
        unmix.train()
        x, y = array(step, 3, 2, 100), array(step + 9, 3, 2, 100)
        optimizer.zero_grad()
        X = encoder(x)
        Y_hat = unmix(X)
        Y = encoder(y)
        loss = torch.nn.functional.mse_loss(Y_hat, Y)
        loss.backward()
        optimizer.step()
        losses.update(loss.item(), Y.size(1))
        unmix.eval()
        with torch.no_grad():
            valid = torch.nn.functional.mse_loss(unmix(encoder(x)), Y).item()
        scheduler.step(valid + step)
        say("%s %d" % (name, step), losses.avg, valid, stopping.step(valid + step), optimizer.param_groups[0]["lr"])
    keep(name, unmix)
    return unmix


def separation(name, niter, softmask, residual):
    targets = {}
    for i, key in enumerate(("vocals", "drums")):
        targets[key] = model.OpenUnmix(nb_bins=17, nb_channels=2, hidden_size=8, nb_layers=1)
        fill(targets[key], i)
    separator = model.Separator(targets, niter=niter, softmask=softmask, residual=residual, sample_rate=100.0, n_fft=32, n_hop=8, nb_channels=2, wiener_win_len=6)
    separator.freeze()
    audio = array(1, 1, 2, 120)
    with torch.no_grad():
        estimates = separator(audio)
        named = separator.to_dict(estimates, aggregate_dict={"all": ["vocals", "drums"]})
    say(name, *estimates.shape, *estimates.abs().sum(dim=(0, 2, 3)).tolist(), named["all"].abs().sum().item())


def wiener():
    y, x = torch.rand(1).fill_(0).item() + array(3, 5, 6, 2, 2).abs(), array(4, 5, 6, 2, 2)
    y.requires_grad_()
    out = filtering.wiener(y, x, iterations=1, residual=False)
    out.abs().sum().backward()
    say("wiener", out.abs().sum().item(), y.grad.abs().sum().item())
    say("atan", *filtering.atan2(array(1, 6), array(2, 6)).tolist())


attempt("two", lambda: training("two", False))
attempt("one", lambda: training("one", True))
attempt("plain", lambda: separation("plain", 0, False, False))
attempt("soft", lambda: separation("soft", 0, True, True))
attempt("em", lambda: separation("em", 1, False, True))
attempt("wiener", wiener)
