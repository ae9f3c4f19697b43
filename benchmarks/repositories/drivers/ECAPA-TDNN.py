import torch
import torch.nn as nn
from model import Bottle2neck, SEModule, PreEmphasis, FbankAug
from loss import AAMsoftmax
from probe import array, attempt, fill, keep, say, whole


class Net(nn.Module):
    """A small network of the project's blocks."""

    def __init__(self, width):
        super().__init__()
        self.emphasis = PreEmphasis()
        self.first = nn.Conv1d(1, width, 5, stride=4, padding=2)
        self.blocks = nn.Sequential(Bottle2neck(width, width, kernel_size=3, dilation=2, scale=4), Bottle2neck(width, width, kernel_size=3, dilation=3, scale=4), SEModule(width))
        self.out = nn.Linear(2 * width, 192)

    def forward(self, wave):
        with torch.no_grad():
            wave = self.emphasis(wave)
            wave = wave - wave.mean(-1, keepdim=True)
        h = self.blocks(self.first(wave if wave.dim() == 3 else wave.unsqueeze(1)))
        return self.out(torch.cat((h.mean(2), h.var(2).clamp(min=1e-4).sqrt()), 1))


def main():
    both = nn.ModuleDict({"net": Net(16), "loss": AAMsoftmax(n_class=5, m=0.2, s=30)})
    fill(both)
    optimizer = torch.optim.Adam(both.parameters(), lr=1e-3, weight_decay=2e-5)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=1, gamma=0.97)
    for step in range(5):
        both.train()
        scheduler.step(step)
        both.zero_grad()
        loss, precision = both["loss"].forward(both["net"].forward(array(step, 6, 400)), whole(step, 5, 6))
        loss.backward()
        optimizer.step()
        say("loss %d" % step, loss.detach().cpu().numpy(), optimizer.param_groups[0]["lr"], precision)
    keep("ecapa", both)
    attempt("augment", augment)


def augment():
    masked = FbankAug((2, 3), (2, 3))(torch.ones(2, 8, 12))
    say("augment", tuple(masked.shape)[2], (masked == 0).sum() > 0)


main()
