import sys
import tempfile
import types
import numpy as np
import torch

apex, parallel = types.ModuleType("apex"), types.ModuleType("apex.parallel")
apex.amp, apex.parallel, parallel.DistributedDataParallel = None, parallel, None
sys.modules.update({"apex": apex, "apex.parallel": parallel})

import train as module
from probe import array, attempt, fill, keep, quiet, say, whole

module.utils.plot_spectrogram_to_numpy = module.utils.plot_alignment_to_numpy = lambda x: x


class Log:
    def info(self, text):
        if isinstance(text, list):
            say("logged", *text)


class Writer:
    def add_scalar(self, key, value, step):
        say(f"{step} {key}", value)

    def add_image(self, key, value, step, dataformats):
        say(f"{step} {key}", abs(value).sum())


class Batches(list):
    sampler = types.SimpleNamespace(set_epoch=lambda epoch: None)
    dataset = range(4)


def run(name, ddi, **options):
    torch.manual_seed(2)
    np.random.seed(2)
    hps = types.SimpleNamespace(train=types.SimpleNamespace(fp16_run=False, log_interval=1))
    net = module.models.FlowGenerator(n_vocab=11, hidden_channels=8, filter_channels=12, filter_channels_dp=8, out_channels=6, kernel_size=3, n_heads=2, n_layers_enc=2, n_blocks_dec=2, kernel_size_dec=5, n_block_layers=2, n_sqz=2, prenet=True, hidden_channels_dec=8, **options)
    fill(net, 3)
    quiet(net)
    for i, flow in enumerate(net.decoder.flows):
        if hasattr(flow, "weight"):
            q = np.linalg.qr(np.random.RandomState(i).randn(4, 4))[0]
            q[:, 0] *= np.sign(np.linalg.det(q))
            flow.weight.data.copy_(torch.from_numpy(q.astype("float32")))
        if getattr(flow, "set_ddi", False):
            flow.set_ddi(ddi)
    batches = Batches((whole(i, 11, 2, 5), torch.LongTensor([5, 4]), array(i + 5, 2, 6, 13), torch.LongTensor([13, 10])) for i in range(2))
    net = torch.nn.DataParallel(net)
    if ddi:
        net.train()
        with torch.no_grad():
            for x, x_lengths, y, y_lengths in batches:
                net(x, x_lengths, y, y_lengths, gen=False)
                break
    optimizer = module.commons.Adam(net.parameters(), scheduler="noam", dim_model=8, warmup_steps=4, lr=0.05, betas=(0.9, 0.98), eps=1e-5)
    for epoch in range(2):
        module.train(0, epoch, hps, net, optimizer, batches, Log(), Writer())
        module.evaluate(0, epoch, hps, net, optimizer, batches, Log(), Writer())
    keep(name, net)
    path = tempfile.mkdtemp() + "/G_1.pth"
    module.utils.save_checkpoint(net, optimizer, 0.05, 1, path)
    say(name + " saved", module.utils.load_checkpoint(path, net, optimizer)[2])
    net.module.store_inverse()
    (y, *_), *_ = net.module(*batches[0][:2], gen=True, noise_scale=0.3, length_scale=1.2)
    say(name + " spoken", y.size(2), y.abs().sum().item())


attempt("mean", lambda: run("mean", True, mean_only=True, window_size=4))
attempt("scale", lambda: run("scale", False, sigmoid_scale=True, block_length=3))
