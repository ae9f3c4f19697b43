import torch
from src.helper_functions.helper_functions import AverageMeter, CutoutPIL, ModelEma, add_weight_decay, mAP
from src.loss_functions.losses import ASLSingleLabel, AsymmetricLoss, AsymmetricLossOptimized
from probe import array, attempt, fill, keep, say, whole


class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Conv2d(3, 6, 3), torch.nn.BatchNorm2d(6), torch.nn.ReLU(inplace=True), torch.nn.AdaptiveAvgPool2d(1), torch.nn.Flatten())
        self.head = torch.nn.Linear(6, 5)

    def forward(self, x):
        return self.head(self.body(x))


def run(name, criterion, single=False):
    model = Net()
    fill(model)
    ema = ModelEma(model, 0.9)
    parameters = add_weight_decay(model, 1e-4)
    optimizer = torch.optim.Adam(params=parameters, lr=0.01, weight_decay=0)
    scheduler = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.01, steps_per_epoch=4, epochs=1, pct_start=0.2)
    for step in range(4):
        target = whole(step, 5, 6) if single else (array(step + 20, 6, 5) > 0.5).float()
        output = model(array(step, 6, 3, 8, 8)).float()
        loss = criterion(output, target)
        model.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        ema.update(model)
        say("%s %d" % (name, step), loss.item(), *scheduler.get_last_lr())
    model.eval()
    with torch.no_grad():
        scores = torch.sigmoid(ema.module(array(9, 20, 3, 8, 8)))
        if not single:
            say(name + " map", mAP((array(8, 20, 5) > 0.3).float().numpy(), scores.numpy()))
    keep(name, model)
    keep(name + "-ema", ema.module)


attempt("plain", lambda: run("plain", AsymmetricLoss()))
attempt("graph", lambda: run("graph", AsymmetricLoss(gamma_neg=2, gamma_pos=0, clip=0, disable_torch_grad_focal_loss=False)))
attempt("optimized", lambda: run("optimized", AsymmetricLossOptimized(gamma_neg=4, gamma_pos=0, clip=0.05, disable_torch_grad_focal_loss=True)))
attempt("optimized2", lambda: run("optimized2", AsymmetricLossOptimized(gamma_neg=4, gamma_pos=1, clip=0, disable_torch_grad_focal_loss=True)))
attempt("single", lambda: run("single", ASLSingleLabel(), True))
