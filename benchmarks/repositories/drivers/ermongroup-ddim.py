import sys
import tempfile
import types
import torch

sys.modules["lmdb"] = types.ModuleType("lmdb")

from runners import diffusion as module
from datasets import inverse_data_transform
from probe import array, attempt, fill, keep, say, whole

SN = types.SimpleNamespace
module.get_dataset = lambda args, config: ([(array(i, 3, 8, 8).sigmoid(), i) for i in range(6)], None)


class Board:
    def add_scalar(self, key, value, global_step):
        say(f"{key} {global_step}", value)


def run(name, var_type, sample_type, skip_type, optimizer="Adam", ema=True, with_conv=True):
    torch.manual_seed(1)
    config = SN(
        data=SN(dataset="made", image_size=8, channels=3, logit_transform=False, uniform_dequantization=False, gaussian_dequantization=False, rescaled=True, num_workers=0),
        model=SN(type="simple", in_channels=3, out_ch=3, ch=32, ch_mult=[1, 2], num_res_blocks=1, attn_resolutions=[4], dropout=0.0, var_type=var_type, ema_rate=0.9, ema=ema, resamp_with_conv=with_conv),
        diffusion=SN(beta_schedule="linear", beta_start=1e-4, beta_end=0.02, num_diffusion_timesteps=100),
        training=SN(batch_size=3, n_epochs=2, snapshot_freq=2), sampling=SN(batch_size=2),
        optim=SN(weight_decay=0.0, optimizer=optimizer, lr=2e-4, beta1=0.9, amsgrad=False, eps=1e-6, grad_clip=1.0), tb_logger=Board(), device=torch.device("cpu"))
    folder = tempfile.mkdtemp()
    args = SN(resume_training=False, log_path=folder, use_pretrained=False, fid=False, interpolation=False, sequence=True, sample_type=sample_type, skip_type=skip_type, timesteps=4, eta=0.0, skip=1)
    runner = module.Diffusion(args, config, device=torch.device("cpu"))
    runner.train()

    def sampled(model):
        keep(name, model)
        _, x = runner.sample_image(array(9, 2, 3, 8, 8), model, last=False)
        for i, y in enumerate(x):
            say(f"{name} sample {i}", inverse_data_transform(config, y).abs().sum())
    
    runner.sample_sequence = sampled
    runner.sample()
    args.resume_training, config.training.n_epochs = True, 3
    runner.train()


attempt("adam", lambda: run("adam", "fixedlarge", "generalized", "uniform"))
attempt("rms", lambda: run("rms", "fixedsmall", "generalized", "quad", "SGD", ema=True, with_conv=False))
