import torch
import torch.nn as nn
import net
import opt
from loss import InpaintingLoss
from net import PConvUNet
from util.io import load_ckpt, save_ckpt

from probe import array, fill, keep, say


class Features(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.third = nn.Conv2d(3, 6, 3, padding=1), nn.Conv2d(6, 8, 3, 2, 1), nn.Conv2d(8, 8, 3, 2, 1)
        for p in self.parameters():
            p.requires_grad = False

    def forward(self, image):
        a = torch.relu(self.first(image))
        b = torch.relu(self.second(a))
        return [a, b, torch.relu(self.third(b))]


def run(finetune):
    model = PConvUNet(layer_size=5)
    model.freeze_enc_bn = finetune
    extractor = Features()
    fill(model)
    fill(extractor, 1)
    for m in model.modules():
        if isinstance(m, net.PartialConv):
            nn.init.constant_(m.mask_conv.weight, 1.0)
    optimizer = torch.optim.Adam(filter(lambda p: p.requires_grad, model.parameters()), lr=1e-4)
    criterion = InpaintingLoss(extractor)
    for i in range(3):
        model.train()
        gt = array(i, 2, 3, 32, 32)
        mask = (array(i + 50, 2, 1, 32, 32) > -0.3).float().repeat(1, 3, 1, 1)
        mask[:, :, 8:16, 4:20] = 0
        output, _ = model(gt * mask, mask)
        parts = criterion(gt * mask, mask, output, gt)
        loss = 0.0
        for name, weight in opt.LAMBDA_DICT.items():
            loss += weight * parts[name]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        say(f"finetune {finetune} {i}", loss.item(), *[parts[k].item() for k in sorted(parts)])
    save_ckpt("model.pth", [("model", model)], [("optimizer", optimizer)], 3)
    again = PConvUNet(layer_size=5)
    say("start", load_ckpt("model.pth", [("model", again)], []))
    keep(f"pconv{finetune:d}", again)
    again.eval()
    with torch.no_grad():
        output, mask = again(gt * mask, mask)
    say("eval", output.mean(), mask.sum())


run(False)
run(True)
