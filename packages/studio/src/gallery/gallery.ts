import { asCanvas, type CanvasJson } from '../canvas/canvas-json.ts';
import listed from './gallery.json' with { type: 'json' };

/** An example to begin with, and the conversations that test it. */
export interface GalleryExample {
  readonly canvas: CanvasJson;
  readonly description: string;
  readonly tests: readonly { readonly name: string; readonly text: string }[];
}

/** The examples of the repository that need nothing which a new company lacks, the smallest first. */
export const gallery: readonly GalleryExample[] = listed
  .flatMap(({ canvas: given, tests }) => {
    const canvas = asCanvas(given);
    return canvas === undefined ? [] : [{ canvas, description: given.description ?? '', tests }];
  })
  .toSorted((one, other) => one.canvas.nodes.length - other.canvas.nodes.length);
