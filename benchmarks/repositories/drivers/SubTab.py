import types
import numpy as np
import torch
import src.model as module
from probe import array, attempt, fill, keep, say, whole

module.save_loss_plot = lambda losses, path: None
module.pd = types.SimpleNamespace(DataFrame=lambda d: types.SimpleNamespace(to_csv=lambda path: None), Series=lambda v: v)


class Bar:
    def __init__(self, items, total=None, leave=None):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def set_description(self, text):
        pass


module.tqdm = Bar
options = dict(device=torch.device("cpu"), seed=57, model_mode="ae", reconstruction=True, shallow_architecture=True, dims=[12, 6, 6], isBatchNorm=False, isDropout=False, normalize=True, p_norm=2, dropout_rate=0.2, learning_rate=0.001, epochs=2, batch_size=4, nth_epoch=1, validate=True, scheduler=True, n_subsets=4, overlap=0.75, aggregation="mean", add_noise=True, noise_type="swap_noise", masking_ratio=0.3, noise_level=0.1, n_classes=3, contrastive_loss=True, distance_loss=True, tau=0.1, cosine_similarity=False, reconstruct_subset=False, framework="SubTab", paths={"results": "made"})


def loader(seed):
    data = torch.utils.data.TensorDataset(array(seed, 8, 12).sigmoid(), whole(seed, 3, 8))
    return torch.utils.data.DataLoader(data, batch_size=4, shuffle=False)


def run(name, **changed):
    model = module.SubTab({**options, "dims": [12, 8, 6] if name == "cosine" else [12, 6, 6], **changed})
    fill(model.encoder)
    model.fit(types.SimpleNamespace(train_loader=loader(1), validation_loader=loader(2)))
    for key, values in model.loss.items():
        say(f"{name} {key}", *values)
    say(f"{name} rate", model.optimizer_ae.param_groups[0]["lr"])
    keep(name, model.encoder)
    if name == "plain":
        model.save_weights()
        model.load_models()
        say("loaded", *(part.abs().sum().item() for part in model.encoder(model.process_batch(np.ones((2, 5)), np.zeros((2, 5))))))


attempt("plain", lambda: run("plain"))
attempt("cosine", lambda: run("cosine", cosine_similarity=True, noise_type="gaussian_noise", shallow_architecture=False, isBatchNorm=True))
attempt("alone", lambda: run("alone", distance_loss=False, contrastive_loss=False, noise_type="zero_out"))
