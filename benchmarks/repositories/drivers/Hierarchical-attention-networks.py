import numpy as np
import torch
import torch.nn as nn
from probe import fill, keep, say, whole
from src.hierarchical_att_model import HierAttNet

model = HierAttNet(4, 5, 3, 4, "none", 3, 6)
fill(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(filter(lambda p: p.requires_grad, model.parameters()), lr=0.1, momentum=0.9)
model.train()
for step in range(3):
    feature, label = whole(step, 31, 3, 3, 6), whole(step + 5, 4, 3)
    optimizer.zero_grad()
    model._init_hidden_state()
    predictions = model(feature)
    loss = criterion(predictions, label)
    loss.backward()
    optimizer.step()
    guesses = np.argmax(predictions.cpu().detach().numpy(), -1)
    say("loss %d" % step, loss, (guesses == label.cpu().numpy()).mean())
model.eval()
losses, labels, preds = [], [], []
for step in range(2):
    te_feature, te_label = whole(step + 20, 31, 2, 3, 6), whole(step + 25, 4, 2)
    num_sample = len(te_label)
    with torch.no_grad():
        model._init_hidden_state(num_sample)
        te_predictions = model(te_feature)
    losses.append(criterion(te_predictions, te_label) * num_sample)
    labels.extend(te_label.clone().cpu())
    preds.append(te_predictions.clone().cpu())
te_loss = sum(losses) / 4
te_pred = torch.cat(preds, 0)
te_label = np.array(labels)
say("test", te_loss, te_pred.numpy().sum(), te_label.sum())
keep("han", model)
torch.save(model, "whole_model_han")
again = torch.load("whole_model_han", weights_only=False)
again._init_hidden_state(2)
with torch.no_grad():
    say("again", again.eval()(te_feature).abs().sum())
