import os
import sys
import types
import numpy as np
import torch

for name in ("librosa", "pyworld"):
    sys.modules[name] = types.ModuleType(name)

import solver as module
from probe import array, attempt, fill, keep, say, whole


class Batches(torch.utils.data.Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        label = int(whole(i, 3, 1)[0])
        return array(i, 36, 256).numpy(), label, np.eye(3, dtype="float32")[label]


class Logger:
    def scalar_summary(self, tag, value, step):
        say(f"{tag} {step}", value)


def run(resume):
    os.makedirs("made", exist_ok=True)
    np.random.seed(3)
    config = types.SimpleNamespace(sampling_rate=16000, num_speakers=3, lambda_cls=10, lambda_rec=10, lambda_gp=10, batch_size=2, num_iters=4 if resume else 3, num_iters_decay=2, g_lr=1e-4, d_lr=1e-4, n_critic=2, beta1=0.5, beta2=0.999, resume_iters=resume, test_iters=2, use_tensorboard=False, log_dir="made", sample_dir="made", model_save_dir="made", log_step=1, sample_step=100, model_save_step=2, lr_update_step=1)
    loader = torch.utils.data.DataLoader(Batches(), batch_size=2, shuffle=False)
    made = module.Solver(loader, types.SimpleNamespace(get_batch_test_data=lambda batch_size: []), config)
    fill(made.G, 1)
    fill(made.D, 2)
    made.use_tensorboard, made.logger = True, Logger()
    made.train()
    say("rates", made.g_optimizer.param_groups[0]["lr"], made.d_optimizer.param_groups[0]["lr"])
    say("denormed", made.denorm(array(4, 3, 3)).sum(), *made.label2onehot(whole(2, 3, 4), 3).sum(0))
    made.G.eval()
    with torch.no_grad():
        say("converted", made.G(array(9, 1, 1, 36, 64), torch.FloatTensor(np.eye(3)[:1])).abs().mean())
    for key in ("G", "D"):
        keep(f"{key}-{resume}", getattr(made, key))


attempt("train", lambda: run(None))
attempt("resumed", lambda: run(2))
