import torch
import torch.nn as nn
from backbone.mobilefacenet import MobileFaceNet
from lossfunctions.agentcenterloss import AgentCenterLoss
from lossfunctions.centerloss import CenterLoss
from margin.ArcMarginProduct import ArcMarginProduct
from margin.CosineMarginProduct import CosineMarginProduct
from margin.InnerProduct import InnerProduct
from margin.MultiMarginProduct import MultiMarginProduct

from probe import array, fill, keep, say, whole


def run(kind, center):
    net, margin = MobileFaceNet(feature_dim=16), kind(16, 5)
    fill(net)
    fill(margin, 1)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD([{"params": net.parameters(), "weight_decay": 5e-4}, {"params": margin.parameters(), "weight_decay": 5e-4}], lr=1e-3, momentum=0.9, nesterov=True)
    scheduler = torch.optim.lr_scheduler.MultiStepLR(optimizer, milestones=[2], gamma=0.1)
    if center is not None:
        fill(center, 2)
        center_optimizer = torch.optim.SGD(center.parameters(), lr=0.5)
    for step in range(3):
        net.train()
        image, label = array(step, 4, 3, 112, 112), whole(step, 5, 4)
        optimizer.zero_grad()
        feature = net(image)
        output = margin(feature, label)
        loss = criterion(output, label)
        if center is not None:
            center_optimizer.zero_grad()
            loss = loss + 0.01 * center(feature, label)
        loss.backward()
        optimizer.step()
        if center is not None:
            for param in center.parameters():
                param.grad.data *= 1.0 / 0.01
            center_optimizer.step()
        scheduler.step()
        _, predicted = torch.max(output.data, 1)
        say(f"{kind.__name__} {step}", loss.item(), (predicted == label.data).sum(), optimizer.param_groups[0]["lr"])
    keep(kind.__name__, margin)
    net.eval()
    with torch.no_grad():
        say(f"{kind.__name__} feature", *net(array(9, 1, 3, 112, 112))[0, :4])


run(ArcMarginProduct, None)
run(CosineMarginProduct, CenterLoss(5, 16))
run(MultiMarginProduct, AgentCenterLoss(5, 16, 1.0))
run(InnerProduct, None)
