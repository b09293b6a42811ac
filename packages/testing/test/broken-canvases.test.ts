import { checkCanvasText } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { brokenCanvas, brokenCanvasCodes } from '../src/arbitraries/broken-canvases.ts';
import { fewRuns } from '../../../scripts/vitest/part-of.ts';

describe('brokenCanvas', () => {
  it.each(brokenCanvasCodes)('generates canvases for which a check reports %s', (code) =>
    fc.assert(
      fc.property(brokenCanvas([code]), ({ canvas }) => {
        const problems = checkCanvasText(canvas, { nodes: standardNodes });
        expect(problems.map(({ code }) => code)).toContain(code);
        expect(Object.prototype).not.toHaveProperty('polluted');
      }),
      fewRuns(20),
    ),
  );
});
