"""`set_train` that asks each child's own `set_train`, as torch's `train` does.

https://docs.pytorch.org/docs/2.13/generated/torch.nn.Module.html#torch.nn.Module.train; MindSpore's sets a flag of all that is
inside, so that a child's own `set_train` (batch normalisation that stays frozen) is never called.
"""

from mindspore import nn


def ask_children():
    """Has `set_train` of every cell go child by child."""

    def set_train(self, mode=True):
        self._phase = "train" if mode else "predict"
        self.add_flags(training=mode)
        for child in self.cells():
            child.set_train(mode)
        return self

    nn.Cell.set_train = set_train
    return True


CHILDREN_ASKED = ask_children()
