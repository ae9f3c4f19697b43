import torch


class Stepper:
    def __init__(self, optimizer, scaler=None, clip=None):
        self.optimizer, self.scaler, self.clip = optimizer, scaler, clip
        self.steps = 0

    def apply(self, loss, parameters):
        self.optimizer.zero_grad()
        loss.backward()
        if self.clip:
            torch.nn.utils.clip_grad_norm_(parameters, self.clip)
        self.optimizer.step()
        self.steps += 1
