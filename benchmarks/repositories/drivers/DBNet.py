import torch
from models.head import build_head
from models.losses import build_loss
from models.neck import build_neck
from models.backbone import build_backbone
from probe import array, attempt, fill, fit, keep, say, whole


class Net(torch.nn.Module):
    def __init__(self, backbone, neck):
        super().__init__()
        self.backbone = build_backbone(backbone, pretrained=False)
        self.neck = build_neck(neck, in_channels=self.backbone.out_channels, inner_channels=32)
        self.head = build_head("DBHead", in_channels=self.neck.out_channels, out_channels=2, k=50)

    def forward(self, x):
        y = self.head(self.neck(self.backbone(x)))
        return torch.nn.functional.interpolate(y, size=x.shape[2:], mode="bilinear", align_corners=True)


def batch(i):
    return {"shrink_map": (array(i, 2, 64, 64) > 0.7).float(), "shrink_mask": (array(i + 1, 2, 64, 64) > -1.5).float(), "threshold_map": torch.sigmoid(array(i + 2, 2, 64, 64)), "threshold_mask": (array(i + 3, 2, 64, 64) > 0).float()}


def run(backbone, neck):
    name = backbone + "-" + neck
    model = Net(backbone, neck)
    fill(model)
    criterion = build_loss({"type": "DBLoss", "alpha": 1, "beta": 10, "ohem_ratio": 3})
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3, amsgrad=True)
    for step in range(3):
        model.train()
        preds = model(array(step, 2, 3, 64, 64))
        losses = criterion(preds, batch(step * 10))
        optimizer.zero_grad()
        losses["loss"].backward()
        optimizer.step()
        say("%s %d" % (name, step), *[losses[k].item() for k in sorted(losses)])
    keep(name, model)
    model.eval()
    with torch.no_grad():
        out = model(array(9, 1, 3, 64, 64))
    say(name + " eval", out.mean(), out.std())


def main():
    for backbone, neck in [("resnet18", "FPN"), ("MobileNetV3", "FPN"), ("shufflenet_v2_x1_0", "FPN")]:
        attempt(backbone, lambda: run(backbone, neck))


main()
