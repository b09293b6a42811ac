import { createEngine, type ExecutionRef, isHiloError, checkCanvasText } from '@hilo/engine';
import type { Json, JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

const canvas = (inputs: JsonObject | undefined, told: string): JsonObject => ({
  schemaVersion: 1,
  id: 'tool',
  name: 'Tool',
  kind: 'tool',
  settings: { ...(inputs !== undefined && { inputs }), outputs: { told: { type: 'any' } } },
  nodes: [
    { id: 'begin', type: 'start', data: { fallback: true } },
    { id: 'done', type: 'end', data: { outputs: { told } } },
  ],
  edges: [{ source: 'begin', target: 'done' }],
});

/** What a start with these inputs comes to: the outputs, or the refusal; and how many executions began. */
async function begin(declared: JsonObject | undefined, told: string, inputs: JsonObject) {
  const engine = createEngine({ nodes: standardNodes, drivers: [] });
  const company = engine.company('1');
  await company.publish(canvas(declared, told));
  let started = 0;
  const ended = new Promise<ExecutionRef>((resolve) => engine.on('execution.ended', resolve));
  engine.on('execution.ended', () => void (started += 1));
  const refused = await company.start('tool', { inputs }).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (isHiloError(refused, 'INVALID_INPUT')) return { code: refused.code, status: refused.status, message: refused.message, started };
  if (refused !== undefined) throw new Error('The start was refused for another reason', { cause: refused });
  const { executionId } = await ended;
  return (await company.execution(executionId))?.state.ending?.outputs;
}

const declared = { name: { type: 'string' }, count: { type: 'number', default: 1 }, note: { type: 'string', optional: true } };
const told = '{{$input.name}} {{$input.count}} {{$input.note ?? "none"}}';

describe('a start with inputs', () => {
  it('takes what is declared, with defaults, and without what is optional', async () => {
    expect(checkCanvasText(canvas(declared, told), { nodes: standardNodes })).toEqual([]);
    expect(await begin(declared, told, { name: 'Ana' })).toEqual({ told: 'Ana 1 none' });
    expect(await begin(declared, told, { name: 'Ana', count: 2, note: 'x' })).toEqual({ told: 'Ana 2 x' });
  });

  it.each<readonly [string, JsonObject, string]>([
    ['is missing', {}, '"name" is missing'],
    ['is of another type', { name: 7 }, '"name" is declared as string and is number'],
    ['is optional and of another type', { name: 'Ana', note: 7 }, '"note" is declared as string and is number'],
    ['is unknown', { name: 'Ana', colour: 'red' }, '"colour" is none of the declared inputs, which are name, count, note'],
    ['is called as every object has it', { name: 'Ana', toString: 'x' }, '"toString" is none'],
  ])('is refused, and starts nothing, when one %s', async (_what, inputs, reason) => {
    const refused = await begin(declared, told, inputs);
    expect(refused).toMatchObject({ code: 'INVALID_INPUT', status: 400, started: 0 });
    expect(refused?.['message']).toContain(reason);
  });

  it('takes any inputs where none are declared', async () => {
    expect(await begin(undefined, '{{$input.any ?? "none"}}', { any: 'thing' })).toEqual({ told: 'thing' });
  });

  it('is read with a default where an input is optional', () => {
    const problems = checkCanvasText(canvas(declared, '{{$input.note}}'), { nodes: standardNodes });
    expect(problems).toMatchObject([{ code: 'UNWRITTEN_VARIABLE', pointer: '/nodes/1/data/outputs/told' }]);
  });

  it('fits when every value has the declared type, and only then', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom('string', 'number', 'boolean', 'object', 'array'),
        fc.jsonValue() as fc.Arbitrary<Json>,
        async (type, value) => {
          const kind = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
          const outcome = await begin({ a: { type } }, '{{$input.a}}', { a: value });
          expect(outcome?.['code']).toBe(kind === type ? undefined : 'INVALID_INPUT');
        },
      ),
      { numRuns: 30 },
    ));
});
