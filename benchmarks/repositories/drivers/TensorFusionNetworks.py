import torch
import torch.nn as nn
import torch.optim as optim
from model import TFN
from probe import array, fill, keep, say

model = TFN((5, 6, 7), (3, 4, 5), 4, (0.0, 0.0, 0.0, 0.0), 8)
output_range = model.output_range.data.clone()
shift = model.output_shift.data.clone()
fill(model)
model.output_range.data.copy_(output_range)
model.output_shift.data.copy_(shift)
criterion = nn.L1Loss(reduction="sum")
optimizer = optim.Adam(list(model.parameters())[2:], lr=1e-3)
for step in range(4):
    model.train()
    model.zero_grad()
    output = model(array(step, 4, 5), array(step + 10, 4, 6), array(step + 20, 4, 3, 7))
    loss = criterion(output, array(step + 30, 4, 1))
    loss.backward()
    optimizer.step()
    say("step %d" % step, loss.item() / 4)
model.eval()
say("eval", model(array(50, 4, 5), array(51, 4, 6), array(52, 4, 3, 7)).abs().sum().item())
keep("tfn", model)
