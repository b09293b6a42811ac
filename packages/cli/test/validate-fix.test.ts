// `hilo validate --fix` writes what it says, takes no fix that removes or adds a part, and changes nothing else.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJsonText } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { emptyDirectory } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

const nodes = [
  { id: 's', type: 'start', data: { keywords: 'hi' } },
  { id: 'm', type: 'Message', config: { message: { type: 'Text', body: 'Hello {{$user.name}}' } } },
  { id: 'e', type: 'end' },
];
const edges = [
  { from: 's', to: 'm' },
  { source: 'm', sourceHandle: 'Sent', target: 'e' },
];
const misnamed = { schema_version: 1, id: 'c', name: 'C', nodes, connections: edges };
const meant = {
  id: 'c',
  name: 'C',
  nodes: [
    { id: 's', type: 'start', data: { keywords: ['hi'] } },
    { id: 'm', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names}}' } } },
    { id: 'e', type: 'end' },
  ],
  schemaVersion: 1,
  edges: [
    { source: 's', target: 'm' },
    { source: 'm', sourceHandle: 'sent', target: 'e' },
  ],
};

describe('hilo validate --fix', () => {
  it('mends what is called otherwise, says each change, and finds nothing to do afterwards', async () => {
    using data = emptyDirectory();
    const file = join(data.path, 'c.json');
    writeFileSync(file, JSON.stringify(misnamed));
    const fixed = await hiloHere(['validate', '--fix', 'c.json'], { cwd: data.path });
    expect(fixed.stdout.match(/^fixed c\.json  \/[^\n]+: [^\n]+$/gm)).toHaveLength(11);
    expect(fixed).toMatchObject({ code: 0, stderr: '' });
    const text = readFileSync(file, 'utf8');
    expect(parseJsonText(text)).toEqual(meant);
    expect(await hiloHere(['validate', '--fix', 'c.json'], { cwd: data.path })).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toBe(text);
  });

  it.each([
    ['a field that nobody knows', { ...meant, colour: 'red' }],
    ['a port without an edge', { ...meant, edges: meant.edges.slice(0, 1) }],
    [
      'a variable with two ways to give it a value',
      { ...meant, nodes: meant.nodes.with(1, { id: 'm', type: 'message', data: { message: { type: 'text', text: '{{$context.a}}' } } }) },
    ],
    [
      'a name that nothing writes',
      {
        ...meant,
        colour: 'red',
        nodes: meant.nodes.with(1, { id: 'm', type: 'message', data: { message: { type: 'text', text: 'Order {orderId}' } } }),
      },
    ],
  ])('leaves %s to a person', async (_what, canvas) => {
    using data = emptyDirectory();
    const text = JSON.stringify(canvas);
    writeFileSync(join(data.path, 'c.json'), text);
    const { code, stdout } = await hiloHere(['validate', '--fix', '--json', 'c.json'], { cwd: data.path });
    expect(code).toBe(1);
    expect(parseJsonText(stdout)).toMatchObject([{ file: 'c.json', ok: false, fixed: [] }]);
    expect(readFileSync(join(data.path, 'c.json'), 'utf8')).toBe(text);
  });

  it('leaves a file with numbers that would become texts, and one that is no JSON', async () => {
    using data = emptyDirectory();
    for (const text of [JSON.stringify(misnamed).replace('"name":"C"', '"name":12345678901234567890'), '{']) {
      writeFileSync(join(data.path, 'c.json'), text);
      expect(await hiloHere(['validate', '--fix', 'c.json'], { cwd: data.path })).toMatchObject({ code: 1 });
      expect(readFileSync(join(data.path, 'c.json'), 'utf8')).toBe(text);
    }
  });
});
