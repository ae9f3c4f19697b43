"""torchvision names that MindSpore has nothing for, each with the way out."""

from mindport.declare import absent

absent(
    "torchvision.models.create_feature_extractor",
    "torchvision.models.get_graph_node_names", "torchvision.models.get_model", "torchvision.models.get_model_builder",
    "torchvision.models.get_model_weights", "torchvision.models.get_weight", "torchvision.models.list_models",
    why="torchvision's registry of models and downloads, and its feature extraction over torch.fx; call the builder by its name (torchvision.models.resnet18), or choose it by getattr(torchvision.models, name), which is converted",
    rung="packaged",
)
absent(
    "torchvision.models.detection.FCOS", "torchvision.models.detection.FasterRCNN",
    "torchvision.models.detection.KeypointRCNN", "torchvision.models.detection.MaskRCNN",
    "torchvision.models.detection.RetinaNet", "torchvision.models.detection.fasterrcnn_mobilenet_v3_large_320_fpn",
    "torchvision.models.detection.fasterrcnn_mobilenet_v3_large_fpn", "torchvision.models.detection.fasterrcnn_resnet50_fpn",
    "torchvision.models.detection.fasterrcnn_resnet50_fpn_v2", "torchvision.models.detection.fcos_resnet50_fpn",
    "torchvision.models.detection.keypointrcnn_resnet50_fpn", "torchvision.models.detection.maskrcnn_resnet50_fpn",
    "torchvision.models.detection.maskrcnn_resnet50_fpn_v2", "torchvision.models.detection.retinanet_resnet50_fpn",
    "torchvision.models.detection.retinanet_resnet50_fpn_v2", "torchvision.models.detection.ssd300_vgg16",
    "torchvision.models.detection.ssdlite320_mobilenet_v3_large",
    "torchvision.models.segmentation.LRASPP",
    "torchvision.models.segmentation.deeplabv3_mobilenet_v3_large",

    "torchvision.models.segmentation.lraspp_mobilenet_v3_large",
    "torchvision.models.video.MViT", "torchvision.models.video.S3D", "torchvision.models.video.SwinTransformer3d",
    "torchvision.models.video.mvit_v1_b",
    "torchvision.models.video.mvit_v2_s",
    "torchvision.models.video.s3d", "torchvision.models.video.swin3d_b", "torchvision.models.video.swin3d_s",
    "torchvision.models.video.swin3d_t",
    why="torchvision's model as a library call; convert torchvision's own source file of it with mindport, or take the architecture from MindSpore's mindcv, mindyolo or ModelZoo",
    rung="packaged",
)
absent(
    "torchvision.ops.DropBlock2d", "torchvision.ops.DropBlock3d", "torchvision.ops.FeaturePyramidNetwork",
    "torchvision.ops.MultiScaleRoIAlign", "torchvision.ops.PSRoIPool",
    "torchvision.ops.drop_block2d", "torchvision.ops.drop_block3d", "torchvision.ops.ps_roi_pool", "torchvision.ops.stochastic_depth",
    why="torchvision's operator as a library call; copy its file of torchvision/ops into the project and mindport converts it: what it calls has equivalents",
    rung="packaged",
)
absent(
    "torchvision.transforms.AugMix", "torchvision.transforms.ElasticTransform", "torchvision.transforms.LinearTransformation",
    why="mindspore.dataset.vision has random operations of this kind (AutoAugment …) with arguments and random draws of their own",
    rung="packaged",
)
absent(
    "torchvision.transforms.functional.elastic_transform",
    why="not written for arrays; PIL's ImageOps, ImageEnhance and Image.transform, or mindspore.dataset.vision, do the same to a PIL image",
    rung="packaged",
)
