// Addresses of callbacks over HTTP: what a third party may do with one, and what those learn who guess.
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createResumeTokens } from '../../src/webhooks/resume-tokens.ts';
import { derivesFrom } from '../../src/platform/secrets/token-keys.ts';
import { accepted, ana, setStage, type Stage } from './calls.ts';

let stage: Stage;
beforeEach(async () => {
  stage = await setStage();
  return () => stage.service.close();
});

/** Starts by a webhook, keeps the address of `bank` in a variable, pauses a second, and waits there. */
const loan = (wait: object = {}) => ({
  schemaVersion: 1,
  id: 'loan',
  name: 'Loan',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'loan', methods: ['POST'], userIdPath: 'user.id' } },
    { id: 'link', type: 'set', data: { assignments: [{ path: '$context.url', value: '{{resumeUrl("bank")}}' }] } },
    { id: 'pause', type: 'delay', data: { duration: 'PT1S' } },
    { id: 'bank', type: 'wait-external', data: { saveAs: '$context.call', timeout: 'P1D', ...wait } },
    { id: 'more', type: 'wait-event', data: { name: 'more', timeout: 'P9D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'link' },
    { source: 'link', target: 'pause' },
    { source: 'pause', target: 'bank' },
    { source: 'bank', sourceHandle: 'resumed', target: 'more' },
    { source: 'bank', sourceHandle: 'timeout', target: 'more' },
    { source: 'more', sourceHandle: 'received', target: 'bank' },
    { source: 'more', sourceHandle: 'timeout', target: 'done' },
  ],
});

async function contextOf(executionId: string): Promise<{ readonly url?: string; readonly call?: object }> {
  const state = await stage.stateOf(executionId);
  return (state?.variables['$context'] ?? {}) as { readonly url?: string; readonly call?: object };
}

async function begin(wait: object = {}) {
  await stage.service.keep(loan(wait));
  const { executionId } = accepted(await stage.hook('loan/whatsapp/hook', { user: { id: ana } }));
  await stage.service.engine.whenIdle();
  const { url } = await contextOf(executionId);
  return { executionId, path: new URL(url ?? '').pathname };
}

const callOf = async (executionId: string) => (await contextOf(executionId)).call;
const post = (path: string, body: unknown = { paid: true }, headers: { [name: string]: string } = {}) =>
  stage.call(path, { method: 'POST', body, headers });

describe('the address of a callback', () => {
  it('resumes its wait without a key, once; then it is the 404 of an address that was never given', async () => {
    const { executionId, path } = await begin();
    await stage.pass(1_000);
    const answer = await post(path, { paid: true }, { 'x-api-key': 'anything', authorization: 'Bearer secret' });
    expect(answer).toMatchObject({ status: 200, body: { success: true, executionId, mode: 'resume', isNewExecution: false } });
    await stage.service.engine.whenIdle();
    expect(await callOf(executionId)).toMatchObject({
      body: { paid: true },
      method: 'POST',
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.stringify(await callOf(executionId))).not.toContain('secret');
    const [used, wrong] = [await post(path), await post('/workflows/v2/resume/never-given')];
    expect([used.status, used.body]).toEqual([404, wrong.body]);
    expect([...used.headers.keys()]).toEqual([...wrong.headers.keys()]);
  });

  it('keeps a call that comes before the wait is open, and the same key has the same answer', async () => {
    const { executionId, path } = await begin();
    const first = await post(path, { n: 1 }, { 'idempotency-key': 'a' });
    expect(first.status).toBe(200);
    expect((await post(path, { n: 2 })).status).toBe(404);
    expect(await post(path, { n: 3 }, { 'idempotency-key': 'a' })).toMatchObject({ status: 200, body: first.body });
    await stage.pass(1_000);
    expect(await callOf(executionId)).toMatchObject({ body: { n: 1 } });
  });

  it('is withdrawn when its wait ends', async () => {
    const { path } = await begin();
    await stage.pass(1_000);
    await stage.pass(86_400_000);
    expect((await post(path)).status).toBe(404);
  });

  it.for([
    { how: 'a retry', when: 'before the wait', passes: 0, continues: 'retry' },
    { how: 'a retry', when: 'in the wait', passes: 1_000, continues: 'retry' },
    { how: 'a copy in its place', when: 'in the wait', passes: 1_000, continues: 'fork' },
  ] as const)('leads to $how of what ended $when, for which nobody has another, and once', async ({ passes, continues }) => {
    const { executionId, path } = await begin();
    await stage.pass(passes);
    const acme = stage.service.engine.company('1');
    const before = (await acme.history(executionId)).length;
    if (continues === 'retry') await acme.cancel(executionId);
    const first = continues === 'retry' ? await acme.retry(executionId) : await acme.fork(executionId, { before, ends: true });
    await acme.cancel(first.executionId);
    expect((await post(path)).status).toBe(404);
    const made = await acme.retry(first.executionId); // of one that continues another itself
    expect(await post(path, { n: 1 }, { 'idempotency-key': 'a' })).toMatchObject({ status: 200, body: { mode: 'resume' } });
    expect((await post(path, { n: 2 })).status).toBe(404);
    expect((await post(path, { n: 3 }, { 'idempotency-key': 'a' })).status).toBe(200);
    await stage.pass(1_000);
    expect(await callOf(made.executionId)).toMatchObject({ body: { n: 1 } });
    expect(await callOf(executionId)).toBeUndefined();
  });

  it('leads to no copy beside the original, which it still answers', async () => {
    const { executionId, path } = await begin();
    await stage.pass(1_000);
    const acme = stage.service.engine.company('1');
    const copy = await acme.fork(executionId, { before: (await acme.history(executionId)).length });
    expect((await post(path, { n: 1 })).status).toBe(200);
    expect((await post(path, { n: 2 })).status).toBe(404);
    await stage.service.engine.whenIdle();
    expect([await callOf(executionId), await callOf(copy.executionId)]).toMatchObject([{ body: { n: 1 } }, undefined]);
  });

  it('takes the methods of the node, and HEAD resumes nothing', async () => {
    const { executionId, path } = await begin({ methods: ['PUT'] });
    await stage.pass(1_000);
    expect([(await post(path)).status, (await stage.call(path, { method: 'HEAD' })).status]).toEqual([405, 405]);
    expect(await callOf(executionId)).toBeUndefined();
    expect((await stage.call(path, { method: 'PUT', body: {} })).status).toBe(200);
  });

  it('asks for a confirmation, which alone resumes', async () => {
    const { executionId, path } = await begin({ confirm: true, methods: ['GET'] });
    await stage.pass(1_000);
    for (const _ of [1, 2])
      expect(await stage.call(path)).toMatchObject({ status: 200, body: expect.stringContaining('<form method="post">') as unknown });
    expect(await callOf(executionId)).toBeUndefined();
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const done = await stage.call(path, { method: 'POST', body: 'confirm=yes', headers: form });
    expect(done).toMatchObject({ status: 200, body: expect.stringContaining('You can close this page') as unknown });
    expect((await stage.call(path)).status).toBe(404);
    await stage.service.engine.whenIdle();
    expect(await callOf(executionId)).toMatchObject({ body: { confirm: 'yes' } });
  });

  it('is written into no log', async () => {
    const { path } = await begin();
    await post(path);
    expect(stage.service.logged.filter(({ fields }) => JSON.stringify(fields).includes('/workflows/v2/resume/…'))).toHaveLength(1);
    expect(JSON.stringify(stage.service.logged)).not.toContain(path.split('/').at(-1));
  });
});

describe('a token', () => {
  const tokens = createResumeTokens(derivesFrom(new Uint8Array(32).fill(7)));
  const claims = fc.record({
    companyId: fc.string(),
    executionId: fc.string(),
    nodeId: fc.string(),
    visit: fc.integer({ min: 1 }),
    oneTimeOnly: fc.boolean(),
    expiresAtMs: fc.integer(),
  });

  it('opens as what was sealed, is the same for the same claim, and shows nothing of it', () =>
    fc.assert(
      fc.property(claims, (claim) => {
        const token = tokens.seal(claim);
        expect([tokens.open(token), tokens.seal({ ...claim })]).toEqual([claim, token]);
        expect(token).toMatch(/^[\w-]+$/);
        expect(createResumeTokens(derivesFrom(new Uint8Array(32).fill(8))).open(token)).toBeUndefined();
      }),
    ));

  it('opens as nothing once a character is changed, cut or added', () =>
    fc.assert(
      fc.property(claims, fc.nat(), fc.constantFrom('A', 'b', '-', '', '=', '%00', '.'), (claim, at, by) => {
        const token = tokens.seal(claim);
        const place = at % (token.length + 1);
        const changed = token.slice(0, place) + by + token.slice(place + 1);
        expect(changed === token || tokens.open(changed) === undefined).toBe(true);
      }),
    ));
});
