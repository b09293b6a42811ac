import { beforeAll, describe, expect, it } from 'vitest';
import { canvasOf, smallNodes } from '../../test/small-nodes.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import { limits } from '../contract/limits.ts';
import { checkCanvas, checkCanvasText } from './check.ts';
import { drawn } from '../../../../scripts/vitest/part-of.ts';

const options = { nodes: smallNodes };
const codes = (problems: readonly { readonly code: string; readonly pointer: string }[]) =>
  problems.map(({ code, pointer }) => `${code} ${pointer}`);
const begin = { id: 'begin', type: 'start' };
const done = { id: 'done', type: 'end' };

describe('checkCanvas', () => {
  it('reports everything at once, errors first, then in the order of the canvas', () => {
    const nodes = [
      begin,
      { id: 'alone', type: 'end' },
      ...Array.from({ length: 9 }, (_, index) => ({ id: `n${index}`, type: 'step', data: { x: 1 } })),
      done,
    ];
    const canvas = canvasOf(nodes, ['begin → n0', 'n0.next → nobody', 'begin.nxt → done']);
    const problems = checkCanvas(Canvas.parse(canvas), options);
    expect(codes(problems)).toEqual([
      'EDGE_TO_NOTHING /edges/1/target',
      'UNKNOWN_PORT /edges/2/sourceHandle',
      'UNKNOWN_FIELD /nodes/2/data/x',
      ...Array.from({ length: 8 }, (_, index) => [
        `PORT_WITHOUT_EDGE /nodes/${index + 3}`,
        `UNKNOWN_FIELD /nodes/${index + 3}/data/x`,
      ]).flat(),
      'UNREACHABLE_NODE /nodes/1',
      ...Array.from({ length: 8 }, (_, index) => `UNREACHABLE_NODE /nodes/${index + 3}`),
    ]);
    expect(problems.every(({ message, hint }) => message !== '' && hint !== '')).toBe(true);
  });

  it('lists 1,000 problems at most, errors before warnings', () => {
    const nodes = [begin, done, ...Array.from({ length: 3_000 }, (_, index) => ({ id: `n${index}`, type: 'end' }))];
    const problems = checkCanvas(Canvas.parse(canvasOf(nodes, ['begin → done', 'begin → done'])), options);
    expect(problems).toHaveLength(1_000);
    expect([problems[0]?.code, problems[1]?.code, problems.at(-1)?.code]).toEqual(['SECOND_EDGE', 'UNREACHABLE_NODE', 'MORE_PROBLEMS']);
  });

  it.each([999, 1_000, 1_001, 3_000])('lists what %i nodes read that is never filled, up to as many problems', (count) => {
    const ids = Array.from({ length: count }, (_, index) => `n${index}`);
    const nodes = [begin, ...ids.map((id) => ({ id, type: 'step', data: { text: '{{$message.txt}}' } })), done];
    const edges = [...ids, 'done'].map((id, index) => (index === 0 ? `begin → ${id}` : `n${index - 1}.next → ${id}`));
    const problems = checkCanvas(Canvas.parse(canvasOf(nodes, edges)), options);
    const listed = Array.from({ length: Math.min(count, count > 1_000 ? 999 : count) }, (_, index) => `/nodes/${index + 1}/data/text`);
    expect(problems.filter(({ code }) => code === 'UNKNOWN_VARIABLE_FIELD').map(({ pointer }) => pointer)).toEqual(listed);
    expect(problems.slice(listed.length).map(({ code }) => code)).toEqual(count > 1_000 ? ['MORE_PROBLEMS'] : []);
  });

  it('is made for the channels that it names, else for those of the company', () => {
    const seen: string[][] = [];
    const asking = smallNodes.map((node) =>
      node.type === 'step'
        ? { ...node, check: (_: unknown, { channels }: { channels: readonly string[] }) => (seen.push([...channels]), []) }
        : node,
    );
    const check = (settings: JsonObject) =>
      checkCanvas(Canvas.parse(canvasOf([begin, { id: 'a', type: 'step' }, done], ['begin → a', 'a.next → done'], { settings })), {
        nodes: asking,
        channels: ['web', 'whatsapp'],
      });
    check({});
    check({ channels: ['slack'] });
    expect(seen).toEqual([['whatsapp', 'web'], ['slack']]);
    expect(Canvas.safeParse(canvasOf([begin], [], { settings: { channels: ['pigeon'] } })).success).toBe(false);
  });

  it('reports patterns of like that cannot be compiled, at any place', () => {
    const nodes = [
      begin,
      { id: 'a', type: 'step', data: { text: 'Is {{like("x", "[") || $input.x.like("(a")}} or {{like($input.x, "^a+$")}}?' } },
      { id: 'b', type: 'step', data: { texts: [{ value: '{{$input.x.like("*")}}' }, { value: '{{$input.x.like($input.y)}}' }] } },
      done,
    ];
    const canvas = canvasOf(nodes, ['begin → a', 'a.next → b', 'b.next → done'], {
      settings: { inputs: { x: { default: '' }, y: { default: '' } } },
    });
    const problems = checkCanvas(Canvas.parse(canvas), options);
    expect(codes(problems)).toEqual([
      'INVALID_EXPRESSION /nodes/1/data/text',
      'INVALID_EXPRESSION /nodes/1/data/text',
      'INVALID_EXPRESSION /nodes/2/data/texts/0/value',
    ]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('missing closing ]'),
      expect.stringContaining('missing closing )'),
      expect.stringContaining('missing argument to repetition operator'),
    ]);
  });

  it('keeps messages short: none is longer than 500 characters', () => {
    const long = 'x'.repeat(100_000);
    const nodes = [
      begin,
      { id: 'a', type: 'step', data: { [long]: 1, text: `{{${long}}}`, ports: [long] } },
      { id: 'b', type: 'step', data: { text: `{{$context.${long}}}` } },
      done,
    ];
    const problems = checkCanvas(Canvas.parse(canvasOf(nodes, ['begin → b', 'b → done'])), options);
    expect(problems).toHaveLength(5);
    for (const { message } of problems) expect(message.length).toBeLessThanOrEqual(500);
  });
});

describe('checkCanvasText', () => {
  it('continues after unknown fields and refused keys', () => {
    const canvas = { ...canvasOf([begin, { id: 'a', type: 'step' }], ['begin → a']), titel: 1 };
    const text = JSON.stringify(canvas).replace('"type":"step"', '"type":"step","constructor":1');
    expect(codes(checkCanvasText(text, options))).toEqual([
      'PORT_WITHOUT_EDGE /nodes/1',
      'FORBIDDEN_KEY /nodes/1/constructor',
      'UNKNOWN_FIELD /titel',
    ]);
  });

  const writes = { id: 'a', type: 'step', data: { writes: { next: ['$context.x'] } } };
  const reads = { id: 'done', type: 'end', data: { text: '{{$context.x}}' } };
  const others = [
    { id: 'other', type: 'start' },
    { id: 'last', type: 'end', data: { text: '{{$context.y}}' } },
  ];
  const planted = ['UNWRITTEN_VARIABLE /nodes/4/data/text', 'EDGE_TO_NOTHING /edges/3/target'];
  const edges = ['begin → a', 'a.next → done', 'other → last', 'begin.next → nobody'];
  const canvas = canvasOf([begin, writes, reads, ...others], edges);

  it.each<[what: string, node: object, code: string]>([
    ['a field of the node has the wrong shape', { ...writes, position: 'left' }, 'INVALID_CANVAS /nodes/1/position'],
    ['a part of a field has', { ...writes, measured: { width: 'a lot' } }, 'INVALID_CANVAS /nodes/1/measured/width'],
    ['its type has', { ...writes, type: 7 }, 'INVALID_CANVAS /nodes/1/type'],
    ['its data have', { ...writes, data: [] }, 'INVALID_CANVAS /nodes/1/data'],
    ['its config has', { ...writes, data: { ...writes.data, ports: 7 } }, 'INVALID_CONFIG /nodes/1/data/ports'],
    ['its config has an unknown field', { ...writes, data: { ...writes.data, z: 7 } }, 'UNKNOWN_FIELD /nodes/1/data/z'],
    ['its type is not known', { ...writes, type: 'stpe' }, 'UNKNOWN_NODE_TYPE /nodes/1/type'],
  ])('reports the same for the rest when %s', (_, node, code) => {
    const broken = { ...canvas, nodes: [begin, node, reads, ...others] };
    expect(codes(checkCanvasText(broken, options)).toSorted()).toEqual([code, ...planted].toSorted());
  });

  it('reports the same for the rest when visual fields of the root or of an edge have the wrong shape', () => {
    const { name: _, ...nameless } = canvas;
    const [first, ...more] = canvas['edges'] as readonly object[];
    const broken = { ...nameless, viewport: { x: 0 }, description: 7, edges: [{ ...first, label: 1 }, ...more] };
    expect(codes(checkCanvasText(broken, options)).toSorted()).toEqual(
      [
        ...planted,
        'INVALID_CANVAS /name',
        'INVALID_CANVAS /description',
        'INVALID_CANVAS /viewport/y',
        'INVALID_CANVAS /viewport/zoom',
        'INVALID_CANVAS /edges/0/label',
      ].toSorted(),
    );
  });

  it('reports nothing that an unreadable node might make right', () => {
    const hook = { id: 'hook', type: 'webhook', data: { variableName: 'order' } };
    const nodes = [begin, hook, { id: 'wait', type: 'wait-external' }, { id: 'done', type: 'end', data: { text: '{{$webhook.order}}' } }];
    const ways = ['begin → hook', 'hook.new → wait', 'hook.resume → wait', 'wait.resumed → done'];
    for (const data of [{}, 7]) {
      const broken = { ...canvasOf(nodes, ways), nodes: nodes.map((node) => (node === hook ? { ...hook, data } : node)) };
      expect(checkCanvasText(broken, options).map(({ nodeId }) => nodeId)).toEqual(['hook']);
    }
    const alone = [{ ...hook, type: 'wbhook' }, ...nodes.slice(2)];
    expect(codes(checkCanvasText(canvasOf(alone, ways.slice(1)), options))).toEqual(['UNKNOWN_NODE_TYPE /nodes/0/type']);
  });

  it('stops where the canvas has no shape', () => {
    expect(codes(checkCanvasText('{', options))).toEqual(['NOT_JSON ']);
    expect(codes(checkCanvasText({ schemaVersion: 2 }, options))).toEqual(['UNSUPPORTED_SCHEMA_VERSION /schemaVersion']);
    expect(codes(checkCanvasText(canvasOf([begin], [], { edges: 7 }), options))).toEqual(['INVALID_CANVAS /edges']);
  });
});

describe('checking 1 MB', () => {
  const range = (length: number) => Array.from({ length }, (_, index) => index);
  const step = (id: number | string, data: JsonObject = {}) => ({ id: String(id), type: 'step', data });
  const loop = { ports: ['a', 'b'], optional: ['error'] };

  /** Canvases near the limit that would take long if anything in the check took more than a few looks at each part. */
  const worst: { readonly [name: string]: () => unknown } = {
    'a chain of nodes that each write one variable and read another': () =>
      canvasOf(
        [begin, ...range(6_000).map((n) => step(n, { writes: { next: [`$context.v${n}`] }, text: `{{$context.v${n - 1}}}` }))],
        ['begin → 0', ...range(5_999).map((n) => `${n}.next → ${n + 1}`)],
      ),
    'thousands of variables read behind a thousand nodes': () =>
      canvasOf(
        [begin, ...range(4_000).map((n) => step(n)), step('read', { texts: range(15_000).map((n) => ({ value: `{{$context.v${n}}}` })) })],
        ['begin → 0', ...range(4_000).map((n) => `${n} → ${n === 3_999 ? 'read' : n + 1}`)],
      ),
    'dense cycles': () =>
      canvasOf(
        [begin, ...range(5_000).map((n) => step(n, loop))],
        ['begin → 0', ...range(5_000).flatMap((n) => [`${n}.a → ${(n + 1) % 5_000}`, `${n}.b → ${(n * 7) % 5_000}`])],
      ),
    'small cycles by the thousand': () =>
      canvasOf(
        [begin, ...range(5_000).map((n) => step(n, loop))],
        ['begin → 0', ...range(5_000).flatMap((n) => [`${n}.a → ${n}`, `${n}.b → ${(n + 1) % 5_000}`])],
      ),
    'nothing but mistakes': () =>
      canvasOf(
        range(15_000).map((n) => ({ id: `${n}`, type: 'x' })),
        [],
      ),
    'patterns that take long': () =>
      canvasOf([begin, ...range(2_500).map((n) => step(n, { text: `{{like($input.x, "${`a{${900 - (n % 800)}}`.repeat(25)}")}}` }))], []),
    'expressions that are none': () => canvasOf([begin, ...range(10_000).map((n) => step(n, { text: '{{x}}' }))], []),
  };

  /** Processor time of this thread: other processes may have the machine for a while. */
  const workedMs = (work: () => void): number => {
    const before = process.threadCpuUsage();
    work();
    return process.threadCpuUsage(before).user / 1_000;
  };

  const copies = 10;
  let allCopiesMs: number;
  beforeAll(() => {
    const chain = canvasOf(
      [begin, ...range(6_000).map((n) => step(n))],
      range(5_999).map((n) => `${n} → ${n + 1}`),
    );
    allCopiesMs = workedMs(() => {
      for (let copy = 0; copy < copies; copy += 1) JSON.parse(JSON.stringify(chain));
    });
  });

  it.each(drawn(Object.entries(worst)))('takes no longer than reading and writing a long chain 500 times: %s', { retry: 3 }, (_, make) => {
    const text = JSON.stringify(make());
    expect(text.length).toBeGreaterThan(limits.bodyBytes / 3);
    expect(text.length).toBeLessThan(limits.bodyBytes);
    expect((workedMs(() => checkCanvasText(text, options)) * copies) / allCopiesMs).toBeLessThan(500);
  });
});
