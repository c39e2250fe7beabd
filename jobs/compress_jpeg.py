# SPDX-License-Identifier: BSD-3-Clause
"""JPEG beside pfft3d compress:  python3 compress_jpeg.py WIDTH HEIGHT IMAGES PIXELS.raw REPORT.json
The lowest quality at which grey images of bytes have at least the PSNR of the report, and the bytes of
all files at it.  Needs Pillow."""
import io
import json
import math
import sys

from PIL import Image


def encode(images, size, quality):
    """Bytes of all files, and the sum of squares of their errors."""
    total = error = 0
    for pixels in images:
        stream = io.BytesIO()
        Image.frombytes("L", size, pixels).save(stream, "jpeg", quality=quality, optimize=True)
        total += stream.tell()
        back = Image.open(stream).tobytes()
        error += sum((x - y) ** 2 for x, y in zip(pixels, back))
    return total, error


def main():
    size, count = (int(sys.argv[1]), int(sys.argv[2])), int(sys.argv[3])
    with open(sys.argv[4], "rb") as f:
        data = f.read()
    each = size[0] * size[1]
    images = [data[i * each:(i + 1) * each] for i in range(count)]
    with open(sys.argv[5], encoding="utf-8") as f:
        run = json.load(f)["runs"][0]
    some = images[::max(1, count // 12)]  # which quality it takes is seen in a few
    low, high = 1, 95
    while low < high:
        middle = (low + high) // 2
        error = encode(some, size, middle)[1] / (each * len(some))
        if 20 * math.log10(run["range"] / math.sqrt(error)) >= run["psnr"]:
            high = middle
        else:
            low = middle + 1
    total, error = encode(images, size, low)
    psnr = 20 * math.log10(run["range"] / math.sqrt(error / (each * count)))
    print(f"JPEG: quality {low}, PSNR {psnr:.2f} dB: {total} bytes, "
          f"{run['bytes']['output'] / total:.1f} times fewer than {run['bytes']['output']:.0f}")


main()
