import copy
import numpy as np
import torch
from models import ESPCN
from PIL import Image
from probe import attempt, fill, keep, say
from torch.utils.data import DataLoader, Dataset
from utils import AverageMeter, calc_psnr, convert_ycbcr_to_rgb, preprocess


class Patches(Dataset):
    def __init__(self, scale):
        rng = np.random.RandomState(scale)
        self.lr = rng.uniform(0, 255, size=(8, 9, 9)).astype(np.float32)
        self.hr = np.kron(self.lr, np.ones((scale, scale), dtype=np.float32))

    def __len__(self):
        return len(self.lr)

    def __getitem__(self, idx):
        return np.expand_dims(self.lr[idx] / 255.0, 0), np.expand_dims(self.hr[idx] / 255.0, 0)


def run(name, scale):
    device = torch.device("cpu")
    model = ESPCN(scale_factor=scale).to(device)
    fill(model)
    criterion = torch.nn.MSELoss()
    optimizer = torch.optim.Adam([{"params": model.first_part.parameters()}, {"params": model.last_part.parameters(), "lr": 1e-4}], lr=1e-3)
    best_weights, best_psnr = copy.deepcopy(model.state_dict()), 0.0
    for epoch in range(3):
        for group in optimizer.param_groups:
            group["lr"] = 1e-3 * (0.1 ** (epoch // int(3 * 0.8)))
        model.train()
        losses, psnr = AverageMeter(), AverageMeter()
        for inputs, labels in DataLoader(Patches(scale), batch_size=4):
            inputs, labels = inputs.to(device), labels.to(device)
            loss = criterion(model(inputs), labels)
            losses.update(loss.item(), len(inputs))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        model.eval()
        for inputs, labels in DataLoader(Patches(scale), batch_size=1):
            with torch.no_grad():
                preds = model(inputs).clamp(0.0, 1.0)
            psnr.update(calc_psnr(preds, labels), len(inputs))
        if psnr.avg > best_psnr:
            best_psnr, best_weights = psnr.avg, copy.deepcopy(model.state_dict())
        say("%s %d" % (name, epoch), losses.avg, psnr.avg, best_psnr)
    torch.save(best_weights, name + ".pth")
    keep(name, model)
    other = ESPCN(scale_factor=scale)
    state = other.state_dict()
    for n, p in torch.load(name + ".pth", map_location=lambda storage, loc: storage).items():
        if n in state.keys():
            state[n].copy_(p)
    other.eval()
    picture = Image.fromarray(np.random.RandomState(3).randint(0, 255, size=(12, 15, 3)).astype(np.uint8))
    lr, _ = preprocess(picture, device)
    _, ycbcr = preprocess(picture.resize((15 * scale, 12 * scale), resample=Image.BICUBIC), device)
    with torch.no_grad():
        preds = other(lr).clamp(0.0, 1.0)
    preds = preds.mul(255.0).cpu().numpy().squeeze(0).squeeze(0)
    output = np.array([preds, ycbcr[..., 1], ycbcr[..., 2]]).transpose([1, 2, 0])
    say(name + " picture", np.clip(convert_ycbcr_to_rgb(output), 0.0, 255.0).mean())


attempt("three", lambda: run("three", 3))
attempt("two", lambda: run("two", 2))
