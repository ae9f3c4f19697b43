import torch
import torch.nn.functional as F
import torch.optim as optim
from torch.optim import lr_scheduler
from pytorch_i3d import InceptionI3d, InceptionModule, MaxPool3dSamePadding, Unit3D
from probe import array, attempt, fill, keep, quiet, say, whole


class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Unit3D(3, 6, [3, 3, 3], (2, 2, 2), (1, 1, 1), name="stem")
        self.pool = MaxPool3dSamePadding(kernel_size=[1, 3, 3], stride=(1, 2, 2), padding=0)
        self.mixed = InceptionModule(6, [2, 3, 4, 2, 3, 2], "mixed")
        self.head = Unit3D(11, 5, activation_fn=None, use_batch_norm=False, use_bias=True, name="head")

    def forward(self, x):
        return self.head(self.mixed(self.pool(self.stem(x)))).mean(3).mean(3)


def train(name, model, inputs, labels, steps):
    optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=0.0000001)
    lr_sched = lr_scheduler.MultiStepLR(optimizer, [1, 3])
    steps_per_update, tot = 2, 0.0
    optimizer.zero_grad()
    for step in range(steps):
        model.train(True)
        per_frame_logits = model(inputs)
        per_frame_logits = F.interpolate(per_frame_logits, inputs.size(2), mode="linear")
        loc_loss = F.binary_cross_entropy_with_logits(per_frame_logits, labels)
        cls_loss = F.binary_cross_entropy_with_logits(torch.max(per_frame_logits, dim=2)[0], torch.max(labels, dim=2)[0])
        loss = (0.5 * loc_loss + 0.5 * cls_loss) / steps_per_update
        tot += loss.item()
        loss.backward()
        say("%s %d" % (name, step), loc_loss.item(), cls_loss.item(), tot)
        if (step + 1) % steps_per_update == 0:
            optimizer.step()
            optimizer.zero_grad()
            lr_sched.step()
    keep(name, model)


def small():
    model = Small()
    fill(model)
    train("small", model, array(0, 2, 3, 5, 13, 13), whole(1, 2, 2, 5, 5).float(), 4)


def whole_net():
    model = InceptionI3d(400, in_channels=2)
    model.replace_logits(5)
    fill(model)
    quiet(model)
    model.eval()
    with torch.no_grad():
        x = array(0, 1, 2, 9, 193, 193)
        for end_point in model.VALID_ENDPOINTS[:5]:
            x = model._modules[end_point](x)
            say("at " + end_point, x.mean().item(), x.std().item(), *x.shape)
        say("names", len(model.end_points), sum(p.numel() for p in model.parameters()))


attempt("small", small)
attempt("whole", whole_net)
