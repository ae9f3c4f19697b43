"""What becomes of a drawn call's result, and whether its gradients are taken. For call_forms_program.py."""

from __future__ import annotations

import random

USES = ("plain", "plain", "unpacked", "indexed", "field", "text", "chained", "arithmetic", "shape", "item", "list of two", "in place", "cat", "named")


def used(use: str, fields: list[str], count: int) -> list[str]:
    """What becomes of the result; `count` values in it where it is a tuple, whose names are `fields`."""
    if count:
        match use:
            case "unpacked":
                parts = [f"r{n}" for n in range(count)]
                return [f"{', '.join(parts)}{',' if count == 1 else ''} = result", f"outcome = [{', '.join(parts)}]"]
            case "indexed":
                return ["outcome = [result[0], result[-1]]"]
            case "field" | "named" if fields:
                return [f"outcome = [{', '.join(f'result.{f}' for f in fields)}]"]
            case "shape":
                return ["outcome = [[tuple(r.shape) for r in result], len(result)]"]
            case "list of two":
                return ["outcome = list(result)"]
            case "arithmetic":
                return ["outcome = [r + r for r in result]"]
        return ["outcome = [result]"]
    match use:
        case "text":
            return ['text = f"{float(result.double().sum()):.2e}"', "outcome = [result]"]
        case "chained":
            return ["outcome = [result.reshape(-1).abs().sum(), result.float().mean()]"]
        case "arithmetic":
            return ["outcome = [2 * result + 1, -result, result * result]"]
        case "shape":
            return ["outcome = [tuple(result.shape), result.dim(), result.numel(), result.dtype, result.size()]"]
        case "item":
            return ["outcome = [result, result.reshape(-1)[0].item()]"]
        case "list of two":
            return ["outcome = [torch.stack([result, result]), result.unsqueeze(0)]"]
        case "in place":
            return ["outcome = [result.clone().add_(1), result]"]
        case "cat":
            return ["outcome = [torch.cat([result, result], dim=-1)]"]
        case "indexed":
            return ["outcome = [result[0], result[..., -1]]"]
        case "named":
            return ["outcome = [(result > 0).sum(), result == result]"]
    return ["outcome = [result]"]


def graded(names: list[str], draw: random.Random) -> list[str]:
    parts = ["parts = result if isinstance(result, (tuple, list)) else [result]", "loss = sum((p * torch.arange(1.0, p.numel() + 1).reshape(p.shape)).sum() for p in parts if p.dtype.is_floating_point)"]
    if draw.random() < 0.7:
        return [*parts, "loss.backward()", f"outcome += [loss, {', '.join(f'{n}.grad' for n in names)}]"]
    return [*parts, f"grads = torch.autograd.grad(loss, [{', '.join(names)}])", "outcome += list(grads)"]
