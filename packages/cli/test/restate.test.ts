import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeWithRestate } from '../../restate/test/restate-program.ts';
import { ask, emptyDirectory, exampleWorkspace, startReminder, startService, untilItWaits } from '../../server/test/service-process.ts';
import { hiloHere } from './hilo-in-process.ts';

/** The output without its progress lines. */
const lastLines = (text: string): readonly string[] => text.trimEnd().split('\n').slice(-1);

describe('hilo serve --runtime restate', () => {
  it('names the packages to install, with exit code 1 and nothing created, when the server is missing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const data = join(directory, 'data');
    const flags = ['serve', '--port', '0', '--data', data, '--runtime', 'restate'];
    const missing = await hiloHere([...flags, '--restate-server', join(directory, 'nothing')]);
    expect(missing.stderr).toContain('cannot be run: npm install @hilo/restate @restatedev/restate-server@1.7.12');
    expect(missing.code).toBe(1);
    const elsewhere = await hiloHere([...flags, '--restate-server', 'true', '--database-url', 'postgres://localhost/hilo']);
    expect(elsewhere.stderr).toContain(
      'With --database-url, several processes share one Restate: name it with --restate-url (HILO_RESTATE_URL), or leave',
    );
    expect(elsewhere.code).toBe(1);
    expect(existsSync(data)).toBe(false);
    await rm(directory, { recursive: true });
  });

  it('names the packages to install where the program is another one', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const flags = ['--runtime', 'restate', '--restate-server', process.execPath];
    const { code, stderr } = await hiloHere(['serve', '--port', '0', '--data', join(directory, 'data'), ...flags]);
    expect(lastLines(stderr)).toEqual([
      `hilo: ${process.execPath} is no Restate server: npm install @hilo/restate @restatedev/restate-server@1.7.12`,
    ]);
    expect(code).toBe(1);
    expect(existsSync(join(directory, 'data'))).toBe(false);
    await rm(directory, { recursive: true });
  });

  /** A program that prints a release, and ends. */
  const programOf = async (directory: string, release: string): Promise<string> => {
    const path = join(directory, 'restate-server');
    await writeFile(path, `#!/bin/sh\necho "restate-server ${release}"\n`, { mode: 0o700 });
    return path;
  };
  const ports = { node: 10_001, ingress: 10_002, admin: 10_003, service: 10_004 };

  it.each<readonly [what: string, release: string, marker: object | undefined, sentence: string]>([
    ['of another release', '1.6.2', undefined, 'is release 1.6.2, and 1.7 is needed: npm install @hilo/restate'],
    ['whose data is of another store', '1.7.12', { store: 'another', cluster: 'hilo-1', ports }, 'is of another store (another)'],
    ['whose data is damaged', '1.7.12', {}, 'is damaged: restore it from a backup'],
    ['that ends as it starts', '1.7.12', undefined, 'The Restate server ended as it started: see '],
  ])('advises in a sentence, with exit code 1, about a server %s', async (_what, release, marker, sentence) => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const data = join(directory, 'data');
    await mkdir(join(data, 'restate'), { recursive: true });
    if (marker !== undefined) await writeFile(join(data, 'restate', 'hilo.json'), JSON.stringify(marker));
    const flags = ['--runtime', 'restate', '--restate-server', await programOf(directory, release)];
    const { code, stderr } = await hiloHere(['serve', '--port', '0', '--data', data, ...flags]);
    expect(lastLines(stderr)).toEqual([expect.stringContaining(sentence)]);
    expect(code).toBe(1);
    await rm(directory, { recursive: true });
  });

  it('reports a port of its data that is in use', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const data = join(directory, 'data');
    const flags = ['serve', '--port', '0', '--data', data, '--runtime', 'restate', '--restate-server'];
    const program = await programOf(directory, '1.7.12');
    expect((await hiloHere([...flags, program])).code).toBe(1); // begins the data, and then ends
    const path = join(data, 'restate', 'hilo.json');
    const marker = JSON.parse(await readFile(path, 'utf8')) as { ports: { service: number } };
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    marker.ports.service = typeof address === 'object' && address !== null ? address.port : 0;
    await writeFile(path, JSON.stringify(marker));
    const { code, stderr } = await hiloHere([...flags, program]);
    other.close();
    expect(lastLines(stderr)).toEqual([
      expect.stringMatching(/Port \d+ of 127\.0\.0\.1, where the Restate data in .* has its handlers, is in use/),
    ]);
    expect(code).toBe(1);
    await rm(directory, { recursive: true });
  });

  it.skipIf(process.platform !== 'linux').each([
    ['refuses the service', '127.0.0.2', 409, 'did not take this service (409): no'],
    ['takes no calls', '127.0.0.4', 201, 'Restate takes no calls at http://127.0.0.4:8080: name the address of its ingress'],
    ['is away', '127.0.0.3', undefined, "Restate's admin at http://127.0.0.3:9070 cannot be reached: start it, or name another address"],
  ])('reports a cluster that %s', async (_what, host, status, sentence) => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const admin = createServer((_request, response) => response.writeHead(status ?? 200).end('no'));
    if (status !== undefined) await once(admin.listen(9_070, host), 'listening');
    const cluster = ['--restate-url', `http://${host}:8080`, '--restate-service', `http://${host}:0`];
    const { code, stderr } = await hiloHere(['serve', '--port', '0', '--data', directory, '--runtime', 'restate', ...cluster]);
    admin.close();
    expect(lastLines(stderr)).toEqual([expect.stringContaining(sentence)]);
    expect(code).toBe(1);
    await rm(directory, { recursive: true });
  });

  it.each([
    ['--runtime', 'temporal', '--runtime is "restate", or is left out'],
    ['--restate-url', 'localhost', '--restate-url is an address such as http://127.0.0.1:8080'],
    ['--restate-service', 'ftp://here', '--restate-service is an address such as http://127.0.0.1:8080'],
  ])('refuses %s %s with exit code 2', async (flag, value, sentence) => {
    const { code, stderr } = await hiloHere(['serve', flag, value]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

describeWithRestate('hilo serve --runtime restate, with a server,', (program) => {
  it('answers, keeps what waits through a death, moves no company, and ends its server with itself', async () => {
    using data = emptyDirectory();
    const flags = ['--workspace', exampleWorkspace, '--runtime', 'restate', '--restate-server', program];
    const killed = await startService(data.path, flags);
    const executionId = await startReminder(killed.url);
    await killed.end('SIGKILL');
    const after = await startService(data.path, flags);
    const path = `/admin/v1/executions/${executionId}`;
    const file = join(data.path, 'company.jsonl');
    const refused = {
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('The runtime "restate" keeps what is under way here') as string,
    };
    expect(await hiloHere(['move', 'out', '1', file, '--data', data.path])).toMatchObject(refused);
    expect(await untilItWaits(after.url, executionId)).toMatchObject({ body: { status: 'waiting' } });
    expect(await ask(after.url, `${path}/cancel?companyId=1`, { method: 'POST' })).toMatchObject({ body: { status: 'cancelled' } });
    expect(await after.end('SIGTERM')).toMatchObject({ code: 0 });
    expect(await hiloHere(['move', 'out', '1', file, '--data', data.path])).toMatchObject(refused);
    expect([file, `${file}.part`].filter((path) => existsSync(path))).toEqual([]);
    const socket = connect(join(data.path, 'restate', 'data', 'hilo', 'admin.sock'));
    const [refusal] = (await once(socket, 'error')) as [NodeJS.ErrnoException];
    expect(['ECONNREFUSED', 'ENOENT']).toContain(refusal.code);
  });
});

describe('hilo capacity', () => {
  it('prints figures, and the same as JSON', async () => {
    const flags = ['capacity', '--users', '100M', '--messages', '50k/s'];
    const { code, stdout } = await hiloHere(flags);
    expect(stdout).toMatch(/needs +20 cells/);
    expect(code).toBe(0);
    const { stdout: json } = await hiloHere([...flags, '--json']);
    expect(JSON.parse(json)).toMatchObject({ users: 100_000_000, messagesPerSecond: 50_000, cells: 20 });
    const perDay = await hiloHere(['capacity', '--users', '1', '--messages', '8.64M/day', '--json']);
    expect(JSON.parse(perDay.stdout)).toMatchObject({ messagesPerSecond: 100, needs: 'process' });
  });

  it.each([
    ['x', '1', 'Give a number from 1 to 1000G'],
    ['0', '1', 'Give a number from 1 to 1000G'],
    ['-1', '1', 'Give a number from 1 to 1000G'],
    ['1001G', '1', 'Give a number from 1 to 1000G'],
    ['1', '0', 'Give messages in a time'],
    ['1', '5/fortnight', 'Give messages in a time'],
    ['1', '1e9', 'Give messages in a time'],
    ['1', '2G', 'Give messages in a time'],
  ])('refuses %s users and %s messages with exit code 2', async (users, messages, sentence) => {
    const { code, stderr } = await hiloHere(['capacity', `--users=${users}`, `--messages=${messages}`]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });

  it('is refused above the cells that there can be, with exit code 1', async () => {
    const { code, stderr } = await hiloHere(['capacity', '--users', '1000G', '--messages', '1']);
    expect(stderr).toContain('That takes 200,000 cells, and users are shared out among 4,096 at most: give fewer users or messages');
    expect(code).toBe(1);
  });
});
