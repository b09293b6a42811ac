import { describe, expect, it } from 'vitest';
import { type FakeManagement, fakeManagement, pausing } from './fake-management.ts';

const keep = (value: unknown) => ({ id: 'keep', type: 'set', data: { assignments: [{ path: '$context.paid', value }] } });
const withKeep = (value: unknown) => pausing({ nodes: pausing().nodes.map((node) => (node.id === 'keep' ? keep(value) : node)) });

async function publish({ ask }: FakeManagement, canvas: object): Promise<void> {
  expect((await ask('PUT', '/workflows/pausing?companyId=1', canvas)).status).toBe(200);
  expect((await ask('POST', '/workflows/pausing/publish?companyId=1')).status).toBe(200);
}

/** An execution that waits for its request. */
async function waiting(management: FakeManagement): Promise<string> {
  await publish(management, pausing());
  const { executionId } = await management.service.engine.receiveWebhook({
    companyId: '1',
    botId: 'bot_wa',
    workflowId: 'pausing',
    nodeId: 'hook',
    route: 'production',
    channel: 'whatsapp',
    request: { method: 'POST', body: { user: '5215512345678' }, query: {}, headers: {} },
  });
  await management.service.engine.whenIdle();
  return executionId;
}

const idOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'executionId' in body ? String(body.executionId) : '';

describe('POST /executions/{executionId}/retry', () => {
  it('continues what was cancelled once, and links both', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const id = await waiting(management);
    await ask('POST', `/executions/${id}/cancel`);
    await publish(management, withKeep(false));
    const made = await ask('POST', `/executions/${id}/retry`, { version: 'latest' });
    expect(made.status).toBe(200);
    const other = idOf(made.body);
    expect(await ask('GET', `/executions/${id}`)).toMatchObject({ body: { status: 'cancelled', continuedAs: other, forkedFrom: null } });
    expect(await ask('GET', `/executions/${other}`)).toMatchObject({
      body: { status: 'waiting', version: 2, continuedAs: null, forkedFrom: id },
    });
    expect(await ask('GET', `/executions/${other}/history`)).toMatchObject({
      body: {
        entries: [
          { step: 1, event: 0, type: 'execution.forked', by: 'operator', forked: { from: id } },
          { step: 2, event: 1, type: 'execution.migrated', by: 'operator', migrated: { from: 1, to: 2 } },
        ],
      },
    });
    const { body } = await ask('GET', `/executions/${id}/history`);
    const { entries } = body as { readonly entries: readonly object[] };
    expect(entries.at(-1)).toMatchObject({ type: 'execution.continued', continued: { as: other } });
    expect(await ask('POST', `/executions/${id}/retry`)).toEqual({
      status: 409,
      body: {
        error: 'CONTINUED_ALREADY',
        message: `Execution "${id}" was continued as "${other}"; add again: true to continue it once more`,
      },
    });
    expect(await ask('POST', `/executions/${id}/retry`, { again: true })).toMatchObject({ status: 200 });
    const before = await ask('GET', `/executions/${other}/states/1`);
    expect(before).toMatchObject({ status: 200, body: { variables: { $context: { executionId: other } } } });
  });

  it.each([
    [{ version: 'newest' }, 422, 'version is a number'],
    [{ effect: 'twice' }, 422, 'effect'],
    [{ keys: 7 }, 422, 'keys'],
    [{ again: 'yes' }, 422, 'again'],
    [{ against: 'draft' }, 422, 'against'],
    [{ version: 9 }, 404, 'VERSION_NOT_FOUND'],
    [{ set: { '$user.id': 'x' } }, 422, '$user'],
  ])('refuses %j with %i, and continues nothing', async (body, status, words) => {
    await using management = await fakeManagement();
    const { ask } = management;
    const id = await waiting(management);
    await ask('POST', `/executions/${id}/cancel`);
    const answer = await ask('POST', `/executions/${id}/retry`, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
    expect(await ask('GET', `/executions/${id}`)).toMatchObject({ body: { continuedAs: null } });
  });

  it('refuses what is open and what is not there', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const id = await waiting(management);
    expect(await ask('POST', `/executions/${id}/retry`)).toMatchObject({ status: 409, body: { error: 'NOT_ENDED_BADLY' } });
    expect(await ask('POST', '/executions/none/retry')).toMatchObject({ status: 404, body: { error: 'EXECUTION_NOT_FOUND' } });
  });
});

describe('POST /executions/{executionId}/fork', () => {
  it('begins a copy before an event, and ends the original where asked', async () => {
    await using management = await fakeManagement();
    const { ask } = management;
    const id = await waiting(management);
    const copy = idOf((await ask('POST', `/executions/${id}/fork`, { before: 2 })).body);
    expect(await ask('GET', `/executions/${copy}`)).toMatchObject({ body: { status: 'waiting', forkedFrom: id } });
    expect(await ask('GET', `/executions/${id}`)).toMatchObject({ body: { status: 'waiting', continuedAs: null } });
    const other = idOf((await ask('POST', `/executions/${id}/fork`, { before: 2, enter: 'keep', ends: true })).body);
    expect(await ask('GET', `/executions/${other}`)).toMatchObject({ body: { status: 'completed' } });
    expect(await ask('GET', `/executions/${id}`)).toMatchObject({ body: { status: 'cancelled', continuedAs: other } });
  });

  it.each([
    [{}, 422, 'before'],
    [{ before: 0 }, 422, 'before'],
    [{ before: 1.5 }, 422, 'before'],
    [{ before: 99 }, 400, 'from 1 to 2'],
    [{ before: 1, enter: 'keep' }, 400, 'Before event 1 it had not begun, and can enter no node'],
    [{ before: 2, enter: 'none' }, 409, 'There is no node'],
    [{ before: 2, enter: 'none' }, 409, 'NODE_GONE'],
    [{ before: 2, by: 'ada' }, 422, 'by'],
  ])('refuses %j with %i', async (body, status, words) => {
    await using management = await fakeManagement();
    const { ask } = management;
    const id = await waiting(management);
    const answer = await ask('POST', `/executions/${id}/fork`, body);
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.body)).toContain(words);
  });
});
