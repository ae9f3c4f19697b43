import numpy as np
import torch
from svoice.models.sisnr_loss import cal_loss
from svoice.models.swave import MulCatBlock, SWave
from svoice.utils import capture_init, overlap_and_add, deserialize_model, serialize_model
from probe import array, attempt, fill, fit, keep, say


def separation(name, normalize, segment):
    model = SWave(N=6, L=4, H=5, R=2, C=2, sr=40, segment=segment, input_normalize=normalize)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.999))
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.9)
    sources = array(0, 3, 2, 60)
    mixture, lengths = sources.sum(1), torch.tensor([60, 52, 40])
    for step in range(3):
        model.train()
        estimate = model(mixture)
        loss, cnt = 0, len(estimate)
        with torch.autograd.set_detect_anomaly(False):
            for c_idx in range(cnt):
                est_src = estimate[c_idx]
                coeff = (c_idx + 1) * (1 / cnt)
                sisnr_loss, snr, est_src, reorder_est_src = cal_loss(sources, est_src, lengths)
                loss = loss + coeff * sisnr_loss
            loss = loss / len(estimate)
        optimizer.zero_grad()
        loss.backward()
        grad_norm = torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimizer.step()
        scheduler.step()
        say("%s %d" % (name, step), loss.item(), grad_norm.item(), snr.mean().item(), reorder_est_src.abs().sum().item())
    keep(name, model)
    model.eval()
    with torch.no_grad():
        out = model(mixture)[-1]
        loss, snr, est, reordered = cal_loss(sources, out, lengths)
        say(name + " evaluated", loss.item(), *snr.flatten(), est.abs().sum().item(), reordered[0].abs().sum().item())
    package = serialize_model(model)
    again = deserialize_model(package)
    again.eval()
    with torch.no_grad():
        say(name + " again", again(mixture)[-1].abs().sum().item(), *model._init_args_kwargs[1].values())


def block():
    model = MulCatBlock(5, 4, bidirectional=True)
    fill(model)
    x = array(3, 2, 7, 5)
    fit("block", model, lambda step: (model(x) ** 2).mean(), torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9), 3)
    say("overlap", *overlap_and_add(array(4, 1, 3, 4), 2).flatten())


attempt("plain", lambda: separation("plain", False, 1))
attempt("normed", lambda: separation("normed", True, 2))
attempt("block", block)
