import os
import tempfile
import numpy as np
import torch
import torch.distributions as dist
from torch.utils.data import DataLoader, Dataset
from im2mesh.checkpoints import CheckpointIO
from im2mesh.common import chamfer_distance, compute_iou, make_3d_grid
from im2mesh.encoder.pointnet import ResnetPointnet, SimplePointnet
from im2mesh.encoder.voxels import VoxelEncoder
from im2mesh.onet.models import OccupancyNetwork, decoder_dict, encoder_latent_dict
from im2mesh.onet.training import Trainer
from probe import array, attempt, fill, keep, say

folder = tempfile.mkdtemp()


class Points(Dataset):
    def __len__(self):
        return 6

    def __getitem__(self, i):
        rng = np.random.RandomState(i)
        p, q = rng.uniform(-0.5, 0.5, (30, 3)).astype("float32"), rng.uniform(-0.5, 0.5, (20, 3)).astype("float32")
        return {"points": p, "points.occ": ((p**2).sum(1) < 0.15).astype("float32"), "inputs": rng.randn(15, 3).astype("float32") * 0.3, "points_iou": q, "points_iou.occ": ((q**2).sum(1) < 0.15).astype("float32")}


def run(name, decoder, z_dim, encoder):
    p0_z = dist.Normal(torch.zeros(z_dim), torch.ones(z_dim))
    latent = encoder_latent_dict["simple"](z_dim=z_dim, c_dim=6) if z_dim else None
    model = OccupancyNetwork(decoder_dict[decoder](dim=3, z_dim=z_dim, c_dim=6, hidden_size=8), encoder, latent, p0_z, device=torch.device("cpu"))
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    trainer = Trainer(model, optimizer, device=torch.device("cpu"), input_type="pointcloud", threshold=0.4)
    loader = DataLoader(Points(), batch_size=3)
    checkpoint = CheckpointIO(os.path.join(folder, name), model=model, optimizer=optimizer)
    it, best = -1, np.inf
    for epoch in range(2):
        for batch in loader:
            it += 1
            loss = trainer.train_step(batch)
            say("%s %d" % (name, it), loss)
        found = trainer.evaluate(loader)
        say("%s eval %d" % (name, epoch), *[found[k] for k in sorted(found)])
        if found["loss"] < best:
            best = found["loss"]
            checkpoint.save("best.pt", epoch_it=epoch, it=it, loss_val_best=best)
    scalars = checkpoint.load("best.pt")
    say(name + " loaded", scalars["it"], scalars["loss_val_best"])
    say(name + " more", trainer.train_step(next(iter(loader))))
    keep(name, model)


def common():
    grid = make_3d_grid((-0.5,) * 3, (0.5,) * 3, (2, 3, 4))
    say("grid", grid.shape[0], grid.abs().sum().item(), *grid[5].tolist())
    a, b = array(0, 2, 7, 3), array(1, 2, 9, 3)
    say("chamfer", *chamfer_distance(a, b, use_kdtree=False).tolist())
    say("iou", *compute_iou(np.random.RandomState(0).rand(3, 8) > 0.5, np.random.RandomState(1).rand(3, 8) > 0.5))


attempt("simple", lambda: run("simple", "simple", 0, SimplePointnet(6, 3, 8)))
attempt("cond", lambda: run("cond", "cbatchnorm", 4, ResnetPointnet(6, 3, 8)))
attempt("cond2", lambda: run("cond2", "cbatchnorm2", 0, ResnetPointnet(6, 3, 8)))
attempt("norm", lambda: run("norm", "batchnorm", 3, SimplePointnet(6, 3, 8)))
attempt("common", common)
