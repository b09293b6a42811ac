// A job that continues executions is done again where its process died: what continues one has the same id each time.
import { createEngine, createMemoryCanvases, createMemoryStore } from '@hilo/engine';
import { standardNodes } from '@hilo/nodes';
import { createVirtualClock, seededRandom } from '../../packages/testing/src/index.ts';
import { expect, it } from 'vitest';

const waiting = {
  schemaVersion: 1,
  id: 'waiting',
  name: 'Waiting',
  kind: 'tool',
  nodes: [
    { id: 'begin', type: 'start' },
    { id: 'wait', type: 'wait-event', data: { name: 'never' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'begin', target: 'wait' },
    { source: 'wait', sourceHandle: 'received', target: 'done' },
  ],
};

/** The same cancelled execution each time. @param others - executions that begin behind it, and take chances */
async function cancelled(others: number) {
  const store = { executions: createMemoryStore(), canvases: createMemoryCanvases() };
  const engine = createEngine({ nodes: standardNodes, clock: createVirtualClock(), random: seededRandom(1), store });
  const acme = engine.company('acme');
  await acme.publish(waiting);
  await engine.start();
  const { executionId } = await acme.start('waiting');
  for (let count = 0; count < others; count += 1) await acme.start('waiting');
  await engine.whenIdle();
  await acme.cancel(executionId, 'a mistake');
  return { acme, executionId };
}

it('the fork of a job has an id of the job and the execution, whatever happened in between', async () => {
  const [first, second] = [await cancelled(0), await cancelled(3)];
  expect(second.executionId).toBe(first.executionId);
  const retryIn = async ({ acme, executionId }: typeof first, job: string, again = false): Promise<string> =>
    (await acme.retry(executionId, { job, ...(again && { again }) })).executionId;
  const made = await retryIn(first, 'job-1');
  expect(await retryIn(second, 'job-1')).toBe(made);
  await expect(retryIn(first, 'job-1')).rejects.toMatchObject({ code: 'CONTINUED_ALREADY' });
  const anew = await retryIn(first, 'job-1', true);
  expect(anew).not.toBe(made);
  expect(await retryIn(await cancelled(0), 'job-2')).not.toBe(made);
  expect((await first.acme.execution(made))?.state.status).toBe('waiting');
});
