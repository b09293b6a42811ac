import { checkCanvasText } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { blankCanvas } from './blank-canvas.ts';
import { exampleCanvases } from './example-canvases.ts';

describe('what an author begins from', () => {
  it.each(exampleCanvases.map((canvas) => [canvas.id, canvas] as const))('%s can be published as it is', (_id, canvas) => {
    expect(checkCanvasText(canvas, { nodes: standardNodes })).toEqual([]);
  });

  it.each([
    ['Pedidos perdidos', 'pedidos-perdidos'],
    ['¿Dónde está?', 'donde-esta'],
    ['日本', 'workflow'],
    ['--', 'workflow'],
    ['Constructor', 'constructor-workflow'],
    ['__proto__', 'proto'],
  ])('an empty canvas named %s is %s', (name, id) => {
    expect(blankCanvas(name)).toMatchObject({ id, name });
    expect(checkCanvasText(blankCanvas(name), { nodes: standardNodes }).map(({ code }) => code)).not.toContain('INVALID_CANVAS');
  });
});
