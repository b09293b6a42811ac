// What a coding agent reads of an execution whose agent withholds values: also where it runs another version by now, or another execution
// goes on with what it had.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { describe, expect, it } from 'vitest';
import { openDocs } from '../docs.ts';
import { readExecution } from './executions.ts';

const pin = 'Canary-4711-of-a-pin';
const withholding = { nodes: [{ type: 'agent', data: { withhold: ['$context.pin'] } }] };
const open = { nodes: [{ type: 'end', data: {} }] };
const wrote: Json = { step: 1, type: 'set', writes: [{ path: '$context.pin', value: pin }] };
const migrated: Json = { step: 2, type: 'execution.migrated', migrated: { from: 1, to: 2, isProved: false } };
const fromDraft: Json = { step: 2, type: 'execution.migrated', migrated: { from: 'draft', to: 2, isProved: true } };

/** An execution of version 2 of a workflow that says what it knows, with others. */
interface Kept {
  readonly execution: JsonObject;
  readonly entries: readonly Json[];
}
const told: Kept = {
  execution: { workflowId: 'bot', version: 2, status: 'waiting', output: `It is ${pin}`, variables: { $input: { pin } } },
  entries: [{ step: 1, said: pin }],
};
const secret: Kept = {
  execution: { workflowId: 'agent', version: 1, status: 'completed', variables: { $context: { pin } } },
  entries: [wrote],
};

/** The versions of a workflow, on two pages: the first one is on the last. */
const pageOf = (query: string): JsonObject =>
  query.includes('cursor=')
    ? { results: [{ version: 1, hash: 'hash of 1' }], nextCursor: null }
    : { results: [{ version: 2, hash: 'hash of 2' }], nextCursor: 'more' };

/** What a history has of a jump into a canvas. */
const jump = (hash: string): readonly Json[] => [
  { step: 2, type: 'jump', effect: { type: 'flow.jump', key: 'k', request: { workflowId: 'agent' } } },
  { step: 3, type: 'jump', effect: { type: 'flow.jump', key: 'k', result: hash } },
];

/** Management with these executions; version 1 and the draft withhold the PIN, version 2 has no agent any more. */
function managing(kept: Readonly<Record<string, Kept>>) {
  const answer = (path: string): { readonly status: number; readonly body: unknown } => {
    const [, kind, id = '', rest, version] = path.split('/');
    if (kind === 'workflows') {
      if (rest?.startsWith('versions?') === true) return { status: 200, body: pageOf(rest) };
      if (rest === 'versions' && version === 'draft') return { status: 404, body: {} };
      return { status: 200, body: { canvas: version === '2' ? open : withholding } };
    }
    const one = kept[id];
    if (one === undefined) return { status: 404, body: {} };
    return { status: 200, body: rest === 'history' ? { entries: one.entries } : { executionId: id, ...one.execution } };
  };
  const askAny = ({ path }: { readonly path: string }) => Promise.resolve(answer(path));
  return { askAny, ask: async ({ path }: { readonly path: string }) => (await askAny({ path })).body };
}

const read = async (kept: Readonly<Record<string, Kept>>): Promise<string> => {
  const refuse = (): never => {
    throw new Error('not asked for');
  };
  const context = { ...managing(kept), nodes: [], docs: openDocs(), draw: refuse, calledBy: refuse, simulate: refuse };
  return JSON.stringify((await readExecution.run({ executionId: 'x' }, context)).value);
};

const of = (more: JsonObject, entries: readonly Json[] = told.entries): Kept => ({ execution: { ...told.execution, ...more }, entries });

describe('an execution as a coding agent reads it', () => {
  it.each<readonly [string, Readonly<Record<string, Kept>>]>([
    ['was taken to a version without the agent', { x: of({}, [wrote, migrated]) }],
    ['was taken there from a draft', { x: of({}, [wrote, fromDraft]) }],
    ['is a copy of one', { x: of({ forkedFrom: 'a' }), a: secret }],
    ['is a copy of a copy', { x: of({ forkedFrom: 'b' }), b: of({ forkedFrom: 'a' }), a: secret }],
    ['was called by one', { x: of({ parentExecutionId: 'a' }), a: secret }],
    ['was called by a copy of one', { x: of({ parentExecutionId: 'b' }), b: of({ forkedFrom: 'a' }), a: secret }],
    ['was called by one that was taken to another version', { x: of({ parentExecutionId: 'a' }), a: of({}, [wrote, migrated]) }],
    ['has jumped into it', { x: of({}, [wrote, ...jump('hash of 1')]) }],
    ['has jumped into a draft with it', { x: of({}, [wrote, ...jump('hash of none')]) }],
    ['has jumped, and was taken on to another version there', { x: of({}, [wrote, ...jump('hash of 2'), fromDraft]) }],
    ['was called by one that has jumped into it', { x: of({ parentExecutionId: 'b' }), b: of({}, [wrote, ...jump('hash of 1')]) }],
    ['is told of the failure of one', { x: of({ variables: { $input: { pin, failure: { executionId: 'a' } } } }), a: secret }],
    ['called one', { x: of({}, [{ step: 1, from: 'a' }]), a: secret }],
    [
      'was sent an event by one, or was asked for a screen of its form',
      { x: of({}, [...told.entries, { step: 2, from: 'a', said: pin }]), a: secret },
    ],
    ['was sent an event by one that one has called', { x: of({}, [{ step: 1, from: 'b' }]), b: of({ parentExecutionId: 'a' }), a: secret }],
    ['was called by one that has called one', { x: of({ parentExecutionId: 'b' }), b: of({}, [{ step: 1, from: 'a' }]), a: secret }],
    ['names itself', { x: of({ parentExecutionId: 'x', forkedFrom: 'a' }), a: secret }],
  ])('has marks for what is withheld where it %s', async (_what, kept) => {
    const text = await read(kept);
    expect(text).toContain('[[v1]]');
    expect(text).not.toContain(pin);
  });

  /** An execution that called so many, of which the last has what its agent withholds. */
  const calling = (count: number, stepsOfEach: number): Readonly<Record<string, Kept>> => {
    const calls = Array.from(
      { length: count },
      (_none, index): Json => ({ step: index + 2, from: `c${index}`, nodeId: 'call', said: pin }),
    );
    const steps = Array.from({ length: stepsOfEach - 1 }, (_none, index): Json => ({ step: index + 2 }));
    return {
      x: of({ cause: 'CHILD_FAILED', wait: { kind: 'reply', nodeId: 'ask', correlation: pin } }, [...told.entries, ...calls]),
      ...Object.fromEntries(calls.map((_call, index) => [`c${index}`, of({}, [{ step: 1 }, ...steps])])),
      [`c${count - 1}`]: { ...secret, entries: [wrote, ...steps] },
    };
  };

  it.each([
    [255, 1, 'marks'],
    [256, 1, 'marks'],
    [257, 1, 'no values'],
    [2, 20_000, 'marks'],
    [2, 20_001, 'no values'],
  ])('has values of %i executions with %i steps each: %s', async (count, steps, shown) => {
    const text = await read(calling(count, steps));
    expect(text).not.toContain(pin);
    expect({ hasMarks: text.includes('[[v1]]'), hasAll: !text.includes('valuesLeftOut') }).toEqual({
      hasMarks: shown === 'marks',
      hasAll: shown === 'marks',
    });
    expect(text).toContain('"cause":"CHILD_FAILED"');
    expect(text).toContain(`"step":${count + 1},"from":"c${count - 1}","nodeId":"call"`);
  });

  it.each<readonly [string, JsonObject, readonly Json[]]>([
    ['continues', { forkedFrom: 'gone' }, told.entries],
    ['was called by', { parentExecutionId: 'gone' }, told.entries],
    ['heard', {}, [{ step: 1, from: 'gone', said: pin, heard: { text: pin }, cause: `It is ${pin}` }]],
    ['has called', {}, [{ step: 1, from: 'gone', effect: { type: 'flow.call', request: { pin }, result: pin } }]],
  ])('has steps without values where the one that it %s is gone', async (_how, more, entries) => {
    const text = await read({ x: of(more, [...entries, wrote]) });
    expect(text).not.toContain(pin);
    expect(text).toContain('"valuesLeftOut":"It has values of execution gone');
    expect(text).toContain('"writes":[{"path":"$context.pin"}]');
  });
});
