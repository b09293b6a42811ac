/** Workflows and tools of functions as tools of an agent: what a check says where they differ, and that its fix makes them fit. */
import { applyPatch, calledKey, explainToolMismatch, toolsAmong } from '@hilo/engine/authoring';
import { checkCanvas, type CheckOptions, parseCanvas } from '@hilo/engine';
import type { Canvas, JsonObject } from '@hilo/engine/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { standardNodes } from '../src/index.ts';

const parse = (value: JsonObject): Canvas => {
  const { canvas, problems } = parseCanvas(value);
  if (canvas === undefined) throw new Error(JSON.stringify(problems));
  return canvas;
};

const edge = (source: string, target: string, sourceHandle?: string): JsonObject => ({
  source,
  target,
  ...(sourceHandle !== undefined && { sourceHandle }),
});

/** A workflow that ends at once, or after a node. */
const workflow = (settings: JsonObject = {}, node?: JsonObject, port = 'elapsed', kind = 'tool'): Canvas =>
  parse({
    schemaVersion: 1,
    id: 'stock',
    name: 'Stock',
    kind,
    settings,
    nodes: [
      { id: 'begin', type: 'start', data: {} },
      ...(node === undefined ? [] : [{ ...node, id: 'pause' }]),
      { id: 'stop', type: 'end', data: {} },
    ],
    edges: node === undefined ? [edge('begin', 'stop')] : [edge('begin', 'pause'), edge('pause', 'stop', port)],
  });

const agent = (tool: JsonObject): Canvas =>
  parse({
    schemaVersion: 1,
    id: 'helper',
    name: 'Helper',
    kind: 'skill',
    nodes: [
      { id: 'begin', type: 'start', data: { fallback: true } },
      {
        id: 'talk',
        type: 'agent',
        data: {
          model: { baseUrl: 'https://models.example/v1', name: 'small' },
          instructions: 'Help.',
          tools: [
            {
              name: 'stock',
              description: 'How many are left',
              risk: 'read',
              ...(tool['kind'] === undefined && { kind: 'workflow', workflowId: 'stock' }),
              ...tool,
            },
          ],
          exits: [{ name: 'done', when: 'All is said.' }],
        },
      },
      { id: 'stop', type: 'end', data: {} },
    ],
    edges: [edge('begin', 'talk'), ...['done', 'limit', 'timeout', 'error'].map((port) => edge('talk', 'stop', port))],
  });

function check(canvas: Canvas, tool: Canvas, others: readonly Canvas[] = []) {
  const called = new Map(others.map((one) => [one.id as string, one] as const));
  const resolve: CheckOptions['resolve'] = ({ expects }) =>
    expects === undefined ? true : (explainToolMismatch(expects, tool, standardNodes, called) ?? true);
  return checkCanvas(canvas, { nodes: standardNodes, resolve }).filter(({ code }) => code === 'TOOL_MISMATCH');
}

const inputs = { sku: { type: 'string' }, count: { type: 'number', optional: true } };

describe('a workflow as a tool', () => {
  it.each<readonly [string, JsonObject, JsonObject, string | undefined]>([
    ['the inputs that it declares', { inputs: { sku: { type: 'text' } } }, { inputs }, undefined],
    ['a date for a text', { inputs: { sku: { type: 'date' } } }, { inputs }, undefined],
    ['a value of the author for one of them', { with: { sku: '{{$context.sku}}' } }, { inputs }, undefined],
    ['any input, where it declares none', { inputs: { other: { type: 'number' } } }, {}, undefined],
    ['none of them', {}, { inputs }, 'it needs "sku"'],
    ['one that may be missing', { inputs: { sku: { type: 'text', required: false } } }, { inputs }, '"sku" may be missing'],
    ['one of another type', { inputs: { sku: { type: 'number' } } }, { inputs }, '"sku" is declared as string, and given as number'],
    [
      'one that it does not declare',
      { inputs: { sku: { type: 'text' }, more: { type: 'text' } } },
      { inputs },
      'it declares no input "more"',
    ],
    [
      'several of a few options for a text',
      { inputs: { sku: { type: 'option', several: true, options: [{ title: 'A' }, { title: 'B' }] } } },
      { inputs },
      'given as array',
    ],
  ])('gets %s', (_what, tool, settings, expected) => {
    const [problem] = check(agent(tool), workflow(settings));
    expect(problem?.message.includes(expected ?? '')).toBe(expected === undefined ? undefined : true);
    expect(problem?.pointer).toBe(expected === undefined ? undefined : '/nodes/1/data/tools/0/workflowId');
  });

  it('is one of the kind "tool" that does not wait, nor calls one that does', () => {
    const message = (tool: Canvas, others?: readonly Canvas[]) => check(agent({}), tool, others)[0]?.message;
    expect(message(workflow({}, undefined, '', 'skill'))).toContain('is of the kind "skill"');
    const pause = { type: 'delay', data: { duration: 'PT1M' } };
    expect(message(workflow({}, pause))).toContain('waits, at its node "pause":');
    const child = parse({ ...(JSON.parse(JSON.stringify(workflow({}, pause))) as JsonObject), id: 'child' });
    const calling = workflow({}, { type: 'workflow', data: { workflowId: 'child' } }, 'success');
    expect(message(calling, [child])).toContain('waits, at its node "pause" of "child":');
    expect(message(calling)).toBeUndefined(); // nothing is known of what it calls
    const own = workflow({}, { type: 'workflow', data: { workflowId: 'stock' } }, 'success');
    expect(message(own, [own])).toBeUndefined(); // it ends: the search, too
  });

  it('fits once its inputs are taken, whatever the tool had', () => {
    const declared = fc.dictionary(
      fc.constantFrom('sku', 'count', 'when', 'size'),
      fc.record({ type: fc.constantFrom('string', 'number', 'boolean', 'array', 'any') }, { requiredKeys: ['type'] }),
      { minKeys: 1 },
    );
    const field = fc.constantFrom<JsonObject[]>(
      { type: 'text' },
      { type: 'number' },
      { type: 'boolean', required: false },
      { type: 'list', of: 'number' },
    );
    fc.assert(
      fc.property(declared, fc.dictionary(fc.constantFrom('sku', 'count', 'other'), field), (takes, gives) => {
        const tool = workflow({ inputs: takes });
        const canvas = agent({ inputs: gives });
        const [problem] = check(canvas, tool);
        const patch = problem?.fixes?.[0]?.patch ?? [];
        expect(problem === undefined || patch.length === 1).toBe(true);
        const mended = parse(applyPatch(JSON.parse(JSON.stringify(canvas)) as JsonObject, patch) as JsonObject);
        expect(check(mended, tool)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});

describe('a workflow that a model may call unasked', () => {
  const api = (data: JsonObject = {}): JsonObject => ({ type: 'api', data: { url: 'https://api.example.com/', ...data } });
  const database = (data: JsonObject): JsonObject => ({ type: 'database', data: { connection: { credentialId: 'db' }, ...data } });
  const pays = api({ auth: { credentialId: 'pays' } });
  const writes = api({ method: 'POST' });

  /** What is said of a tool of the agent whose author says nothing of its risk. */
  function judge(tool: Canvas, { others = [], as = {} }: { readonly others?: readonly Canvas[]; readonly as?: JsonObject } = {}) {
    const text = JSON.stringify(agent(as));
    const canvas = parse(JSON.parse(as['risk'] === undefined ? text.replace('"risk":"read",', '') : text) as JsonObject);
    const known = new Map([tool, ...others].map((one) => [one.id as string, one]));
    const resolve = toolsAmong(known, standardNodes, new Map(), (id) => id === 'pays');
    return checkCanvas(canvas, { nodes: standardNodes, resolve: (reference) => resolve(reference) ?? true }).filter(
      ({ code }) => code === 'UNCONFIRMED_TOOL',
    );
  }

  it.each<readonly [string, JsonObject, string, string | undefined]>([
    ['reads by GET', api(), 'success', undefined],
    ['reads rows', database({ operation: 'list', table: 'orders' }), 'success', undefined],
    ['writes by POST', writes, 'success', 'warning'],
    ['removes by DELETE', api({ method: 'DELETE' }), 'success', 'warning'],
    ['calls a function', { type: 'function', data: { functionId: 'f' } }, 'success', 'warning'],
    ['sends an event', { type: 'send-event', data: { name: 'paid' } }, 'next', 'warning'],
    ['runs any statement', database({ operation: 'query', sql: 'select 1' }), 'success', 'warning'],
    ['reads with what moves money', pays, 'success', 'error'],
  ])('that %s', (_what, node, port, severity) => {
    expect(judge(workflow({}, node, port)).map((problem) => problem.severity)).toEqual(severity === undefined ? [] : [severity]);
  });

  it('is judged by all that it calls, however deep and in whatever version, and its place is told', () => {
    const calls = (id: string, child: string, version?: number): Canvas => {
      const node = { type: 'workflow', data: { workflowId: child, ...(version !== undefined && { version }) } };
      return parse({ ...(JSON.parse(JSON.stringify(workflow({}, node, 'success'))) as JsonObject), id });
    };
    const leaf = (id: string, node: JsonObject): Canvas =>
      parse({ ...(JSON.parse(JSON.stringify(workflow({}, node, 'success'))) as JsonObject), id });
    const deep = [...Array.from({ length: 8 }, (_, level) => calls(`level-${level}`, `level-${level + 1}`)), leaf('level-8', pays)];
    const [found, ...more] = judge(calls('stock', 'level-0'), { others: deep });
    expect(more).toEqual([]);
    expect(found).toMatchObject({ severity: 'error', pointer: '/nodes/1/data/tools/0' });
    expect(found?.message).toContain('moves money, at its node "pause" of "level-8":');
    // Of two versions of one workflow, each is looked at.
    const [first, second] = [leaf('child', api()), leaf('child', pays)];
    const both = new Map([
      ['child', first],
      [calledKey({ id: 'child', version: 2 }), second],
    ]);
    const expects = { kind: 'tool', at: [], inputs: {}, isUnconfirmed: true } as const;
    expect(explainToolMismatch(expects, calls('stock', 'child', 2), standardNodes, both, (id) => id === 'pays')).toMatchObject({
      severity: 'error',
    });
    expect(explainToolMismatch(expects, calls('stock', 'child'), standardNodes, both, (id) => id === 'pays')).toBeUndefined();
  });

  it('is what its author says, and asked of the user where the author has it asked', () => {
    const tool = workflow({}, pays, 'success');
    expect(judge(tool, { as: { risk: 'read' } })).toEqual([]);
    expect(judge(tool, { as: { confirm: { text: 'Sure?' } } })).toEqual([]);
  });
});

describe('a tool of a function', () => {
  const sum = {
    name: 'sum',
    inputSchema: { type: 'object', properties: { a: { type: 'integer' }, note: { type: 'string' } }, required: ['a'] },
  };
  const closed = { ...sum, inputSchema: { ...sum.inputSchema, additionalProperties: false } };
  const calls = (tool: string | undefined, inputs: JsonObject): JsonObject => ({
    kind: 'function',
    functionId: 'fn_sum',
    ...(tool !== undefined && { tool }),
    inputs,
  });

  it.each([
    ['one that it has', [sum], calls('sum', { a: { type: 'number' } }), undefined],
    ['none by name', [sum], calls(undefined, { b: { type: 'text' } }), undefined],
    ['an input more, where it may have others', [sum], calls('sum', { a: { type: 'number' }, b: { type: 'text' } }), undefined],
    ['one that it has not', [sum], calls('plus', {}), 'The function "fn_sum" has no tool "plus": it has "sum"'],
    ['one of none', [], calls('sum', {}), 'The function "fn_sum" has no tool "sum": it has none'],
    ['without what it needs', [sum], calls('sum', {}), 'it needs "a"'],
    ['with another type', [sum], calls('sum', { a: { type: 'text' } }), '"a" is declared as number, and given as string'],
    ['with what may be missing', [sum], calls('sum', { a: { type: 'number', required: false } }), '"a" may be missing'],
    [
      'with an input that it does not take',
      [closed],
      calls('sum', { a: { type: 'number' }, b: { type: 'text' } }),
      'it declares no input "b"',
    ],
  ])('called as %s', (_, tools, tool, message) => {
    const resolve = toolsAmong(new Map(), standardNodes, new Map([['fn_sum', tools]]));
    const check = (canvas: Canvas) =>
      checkCanvas(canvas, { nodes: standardNodes, resolve: (reference) => resolve(reference) ?? true }).filter(
        ({ code }) => code === 'TOOL_MISMATCH',
      );
    const canvas = agent(tool);
    const found = check(canvas).map(({ pointer, fixes = [], ...problem }) => {
      const [fix] = fixes;
      const mended = fix === undefined ? undefined : applyPatch(JSON.parse(JSON.stringify(canvas)) as JsonObject, fix.patch);
      return {
        says: problem.message.includes(message ?? ''),
        pointer,
        label: fix?.label,
        left: mended && check(parse(mended as JsonObject)),
      };
    });
    const fixed = { label: 'Take the inputs of the function', left: [] };
    const none = { label: undefined, left: undefined };
    const expected = { says: true, pointer: '/nodes/1/data/tools/0/tool', ...(message?.includes('has no tool') === true ? none : fixed) };
    expect(found).toEqual(message === undefined ? [] : [expected]);
  });
});
