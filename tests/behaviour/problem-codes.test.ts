import { existsSync, readFileSync } from 'node:fs';
import { parseCanvas, checkCanvasText } from '@hilo/engine';
import { explainToolMismatch, type ProblemCode, problemCodes } from '@hilo/engine/authoring';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';

const examples = new URL('../../packages/engine/test/problem-examples/', import.meta.url);

const end = { id: 'done', type: 'end' };
const canvas = (nodes: readonly object[]) =>
  JSON.stringify({ schemaVersion: 1, id: 'example', name: 'Example', nodes, edges: [{ source: 'begin', target: 'done' }] });
const begin = { id: 'begin', type: 'start' };

/** Examples that would fill pages. */
const long: { readonly [Code in ProblemCode]?: () => string } = {
  CANVAS_TOO_LARGE: () => canvas([begin, end, { id: 'n', type: 'note', data: { text: 'x'.repeat(1_048_576) } }]),
  TOO_MANY_KEYS: () =>
    canvas([begin, { ...end, data: { outputs: Object.fromEntries(Array.from({ length: 10_001 }, (_, index) => [`o${index}`, 1])) } }]),
  MORE_PROBLEMS: () => canvas([begin, end, ...Array.from({ length: 2_000 }, (_, index) => ({ id: `n${index}`, type: 'end' }))]),
};

/** What there are drivers for: everything but the log. */
const performed = standardNodes.flatMap(({ effects = [] }) => effects.map(({ type }) => type)).filter((type) => type !== 'log.event');

/** A workflow published beside the examples, which claims the same messages. */
const other = parseCanvas({
  ...JSON.parse(
    canvas([
      { ...begin, data: { keywords: ['stop'], interrupts: true } },
      { ...begin, id: 'menu', data: { keywords: ['menu'], fallback: true } },
      end,
    ]),
  ),
  id: 'other',
}).canvas!;

const exampleOf = (code: ProblemCode): string => long[code]?.() ?? readFileSync(new URL(`${code}.json`, examples), 'utf8');

describe('the example of each problem code, with the standard nodes', () => {
  const codes = Object.keys(problemCodes) as ProblemCode[];

  it.each(codes)('has the problem %s', (code) => {
    const problems = checkCanvasText(exampleOf(code), {
      nodes: standardNodes,
      channels: ['facebook'],
      effects: new Set(performed),
      published: [{ workflowId: other.id, canvas: other }],
      resolve({ id, expects }) {
        if (expects !== undefined) return explainToolMismatch(expects, other, standardNodes, new Map());
        if (id === 'pending') return { notNow: 'it is PENDING' };
        return id === 'unknown' ? undefined : id !== 'missing';
      },
    });
    const expected = code === 'MORE_PROBLEMS' ? ['UNREACHABLE_NODE', code] : [code];
    expect([...new Set(problems.map((problem) => problem.code))]).toEqual(expected);
    expect(problems.at(-1)).toMatchObject({ severity: problemCodes[code].severity });
    expect(codes.filter((other) => long[other] !== undefined && existsSync(new URL(`${other}.json`, examples)))).toEqual([]);
  });
});
