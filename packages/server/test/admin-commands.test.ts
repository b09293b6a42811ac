import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { folderWith, hilo } from './hilo-process.ts';
import { emptyDirectory, exampleWorkspace, type ServiceProcess, startReminder, startService, untilItWaits } from './service-process.ts';

const json = (text: string): unknown => JSON.parse(text);

describe('hilo import and export', { timeout: 90_000 }, () => {
  it('bring a workspace in, once, and out again without its secrets', async () => {
    using data = emptyDirectory();
    const first = await hilo(['import', exampleWorkspace, '--data', data.path]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/✔ .*workspace\.json is imported\n +2 companies \(2 new or different\)/);
    const again = await hilo(['import', exampleWorkspace, '--data', data.path]);
    expect(again.stdout).toContain('is imported already: nothing changed');

    const out = join(data.path, 'out.json');
    expect(await hilo(['export', out, '--data', data.path])).toMatchObject({ code: 0, stdout: '' });
    const text = readFileSync(out, 'utf8');
    expect(json(text)).toMatchObject({
      companies: [
        { id: 1, name: 'Acme' },
        { id: 2, name: 'Other' },
      ],
    });
    for (const secret of ['hk_acme_0123456789abcdef', 's3c:ret-of-acme', 'inbound-secret-wa', 'orders-pass'])
      expect(text).not.toContain(secret);
    const back = await hilo(['import', out, '--data', data.path, '--json']);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    const { counts } = json(back.stdout) as { readonly counts: { readonly [kind: string]: { readonly written: number } } };
    expect(Object.entries(counts).filter(([, { written }]) => written > 0)).toEqual([]);
    expect((await hilo(['export', '--data', data.path])).stdout).toBe(text);
  });

  it('refuse a workspace with problems, show each with its place, and write nothing', async () => {
    using data = emptyDirectory();
    using folder = folderWith({ 'bad.json': { companies: [{ id: 1, name: 'One', plan: 'golden', botz: [] }] } });
    const file = join(folder.path, 'bad.json');
    const { code, stdout, stderr } = await hilo(['import', file, '--data', data.path]);
    expect(stderr).toMatch(/bad\.json:6:15 {2}\/companies\/0\/plan/);
    expect(stderr).toContain('UNKNOWN_FIELD');
    expect(stderr).toMatch(/✖ .*bad\.json is not imported\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const machine = await hilo(['import', file, '--data', data.path, '--json']);
    expect(machine).toMatchObject({ code: 1, stderr: '' });
    expect(json(machine.stdout)).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ pointer: '/companies/0/plan' })]) as unknown,
    });
    expect(json((await hilo(['export', '--data', data.path])).stdout)).toEqual({ companies: [] });
  });

  it('do not make a store to look into', async () => {
    using data = emptyDirectory();
    const { code, stderr } = await hilo(['export', '--data', join(data.path, 'none')]);
    expect(stderr).toMatch(/^hilo: There is no store in [^\n]*\n$/);
    expect(code).toBe(1);
  });
});

describe('hilo beside a server that runs', { timeout: 90_000 }, () => {
  const token = { HILO_ADMIN_TOKEN: 'admin-token-of-tests' };
  const data = emptyDirectory();
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService(data.path, ['--workspace', exampleWorkspace]);
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    data[Symbol.dispose]();
  });

  it('names --url when the store is in use', async () => {
    const { code, stderr } = await hilo(['executions', 'list', '--data', data.path]);
    expect(stderr).toMatch(/^hilo: [^\n]*is in use by another process[^\n]*--url http:\/\/127\.0\.0\.1:3000[^\n]*\n$/);
    expect(code).toBe(1);
  });

  it('lists, shows and cancels executions', async () => {
    const executionId = await startReminder(service.url);
    await untilItWaits(service.url, executionId);
    const reach = ['--url', service.url];

    const list = await hilo(['executions', 'list', ...reach]);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(
      new RegExp(`^execution +workflow +status +user +updated +waits for\n${executionId} +payment-reminder v1 +waiting`),
    );
    const filtered = await hilo(['executions', 'list', ...reach, '--status', 'failed']);
    expect(filtered.stdout).toBe('There are no such executions.\n');
    const page = json((await hilo(['executions', 'list', ...reach, '--limit', '1', '--json'])).stdout);
    expect(page).toMatchObject({ results: [{ executionId, status: 'waiting' }], nextCursor: null });

    const shown = await hilo(['executions', 'show', executionId, ...reach]);
    expect(shown.stdout).toMatch(/^status +waiting$/m);
    expect(shown.stdout).toMatch(/remind +message +message\.send/);
    expect(json((await hilo(['executions', 'show', executionId, ...reach, '--json'])).stdout)).toMatchObject({
      executionId,
      history: expect.arrayContaining([expect.objectContaining({ nodeId: 'remind', port: 'sent' })]) as unknown,
    });

    expect((await hilo(['executions', 'cancel', executionId, ...reach])).stdout).toBe(`✔ ${executionId} is cancelled\n`);
    const released = await hilo(['executions', 'release', executionId, ...reach, '--json']);
    expect(json(released.stdout)).toMatchObject({ executionId, status: 'cancelled' });
  });

  it('imports what the server cannot read, and exports what it has', async () => {
    const again = await hilo(['import', exampleWorkspace, '--url', service.url]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('is imported already: nothing changed');
    expect(json((await hilo(['export', '--url', service.url])).stdout)).toMatchObject({ companies: [{ id: 1 }, { id: 2 }] });
    using folder = folderWith({ 'bad.json': { companies: [{ id: 1, name: 'One', plan: 'golden' }] } });
    const refused = await hilo(['import', 'bad.json', '--url', service.url], { cwd: folder.path });
    expect(refused.stderr).toContain('bad.json:6:15');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
  });

  it.for([
    ['an unknown company', ['executions', 'list', '-c', '9'], 'There is no company "9"'],
    ['an unknown execution', ['executions', 'show', 'nobody'], 'There is no execution "nobody"'],
    ['a cursor that is none', ['executions', 'list', '--cursor', 'x'], 'cursor: cursor is the nextCursor of the page before', 2],
  ] as const)('tells of %s in one line', async ([, args, message, code = 1]) => {
    expect(await hilo([...args, '--url', service.url])).toMatchObject({ code, stdout: '', stderr: `hilo: ${message}\n` });
  });

  it('tells that nobody answers, that somebody else does, and that the token is not right', async () => {
    expect((await hilo(['export', '--url', 'http://127.0.0.1:1'])).stderr).toMatch(
      /^hilo: No server answers at http:\/\/127\.0\.0\.1:1: [^\n]*\n$/,
    );
    expect(await hilo(['export', '--url', 'nowhere'])).toMatchObject({ code: 2 });
    using guarded = emptyDirectory();
    await using other = await startService(guarded.path, [], token);
    const refused = await hilo(['export', '--url', other.url]);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(/^hilo: Send the admin token[^\n]*\n$/);
    expect(await hilo(['export', '--url', other.url], { env: token })).toMatchObject({ code: 0, stdout: '{\n  "companies": []\n}\n' });
  });
});

describe('hilo executions in a directory', { timeout: 90_000 }, () => {
  it('cancels what no server has in use', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path);
    const executionId = await startReminder(service.url);
    await untilItWaits(service.url, executionId);
    await service.end('SIGTERM');
    const reach = ['--data', data.path];
    expect((await hilo(['executions', 'show', executionId, ...reach])).stdout).toMatch(/^waits for +external at paid/m);
    expect(await hilo(['executions', 'cancel', executionId, ...reach])).toMatchObject({
      code: 0,
      stdout: `✔ ${executionId} is cancelled\n`,
      stderr: '',
    });
    const list = await hilo(['executions', 'list', ...reach, '--json']);
    expect(json(list.stdout)).toMatchObject({ results: [{ executionId, status: 'cancelled', wait: null }] });
  });
});

describe('hilo tokens', { timeout: 60_000 }, () => {
  it('creates none, whatever is asked (TOK-02)', async () => {
    for (const args of [[], ['fn_echo', '--name', 'ci'], ['--bogus', 'a', 'b']]) {
      const { code, stdout, stderr } = await hilo(['tokens', 'create', ...args]);
      expect(stderr).toMatch(/^hilo: 410 Gone: [^\n]*\n$/);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
  });

  it('lists them without the tokens themselves, and revokes one (TOK-01, TOK-03)', async () => {
    using directory = emptyDirectory();
    const at = ['--data', directory.path];
    await hilo(['import', exampleWorkspace, ...at]);
    const { code, stdout } = await hilo(['tokens', 'list', ...at]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/fn_echo +rt_1 +legacy +hfn_rt_… +never +2025-01-01T00:00:00.000Z +active/);
    expect(stdout).not.toContain('hfn_rt_0');
    const listed = await hilo(['tokens', 'list', 'fn_echo', ...at, '--json']);
    expect(JSON.parse(listed.stdout)).toMatchObject([{ functionId: 'fn_echo', id: 'rt_1', name: 'legacy', state: 'active' }]);

    expect(await hilo(['tokens', 'revoke', 'rt_1', ...at])).toMatchObject({ code: 0, stdout: '✔ rt_1 is revoked\n', stderr: '' });
    const revoked = await hilo(['tokens', 'revoke', 'rt_1', '--function', 'fn_echo', ...at, '--json']);
    expect(JSON.parse(revoked.stdout)).toMatchObject({ id: 'rt_1', state: 'revoked' });
    expect(await hilo(['tokens', 'revoke', 'rt_9', ...at])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'hilo: There is no token rt_9\n',
    });
    expect(await hilo(['tokens', 'revoke'])).toMatchObject({ code: 2 });
  });
});
