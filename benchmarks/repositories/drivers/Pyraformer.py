import os
import tempfile
from types import SimpleNamespace
import numpy as np
import torch
import long_range_main as job
from probe import array, attempt, fill, keep, say, whole
from pyraformer import Pyraformer_LR, Pyraformer_SS
from utils.tools import AE_loss, SingleStepLoss


class Made(torch.utils.data.Dataset):
    def __init__(self, seed, n, opt):
        self.seed, self.n, self.opt = seed, n, opt

    def __len__(self):
        return self.n

    def __getitem__(self, i):
        rng = np.random.RandomState(self.seed + i)
        marks = 3 if self.opt.embed_type == "CustomEmbedding" else 4
        make = lambda length: rng.randn(length, self.opt.enc_in)
        mark = lambda length: np.concatenate([rng.rand(length, marks), np.full((length, 1), i % 3)], 1) if marks == 3 else rng.rand(length, marks)
        return make(16), make(8), mark(16), mark(8), np.array([[1.0]]), np.array([[2.0]])

    def inverse_transform(self, output, target, mean, std):
        return output * std + mean, target * std + mean


def run(name, **changes):
    opt = SimpleNamespace(**{**dict(model="Pyraformer", decoder="FC", input_size=16, predict_step=8, window_size=[2, 2, 2], inner_size=3, CSCM="Bottleneck_Construct", truncate=False, use_tvm=False, device=torch.device("cpu"), d_model=8, d_inner_hid=12, d_k=4, d_v=4, d_bottleneck=4, n_head=2, n_layer=2, dropout=0.0, enc_in=3, dec_in=3, covariate_size=3, seq_num=3, embed_type="DataEmbedding", hard_sample_mining=False, pretrain=False, inverse=False, epoch=3), **changes})
    train, test = Made(0, 8, opt), Made(50, 4, opt)
    loader = lambda data: torch.utils.data.DataLoader(data, batch_size=4, shuffle=False)
    job.tqdm = lambda batches, **options: batches
    job.prepare_dataloader = lambda args: (loader(train), train, loader(test), test)
    model = Pyraformer_LR.Model(opt)
    fill(model)
    optimizer = torch.optim.Adam(filter(lambda x: x.requires_grad, model.parameters()), 1e-3)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 1, gamma=0.5)
    path = os.path.join(tempfile.mkdtemp(), "best.pth")
    say(name + " best", *job.train(model, optimizer, scheduler, opt, path))
    say(name + " evaluated", *job.evaluate(model, opt, path))
    keep(name, model)


def single_step(name, **changes):
    opt = SimpleNamespace(**{**dict(model="Pyraformer", input_size=16, window_size=[2, 2, 2], inner_size=3, use_tvm=False, device=torch.device("cpu"), d_model=8, d_inner_hid=12, d_k=4, d_v=4, d_bottleneck=4, n_head=2, n_layer=2, dropout=0.0, covariate_size=3, num_seq=5, embed_type="DataEmbedding", CSCM="Bottleneck_Construct"), **changes})
    model = Pyraformer_SS.Model(opt)
    fill(model)
    x = torch.cat([array(1, 4, 16, 4), whole(2, 5, 4, 16, 1).float()], -1)
    criterion = SingleStepLoss(True)
    optimizer = torch.optim.Adam(model.parameters(), 1e-3)
    for step in range(3):
        optimizer.zero_grad()
        mu, sigma = model(x)
        labels = array(step + 3, *mu.shape).relu()
        losses, mse = criterion(mu, sigma, labels, topk=step)
        losses.mean().backward()
        optimizer.step()
        say(f"{name} {step}", losses.sum().item(), mse.sum().item(), AE_loss(mu, labels, True).sum().item(), mu.sum().item(), sigma.sum().item())
    keep(name, model)


attempt("FC", lambda: run("FC"))
attempt("attention", lambda: run("attention", decoder="attention", CSCM="Conv_Construct", pretrain=True, hard_sample_mining=True))
attempt("custom", lambda: run("custom", embed_type="CustomEmbedding", enc_in=1, CSCM="MaxPooling_Construct", decoder="attention", truncate=True, inverse=True))
attempt("average", lambda: run("average", CSCM="AvgPooling_Construct"))
attempt("single", lambda: single_step("single"))
