import { checkCanvasText } from '@hilo/engine';
import type { Json } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { usesByName, variablesIn } from '../editor/search-canvas.ts';
import { exampleCanvases } from '../workflows/example-canvases.ts';
import type { CanvasJson } from './canvas-json.ts';
import { renameVariable } from './rename-variable.ts';

const canvasOf = (...texts: readonly string[]): CanvasJson => ({
  schemaVersion: 1,
  id: 'a',
  name: 'A',
  nodes: [{ id: 'one', type: 'message', data: { texts: [...texts], deep: { saveAs: texts[0] ?? '' } } }],
  edges: [],
});
const textsIn = (canvas: CanvasJson): Json => canvas.nodes[0]?.data?.['texts'] ?? [];

it.each<[before: string, after: string]>([
  ['{{$context.name}}', '{{$context.person}}'],
  ['$context.name', '$context.person'],
  ['$context.name.first', '$context.person.first'],
  ['has($context.name) && $context.names == 1', 'has($context.person) && $context.names == 1'],
  ['$context.name2', '$context.name2'],
  ['$user.name', '$user.name'],
  ['name', 'name'],
])('%j is %j under another name', (before, after) => expect(textsIn(renameVariable('name', 'person')(canvasOf(before)))).toEqual([after]));

const drawnName = fc.constantFrom('name', 'names', 'name_2', 'order', 'a');
const drawnText = fc
  .array(
    fc.oneof(
      drawnName.map((name) => `$context.${name}`),
      fc.constantFrom(' ', '.x', '{{', '}}', '$user.name', '$context'),
      fc.string(),
    ),
  )
  .map((parts) => parts.join(''));

it('another name and back again is the same canvas, and nothing else is renamed', () => {
  fc.assert(
    fc.property(fc.array(drawnText), drawnName, (texts, name) => {
      const canvas = canvasOf(...texts);
      const renamed = renameVariable(name, 'zzz')(canvas);
      fc.pre(!JSON.stringify(canvas).includes('zzz'));
      expect(renameVariable('zzz', name)(renamed)).toEqual(canvas);
      const named = (one: CanvasJson): readonly string[] =>
        variablesIn(one).map(({ path }) => path.replace(/^(\$context\.)zzz(?!\w)/, `$1${name}`));
      expect(named(renamed)).toEqual(named(canvas));
    }),
  );
});

it.each(exampleCanvases.map((canvas) => [canvas.id, canvas] as const))(
  'each variable of %s can be renamed: the canvas can be published as before',
  (_id, canvas) => {
    for (const { path } of usesByName(canvas)) {
      const renamed = renameVariable(path, 'another_name')(canvas);
      expect(checkCanvasText(renamed, { nodes: standardNodes })).toEqual([]);
      expect(usesByName(renamed).map((use) => use.path)).not.toContain(path);
    }
  },
);
