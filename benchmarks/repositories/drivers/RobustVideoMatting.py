import torch
from model import MattingNetwork
from train_loss import matting_loss, segmentation_loss
from probe import array, attempt, fill, keep, say


def run(variant, refiner):
    name = variant + "-" + refiner
    model = MattingNetwork(variant, refiner)
    fill(model)
    optimizer = torch.optim.Adam([{"params": model.backbone.parameters(), "lr": 1e-4}, {"params": model.aspp.parameters(), "lr": 2e-4}, {"params": model.decoder.parameters(), "lr": 2e-4}, {"params": model.project_mat.parameters(), "lr": 2e-4}, {"params": model.refiner.parameters(), "lr": 2e-4}] if refiner == "deep_guided_filter" else model.parameters(), lr=1e-4)
    for step in range(2):
        model.train()
        src, fgr, pha = (torch.sigmoid(array(step + i, 1, 4, c, 64, 64)) for i, c in enumerate((3, 3, 1)))
        out = model(src, downsample_ratio=0.5 if step else 1)
        losses = matting_loss(out[0], out[1], fgr, pha)
        optimizer.zero_grad()
        losses["total"].backward()
        optimizer.step()
        say("%s %d" % (name, step), *[losses[k].item() for k in sorted(losses)])
    seg = model(torch.sigmoid(array(5, 1, 2, 3, 64, 64)), segmentation_pass=True)[0]
    loss = segmentation_loss(seg, (array(6, 1, 2, 1, 64, 64) > 0).float())
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    say(name + " segmentation", loss.item())
    keep(name, model)
    model.eval()
    rec = [None] * 4
    with torch.no_grad():
        for i in range(3):
            fgr, pha, *rec = model(torch.sigmoid(array(i, 1, 3, 64, 64)), *rec, downsample_ratio=0.5)
            say("%s frame %d" % (name, i), fgr.mean(), pha.mean())


attempt("mobile", lambda: run("mobilenetv3", "deep_guided_filter"))
attempt("fast", lambda: run("mobilenetv3", "fast_guided_filter"))
