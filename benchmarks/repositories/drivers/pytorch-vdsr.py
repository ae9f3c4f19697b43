from types import SimpleNamespace
import torch
import torch.nn as nn
import torch.optim as optim
import main_vdsr
from main_vdsr import save_checkpoint, train
from probe import array, fill, keep, say
from torch.utils.data import DataLoader, TensorDataset
from vdsr import Net

main_vdsr.opt = SimpleNamespace(lr=0.01, step=1, cuda=False, clip=0.4)
model = Net()
fill(model)
criterion = nn.MSELoss(size_average=False)
optimizer = optim.SGD(model.parameters(), lr=0.01, momentum=0.9, weight_decay=1e-4)
data = TensorDataset(torch.sigmoid(array(0, 6, 1, 12, 12)), torch.sigmoid(array(1, 6, 1, 12, 12)))
for epoch in range(1, 3):
    train(DataLoader(data, batch_size=2), optimizer, model, criterion, epoch)
    save_checkpoint(model, epoch)
    with torch.no_grad():
        say("epoch %d" % epoch, criterion(model(data.tensors[0]), data.tensors[1]).item(), optimizer.param_groups[0]["lr"])
keep("vdsr", model)
checkpoint = torch.load("checkpoint/model_epoch_2.pth", weights_only=False)
other = Net()
other.load_state_dict(checkpoint["model"].state_dict())
with torch.no_grad():
    say("loaded", checkpoint["epoch"], other(data.tensors[0]).sum().item())
