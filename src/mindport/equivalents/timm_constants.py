"""timm's means and deviations of images' channels."""

from mindport.declare import constant

constant("timm.data.IMAGENET_DEFAULT_MEAN", (0.485, 0.456, 0.406))
constant("timm.data.IMAGENET_DEFAULT_STD", (0.229, 0.224, 0.225))
constant("timm.data.IMAGENET_INCEPTION_MEAN", (0.5, 0.5, 0.5))
constant("timm.data.IMAGENET_INCEPTION_STD", (0.5, 0.5, 0.5))
constant("timm.data.IMAGENET_DPN_MEAN", (124 / 255, 117 / 255, 104 / 255))
constant("timm.data.IMAGENET_DPN_STD", (1 / (0.0167 * 255), 1 / (0.0167 * 255), 1 / (0.0167 * 255)))
constant("timm.data.OPENAI_CLIP_MEAN", (0.48145466, 0.4578275, 0.40821073))
constant("timm.data.OPENAI_CLIP_STD", (0.26862954, 0.26130258, 0.27577711))
