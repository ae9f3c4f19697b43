import numpy as np
import torch
import archs
import losses
import train
from probe import array, fill, keep, say


def main():
    config = {'deep_supervision': True}
    data = [(array(i, 2, 3, 32, 32), (array(i + 50, 2, 1, 32, 32) > 0).float(), {}) for i in range(3)]
    model = archs.__dict__['NestedUNet'](1, 3, True)
    fill(model)
    criterion = losses.__dict__['BCEDiceLoss']()
    params = filter(lambda p: p.requires_grad, model.parameters())
    optimizer = torch.optim.SGD(params, lr=1e-3, momentum=0.9, nesterov=False, weight_decay=1e-4)
    scheduler = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, T_max=2, eta_min=1e-5)
    for epoch in range(2):
        log = train.train(config, data, model, criterion, optimizer)
        val = train.validate(config, data, model, criterion)
        scheduler.step()
        say("epoch %d" % epoch, log['loss'], log['iou'], val['loss'], val['iou'])
    keep("unetpp", model)


main()
