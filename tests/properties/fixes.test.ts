import { checkCanvasText } from '@hilo/engine';
import type { Json, PatchOperation, Problem } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fewRuns } from '../../scripts/vitest/part-of.ts';
import { brokenCanvas } from '../../packages/testing/src/arbitraries/broken-canvases.ts';

const check = (input: unknown): readonly Problem[] => checkCanvasText(input, { nodes: standardNodes });
const steps = (pointer: string) =>
  pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));

/** JSON Patch (RFC 6902), as far as fixes use it. @throws {Error} where its places do not exist */
function patched(input: unknown, patch: readonly PatchOperation[]): unknown {
  const root = JSON.parse(JSON.stringify(input)) as Json;
  for (const operation of patch) {
    const at = steps(operation.path);
    const last = at.pop() ?? '';
    const parent: unknown = at.reduce<unknown>((value, step) => {
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) throw new Error(`${operation.path} is not there`);
      return Reflect.get(value, step);
    }, root);
    if (typeof parent !== 'object' || parent === null) throw new Error(`${operation.path} has nothing around it`);
    if (operation.op !== 'add' && !Object.hasOwn(parent, last)) throw new Error(`${operation.path} is not there`);
    if (operation.op === 'remove' && Array.isArray(parent)) parent.splice(Number(last), 1);
    else if (operation.op === 'remove') Reflect.deleteProperty(parent, last);
    else if (Array.isArray(parent) && operation.op === 'add')
      parent.splice(last === '-' ? parent.length : Number(last), 0, operation.value);
    else Reflect.set(parent, last, operation.value);
  }
  return root;
}

const errors = (problems: readonly Problem[]) => problems.filter(({ severity }) => severity === 'error').length;

describe('what a problem offers to an editor', () => {
  it('is a fix that can be applied, makes the problem go, and makes nothing worse', () => {
    fc.assert(
      fc.property(brokenCanvas(), ({ canvas, code }) => {
        const before = check(canvas);
        for (const problem of before) {
          for (const { label, patch } of problem.fixes ?? []) {
            expect(label).not.toBe('');
            const after = check(patched(canvas, patch));
            if (problem.code === 'UNREACHABLE_NODE') continue; // what it leads to, if that is removed, is the next one
            const others = before.filter(({ code: each }) => each === problem.code).length - 1;
            expect(after.filter(({ code: each }) => each === problem.code).length).toBeLessThanOrEqual(others);
            // When a node has no id of its own, its edges are problems too, and removing one reveals the next.
            if (code === 'INVALID_CANVAS') continue;
            expect(errors(after)).toBeLessThanOrEqual(errors(before) - (problem.severity === 'error' ? 1 : 0) + leftBehind(problem));
          }
        }
      }),
      fewRuns(100),
    );
  });

  it.each(['UNKNOWN_FIELD', 'EDGE_TO_NOTHING', 'UNWRITTEN_VARIABLE', 'PORT_WITHOUT_EDGE', 'SECOND_EDGE', 'NO_ENTRY'] as const)(
    'has a fix for %s',
    (code) => {
      const fixed = fc
        .sample(brokenCanvas([code]), 20)
        .flatMap(({ canvas }) => check(canvas).filter((problem) => problem.code === code && problem.fixes !== undefined));
      expect(fixed).not.toEqual([]);
    },
  );

  it('is a way that goes along edges of the canvas, and ends at the node of the problem', () => {
    fc.assert(
      fc.property(brokenCanvas(['UNWRITTEN_VARIABLE', 'BUSY_LOOP', 'UNREACHABLE_EXIT']), ({ canvas, code }) => {
        const { edges } = canvas as { edges: { source: string; sourceHandle?: string; target: string }[] };
        const found = check(canvas).filter((problem) => problem.code === code);
        expect(found).not.toEqual([]);
        for (const { way = [], nodeId } of found) {
          expect(way.at(-1)?.nodeId).toBe(nodeId);
          for (const [index, { nodeId: source, port }] of way.slice(0, -1).entries())
            expect(edges).toContainEqual(
              expect.objectContaining({ source, target: way[index + 1]?.nodeId, ...(port !== undefined && { sourceHandle: port }) }),
            );
        }
      }),
      fewRuns(60),
    );
  });

  const canvasWith = (more: object, ...data: readonly [object, object]) => ({
    schemaVersion: 1,
    id: 'a',
    name: 'A',
    nodes: [
      { id: 's', type: 'start', data: data[0] },
      { id: 'e', type: 'end', data: data[1] },
    ],
    edges: [{ source: 's', target: 'e' }],
    ...more,
  });
  const mend = (canvas: object, label: string): readonly Problem[] => {
    const fix = check(canvas)
      .flatMap(({ fixes = [] }) => fixes)
      .find((one) => one.label === label);
    return check(patched(canvas, fix?.patch ?? []));
  };

  it.each([
    ['kewords', 'Rename it to "keywords"'],
    ['KEYWORDS', 'Rename it to "keywords"'],
    ['zzz', 'Remove the field'],
  ])('gives a misspelt field such as "%s" its name, and keeps its value', (name, label) => {
    const [problem] = check(canvasWith({}, { fallback: true, [name]: ['hi'] }, {}));
    expect(problem?.fixes?.[0]?.label).toBe(label);
    expect(mend(canvasWith({}, { fallback: true, [name]: ['hi'] }, {}), label)).toEqual([]);
    const both = check(canvasWith({}, { fallback: true, keywords: ['a'], [name]: ['hi'] }, {}));
    expect(both[0]?.fixes?.map((fix) => fix.label)).toEqual(['Remove the field']);
  });

  const asks = (message: object) => [{ id: 'n', type: 'ask', data: { message, saveAs: '$context.a' } }];
  const input = (fields: object) => ({ message: { type: 'text', text: 'Who?' }, input: { kind: 'form', fields }, saveAs: '$context.a' });
  it.each<readonly [string, object, string]>([
    ['buttons as a list', asks({ type: 'text', text: 'Which?', buttons: ['A', 'B'] }), 'Write {"options":[{"title":"A"},{"title":"B"}]}'],
    ['a list of options', asks({ type: 'list', text: 'Which?', buttons: { options: [{ title: 'A' }] } }), 'Write "text"'],
    ['buttons', asks({ type: 'buttons', text: 'Which?', quick_replies: [{ title: 'A' }] }), 'Write "quick_reply"'],
    ['a picture', asks({ type: 'photo', mediaUrl: 'https://a.example/b.png' }), 'Write "image"'],
    [
      'an option as a text',
      [{ id: 'n', type: 'ask', data: input({ size: { type: 'option', options: ['1', { title: '2' }] } }) }],
      'Write {"title":"1"}',
    ],
    ['a field as its type', [{ id: 'n', type: 'ask', data: input({ size: 'string' }) }], 'Write {"type":"text"}'],
    ['a field as its type in JSON Schema', [{ id: 'n', type: 'ask', data: input({ size: 'integer' }) }], 'Write {"type":"number"}'],
    [
      'assignments as fields',
      [{ id: 'n', type: 'set', data: { '$context.a': 1, '$context.b': 'x' } }],
      'Put "$context.a", "$context.b" into "assignments"',
    ],
    [
      'a credential by its id',
      [{ id: 'n', type: 'api', data: { method: 'GET', url: 'https://a.example/b', auth: 'crm' } }],
      'Write {"credentialId":"crm"}',
    ],
    [
      'a credential by another name',
      [{ id: 'n', type: 'api', data: { method: 'GET', url: 'https://a.example/b', credential: { credentialId: 'crm' } } }],
      'Rename it to "auth"',
    ],
    [
      'a branch with its condition',
      [{ id: 'n', type: 'condition', data: { branches: [{ name: 'a', if: '$user.id == "1"' }] } }],
      'Rename it to "rule"',
    ],
    ['a variable with its scope', [{ id: 'n', type: 'end' }], 'Rename it to "a"'],
  ])('writes %s as the format has it, so that the problem is gone', (what, nodes, label) => {
    const more = what === 'a variable with its scope' ? { variables: { '$context.a': { default: 1 } } } : {};
    const canvas = {
      ...canvasWith(more, { fallback: true }, {}),
      nodes: [{ id: 's', type: 'start', data: { fallback: true } }, ...(nodes as object[])],
    };
    const problem = check(canvas).find(({ fixes = [] }) => fixes.some((fix) => fix.label === label));
    expect(check(canvas).flatMap(({ fixes = [] }) => fixes.map((fix) => fix.label))).toContain(label);
    const fix = problem?.fixes?.find((one) => one.label === label);
    const left = check(patched(canvas, fix?.patch ?? []));
    expect(left.some(({ pointer, message }) => pointer === problem?.pointer && message === problem.message)).toBe(false);
  });

  it('puts no list around options of which one is refused', () => {
    const fields = { size: { type: 'option', options: ['1-10', '11-50'] } };
    const canvas = { ...canvasWith({}, { fallback: true }, {}), nodes: [{ id: 'n', type: 'ask', data: input(fields) }] };
    const labels = check(canvas).flatMap(({ fixes = [] }) => fixes.map(({ label }) => label));
    expect(labels).toEqual(expect.arrayContaining(['Write {"title":"1-10"}', 'Write {"title":"11-50"}']));
    expect(labels).not.toContain('Make it a list');
  });

  it.each([
    ['$tool.adress', 'Read $tool.address'],
    ['$tool.move.address', 'Read $tool.address'],
    ['$tool.zzz', undefined],
  ])('reads an input of the tool in place of %s', (written, label) => {
    const tool = { kind: 'workflow', name: 'move', description: 'Moves', workflowId: 'w', inputs: { address: { type: 'text' } } };
    const talk = {
      model: { baseUrl: 'https://a.example/v1', name: 'small' },
      instructions: 'Help.',
      tools: [{ ...tool, confirm: { text: `To {{${written}}}?`, yes: 'Yes', no: 'No' } }],
      exits: [{ name: 'done', when: 'Done.' }],
    };
    const canvas = {
      ...canvasWith({}, { fallback: true }, {}),
      nodes: [
        { id: 's', type: 'start', data: { fallback: true } },
        { id: 'n', type: 'agent', data: talk },
        { id: 'e', type: 'end' },
      ],
      edges: [
        { source: 's', target: 'n' },
        ...['done', 'limit', 'timeout'].map((sourceHandle) => ({ source: 'n', sourceHandle, target: 'e' })),
      ],
    };
    const problem = check(canvas).find(({ code }) => code === 'UNWRITTEN_VARIABLE');
    expect(problem?.hint).toContain('$tool.address');
    expect(problem?.fixes?.map((fix) => fix.label)).toEqual(label && [label]);
    const left = label === undefined ? [] : mend(canvas, label);
    expect(left.filter(({ code }) => code === 'UNWRITTEN_VARIABLE')).toEqual([]);
  });

  it.each([{}, { settings: {} }, { settings: { sessionExpiry: 'P1D' } }, { settings: { inputs: { other: { type: 'string' } } } }])(
    'declares an input that is read, beside %j',
    (more) => {
      expect(mend(canvasWith(more, { fallback: true }, { outputs: { x: '{{$input.city}}' } }), 'Declare the input city')).toEqual([]);
    },
  );

  it.each([
    ['{{$context.a}}', '{{$context.a ?? ""}}'],
    ['{{$context.a != null ? $context.a : "x"}}', '{{($context.a ?? null) != null ? ($context.a ?? "") : "x"}}'],
    ['{{null == $context.a}}', '{{null == ($context.a ?? null)}}'],
    ['Hi {{ $context.a }} and {{$context.a + "!"}}', 'Hi {{ $context.a ?? "" }} and {{($context.a ?? "") + "!"}}'],
    ['{{$context["a"].size()}} $context.a', undefined],
    [
      '{{size($context.a)}} {{$context.ab ?? 1}} {{$context.a.b ?? 2}}',
      '{{size(($context.a ?? ""))}} {{$context.ab ?? 1}} {{$context.a.b ?? 2}}',
    ],
  ])('reads %s with a default, and marks the variable in it', (text, mended) => {
    const canvas = {
      schemaVersion: 1,
      id: 'a',
      name: 'A',
      nodes: [
        { id: 's', type: 'start', data: { fallback: true } },
        { id: 'e', type: 'end', data: { outputs: { x: text } } },
      ],
      edges: [{ source: 's', target: 'e' }],
    };
    const [problem] = check(canvas);
    expect(problem).toMatchObject({
      code: 'UNWRITTEN_VARIABLE',
      subject: '$context.a',
      way: [{ nodeId: 's', port: 'next' }, { nodeId: 'e' }],
    });
    expect(text.slice(problem?.range?.start, problem?.range?.end)).toMatch(/^\$context(?:\.a|\["a"\])$/);
    const [read, declare] = problem?.fixes ?? [];
    const isRead = read?.label.startsWith('Read') === true;
    expect(isRead ? read.patch : undefined).toEqual(mended && [{ op: 'replace', path: '/nodes/1/data/outputs/x', value: mended }]);
    const left = check(patched(canvas, (declare ?? read)?.patch ?? []));
    expect(left.filter(({ code }) => code !== 'PATH_AS_TEXT')).toEqual([]);
  });
});

/** Problems that a fix cannot avoid: a removed node or edge had further problems, and its dependents are removed with it. */
const leftBehind = ({ code }: Problem): number =>
  code === 'UNKNOWN_FIELD' || code === 'EDGE_TO_NOTHING' || code === 'UNKNOWN_PORT' || code === 'PORT_NOT_NAMED' ? 1 : 0;
