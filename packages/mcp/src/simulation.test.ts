/** Scripts that coding agents try first, and what they are told where nothing comes of them. */
import { standardNodes } from '@hilo/nodes';
import { expect, it } from 'vitest';
import { runSimulation } from './simulation.ts';

const canvas = (kind: string, data: object): string =>
  JSON.stringify({
    schemaVersion: 1,
    id: 'c',
    name: 'C',
    kind,
    nodes: [
      { id: 'begin', type: 'start', data },
      { id: 'end', type: 'end', data: {} },
    ],
    edges: [{ source: 'begin', target: 'end' }],
  });

it.each<readonly [string, object, string, string]>([
  ['tool', {}, 'user: hello', 'Unmatched, with the line'],
  ['tool', {}, 'webhook: POST {}', 'Refused, with the line'],
  ['tool', {}, 'start: {}', ''],
  ['skill', { keywords: ['hi'] }, 'user: hello', 'Unmatched'],
  ['skill', { keywords: ['hi'] }, 'user: hi', ''],
])('a workflow of kind %s that begins by %j is told of %s: %j', async (kind, data, text, told) => {
  const { scripts } = await runSimulation(standardNodes, {
    canvases: [canvas(kind, data)],
    scripts: [{ name: 'script', text: `${text}\n` }],
  });
  const notes = scripts.flatMap((played) => (played.kind === 'played' ? played.notes : [played.message]));
  const shown = notes.map(
    (note) => `${note.split(':', 1)[0] ?? ''}${note.includes('begun by a line such as start: {') ? ', with the line' : ''}`,
  );
  expect(shown.join()).toBe(told);
});
