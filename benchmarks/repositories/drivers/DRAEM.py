import torch
from loss import SSIM, FocalLoss
from model_unet import DiscriminativeSubNetwork, ReconstructiveSubNetwork
from train_DRAEM import get_lr, weights_init

from probe import array, fill, keep, say


def main():
    model, segment = ReconstructiveSubNetwork(in_channels=3, out_channels=3, base_width=4), DiscriminativeSubNetwork(in_channels=6, out_channels=2, base_channels=4)
    for k, part in enumerate((model, segment)):
        part.apply(weights_init)
        fill(part, k)
    optimizer = torch.optim.Adam([{"params": model.parameters(), "lr": 1e-3}, {"params": segment.parameters(), "lr": 1e-3}])
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, [1.6, 2], gamma=0.2, last_epoch=-1)
    l2, ssim, focal = torch.nn.modules.loss.MSELoss(), SSIM(), FocalLoss()
    for step in range(4):
        clean = torch.sigmoid(array(step, 2, 3, 32, 32))
        mask = (array(step + 30, 2, 1, 32, 32) > 1).float()
        damaged = clean * (1 - mask) + torch.sigmoid(array(step + 60, 2, 3, 32, 32)) * mask
        restored = model(damaged)
        soft = torch.softmax(segment(torch.cat((restored, damaged), dim=1)), dim=1)
        parts = l2(restored, clean), ssim(restored, clean), focal(soft, mask)
        loss = parts[0] + parts[1] + parts[2]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        say(f"step {step}", loss.item(), *[p.item() for p in parts], get_lr(optimizer))
    keep("reconstructive", model)
    keep("discriminative", segment)
    model.eval()
    segment.eval()
    with torch.no_grad():
        restored = model(damaged)
        soft = torch.softmax(segment(torch.cat((restored.detach(), damaged), dim=1)), dim=1)
        score = torch.nn.functional.avg_pool2d(soft[:, 1:], 21, stride=1, padding=10).cpu().detach().numpy()
    say("score", score.max(), score.mean())


main()
