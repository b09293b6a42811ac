// Ctrl-C of commands that wait for a job: the job is another's, and goes on.
import { expect, it } from 'vitest';
import { adminToken, ended, startHilo } from '../../server/test/hilo-process.ts';
import { listen } from '../../server/test/process/listening.ts';

const job = {
  jobId: 'job-1',
  companyId: '1',
  kind: 'migrate',
  status: 'running',
  cursor: 3,
  counts: { same: 3 },
  atLeast: false,
  problems: [],
  failure: null,
  rate: 10,
  notBefore: '2031-01-01T00:00:00Z',
  createdBy: 'admin token',
  createdAt: '2031-01-01T00:00:00Z',
};
const plan = { read: 5, groups: [], nodes: {}, planId: 'p' };

it.skipIf(process.platform === 'win32')(
  'tells that the job goes on, and how it is seen, whichever command waits for it',
  { timeout: 120_000 },
  async () => {
    const commands = [
      ['migrate', 'order', '--from', '1', '--to', '2', '--apply'],
      ['jobs', 'watch', 'job-1'],
    ];
    await Promise.all(
      commands.map(async (words) => {
        let interrupt = (): void => undefined;
        await using server = await listen((request, response) => {
          const isLook = request.method === 'GET' && request.url?.startsWith('/admin/v1/jobs/job-1') === true;
          if (isLook) interrupt();
          response.setHeader('content-type', 'application/json').end(JSON.stringify(isLook ? job : { ...plan, jobId: 'job-1' }));
        });
        const child = startHilo([...words, '--url', `http://${server.address}`], { env: { HILO_ADMIN_TOKEN: adminToken } });
        interrupt = () => void child.kill('SIGINT');
        child.stdin.end();
        expect(await ended(child)).toEqual({
          code: 130,
          stdout: '',
          stderr:
            '\nhilo: Stopped. The job goes on where a service runs, else at its next start. See how far it is: hilo jobs watch job-1.\n',
        });
      }),
    );
  },
);
