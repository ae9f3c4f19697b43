"""Tables of a model's layers, printed for people: left out, and told (docs/decisions/013)."""

from mindport.declare import difference, equivalent

UNUSED = "nothing is printed"


@equivalent(
    "torchsummary.summary", "torchsummary.torchsummary.summary", drops={"model": UNUSED, "input_size": UNUSED, "batch_size": UNUSED, "device": UNUSED},
    differs=[difference("the table is not printed, and the forward pass of random numbers that torchsummary makes for it is left out: it draws no numbers, and in training mode the running statistics stay as they are. print(model) names the layers, sum(p.numel() for p in model.parameters()) counts the parameters", risk="silent", zh="不打印表格，也不做 torchsummary 的随机前向计算：不抽取随机数，训练模式下滑动统计量不变。print(model) 列出各层，sum(p.numel() for p in model.parameters()) 统计参数")],
)  # fmt: skip
def summary(model, input_size, batch_size=-1, device="cuda"):
    """None, as torchsummary's function gives."""
    return None
