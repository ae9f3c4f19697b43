import numpy as np
import torch
from siamfc.losses import FocalLoss, GHMCLoss, OHNMLoss
from siamfc.siamfc import TrackerSiamFC

from probe import array, fill, keep, say


def main():
    tracker = TrackerSiamFC(instance_sz=191, batch_size=2, initial_lr=0.01, out_scale=0.01)
    fill(tracker.net)
    for step in range(3):
        say(f"step {step}", tracker.train_step((array(step, 2, 3, 127, 127), array(step + 9, 2, 3, 191, 191))))
    for criterion in (FocalLoss(), GHMCLoss(), OHNMLoss()):
        tracker.criterion = criterion
        say(type(criterion).__name__, tracker.train_step((array(3, 2, 3, 127, 127), array(4, 2, 3, 191, 191))))
    tracker.lr_scheduler.step()
    say("lr", tracker.optimizer.param_groups[0]["lr"])
    keep("siamfc", tracker.net)
    pictures = np.random.RandomState(5).randint(0, 255, (3, 90, 110, 3)).astype(np.uint8)
    tracker.init(pictures[0], np.array([40.0, 30.0, 20.0, 24.0]))
    with torch.no_grad():
        say("kernel", tracker.kernel.mean(), tracker.kernel.std())
    for picture in pictures[1:]:
        say("box", *tracker.update(picture))


main()
