import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hiloHere } from './hilo-in-process.ts';
import { adminToken, folderWith, hilo } from '../../server/test/hilo-process.ts';
import {
  emptyDirectory,
  exampleWorkspace,
  type ServiceProcess,
  startReminder,
  startService,
  untilItWaits,
} from '../../server/test/service-process.ts';

const json = (text: string): unknown => JSON.parse(text);

/** A workspace of many users. */
const many = (count: number, names: string): object => ({
  companies: [
    {
      id: 7,
      name: 'Many',
      plan: 'enterprise',
      users: Array.from({ length: count }, (_, n) => ({ id: `52155${String(n).padStart(8, '0')}`, names })),
    },
  ],
});

describe('hilo import and export, where no service runs', () => {
  it.skipIf(process.platform === 'win32')('refuse a device that has no end, and hold none of it', async () => {
    using data = emptyDirectory();
    const { code, stderr } = await hiloHere(['import', '/dev/zero', '--data', data.path]);
    expect(code).toBe(1);
    expect(stderr).toContain('The text is no JSON');
  });

  it('bring a workspace in, once, and out again without its secrets', async () => {
    using data = emptyDirectory();
    const first = await hiloHere(['import', exampleWorkspace, '--data', data.path]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toMatch(/✔ .*workspace\.json is imported\n +2 companies \(2 new or different\)/);
    const again = await hiloHere(['import', exampleWorkspace, '--data', data.path]);
    expect(again.stdout).toContain('is imported already: nothing changed');

    const out = join(data.path, 'out.json');
    expect(await hiloHere(['export', out, '--data', data.path])).toMatchObject({ code: 0, stdout: '' });
    expect(statSync(out).mode & 0o777).toBe(0o600);
    const text = readFileSync(out, 'utf8');
    expect(json(text)).toMatchObject({
      companies: [
        { id: 1, name: 'Acme' },
        { id: 2, name: 'Other' },
      ],
    });
    for (const secret of ['hk_acme_0123456789abcdef', 's3c:ret-of-acme', 'inbound-secret-wa', 'orders-pass'])
      expect(text).not.toContain(secret);
    const back = await hiloHere(['import', out, '--data', data.path, '--json']);
    expect(back).toMatchObject({ code: 0, stderr: '' });
    const { counts } = json(back.stdout) as { readonly counts: { readonly [kind: string]: { readonly written: number } } };
    expect(Object.entries(counts).filter(([, { written }]) => written > 0)).toEqual([]);
    expect((await hiloHere(['export', '--data', data.path])).stdout).toBe(text);
  });

  it('refuse a workspace with problems, show each with its place, and write nothing', async () => {
    using data = emptyDirectory();
    using folder = folderWith({ 'bad.json': { companies: [{ id: 1, name: 'One', plan: 'golden', botz: [] }] } });
    const file = join(folder.path, 'bad.json');
    const { code, stdout, stderr } = await hiloHere(['import', file, '--data', data.path]);
    expect(stderr).toMatch(/bad\.json:6:15 {2}\/companies\/0\/plan/);
    expect(stderr).toContain('UNKNOWN_FIELD');
    expect(stderr).toMatch(/✖ .*bad\.json is not imported\n$/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    const machine = await hiloHere(['import', file, '--data', data.path, '--json']);
    expect(machine).toMatchObject({ code: 1, stderr: '' });
    expect(json(machine.stdout)).toMatchObject({
      problems: expect.arrayContaining([expect.objectContaining({ pointer: '/companies/0/plan' })]) as unknown,
    });
    expect(json((await hiloHere(['export', '--data', data.path])).stdout)).toEqual({ companies: [] });
  });

  it('do not make a store to look into', async () => {
    using data = emptyDirectory();
    const { code, stderr } = await hiloHere(['export', '--data', join(data.path, 'none')]);
    expect(stderr).toMatch(/^hilo: There is no store in [^\n]*\n$/);
    expect(code).toBe(1);
  });
});

describe('hilo beside a service that runs', () => {
  const data = emptyDirectory();
  let service: ServiceProcess;
  beforeAll(async () => {
    service = await startService(data.path, ['--workspace', exampleWorkspace]);
  }, 120_000);
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    data[Symbol.dispose]();
  });

  /** The two ways to a service: by its data directory, which needs no token, and by its address. */
  const ways = [
    ['its data directory', (args: readonly string[]) => hiloHere([...args, '--data', data.path])],
    ['its address', (args: readonly string[]) => hiloHere([...args, '--url', service.url], { env: { HILO_ADMIN_TOKEN: adminToken } })],
  ] as const;

  it.each(ways)('lists, shows, cancels and releases executions by %s', async (_way, command) => {
    const executionId = await startReminder(service.url);
    await untilItWaits(service.url, executionId);

    const list = await command(['executions', 'list', '--status', 'waiting']);
    expect(list).toMatchObject({ code: 0, stderr: '' });
    expect(list.stdout).toMatch(
      new RegExp(`^execution +workflow +status +user +updated +wait or cause\n${executionId} +payment-reminder v1 +waiting`),
    );
    expect((await command(['executions', 'list', '--status', 'failed'])).stdout).toBe('There are no such executions.\n');
    const page = json((await command(['executions', 'list', '--status', 'waiting', '--limit', '1', '--json'])).stdout);
    expect(page).toMatchObject({ results: [{ executionId, status: 'waiting' }], nextCursor: null });

    const shown = await command(['executions', 'show', executionId]);
    expect(shown.stdout).toMatch(/^status +waiting$/m);
    expect(shown.stdout).toMatch(/remind +message +message\.send/);
    expect(json((await command(['executions', 'show', executionId, '--json'])).stdout)).toMatchObject({
      executionId,
      history: expect.arrayContaining([expect.objectContaining({ nodeId: 'remind', port: 'sent' })]) as unknown,
    });

    expect((await command(['executions', 'cancel', executionId])).stdout).toBe(`✔ ${executionId} is cancelled\n`);
    const released = await command(['executions', 'release', executionId, '--json']);
    expect(json(released.stdout)).toMatchObject({ executionId, status: 'cancelled' });
  });

  it('delivers what a user writes to a bot, by its data directory and by its address', async () => {
    const here = await hiloHere(['say', 'bot_wa', '5215512345678', 'order', 'please', '--data', data.path]);
    expect(here).toMatchObject({ code: 0, stdout: expect.stringMatching(/^(?:✔ \w+|• unmatched): /) as string });
    const env = { HILO_ADMIN_TOKEN: adminToken, HILO_APP_SECRET: 'inbound-secret-wa' };
    const there = await hiloHere(['say', 'bot_wa', '5215512345678', '1234', '--url', service.url, '--json'], { env });
    expect(json(there.stdout)).toMatchObject({ success: true, outcome: expect.any(String) as string });

    const nobody = await hiloHere(['say', 'bot_none', '1', 'x', '--data', data.path]);
    expect(nobody).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no bot "bot_none"') as string });
    const unsigned = await hiloHere(['say', 'bot_wa', '1', 'x', '--url', service.url], { env: { HILO_APP_SECRET: '' } });
    expect(unsigned).toMatchObject({ code: 1, stderr: expect.stringContaining('HILO_APP_SECRET') as string });
    const wrong = await hiloHere(['say', 'bot_wa', '+51 9', 'x', '--data', data.path]);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr).toContain('is not valid');
  });

  it.each(ways)('imports and exports by %s', async (_way, command) => {
    const again = await command(['import', exampleWorkspace]);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(again.stdout).toContain('is imported already: nothing changed');
    expect(json((await command(['export'])).stdout)).toMatchObject({ companies: [{ id: 1 }, { id: 2 }] });
    using folder = folderWith({ 'bad.json': { companies: [{ id: 1, name: 'One', plan: 'golden' }] } });
    const refused = await command(['import', join(folder.path, 'bad.json')]);
    expect(refused.stderr).toContain('bad.json:6:15');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    const missing = await command(['import', join(folder.path, 'none.json')]);
    expect(missing).toMatchObject({ code: 1, stdout: '' });
    expect(missing.stderr).toContain('none.json cannot be read');
  });

  it.each(ways)('lists tokens by %s', async (_way, command) => {
    expect((await command(['tokens', 'list'])).stdout).toMatch(/fn_echo +rt_1 +legacy +hfn_rt_…/);
    const refused = await command(['tokens', 'revoke', 'rt_9']);
    expect(refused).toEqual({ code: 1, stdout: '', stderr: 'hilo: There is no token rt_9\n' });
  });

  it('imports a workspace that is too large for a request, and revokes a token, through its data directory', async () => {
    using folder = folderWith({ 'many.json': many(7_500, 'x'.repeat(120)) });
    const { code, stdout, stderr } = await hiloHere(['import', join(folder.path, 'many.json'), '--data', data.path, '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json(stdout)).toMatchObject({ counts: { users: { given: 7_500, written: 7_500 } } });
    const revoked = await hiloHere(['tokens', 'revoke', 'rt_1', '--data', data.path]);
    expect(revoked).toEqual({ code: 0, stdout: '✔ rt_1 is revoked\n', stderr: '' });
  });

  it.for([
    ['an unknown company', ['executions', 'list', '-c', '9'], 'There is no company "9"'],
    ['an unknown execution', ['executions', 'show', 'nobody'], 'There is no execution "nobody"'],
    ['a cursor that is none', ['executions', 'list', '--cursor', 'x'], 'cursor is the nextCursor of the page before', 2],
  ] as const)('reports %s in one line', async ([, args, message, code = 1]) => {
    for (const [, command] of ways) expect(await command(args)).toMatchObject({ code, stdout: '', stderr: `hilo: ${message}\n` });
  });

  it('is a process of its own for a user', async () => {
    const { code, stdout, stderr } = await hilo(['export', '--data', data.path]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(json(stdout)).toMatchObject({ companies: expect.arrayContaining([expect.objectContaining({ id: 1 })]) as unknown });
  });

  it('reports that no service answers, that another program does, and that the token is wrong', async () => {
    expect((await hiloHere(['export', '--url', 'http://127.0.0.1:1'])).stderr).toMatch(
      /^hilo: No server answers at http:\/\/127\.0\.0\.1:1: [^\n]*\n$/,
    );
    expect(await hiloHere(['export', '--url', 'nowhere'])).toMatchObject({ code: 2 });
    for (const token of ['', 'another-admin-token']) {
      const refused = await hiloHere(['export', '--url', service.url], { env: { HILO_ADMIN_TOKEN: token } });
      expect(refused).toMatchObject({ code: 1, stdout: '' });
      expect(refused.stderr).toMatch(/^hilo: Send the admin token[^\n]*\n$/);
    }
  });
});

describe('hilo tokens create', () => {
  it('creates none (TOK-02)', async () => {
    for (const args of [[], ['fn_echo', '--name', 'ci'], ['--bogus', 'a', 'b']]) {
      const { code, stdout, stderr } = await hiloHere(['tokens', 'create', ...args]);
      expect(stderr).toMatch(/^hilo: 410 Gone: [^\n]*\n$/);
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    }
  });
});

describe('hilo tokens, where no service runs', () => {
  it('lists them without the tokens themselves, and revokes one (TOK-01, TOK-03)', async () => {
    using directory = emptyDirectory();
    const at = ['--data', directory.path];
    await hiloHere(['import', exampleWorkspace, ...at]);
    const { code, stdout } = await hiloHere(['tokens', 'list', ...at]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/fn_echo +rt_1 +legacy +hfn_rt_… +never +2025-01-01T00:00:00.000Z +active/);
    expect(stdout).not.toContain('hfn_rt_0');
    const listed = await hiloHere(['tokens', 'list', 'fn_echo', ...at, '--json']);
    expect(json(listed.stdout)).toMatchObject([{ functionId: 'fn_echo', id: 'rt_1', name: 'legacy', state: 'active' }]);

    expect(await hiloHere(['tokens', 'revoke', 'rt_1', ...at])).toEqual({ code: 0, stdout: '✔ rt_1 is revoked\n', stderr: '' });
    const revoked = await hiloHere(['tokens', 'revoke', 'rt_1', '--function', 'fn_echo', ...at, '--json']);
    expect(json(revoked.stdout)).toMatchObject({ id: 'rt_1', state: 'revoked' });
    expect(await hiloHere(['tokens', 'revoke', 'rt_9', ...at])).toEqual({ code: 1, stdout: '', stderr: 'hilo: There is no token rt_9\n' });
    expect(await hiloHere(['tokens', 'revoke'])).toMatchObject({ code: 2 });
  });
});

describe('hilo after a service', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)('reaches what one left that ended by %s, and cancels what waits there', async (signal) => {
    using data = emptyDirectory();
    await using service = await startService(data.path);
    const executionId = await startReminder(service.url);
    await untilItWaits(service.url, executionId);
    await service.end(signal);
    const at = ['--data', data.path];
    expect((await hiloHere(['executions', 'show', executionId, ...at])).stdout).toMatch(/^waits for +external at paid/m);
    const cancelled = await hiloHere(['executions', 'cancel', executionId, ...at]);
    expect(cancelled).toEqual({ code: 0, stdout: `✔ ${executionId} is cancelled\n`, stderr: '' });
    const list = await hiloHere(['executions', 'list', ...at, '--json']);
    expect(json(list.stdout)).toMatchObject({ results: [{ executionId, status: 'cancelled', wait: null, cause: 'CANCELLED' }] });
    expect((await hiloHere(['executions', 'list', ...at])).stdout).toMatch(/wait or cause\n[^\n]* cancelled [^\n]*CANCELLED\n/);
  });
});

describe('hilo channels check', () => {
  it('shows the provider’s name of the bot, or the problem, with exit code 1', async () => {
    using data = emptyDirectory();
    const bot = (id: string, provider: object): object => ({
      id,
      name: id,
      channel: 'slack',
      connectedAt: '2026-01-01T00:00:00Z',
      provider,
    });
    const slack = { kind: 'slack', botToken: 'xoxb', signingSecret: 'shh' };
    const bots = [bot('kept', { kind: 'log' }), bot('lost', { ...slack, baseUrl: 'http://127.0.0.1:9' })];
    using folder = folderWith({ 'bots.json': { companies: [{ id: 1, name: 'One', plan: 'free', bots }] } });
    const imported = await hiloHere(['import', join(folder.path, 'bots.json'), '--data', data.path]);
    expect(imported.stdout).toMatch(/ 1 company \(1 new or different\)\n +2 bots \(/);
    expect(imported.code).toBe(0);
    const check = (id: string, ...flags: string[]) => hiloHere(['channels', 'check', id, '--data', data.path, ...flags]);
    expect(await check('kept')).toMatchObject({ code: 0, stdout: expect.stringContaining('has nothing to read') as unknown });
    expect(await check('lost')).toMatchObject({ code: 1, stdout: expect.stringContaining('HILO_EGRESS_ALLOW') as unknown });
    expect(json((await check('lost', '--json')).stdout)).toMatchObject({ botId: 'lost', kind: 'slack', isWorking: false });
    expect(await check('nobody')).toMatchObject({ code: 1, stderr: expect.stringContaining('nobody') as unknown });
  });
});

describe('hilo workflows list', () => {
  it('has what is published, how the draft stands and what waits, by pages and by a part of a name', async () => {
    using data = emptyDirectory();
    await hiloHere(['import', exampleWorkspace, '--data', data.path]);
    const list = (...more: readonly string[]) => hiloHere(['workflows', 'list', '--company', '1', '--data', data.path, ...more]);
    const found = await list('--query', 'ORDER');
    expect(found).toMatchObject({ code: 0, stderr: '' });
    expect(found.stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^id +published +draft +waiting +failed in 24 h +name$/),
      expect.stringMatching(/^order-status +version 1 +published +0 +0 +Order status$/),
    ]);
    const { stdout } = await list('--limit', '1');
    const [, cursor = ''] = /There are more: --cursor (\S+)/.exec(stdout) ?? [];
    const second = await list('--limit', '1', '--cursor', cursor, '--json');
    expect(json(second.stdout)).toMatchObject({ results: [{ workflowId: expect.not.stringContaining('order') as string }] });
    expect((await list('--archived')).stdout).toBe('No workflow matches.\n');
    expect(await hiloHere(['workflows', 'list', '--data', data.path])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('several companies') as string,
    });
  });
});
