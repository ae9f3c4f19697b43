import types
import torch
from torch.utils.data import DataLoader, SubsetRandomSampler, TensorDataset
import trainer as training
from probe import array, fill, keep, say, whole


class InOrder(SubsetRandomSampler):
    """No draws."""

    def __iter__(self):
        return iter(self.indices)


config = types.SimpleNamespace(use_gpu=False, patch_size=6, glimpse_scale=2, num_patches=2, loc_hidden=8, glimpse_hidden=10, num_glimpses=3, hidden_size=18, std=0.1, M=2, is_train=True, epochs=2, momentum=0.5, init_lr=1e-3, best=True, ckpt_dir="./", logs_dir="./", lr_patience=0, train_patience=5, use_tensorboard=False, resume=False, print_freq=1, plot_freq=1)
data = TensorDataset(array(0, 12, 1, 20, 20), whole(0, 10, 12))
loaders = DataLoader(data, batch_size=4, sampler=InOrder(list(range(8)))), DataLoader(data, batch_size=4, sampler=InOrder(list(range(8, 12))))
trainer = training.Trainer(config, loaders)
fill(trainer.model)
for epoch in range(2):
    loss, acc = trainer.train_one_epoch(epoch)
    say("train %d" % epoch, loss, acc)
    valid_loss, valid_acc = trainer.validate(epoch)
    trainer.scheduler.step(-valid_acc)
    say("valid %d" % epoch, valid_loss, valid_acc, trainer.optimizer.param_groups[0]["lr"])
trainer.save_checkpoint({"epoch": 1, "model_state": trainer.model.state_dict(), "optim_state": trainer.optimizer.state_dict(), "best_valid_acc": 10.0}, True)
trainer.load_checkpoint(best=True)
say("again", *trainer.train_one_epoch(2))
keep("ram", trainer.model)
