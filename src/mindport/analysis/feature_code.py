"""Code for the features that a project has a reason for, written with the project's own names, numbers and places."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from mindport.analysis.recipe.following import Follower
from mindport.analysis.subject import Subject
from mindport.analysis.training_places import Accumulation, Training
from mindport.inference.facts import Use
from mindport.source.file import SourceFile

Places = Sequence[tuple[SourceFile, Use]]
#: Keywords that torchvision's and MindSpore's policies share.
_POLICY = ("num_ops", "magnitude", "num_magnitude_bins")
_POLICIES = {"RandAugment": ("num_ops", "magnitude"), "TrivialAugmentWide": ("num_magnitude_bins",), "AutoAugment": ()}


class FeatureCode:
    """Writes code for one project."""

    def __init__(self, subject: Subject, trainings: Sequence[Training], follower: Follower) -> None:
        self.subject, self.trainings, self.follower = subject, trainings, follower

    def _near(self, places: Places) -> Training | None:
        """The training in the file of the reason; else the first."""
        files = [file for file, _ in places]
        return next((t for t in self.trainings if t.file in files), self.trainings[0] if self.trainings else None)

    def _after(self, training: Training | None) -> str:
        if training is None:
            return "# net: your network\n"
        place = training.made or training.call
        return f"# {training.file.relative}:{place.lineno}, after: {training.file.line(place.lineno).strip()[:90]}\n"

    def compiled(self) -> str:
        """J1: the network compiled where the project has made it."""
        training = next((t for t in self.trainings if t.network), None)
        if training is None:
            return ""
        return f"{self._after(training)}compiled = ms.jit({training.network}, fullgraph=True)  # call this; parameters and checkpoints stay with {training.network}"

    def mixed_precision(self, places: Places) -> str:
        """J4: level and loss scale as the project's own scaler has them."""
        training = self._near(places)
        net = training.network if training is not None and training.network else "net"
        half = [(f, u) for f, u in places if isinstance(u.node, ast.Call) and any("bfloat16" in ast.unparse(k.value) for k in u.node.keywords)]
        dtype = ", dtype=ms.bfloat16" if half else ""
        code = f"{self._after(training)}{net} = ms.amp.auto_mixed_precision({net}, 'O1'{dtype})"
        for file, use in places:
            if isinstance(use.node, ast.Call) and use.kind == "call" and use.name.endswith("GradScaler"):
                given = {k.arg: self.follower.follow(file, k.value) for k in use.node.keywords if k.arg}
                scale, factor, window = (
                    given[name].text if name in given and given[name].known else default
                    for name, default in (("init_scale", "65536.0"), ("growth_factor", "2.0"), ("growth_interval", "2000"))
                )
                code += f"\n# {file.relative}:{use.node.lineno}: {file.line(use.node.lineno).strip()[:90]}"
                code += f"\nscaler = ms.amp.DynamicLossScaler(scale_value={scale}, scale_factor={_whole(factor)}, scale_window={window})"
                break
        return code

    def augmentation(self, places: Places) -> str:
        """J5: the policies that the project uses, with its numbers."""
        made: list[str] = []
        for file, use in places:
            short = use.name.rpartition(".")[2]
            if short not in _POLICIES or not isinstance(use.node, ast.Call):
                continue
            given = [(name, a) for name, a in zip(_POLICIES[short], use.node.args, strict=False)]
            given += [(k.arg, k.value) for k in use.node.keywords if k.arg in _POLICY]
            followed = [(name, self.follower.follow(file, node)) for name, node in given]
            made.append(f"vision.{short}({', '.join(f'{name}={value.text}' for name, value in followed if value.known)})  # {file.relative}:{use.node.lineno}")
        if not made:
            return ""
        return "from mindspore.dataset import vision\ntransform = [\n    vision.Decode(to_pil=True),\n" + "".join(f"    {line.replace('  #', ',  #')}\n" for line in dict.fromkeys(made)) + "    vision.ToTensor(),\n]"

    def accumulation(self, found: Accumulation) -> str:
        """J6: the same steps with gradients as values."""
        optimizer = found.optimizer
        training = next((t for t in self.trainings if t.file is found.file), self.trainings[0] if self.trainings else None)
        net = training.network if training is not None and training.network else "net"
        number = self.follower.follow(found.file, ast.parse(found.every, mode="eval").body) if found.every.isidentifier() else None
        told = f"  # {number.text}" if number is not None and number.known else ""
        return (
            f"# {found.file.relative}:{getattr(found.place, 'lineno', 1)}: one update by {optimizer} for {found.every} backward passes\n"
            f"gradients_of = ms.value_and_grad(forward, None, {optimizer}.parameters)  # forward(batch) gives the loss of {net}\n"
            f"every = {found.every}{told}\n"
            f"loss, gradients = gradients_of(batch)\n"
            f"total = gradients if total is None else tuple(a + b for a, b in zip(total, gradients))\n"
            f"if ({found.counter or 'step'} + 1) % every == 0:\n"
            f"    {optimizer}(total)  # divide by every where the original divides the loss\n"
            f"    total = None"
        )

    def summary(self, places: Places) -> str:
        """J7: the project's own writer and its first scalar, with a number instead of a tensor."""
        maker = next(((f, u.node) for f, u in places if isinstance(u.node, ast.Call) and u.name.endswith("SummaryWriter")), None)
        if maker is None:
            return ""
        file, call = maker
        code = f"from tensorboardX import SummaryWriter  # needs no framework\n# {file.relative}:{call.lineno}\nwriter = {ast.unparse(call)}"
        for where in [file, *(f for f in self.subject.files if f is not file)]:
            for node in ast.walk(where.tree):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "add_scalar" and len(node.args) >= 2:
                    value = ast.unparse(node.args[1])
                    value = value if value.endswith((".item()", ".avg")) or value.startswith("float(") else f"float({value})"
                    rest = "".join(f", {ast.unparse(a)}" for a in node.args[2:]) + "".join(f", {ast.unparse(k)}" for k in node.keywords)
                    return f"{code}\n# {where.relative}:{node.lineno}\n{ast.unparse(node.func)}({ast.unparse(node.args[0])}, {value}{rest})"
        return code

    def parallel(self, places: Places) -> str:
        """J10: the project's network and optimizer, each process with its share of the data."""
        training = self._near(places)
        optimizer = training.optimizer if training is not None and training.optimizer else "optimizer"
        script = training.file.relative if training is not None else "train.py"
        return (
            f"# msrun --worker_num=8 --local_worker_num=8 {script}\n"
            "from mindspore.communication import get_group_size, get_rank, init\ninit()\n"
            "ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)\n"
            f"reduce_gradients = ms.nn.DistributedGradReducer({optimizer}.parameters, mean=True, degree=get_group_size())\n"
            f"{optimizer}(reduce_gradients(gradients))  # each process: num_shards=get_group_size(), shard_id=get_rank()"
        )


def _whole(text: str) -> str:
    return text.removesuffix(".0")
