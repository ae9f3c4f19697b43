"""Losses of distance between embeddings.

`size_average` and `reduce` (torch's old names of `reduction`) are refused.
"""

from mindspore import nn

from mindport.declare import Refused, difference, layer
from mindport.equivalents.losses import (
    cosine_embedding_loss,
    hinge_embedding_loss,
    margin_ranking_loss,
    nearer,
    not_below_zero,
    reduced,
    triplet_margin_loss,
)
from mindport.layers.resampling import PairwiseDistance


@layer("torch.nn.CosineEmbeddingLoss")
class CosineEmbeddingLoss(nn.Cell):
    """1 - cosine for target 1, cosine above `margin` for target -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.CosineEmbeddingLoss.html
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.margin = margin
        self.reduction = reduction

    def construct(self, input1, input2, target):
        return cosine_embedding_loss(input1, input2, target, self.margin, reduction=self.reduction)


@layer("torch.nn.MarginRankingLoss")
class MarginRankingLoss(nn.Cell):
    """How far input1 fails to lead input2 (target 1; -1: to trail it) by `margin`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.MarginRankingLoss.html
    """

    def __init__(self, margin=0.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.margin = margin
        self.reduction = reduction

    def construct(self, input1, input2, target):
        return margin_ranking_loss(input1, input2, target, self.margin, reduction=self.reduction)


@layer("torch.nn.HingeEmbeddingLoss", differs=[difference("integers give float32", when="inputs and not inputs[0].is_floating_point()", risk="style", zh="整数输入得到 float32")])
class HingeEmbeddingLoss(nn.Cell):
    """The input for target 1, what it lacks of `margin` for target -1.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.HingeEmbeddingLoss.html
    """

    def __init__(self, margin=1.0, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.margin = margin
        self.reduction = reduction

    def construct(self, input, target):
        return hinge_embedding_loss(input, target, self.margin, reduction=self.reduction)


@layer("torch.nn.TripletMarginLoss")
class TripletMarginLoss(nn.Cell):
    """How far the positive fails to be nearer to the anchor than the negative by `margin`.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TripletMarginLoss.html
    """

    def __init__(self, margin=1.0, p=2.0, eps=1e-06, swap=False, size_average=None, reduce=None, reduction="mean"):
        super().__init__()
        if size_average is not None or reduce is not None:
            raise Refused("size_average and reduce are old names: write reduction")
        self.margin = margin
        self.p = p
        self.eps = eps
        self.swap = swap
        self.reduction = reduction

    def construct(self, anchor, positive, negative):
        return triplet_margin_loss(
            anchor, positive, negative, self.margin, self.p, self.eps, self.swap, reduction=self.reduction
        )


@layer("torch.nn.TripletMarginWithDistanceLoss")
class TripletMarginWithDistanceLoss(nn.Cell):
    """TripletMarginLoss with a distance of one's own.

    https://docs.pytorch.org/docs/2.13/generated/torch.nn.TripletMarginWithDistanceLoss.html
    """

    def __init__(self, *, distance_function=None, margin=1.0, swap=False, reduction="mean"):
        super().__init__()
        self.distance_function = PairwiseDistance() if distance_function is None else distance_function
        self.margin = margin
        self.swap = swap
        self.reduction = reduction

    def construct(self, anchor, positive, negative):
        near = self.distance_function(anchor, positive)
        far = self.distance_function(anchor, negative)
        if self.swap:
            other = self.distance_function(positive, negative)
            far = nearer(far, other)
        return reduced(not_below_zero(near - far + self.margin), self.reduction)
