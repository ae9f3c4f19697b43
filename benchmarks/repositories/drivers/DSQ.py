import torch
import torch.nn as nn
from DSQConv import DSQConv

from probe import array, fill, fit, say, whole


class Net(nn.Module):
    def __init__(self, bits):
        super().__init__()
        self.first = nn.Conv2d(3, 6, 3, padding=1)
        self.bn = nn.BatchNorm2d(6)
        self.second = DSQConv(6, 8, 3, padding=1, num_bit=bits, bias=True)
        self.third = DSQConv(8, 8, 3, stride=2, padding=1, num_bit=bits, QInput=False, bias=False)
        self.head = nn.Linear(8, 5)

    def forward(self, x):
        x = torch.relu(self.bn(self.first(x)))
        x = torch.relu(self.third(torch.relu(self.second(x))))
        return self.head(x.mean((2, 3)))


def main():
    for bits in (8, 4):
        net = Net(bits)
        fill(net)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
        criterion = nn.CrossEntropyLoss()
        fit(f"dsq{bits}", net, lambda step: criterion(net(array(step, 4, 3, 8, 8)), whole(step, 5, 4)), optimizer, 3)
        net.eval()
        with torch.no_grad():
            say(f"{bits} eval", *net(array(9, 1, 3, 8, 8))[0], net.second.alphaW, net.second.running_uw[0])


main()
