// The life of a mistake over HTTP: it is published, seen, stopped, mended, replayed, published, everybody is brought to the mended version,
// what failed is continued without a second charge, and the record says who did what.
import { expect, it } from 'vitest';
import { doneJob, type FakeManagement, fakeManagement, lastLine } from './fake-management.ts';
import { order, shop } from './shop.ts';

const where = 'companyId=1';
const workflow = '/workflows/shop';

async function publish({ ask }: FakeManagement, canvas: object): Promise<void> {
  expect(await ask('PUT', `${workflow}?${where}`, canvas)).toMatchObject({ status: 200 });
  expect(await ask('POST', `${workflow}/publish?${where}`)).toMatchObject({ status: 200 });
}

it('a published mistake is seen, stopped, mended, proved on what was said, and taken back for everybody', async () => {
  await using management = await fakeManagement();
  const { ask, drivers } = management;
  const charges = (): number => drivers.calls.filter(({ effect }) => effect === 'http.request').length;
  await management.startJobs();

  await publish(management, shop('Charged: {{$context.charge.body.id}}'));
  for (const customer of [1, 2, 3]) await order(management, customer);

  // The mistake: a field that the bank does not send. Four customers are charged and hear nothing.
  await publish(management, shop('Receipt {{$context.charge.body.receipt}}'));
  const failed: string[] = [];
  for (const customer of [4, 5, 6, 7]) failed.push(await order(management, customer));
  const { body: found } = await ask('GET', `/executions?${where}&workflowId=shop&status=failed`);
  const { results } = found as { readonly results: readonly { readonly executionId: string }[] };
  expect(results.map(({ executionId }) => executionId).sort()).toEqual([...failed].sort());
  expect(await ask('GET', `/executions/${failed[0]}`)).toMatchObject({ body: { cause: 'EXPRESSION' } });

  // Stopped at once.
  expect(await ask('POST', `${workflow}/pause?${where}`)).toMatchObject({ status: 200 });
  await expect(order(management, 8)).rejects.toMatchObject({ code: 'WORKFLOW_PAUSED' });

  // Mended, and tried on what was said: those who failed would end otherwise, by what the draft says at "receipt".
  const mended = shop('Charged: {{$context.charge.body.id}}', 'How was your order?');
  expect(await ask('PUT', `${workflow}?${where}`, mended)).toMatchObject({ status: 200 });
  const replayed = await lastLine(management, `${workflow}/replays?${where}`, { against: 'draft' });
  expect(replayed).toMatchObject({ read: 4, counts: { equal: 0, differs: 4 } });
  expect(replayed['groups']).toMatchObject([{ nodeId: 'receipt', count: 4 }]);
  expect(await ask('POST', `${workflow}/publish?${where}`)).toMatchObject({ status: 200 });
  expect(await ask('POST', `${workflow}/unpause?${where}`)).toMatchObject({ status: 200 });

  // Whoever waits in version 1 goes on in version 3.
  const migration = { workflowId: 'shop', from: 1, to: 3 };
  const plan = await lastLine(management, `${workflow}/migrations/plan?${where}`, migration);
  expect(plan).toMatchObject({ read: 3 });
  const accept = Object.keys(plan['counts'] as object);
  expect(await doneJob(management, `${workflow}/migrations?${where}`, { migration, planId: plan['planId'], accept })).toMatchObject({
    status: 'done',
    counts: Object.fromEntries(accept.map((kind) => [kind, 3])),
  });

  // Who was charged and heard nothing hears it now, and nobody is charged again.
  const before = charges();
  const heard = drivers.sent.length;
  const filter = { workflowId: 'shop', status: 'failed' };
  const action = { type: 'retry', version: 'latest' };
  const { total } = await lastLine(management, `/executions/bulk/plan?${where}`, { filter, action });
  expect(total).toBe(4);
  expect(await doneJob(management, `/executions/bulk?${where}`, { filter, action, atMost: 4 })).toMatchObject({ counts: { retried: 4 } });
  await management.service.engine.whenIdle();
  expect(charges()).toBe(before);
  const texts = drivers.sent.slice(heard).map((message) => (message as { readonly text?: string }).text ?? '');
  const receipts = texts.filter((text) => text.startsWith('Charged: '));
  expect(new Set(receipts)).toEqual(new Set([4, 5, 6, 7].map((customer) => `Charged: ch_${customer}`)));
  expect(receipts.length).toBe(4);
  await doneJob(management, `/executions/bulk?${where}`, { filter, action, atMost: 4 });
  expect(charges()).toBe(before);
  expect(await ask('GET', `${workflow}/population?${where}`)).toMatchObject({ status: 200 });
  expect(await ask('GET', `/executions?${where}&workflowId=shop&status=waiting`)).toMatchObject({
    body: { results: Array.from({ length: 7 }, () => ({ version: 3 })) },
  });

  // The record has each act, newest first, and who did it.
  const { body: record } = await ask('GET', `/audit?${where}&limit=100`);
  const acts = (record as { readonly results: readonly { readonly action: string; readonly outcome: string }[] }).results;
  expect(
    acts
      .filter(({ outcome }) => outcome === 'asked')
      .map(({ action: name }) => name)
      .toReversed(),
  ).toEqual([
    'saveWorkflow',
    'publishWorkflow',
    'saveWorkflow',
    'publishWorkflow',
    'pauseWorkflow',
    'saveWorkflow',
    'replayWorkflow',
    'publishWorkflow',
    'unpauseWorkflow',
    'planMigration',
    'migrateExecutions',
    'planBulk',
    'actInBulk',
    'actInBulk',
  ]);
});
