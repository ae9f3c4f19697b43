import torch
from models.with_mobilenet import PoseEstimationWithMobileNet
from modules.get_parameters import get_parameters_bn, get_parameters_conv, get_parameters_conv_depthwise
from modules.keypoints import extract_keypoints, group_keypoints
from modules.load_state import load_state
from modules.loss import l2_loss

from probe import array, fill, keep, say


def main():
    net = PoseEstimationWithMobileNet(1, num_channels=16, num_heatmaps=19, num_pafs=38)
    fill(net)
    lr = 4e-4
    groups = [{"params": get_parameters_conv(net.model, "weight")}, {"params": get_parameters_conv_depthwise(net.model, "weight"), "weight_decay": 0}]
    groups += [{"params": get_parameters_bn(net.model, k), "weight_decay": 0, "lr": lr * m} for k, m in (("weight", 1), ("bias", 2))]
    for part in (net.cpm, net.initial_stage, net.refinement_stages):
        groups += [{"params": get_parameters_conv(part, "weight"), "lr": lr}, {"params": get_parameters_conv(part, "bias"), "lr": lr * 2, "weight_decay": 0}]
    optimizer = torch.optim.Adam(groups, lr=lr, weight_decay=5e-4)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2], gamma=0.333)
    net.train()
    for step in range(3):
        outputs = net(array(step, 2, 3, 64, 64))
        targets = [(array(step + 5, 2, 19, 8, 8), array(step + 6, 2, 19, 8, 8).abs()), (array(step + 7, 2, 38, 8, 8), array(step + 8, 2, 38, 8, 8).abs())]
        losses = [l2_loss(out, *targets[k % 2], 2) for k, out in enumerate(outputs)]
        loss = sum(losses[1:], losses[0]) / 2
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        say(f"step {step}", loss.item(), *[v.item() for v in losses], optimizer.param_groups[0]["lr"])
    keep("pose", net)
    again = PoseEstimationWithMobileNet(1, num_channels=16)
    load_state(again, {"state_dict": net.state_dict()})
    again.eval()
    with torch.no_grad():
        heat, fields = again(array(9, 1, 3, 64, 64))[-2:]
    heat, fields = heat.squeeze().permute(1, 2, 0).numpy(), fields.squeeze().permute(1, 2, 0).numpy()
    kinds, total = [], 0
    for k in range(18):
        total += extract_keypoints(heat[:, :, k].copy(), kinds, total)
    poses, points = group_keypoints(kinds, fields)
    say("poses", heat.mean(), fields.mean(), len(poses), len(points), total)


main()
