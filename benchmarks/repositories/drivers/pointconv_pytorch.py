import torch
import torch.nn as nn
import torch.nn.functional as F
from utils.pointconv_util import PointConvDensitySetAbstraction, PointConvSetAbstraction, compute_density, knn_point

from probe import array, fill, fit, say, whole


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.sa1 = PointConvDensitySetAbstraction(npoint=12, nsample=6, in_channel=6, mlp=[8, 12], bandwidth=0.1, group_all=False)
        self.sa2 = PointConvSetAbstraction(npoint=6, nsample=4, in_channel=12 + 3, mlp=[12, 16], group_all=False)
        self.sa3 = PointConvDensitySetAbstraction(npoint=1, nsample=None, in_channel=16 + 3, mlp=[16, 24], bandwidth=0.4, group_all=True)
        self.head = nn.Linear(24, 5)

    def forward(self, xyz, feat):
        xyz, feat = self.sa1(xyz, feat)
        xyz, feat = self.sa2(xyz, feat)
        _, feat = self.sa3(xyz, feat)
        return F.log_softmax(self.head(feat.view(feat.size(0), -1)), -1)


def main():
    points = array(3, 2, 9, 3)
    say("density", *compute_density(points, 0.3)[0])
    say("neighbours", *knn_point(3, points, points[:, :4])[1].sort(-1)[0].flatten())
    net = Net()
    fill(net)
    optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.3)

    def loss_of(step):
        scheduler.step() if step else None
        return F.nll_loss(net(array(step, 3, 3, 24) * 0.3, array(step + 9, 3, 3, 24)), whole(step, 5, 3))

    fit("pointconv", net, loss_of, optimizer, 4)
    net.eval()
    with torch.no_grad():
        out = net(array(30, 2, 3, 24) * 0.3, array(31, 2, 3, 24))
    say("eval", *out.max(1)[1], out.sum(), optimizer.param_groups[0]["lr"])


main()
