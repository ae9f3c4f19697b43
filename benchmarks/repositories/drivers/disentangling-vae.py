import os
import torch
from disvae.models.losses import get_loss_f
from disvae.models.vae import init_specific_model
from disvae.training import Trainer
from probe import array, attempt, fill, keep, say, whole
from torch.utils.data import DataLoader, TensorDataset

options = dict(rec_dist="bernoulli", reg_anneal=100, betaH_B=4, betaB_initC=0, betaB_finC=25, betaB_G=10, factor_G=6, latent_dim=4, lr_disc=5e-4, btcvae_A=1, btcvae_B=6, btcvae_G=1, device=torch.device("cpu"), n_data=16)


def run(name, size=32, channels=1, **changes):
    model = init_specific_model("Burgess", (channels, size, size), 4)
    fill(model)
    loss = get_loss_f(name.split()[0], **{**options, **changes})
    if hasattr(loss, "discriminator"):
        fill(loss.discriminator, 1)
    loss.record_loss_every = 1
    os.makedirs("results", exist_ok=True)
    data = TensorDataset(torch.sigmoid(array(0, 16, channels, size, size)), whole(1, 2, 16))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4)
    trainer = Trainer(model, optimizer, loss, device=torch.device("cpu"), is_progress_bar=False)
    from collections import defaultdict
    for epoch in range(2):
        storer = defaultdict(list)
        say("%s %d" % (name, epoch), trainer._train_epoch(DataLoader(data, batch_size=8), storer, epoch))
        for key, values in storer.items():
            say("%s %d %s" % (name, epoch, key), *values)
    trainer(DataLoader(data, batch_size=8), epochs=1, checkpoint_every=1)
    keep(name.replace(" ", ""), model)


attempt("VAE", lambda: run("VAE"))
attempt("betaH", lambda: run("betaH", rec_dist="gaussian", channels=3))
attempt("betaB", lambda: run("betaB", size=64, rec_dist="laplace"))
attempt("factor", lambda: run("factor"))
attempt("btcvae", lambda: run("btcvae"))
