import types
import numpy as np
import torch
from exp import exp_main_F as module
from probe import array, attempt, keep, say


def fill(model, seed):
    rng = np.random.RandomState(seed)
    for name, p in model.named_parameters():
        a = rng.randn(*p.shape) * 0.2
        if torch.is_complex(p):
            a = (a + 1j * rng.randn(*p.shape) * 0.2).astype("complex64")
        p.data.copy_(torch.from_numpy(np.asarray(a, dtype="complex64" if torch.is_complex(p) else "float32")))


def batches(seed, count):
    made = [(array(seed + i, 3, 24, 2).cumsum(1), array(seed + 20 + i, 3, 12, 2).cumsum(1), array(seed + 40 + i, 3, 24, 4), array(seed + 60 + i, 3, 12, 4)) for i in range(count)]
    return made, made


class Experiment(module.Exp_Main):
    def _select_optimizer(self):
        return torch.optim.SGD(self.model.parameters(), lr=self.args.learning_rate)

    def _get_data(self, flag):
        return batches({"train": 1, "val": 200, "test": 300}[flag], {"train": 3}.get(flag, 2))


def run(name, individual=False):
    module.profile = lambda model, inputs: (len(inputs), 0)
    args = types.SimpleNamespace(model=name, use_gpu=False, use_multi_gpu=False, seq_len=24, label_len=0, pred_len=12, enc_in=2, individual=individual, cut_freq=6, learning_rate=0.01, batch_size=3, checkpoints="kept", patience=3, train_epochs=2, in_dataset_augmentation=False, features="M", output_attention=False, lradj="type1")
    run = Experiment(args)
    fill(run.model, 3)
    key = f"{name} {individual}"
    model = run.train(key.replace(" ", "_"))
    for i, batch in enumerate(batches(300, 2)[0]):
        found = model(batch[0])
        say(f"{key} forecast {i}", found[0].abs().mean().item())
    say(f"{key} val", run.vali(None, batches(200, 2)[1], torch.nn.MSELoss()))
    for part, p in model.named_parameters():
        say(f"{key} {part}", np.abs(p.detach().numpy()).sum())


attempt("real", lambda: run("Real_FITS"))
attempt("complex", lambda: run("FITS"))
attempt("each", lambda: run("FITS", True))
