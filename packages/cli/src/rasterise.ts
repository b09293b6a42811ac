import type { Picture } from '@hilo/picture';

/** Pixels of a point of the picture: sharp on most displays. */
const scale = 2;
/** A larger picture takes gigabytes to draw; an SVG has no such limit. */
const maxPixels = 100_000_000;
/** sharp draws an SVG point as one pixel at this density. */
const pointsPerInch = 72;

/**
 * A picture as PNG: at twice its size, or at its own where that would be too large. It is drawn by librsvg, which comes with sharp:
 * no browser has to be installed. Texts take the first font of the picture's list that the machine has.
 *
 * @throws {Error} when the picture is too large, or sharp is not there for this platform
 */
export async function rasterise({ svg, width, height }: Picture): Promise<Uint8Array> {
  if (width * height > maxPixels)
    throw new Error(`The picture has ${width} × ${height} pixels, more than a PNG should have: draw it as SVG, without --png`);
  const fits = width * height * scale ** 2 <= maxPixels ? scale : 1;
  const { default: sharp } = await import('sharp').catch((cause: unknown) => {
    throw new Error('PNG needs the package sharp, which was not installed for this platform: npm install sharp, or leave --png out', {
      cause,
    });
  });
  return sharp(Buffer.from(svg), { density: pointsPerInch * fits, limitInputPixels: maxPixels })
    .png()
    .toBuffer();
}
