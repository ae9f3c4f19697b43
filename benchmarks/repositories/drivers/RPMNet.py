import argparse
import numpy as np
import torch
from common.math_torch import se3
from models.rpmnet import get_model
from probe import array, attempt, fill, keep, say


def data(i):
    points = array(i, 2, 40, 6)
    points = torch.cat([points[..., :3] * 0.3, points[..., 3:] / points[..., 3:].norm(dim=-1, keepdim=True)], dim=-1)
    angle = torch.tensor(0.3)
    rotation = torch.stack([torch.stack([angle.cos(), -angle.sin(), angle * 0]), torch.stack([angle.sin(), angle.cos(), angle * 0]), torch.tensor([0.0, 0.0, 1.0])])
    transform = torch.cat([rotation, torch.tensor([[0.1], [-0.2], [0.05]])], dim=1).unsqueeze(0).repeat(2, 1, 1)
    moved = torch.cat(se3.transform(transform, points[..., :3], points[..., 3:]), dim=-1)
    return {"points_src": points, "points_ref": moved[:, torch.from_numpy(np.random.RandomState(i).permutation(40))], "transform_gt": transform}


def main():
    args = argparse.Namespace(no_slack=False, num_sk_iter=5, features=["ppf", "dxyz", "xyz"], feat_dim=32, radius=0.3, num_neighbors=8)
    model = get_model(args)
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-4)
    for step in range(3):
        model.train()
        batch = data(step)
        optimizer.zero_grad()
        transforms, endpoints = model(batch, 2)
        truth = se3.transform(batch["transform_gt"], batch["points_src"][..., :3])
        total = 0
        for i in range(2):
            moved = se3.transform(transforms[i], batch["points_src"][..., :3])
            mae = torch.nn.L1Loss()(moved, truth)
            inliers = (1.0 - torch.sum(endpoints["perm_matrices"][i], dim=1)).mean() + (1.0 - torch.sum(endpoints["perm_matrices"][i], dim=2)).mean()
            total = total + (mae + 0.01 * inliers) * 0.5 ** (2 - i - 1)
        total.backward()
        optimizer.step()
        say("rpm %d" % step, total.item(), *endpoints["beta"].ravel(), *endpoints["alpha"].ravel())
    keep("rpmnet", model)
    model.eval()
    with torch.no_grad():
        transforms, _ = model(data(9), 3)
    inverse = se3.inverse(transforms[-1])
    say("eval", *transforms[-1][0].flatten(), *se3.concatenate(inverse, transforms[-1])[0].flatten())


main()
