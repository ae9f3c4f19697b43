import numpy as np
import torch
from types import SimpleNamespace
from models.Hengshuang.model import PointTransformerCls, PointTransformerSeg
from models.Menghao.model import PointTransformerCls as PCT
import provider
from probe import array, attempt, fill, keep, quiet, say, whole


def run(name, make, lr=1e-3):
    torch.manual_seed(0)
    model = make()
    fill(model)
    quiet(model)
    criterion = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=lr, betas=(0.9, 0.999), eps=1e-08, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.3)
    for step in range(3):
        model.train()
        cloud = array(step, 2, 64, 6).numpy()
        np.random.seed(step)
        cloud = provider.random_point_dropout(cloud)
        for change in (provider.random_scale_point_cloud, provider.shift_point_cloud):
            cloud[:, :, 0:3] = change(cloud[:, :, 0:3])
        labels = whole(step, 5, 2, 1)[:, 0]
        optimizer.zero_grad()
        scores = model(torch.Tensor(cloud))
        scores = scores.mean(1) if scores.dim() == 3 else scores
        loss = criterion(scores, labels.long())
        right = scores.data.max(1)[1].eq(labels.long().data).cpu().sum()
        loss.backward()
        optimizer.step()
        scheduler.step()
        say("%s %d" % (name, step), loss.item(), right.item())
    keep(name, model)


cfg = SimpleNamespace(num_point=64, num_class=5, input_dim=6, model=SimpleNamespace(nblocks=2, nneighbor=6, transformer_dim=16))
for name, make in [("heng", lambda: PointTransformerCls(cfg)), ("seg", lambda: PointTransformerSeg(cfg)), ("pct", lambda: PCT(SimpleNamespace(num_point=1024, num_class=5, input_dim=6)))]:
    attempt(name, lambda: run(name, make))
