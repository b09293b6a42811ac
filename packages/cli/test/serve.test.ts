import { execFile } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, type OutgoingHttpHeaders, request, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { hiloHere } from './hilo-in-process.ts';
import { folderWith, hilo } from '../../server/test/hilo-process.ts';
import { listen } from '../../server/test/process/listening.ts';
import {
  ask,
  emptyDirectory,
  exampleKey,
  exampleWorkspace,
  startReminder,
  startService,
  untilItWaits,
} from '../../server/test/service-process.ts';

/** Takes a request, and ends a day later. */
const patient = {
  schemaVersion: 1,
  id: 'patient',
  name: 'Patient',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user', respond: 'onFinish' } },
    { id: 'pause', type: 'delay', data: { duration: 'P1D' } },
    { id: 'done', type: 'end' },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'pause' },
    { source: 'pause', sourceHandle: 'elapsed', target: 'done' },
  ],
};

/** Hands a request on, as a proxy does that adds no header. */
function forward(incoming: IncomingMessage, outgoing: ServerResponse, to: string, host: string): void {
  const onward = request(`${to}${incoming.url}`, { method: incoming.method, headers: { ...incoming.headers, host } }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
    answer.pipe(outgoing);
  });
  incoming.pipe(onward);
}

/** Asks with a `Host` of the caller's choice, which `fetch` does not allow. */
const statusOf = (address: string, path: string, headers: OutgoingHttpHeaders): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const asking = request(`http://${address}${path}`, { headers, agent: false }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode));
    });
    asking.on('error', reject).end();
  });

describe('hilo serve', () => {
  it('starts in an empty directory, prints its addresses, and stops at a signal (P25)', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path);
    for (const line of [
      /^Hilo \d+\.\d+\.\d+ is up$/m,
      /^ +address +http:\/\/127\.0\.0\.1:\d+$/m,
      /^ +store +SQLite, .*hilo\.db$/m,
      /^ +durability +survives power loss \(journal_mode wal, synchronous 2\)$/m,
      /^ +imported +.*workspace\.json: 2 companies, 5 bots, 3 users, 2 templates, 6 workflows$/m,
      /^ +management +asks for the token that HILO_ADMIN_TOKEN holds$/m,
      /^ +studio +http.*\/studio\/$/m,
      /^ +chat +http.*\/chat\/bot_chat$/m,
      /^ +docs +http.*\/docs$/m,
    ])
      expect(service.output()).toMatch(line);
    expect(await ask(service.url, '/health/ready')).toMatchObject({ status: 200 });
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
  });

  it('keeps every file for its owner alone, also one that a restored backup left open to others', async () => {
    using data = emptyDirectory();
    const modes = () =>
      readdirSync(data.path, { withFileTypes: true }).map((entry) => [
        entry.name,
        (statSync(join(data.path, entry.name)).mode & 0o777).toString(8),
      ]);
    const names = ['admin.token', 'hilo.db', 'hilo.db-lock', 'hilo.db-shm', 'hilo.db-wal', 'hilo.json', 'secret.key'];
    const own = Object.fromEntries([...names.map((name) => [name, '600']), ['run', '700']]) as object;
    for (const when of ['the first start', 'a start with what was restored']) {
      await using service = await startService(data.path, [], { HILO_ADMIN_TOKEN: '' });
      expect({ when, ...Object.fromEntries(modes()) }).toEqual({ when, ...own });
      await service.end('SIGKILL');
      for (const name of names) chmodSync(join(data.path, name), 0o666);
    }
  });

  it('prints a curl line that works unchanged and shows the execution', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path, ['--workspace', exampleWorkspace], { HILO_ADMIN_TOKEN: '' });
    const line = /^ +(curl .*)$/m.exec(service.output())?.[1] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    const [accepted = '', listed = ''] = stdout.split('\n');
    const { executionId, mode } = JSON.parse(accepted) as { readonly executionId: string; readonly mode: string };
    expect(mode).toBe('new');
    expect(JSON.parse(listed)).toMatchObject({ results: [{ executionId, userId: '5215512345678' }] });
  });

  it('continues after a kill: answered requests are stored, and nothing is imported twice (P1)', async () => {
    using data = emptyDirectory();
    await using before = await startService(data.path);
    const executionId = await startReminder(before.url);
    await before.end('SIGKILL');
    await using after = await startService(data.path);
    expect(after.output()).toContain('all there already');
    expect(await untilItWaits(after.url, executionId)).toMatchObject({
      status: 200,
      body: { executionId, workflowId: 'payment-reminder', version: 1, status: 'waiting', wait: { kind: 'external' } },
    });
    expect(await ask(after.url, '/admin/v1/workflows/payment-reminder/versions?companyId=1')).toMatchObject({
      body: { results: [{ version: 1 }] },
    });
  });

  it('answers callers that wait for a workflow as accepted when it stops (P2, P25)', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path);
    const workflow = '/admin/v1/workflows/patient';
    expect(await ask(service.url, `${workflow}?companyId=1`, { method: 'PUT', body: patient })).toMatchObject({ status: 200 });
    expect(await ask(service.url, `${workflow}/publish?companyId=1`, { method: 'POST' })).toMatchObject({ status: 200 });
    const hook = '/workflows/v2/webhooks/skill/patient/whatsapp/hook';
    const answer = ask(service.url, hook, { method: 'POST', headers: { 'x-api-key': exampleKey }, body: { user: '5215512345678' } });
    const listed = '/admin/v1/executions?companyId=1&workflowId=patient&status=waiting';
    const [executionId] = await vi.waitFor(async () => {
      const { results } = (await ask(service.url, listed)).body as { readonly results: readonly { readonly executionId: string }[] };
      expect(results).toHaveLength(1);
      return results.map((one) => one.executionId);
    }, 60_000);
    expect(await service.end('SIGTERM')).toMatchObject({ code: 0, stderr: '' });
    expect(await answer).toMatchObject({ status: 200, body: { success: true, executionId, mode: 'new' } });
  });

  it('refuses to begin a new store where one was (P26)', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path);
    await service.end('SIGTERM');
    for (const name of ['hilo.db', 'hilo.db-wal', 'hilo.db-shm']) rmSync(join(data.path, name), { force: true });
    const { code, stderr } = await hilo(['serve', '--port', '0', '--data', data.path]);
    expect(stderr).toMatch(/^hilo: There is no store at [^\n]*\n$/);
    expect(code).toBe(1);
  });

  it('creates an admin token when none is given, shows it once with a link, and requires it from every caller (P27, T25)', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path, ['--public-url', 'https://bots.example'], { HILO_ADMIN_TOKEN: '' });
    const file = join(data.path, 'admin.token');
    const token = readFileSync(file, 'utf8').trim();
    expect(token).toMatch(/^[0-9a-f]{48}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(service.output()).toMatch(new RegExp(`^ +token +${token} \\(shown this once\\)$`, 'm'));
    expect(service.output()).toContain(`kept in ${file}\n`);

    // A proxy on the same machine makes every caller look local: with its own Host header, or with the caller's.
    await using rewriting = await listen((incoming, outgoing) => forward(incoming, outgoing, service.url, new URL(service.url).host));
    await using passing = await listen((incoming, outgoing) => forward(incoming, outgoing, service.url, incoming.headers.host ?? ''));
    for (const address of [rewriting.address, passing.address, new URL(service.url).host])
      for (const host of ['bots.example', 'localhost', address]) {
        const asked = (path: string, headers: object = {}) => statusOf(address, path, { host, ...headers });
        for (const path of ['/admin/v1/workspace', '/metrics', '/docs', '/openapi.json']) expect(await asked(path)).toBe(401);
        expect(await asked('/admin/v1/workspace', { authorization: `Bearer ${token}` })).toBe(200);
      }

    const [, code = ''] = /^ +log in +https:\/\/bots\.example\/studio\/#login=([\w-]{32}) /m.exec(service.output()) ?? [];
    expect(await ask(service.url, '/admin/v1/login', { method: 'POST', body: { code } })).toMatchObject({ status: 200 });
    expect(await ask(service.url, '/admin/v1/login', { method: 'POST', body: { code } })).toMatchObject({ status: 401 });
    const { stdout } = await service.end('SIGTERM');
    expect(stdout.split(token)).toHaveLength(2);

    await using again = await startService(data.path, [], { HILO_ADMIN_TOKEN: '' });
    expect(readFileSync(file, 'utf8').trim()).toBe(token);
    expect(again.output()).not.toContain(token);
    expect(again.output()).toContain('/studio/#login=');
    expect(await ask(again.url, '/admin/v1/nodes', { headers: { authorization: `Bearer ${token}` } })).toMatchObject({ status: 200 });
  });

  it('never writes a given token to disk', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path, [], { HILO_ADMIN_TOKEN: 'canary-admin-token' });
    expect(await ask(service.url, '/admin/v1/workflows')).toMatchObject({ status: 401 });
    const headers = { authorization: 'Bearer canary-admin-token' };
    expect(await ask(service.url, '/admin/v1/nodes', { headers })).toMatchObject({ status: 200 });
    const { stdout } = await service.end('SIGTERM');
    expect(stdout).not.toContain('canary-admin-token');
    expect(existsSync(join(data.path, 'admin.token'))).toBe(false);
  });

  it('writes its first lines as JSON where a machine reads them, and no secret of the workspace anywhere (P31)', async () => {
    using data = emptyDirectory();
    await using service = await startService(data.path, ['--workspace', exampleWorkspace, '--log', 'json']);
    const [first = ''] = service.output().split('\n');
    expect(JSON.parse(first)).toMatchObject({ msg: 'Hilo is up', address: service.url, studio: `${service.url}/studio/` });
    await startReminder(service.url);
    const { stdout } = await service.end('SIGINT');
    for (const line of stdout.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
    const secrets = ['inbound-secret-wa', 's3c:ret-of-acme', 'orders-pass', 'hfn_rt_0123456789abcdef', 'hk_other_0123456789abcdef'];
    expect(secrets.filter((secret) => stdout.includes(secret))).toEqual([]);
    expect(secrets.filter((secret) => readFileSync(join(data.path, 'hilo.db')).includes(secret))).toEqual([]);
    expect(readFileSync(join(data.path, 'hilo.db')).includes(exampleKey)).toBe(false);
  });

  it('reports in one line that its port or its store is in use', async () => {
    using data = emptyDirectory();
    using other = emptyDirectory();
    await using service = await startService(data.path);
    const port = new URL(service.url).port;
    const samePort = await hiloHere(['serve', '--port', port, '--data', other.path]);
    expect(samePort).toMatchObject({
      code: 1,
      stdout: '',
      stderr: `hilo: Port ${port} of 127.0.0.1 is in use: choose another with --port, or stop what has it\n`,
    });
    const sameStore = await hiloHere(['serve', '--port', '0', '--data', data.path]);
    expect(sameStore).toMatchObject({ code: 1, stdout: '' });
    expect(sameStore.stderr).toMatch(/^hilo: [^\n]*hilo\.db is in use by another process[^\n]*\n$/);
  });

  it('reports in one line that its data directory cannot be used', async () => {
    using data = emptyDirectory();
    const file = join(data.path, 'file');
    writeFileSync(file, '');
    const places = [join(file, 'data'), file, ...(existsSync('/proc/self') ? ['/proc/none/of/it'] : [])];
    for (const place of places) {
      const { code, stderr } = await hiloHere(['serve', '--port', '0', '--data', place]);
      expect(stderr).toMatch(/^hilo: The data directory [^\n]* cannot be made [^\n]*: name another one with --data\n$/);
      expect(code).toBe(1);
    }
  });

  it.for([
    [['--port', 'http'], 'error: --port is a port'],
    [['--log', 'loud'], 'error: --log is "pretty" or "json"'],
    [['--rate-limit', '0'], 'error: --rate-limit is "off"'],
    [['--database-url', 'mysql://db'], 'error: --database-url is no address such as postgres://'],
    [['--bogus'], "error: unknown option '--bogus'"],
    [['workspace.json'], 'error: too many arguments'],
  ] as const)('refuses %j with exit code 2', async ([args, message]) => {
    const { code, stdout, stderr } = await hiloHere(['serve', ...args]);
    expect(stderr).toContain(message);
    expect(stderr).toContain('Usage: hilo serve');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  });

  it.for([
    [
      'certificates that are not there',
      ['--egress-ca', 'nowhere.pem'],
      /^hilo: The certificates of --egress-ca [^\n]*nowhere\.pem[^\n]*\n$/,
    ],
    ['an address of another machine', ['--host', '192.0.2.1', '--port', '0'], /^hilo: 192\.0\.2\.1 is no address of this machine[^\n]*\n$/],
  ] as const)('does not start with %s, and reports why in one line', async ([, args, message]) => {
    using data = emptyDirectory();
    const { code, stderr } = await hiloHere(['serve', '--data', data.path, ...args]);
    expect(stderr).toMatch(message);
    expect(code).toBe(1);
  });

  it('does not start with a workspace that has problems, and shows each with its place', async () => {
    using data = emptyDirectory();
    using folder = folderWith({ 'broken.json': '{"companies":\n [,]}', 'bad.json': '{"companies":\n [{"id":1,"name":7}]}' });
    const serve = (workspace: string) => hiloHere(['serve', '--data', data.path, '--workspace', workspace], { cwd: folder.path });
    const said = [await serve('nowhere.json'), await serve('broken.json'), await serve('bad.json')];
    expect(said.map(({ code, stdout }) => ({ code, stdout }))).toEqual(said.map(() => ({ code: 1, stdout: '' })));
    expect(said[0]?.stderr).toMatch(/^error FILE_UNREADABLE .*nowhere\.json cannot be read/);
    expect(said[1]?.stderr).toMatch(/^error NOT_JSON .* at line 2, column 3\n.*broken\.json:2:3/);
    expect(said[2]?.stderr).toMatch(/"name" must be a text\n.*bad\.json:2:\d+ {2}\/companies\/0\/name[^]*"plan" is missing/);
    for (const { stderr } of said) expect(stderr).toMatch(/✖ \S+ is not imported\n$/);
  });
});
