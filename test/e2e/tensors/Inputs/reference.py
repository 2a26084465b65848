"""Convolutions, pools and functions that numpy lacks, computed with numpy."""

import math

import numpy as np

erf = np.vectorize(math.erf, otypes=[np.float32])


def conv2d(x, w, bias, pad, stride, dilation):
    """x is NHWC, w is OHWI."""
    x = np.pad(x, ((0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)))
    kh, kw = w.shape[1:3]
    oh = (x.shape[1] - dilation[0] * (kh - 1) - 1) // stride[0] + 1
    ow = (x.shape[2] - dilation[1] * (kw - 1) - 1) // stride[1] + 1
    y = np.zeros((x.shape[0], oh, ow, w.shape[0]), x.dtype)
    for i in range(kh):
        for j in range(kw):
            top, left = i * dilation[0], j * dilation[1]
            part = x[
                :,
                top : top + (oh - 1) * stride[0] + 1 : stride[0],
                left : left + (ow - 1) * stride[1] + 1 : stride[1],
            ]
            y += np.einsum("nhwc,fc->nhwf", part, w[:, i, j])
    return y + bias


def depthwise(x, w, bias, pad, stride):
    """x is NHWC, w is HWCM."""
    x = np.pad(x, ((0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)))
    kh, kw, c, m = w.shape
    oh, ow = (x.shape[1] - kh) // stride + 1, (x.shape[2] - kw) // stride + 1
    y = np.zeros((x.shape[0], oh, ow, c, m), x.dtype)
    for i in range(kh):
        for j in range(kw):
            part = x[:, i : i + (oh - 1) * stride + 1 : stride, j : j + (ow - 1) * stride + 1 : stride]
            y += part[..., None] * w[i, j]
    return y.reshape(x.shape[0], oh, ow, c * m) + bias


def conv3d(x, w, bias):
    """x is NDHWC, w is ODHWI; no padding."""
    kd, kh, kw = w.shape[1:4]
    od, oh, ow = x.shape[1] - kd + 1, x.shape[2] - kh + 1, x.shape[3] - kw + 1
    y = np.zeros((x.shape[0], od, oh, ow, w.shape[0]), x.dtype)
    for d in range(kd):
        for i in range(kh):
            for j in range(kw):
                y += np.einsum("ndhwc,fc->ndhwf", x[:, d : d + od, i : i + oh, j : j + ow], w[:, d, i, j])
    return y + bias


def transpose_conv(x, w, bias, out_pad, stride):
    """x is NHWC, w is OHWI."""
    n, h, width, _ = x.shape
    o, kh, kw, _ = w.shape
    oh = (h - 1) * stride[0] + out_pad[0] + out_pad[1] + kh
    ow = (width - 1) * stride[1] + out_pad[2] + out_pad[3] + kw
    y = np.zeros((n, oh + 8, ow + 8, o), x.dtype)
    for i in range(kh):
        for j in range(kw):
            top, left = 4 + i + out_pad[0], 4 + j + out_pad[2]
            y[:, top : top + h * stride[0] : stride[0], left : left + width * stride[1] : stride[1]] += np.einsum(
                "nhwc,oc->nhwo", x, w[:, i, j]
            )
    return y[:, 4 : 4 + oh, 4 : 4 + ow] + bias


def pool(x, kernel, stride, pad, function, fill):
    x = np.pad(x, ((0, 0), (pad[0], pad[1]), (pad[2], pad[3]), (0, 0)), constant_values=fill)
    oh, ow = (x.shape[1] - kernel[0]) // stride[0] + 1, (x.shape[2] - kernel[1]) // stride[1] + 1
    y = np.empty((x.shape[0], oh, ow, x.shape[3]), x.dtype)
    for i in range(oh):
        for j in range(ow):
            window = x[:, i * stride[0] : i * stride[0] + kernel[0], j * stride[1] : j * stride[1] + kernel[1]]
            y[:, i, j] = function(window, axis=(1, 2))
    return y


def nchw(x):
    return np.ascontiguousarray(x.transpose(0, 3, 1, 2))


def nhwc(x):
    return x.transpose(0, 2, 3, 1)


def conv_nchw(x, w, padding=1, stride=1, dilation=1):
    return nchw(conv2d(nhwc(x), w.transpose(0, 2, 3, 1), 0, (padding,) * 4, (stride,) * 2, (dilation,) * 2))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def batch_norm(x, gain, bias, mean, variance):
    gain, bias, mean, variance = (v.reshape(1, -1, 1, 1) for v in (gain, bias, mean, variance))
    return (x - mean) / np.sqrt(variance + 1e-5) * gain + bias


def layer_norm(x, g, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) / np.sqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * g + b
