// What commands say and end with whose job did not come to its end.
import { describe, expect, it } from 'vitest';
import { adminToken } from '../../server/test/hilo-process.ts';
import { listen } from '../../server/test/process/listening.ts';
import { hiloHere } from './hilo-in-process.ts';

const commands = [
  'migrate order --from 1 --to 2 --apply',
  'migrate order --undo job-1',
  'executions bulk cancel --workflow order --apply',
  'jobs watch job-1',
  'jobs undo job-1',
  'contacts erase 1 --company 1',
];
const failure = { code: 'STOPPED', message: 'The disk is full' };
const ends = [
  { status: 'done', failure: null, code: 0 },
  { status: 'done', failure, code: 1 },
  { status: 'paused', failure: null, code: 1 },
  { status: 'cancelled', failure: null, code: 1 },
];
const asked = { read: 5, groups: [], nodes: {}, planId: 'p', jobId: 'job-1', total: 5, byStatus: {}, byVersion: {}, byCause: {} };

/** Management that has one job, which has ended. @param jobOf - what is special about it */
const managementWith = (jobOf: object) =>
  listen((request, response) => {
    const job = {
      jobId: 'job-1',
      companyId: '1',
      kind: 'migrate',
      spec: { workflowId: 'order' },
      cursor: 3,
      counts: { same: 3 },
      atLeast: false,
      problems: [],
      rate: 10,
      notBefore: '2031-01-01T00:00:00Z',
      createdBy: 'admin token',
      createdAt: '2031-01-01T00:00:00Z',
      ...jobOf,
    };
    const isLook = request.method === 'GET' && request.url?.startsWith('/admin/v1/jobs/job-1') === true;
    response.setHeader('content-type', 'application/json').end(JSON.stringify(isLook ? job : asked));
  });

describe.for(commands)('hilo %s', (words) => {
  it.for(ends)('ends with $code where its job is $status with the failure $failure, in words and in JSON', async ({ code, ...end }) => {
    await using server = await managementWith(end);
    const said = async (...more: readonly string[]) =>
      await hiloHere([...words.split(' '), ...more, '--url', `http://${server.address}`], { env: { HILO_ADMIN_TOKEN: adminToken } });
    const inJson = await said('--json');
    expect(inJson).toMatchObject({ code, stderr: '' });
    expect(JSON.parse(inJson.stdout)).toMatchObject(end);
    const inWords = await said();
    expect(inWords).toMatchObject({ code, stderr: '' });
    expect(inWords.stdout.startsWith('✔') && code !== 0).toBe(false);
    expect(inWords.stdout.includes(failure.message)).toBe(end.failure !== null);
  });
});

it.for([
  { workflowId: 'other' },
  { filter: {}, action: { type: 'migrate', migration: { workflowId: 'other' } } },
  { filter: {}, action: { type: 'cancel' } },
])('refuses to take back a job of another workflow, or of none: %o', async (spec) => {
  await using server = await managementWith({ spec, status: 'done', failure: null });
  const words = ['migrate', 'order', '--undo', 'job-1', '--url', `http://${server.address}`];
  const said = await hiloHere(words, { env: { HILO_ADMIN_TOKEN: adminToken } });
  expect(said).toEqual({
    code: 1,
    stdout: '',
    stderr: 'hilo: Job job-1 has migrated nothing of workflow "order": hilo jobs show job-1\n',
  });
});
