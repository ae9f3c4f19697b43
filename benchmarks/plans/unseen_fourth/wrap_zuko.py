import torch.nn as nn
import zuko.flows


class LogProb(nn.Module):
    def __init__(self, flow):
        super().__init__()
        self.flow = flow

    def forward(self, x):
        return self.flow().log_prob(x)


def make(name, *arguments, **options):
    return LogProb(getattr(zuko.flows, name)(*arguments, **options))
