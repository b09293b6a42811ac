// What an operator writes wrongly when workflows that run are changed: each is refused with a sentence that says what to write, before anything is
// begun; and its neighbours, which are no mistakes, are done.
import { expect, it } from 'vitest';
import { doneJob, type FakeManagement } from './fake-management.ts';
import { order, waiting, where } from './waiting-orders.ts';

/** Version 2, in which `card` is `paper`, and two executions that wait in version 1. */
const open = async (): Promise<FakeManagement> =>
  (await waiting(2, order({ said: 'thanks', id: 'paper' }), order({ said: 'thanks' }))).management;

const fits = { from: 1, to: 2, nodes: { card: 'paper' } };

/** Mappings, each with its answer and what its sentence has. */
const mappings: readonly (readonly [mistake: string, mapping: object, status: number, sentence: string])[] = [
  ['a node that there is not before', { ...fits, nodes: { none: 'paper' } }, 422, '"nodes" renames "none", which version 1 does not have'],
  ['a node that there is not after', { ...fits, nodes: { card: 'none' } }, 422, '"nodes" renames "card" to "none", which version 2'],
  ['a node with another case', { ...fits, nodes: { Card: 'paper' } }, 422, '"nodes" renames "Card", which version 1 does not have'],
  ['a choice for no node', { ...fits, at: { none: 'keep' } }, 422, '"at" names "none", which version 1 does not have'],
  ['a choice by the name of after', { ...fits, at: { paper: 'keep' } }, 422, '"at" names "paper", which version 1 does not have'],
  ['an entry that there is not', { ...fits, at: { card: { enter: 'card' } } }, 422, '"at" enters "card", which version 2 does not have'],
  ['a choice that is none', { ...fits, at: { card: 'leave' } }, 422, 'is "keep", {"enter": NODE} or {"cancel": REASON}'],
  ['a circle of two', { ...fits, nodes: { keep: 'later', later: 'keep' } }, 422, 'renames "keep", which version 2 has too'],
  ['a circle of three', { ...fits, nodes: { keep: 'later', later: 'done', done: 'keep' } }, 422, 'rename only what is gone'],
  ['two that become one', { ...fits, nodes: { card: 'paper', keep: 'paper' } }, 422, 'renames "keep", which version 2 has too'],
  [
    'one that becomes another',
    { ...fits, nodes: { card: 'later' } },
    422,
    'makes "later" of both "later" and "card": renames are one to one',
  ],
  ['a value without an end', { ...fits, set: { '$context.x': '{{$context.y' } }, 422, 'the "}}" at its end is missing'],
  ['a value of no scope', { ...fits, set: { '$context.x': '{{$contxt.y}}' } }, 422, 'did you mean $context?'],
  ['a value of no function', { ...fits, set: { '$context.x': '{{uper("x")}}' } }, 422, 'there is no function "uper"'],
  ['a place that is not written', { ...fits, set: { '$user.name': 'x' } }, 422, '"$user.name" is not a place to write'],
  ['a place without a scope', { ...fits, set: { brand: 'x' } }, 422, '"brand" is not a place to write'],
  ['a place that reaches a prototype', { ...fits, set: { '$context.__proto__': 'x' } }, 422, 'is not a place to write'],
  ['a mapping over its size', { ...fits, set: { '$context.x': 'x'.repeat(1_100_000) } }, 413, 'larger than'],
  ['a version that is not published', { from: 1, to: 3 }, 404, 'Workflow "order" has no version 3: publish it, or name another'],
  ['a version that was never there', { from: 9, to: 2 }, 404, 'Workflow "order" has no version 9'],
  ['a version before the first', { from: 1, to: 0 }, 422, '"to" is the number of a version, from 1'],
  ['half a version', { from: 1, to: 1.5 }, 422, '"to" is the number of a version'],
  ['a version by a word', { from: 1, to: 'latest' }, 422, '"to" is the number of a version'],
  ['the same version', { from: 2, to: 2 }, 422, '"from" and "to" are both version 2'],
  ['a word for all', { from: 'all', to: 2 }, 422, '"from" is the number of a version, or "any"'],
  ['a field that is misspelt', { ...fits, node: { card: 'paper' } }, 422, 'node'],
  ['another workflow', { ...fits, workflowId: 'other' }, 400, 'the path says'],
];

/** What else a request for a migration may say wrongly. */
const requests: readonly (readonly [mistake: string, request: object, status: number, sentence: string])[] = [
  ['another plan', { planId: 'x' }, 409, 'is not that of the plan: plan again, and look at it'],
  ['nothing that may happen', { accept: [] }, 422, 'accept: it must have at least 1 item'],
  ['what cannot be accepted', { accept: ['same', 'refused'] }, 422, 'must be one of same, changed, enters, cancels'],
  ['what may not be named', { accept: ['busy'] }, 422, 'must be one of same, changed, enters, cancels'],
  ['no pace', { rate: 0 }, 422, 'rate is a whole number from 1 to 100000'],
  ['half a pace', { rate: 0.5 }, 422, 'rate is a whole number from 1 to 100000'],
  ['a pace above the most', { rate: 100_001 }, 422, 'rate is a whole number from 1 to 100000'],
  ['a bound, which is of acts in bulk', { atMost: 2 }, 422, 'atMost is not part of this body'],
];

it('a migration that says something wrong is refused with what to write, and nothing is begun', async () => {
  await using management = await open();
  const { ask } = management;
  const stand = async () => JSON.stringify([await ask('GET', `/executions?${where}`), await ask('GET', '/jobs')]);
  const before = await stand();
  const address = `/workflows/order/migrations?${where}`;
  const tried = [
    ...mappings.map(([mistake, migration, ...answer]) => [mistake, { migration }, ...answer] as const),
    ...requests.map(([mistake, request, ...answer]) => [mistake, { migration: fits, ...request }, ...answer] as const),
  ];
  for (const [mistake, request, status, sentence] of tried) {
    const answer = await ask('POST', address, request);
    expect({ mistake, status: answer.status }).toEqual({ mistake, status });
    const { message } = answer.body as { readonly message: string | readonly string[] };
    expect({ mistake, told: [message].flat().join() }).toEqual({ mistake, told: expect.stringContaining(sentence) as unknown });
  }
  for (const [mistake, mapping, status] of mappings) {
    const planned = await ask('POST', `/workflows/order/migrations/plan?${where}`, mapping);
    expect({ mistake, status: planned.status }).toEqual({ mistake, status });
  }
  expect(await stand()).toBe(before);
});

/** Retries of many, each with its answer and what its sentence has. */
const retries: readonly (readonly [mistake: string, retry: object, status: number, sentence: string])[] = [
  ['a version that is not published', { version: 3 }, 404, 'Workflow "order" has no version 3: publish it, or name another'],
  ['a version before the first', { version: 0 }, 422, 'action'],
  ['a version by another word', { version: 'newest' }, 422, 'action'],
  ...mappings.flatMap(([mistake, mapping, status, sentence]) =>
    'set' in mapping && status === 422 ? [[`${mistake}, in a version`, { version: 2, set: mapping.set }, status, sentence] as const] : [],
  ),
  ['a place without a scope, in the last version', { version: 'latest', set: { brand: 'x' } }, 422, '"brand" is not a place to write'],
  ['a value without an end, in its version', { set: { '$context.x': '{{$context.y' } }, 422, 'the "}}" at its end is missing'],
];

const isNumbered = (retry: object): boolean => 'version' in retry && Number(retry.version) >= 1;
const ofNoWorkflow = [422, 'give it workflowId, whose version'] as const;

it('a retry of many that could be done to none is refused as a whole, and so is its plan', async () => {
  await using management = await open();
  const { ask } = management;
  const jobs = async () => JSON.stringify(await ask('GET', '/jobs'));
  const before = await jobs();
  for (const filter of [{ workflowId: 'order' }, { olderThan: 'PT0S' }])
    for (const [mistake, retry, ...said] of retries) {
      const [status, sentence] = 'workflowId' in filter || !isNumbered(retry) ? said : ofNoWorkflow;
      const request = { filter, action: { type: 'retry', ...retry } };
      for (const answer of [
        await ask('POST', `/executions/bulk/plan?${where}`, request),
        await ask('POST', `/executions/bulk?${where}`, { ...request, atMost: 2 }),
      ]) {
        expect({ mistake, status: answer.status }).toEqual({ mistake, status });
        expect({ mistake, told: JSON.stringify(answer.body).replaceAll('\\"', '"') }).toEqual({
          mistake,
          told: expect.stringContaining(sentence) as unknown,
        });
      }
    }
  expect(await jobs()).toBe(before);
});

it.each([
  ['another version', { version: 2 }],
  ['the last version', { version: 'latest' }],
  ['a value', { version: 1, set: { '$context.x': '{{$context.y ?? "none"}}' } }],
])('a retry of many with %s is done', async (_name, retry) => {
  const { management } = await waiting(2);
  await using _closed = management;
  await management.startJobs();
  const asked = { filter: { workflowId: 'order' }, atMost: 2, rate: 100_000 };
  const address = `/executions/bulk?${where}`;
  await doneJob(management, address, { ...asked, action: { type: 'cancel' } });
  expect(await doneJob(management, address, { ...asked, action: { type: 'retry', ...retry } })).toMatchObject({
    failure: null,
    problems: [],
    counts: { retried: 2 },
  });
});

it.each([
  ['nothing more', {}],
  ['a rename of what stays to itself', { nodes: { card: 'paper', keep: 'keep' } }],
  ['braces that are no expression', { set: { '$context.x': 'a {{ c' } }],
  ['a value of the largest size', { set: { '$context.x': 'x'.repeat(250_000) } }],
  ['a choice for a node where none waits', { at: { keep: 'keep' } }],
])('a migration with %s is done', async (_name, mapping) => {
  await using management = await open();
  await management.startJobs();
  const address = `/workflows/order/migrations?${where}`;
  const asked = { migration: { ...fits, ...mapping }, accept: ['same', 'changed'], rate: 100_000 };
  expect(await doneJob(management, address, asked)).toMatchObject({ status: 'done', failure: null, problems: [], cursor: 2 });
  const { body } = await management.ask('GET', `/executions?${where}`);
  expect(body).toMatchObject({ results: [{ version: 2 }, { version: 2 }] });
});
