import type { Canvas } from '@hilo/engine/contract';
import { contentOf, insertContent } from './statements/canvases.ts';
import { ask, askOne, type Steps } from './statements/steps.ts';
import { written } from './texts.ts';

/** Canvases that are kept parsed: every start asks for one, and what a hash names never changes. */
const mostKept = 500;

/** Canvases by their content. */
export interface CanvasContents {
  keep(companyId: string, canvas: Canvas, hash: string): Steps<void>;
  find(companyId: string, hash: string): Steps<Canvas | undefined>;
}

export function createCanvasContents(): CanvasContents {
  const parsed = new Map<string, Canvas>();
  return {
    *keep(companyId, canvas, hash) {
      yield* ask(insertContent, { companyId: written(companyId), hash: written(hash), canvas: JSON.stringify(canvas) });
    },
    *find(companyId, hash) {
      const key = `${companyId}\0${hash}`;
      const known = parsed.get(key);
      if (known !== undefined) return known;
      const row = yield* askOne(contentOf, { companyId: written(companyId), hash: written(hash) });
      if (row === undefined) return undefined;
      const canvas = JSON.parse(row.canvas) as Canvas;
      const [oldest] = parsed.keys();
      if (parsed.size >= mostKept && oldest !== undefined) parsed.delete(oldest);
      parsed.set(key, canvas);
      return canvas;
    },
  };
}
