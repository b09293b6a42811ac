import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const { platform, arch } = process;
const toolchain = JSON.parse(readFileSync('scripts/toolchain.json', 'utf8')) as {
  readonly [tool in 'node' | 'pnpm' | 'restate']: {
    readonly [platform: string]: { readonly package: string; readonly version: string; readonly integrity: string };
  };
};

describe('the toolchain', () => {
  it('is pinned by version and sha512 for every platform that it has a Node for', () => {
    expect(Object.keys(toolchain.pnpm)).toEqual(Object.keys(toolchain.node));
    expect(Object.keys(toolchain.node)).toEqual(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64']);
    for (const tool of Object.values(toolchain).flatMap((platforms) => Object.values(platforms))) {
      expect(tool.version).toMatch(/^\d+\.\d+\.\d+$/);
      expect(tool.integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
    }
    const { packageManager } = JSON.parse(readFileSync('package.json', 'utf8')) as { readonly packageManager: string };
    expect(packageManager).toBe(`pnpm@${toolchain.pnpm['linux-x64']?.version}`);
  });

  it('has the Restate server that packages/restate asks for, wherever npm has one', () => {
    const { peerDependencies } = JSON.parse(readFileSync('packages/restate/package.json', 'utf8')) as {
      readonly peerDependencies: { readonly [name: string]: string };
    };
    expect(Object.keys(toolchain.restate)).toEqual(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64']);
    for (const { version } of Object.values(toolchain.restate)) expect(version).toBe(peerDependencies['@restatedev/restate-server']);
  });
});

/** A repository whose pnpm logs its calls, and a registry with this pnpm and a Restate server. */
describe.skipIf(platform === 'win32')('scripts/up.mjs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-up-'));
  let registry: Server;
  const integrities = new Map<string, string>();

  /** Packs a package of one program for the registry. */
  function pack(name: string, program: string, script: string): void {
    const source = join(folder, name);
    mkdirSync(join(source, 'bin'), { recursive: true });
    writeFileSync(join(source, program), script, { mode: 0o755 });
    writeFileSync(join(source, 'package.json'), JSON.stringify({ name, version: '1.0.0', files: [program], bin: program }));
    const { stdout } = spawnSync('npm', ['pack', '--json', '--pack-destination', folder], { cwd: source, encoding: 'utf8' });
    const [packed] = JSON.parse(stdout) as readonly { readonly integrity: string }[];
    integrities.set(name, packed?.integrity ?? '');
  }

  beforeAll(async () => {
    pack('pnpm-of-test', 'pnpm', '#!/bin/sh\necho "$@" >> "$CALLS"\nmkdir -p node_modules\n');
    pack('restate-of-test', 'bin/restate-server', '#!/bin/sh\n');
    registry = createServer((request, response) => {
      const [, name = ''] = /^\/([a-z-]+)/.exec(request.url ?? '') ?? [];
      const file = `${name}-1.0.0.tgz`;
      if (request.url?.endsWith('.tgz') === true) return void response.end(readFileSync(join(folder, file)));
      const dist = { tarball: `http://${request.headers.host}/${name}/-/${file}` }; // the registry promises nothing
      const versions = { '1.0.0': { name, version: '1.0.0', dist } };
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ name, 'dist-tags': { latest: '1.0.0' }, versions }));
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
  });
  afterAll(() => {
    registry.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** A clean clone, with the test's own toolchain. */
  function clone(change: (integrity: string) => string = (integrity) => integrity) {
    const root = mkdtempSync(join(folder, 'clone-'));
    for (const name of ['scripts', 'packages']) mkdirSync(join(root, name));
    cpSync('scripts/up.mjs', join(root, 'scripts/up.mjs'));
    const tool = (name: string) => ({
      [`${platform}-${arch}`]: { package: name, version: '1.0.0', integrity: change(integrities.get(name) ?? '') },
    });
    const tools = { node: {}, pnpm: tool('pnpm-of-test'), restate: tool('restate-of-test') };
    writeFileSync(join(root, 'scripts/toolchain.json'), JSON.stringify(tools));
    const calls = join(root, 'calls');
    return {
      root,
      calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
      async up(...args: readonly string[]) {
        const env = {
          ...process.env,
          CALLS: calls,
          npm_config_registry: `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`,
          npm_config_cache: join(folder, 'cache'),
        };
        const child = spawn(process.execPath, ['scripts/up.mjs', ...args], { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
        let [stdout, stderr] = ['', ''];
        child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
        child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
        const [code] = (await once(child, 'close')) as [number];
        return { code, stdout, stderr };
      },
    };
  }

  it('installs what the lock file has, runs the command, and changes the lock file only on request (T26)', async () => {
    const { up, calls } = clone();
    expect(await up('node', '-p', '6*7')).toMatchObject({ code: 0, stdout: '42\n' });
    expect(await up('node', '-p', '6*7')).toMatchObject({ code: 0, stdout: '42\n', stderr: '' });
    expect(calls()).toEqual([expect.stringMatching(/^install --frozen-lockfile /)]);
    expect(await up('--update')).toMatchObject({ code: 0, stdout: '' });
    expect(calls()).toEqual([expect.anything(), expect.stringMatching(/^install --no-frozen-lockfile /)]);
  });

  it('fetches the Restate server for the commands that need it, once', async () => {
    const { root, up, calls } = clone();
    const program = join(root, '.toolchain/restate-of-test-1.0.0/node_modules/restate-of-test/bin/restate-server');
    expect(await up('node', '-p', '6*7')).toMatchObject({ code: 0, stdout: '42\n' });
    expect(existsSync(program)).toBe(false);
    const { code, stdout, stderr } = await up('--restate', 'node', '-p', '6*7');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '42\n' });
    expect(stderr).toContain('Restate');
    expect(existsSync(program)).toBe(true);
    expect(await up('--restate', 'node', '-p', '6*7')).toMatchObject({ code: 0, stdout: '42\n', stderr: '' });
    expect(calls()).toHaveLength(1);
  });

  it('runs nothing that has another sha512 than the repository names (T26)', async () => {
    const { root, up, calls } = clone((integrity) =>
      integrity.replace(/^sha512-./, (begin) => (begin.endsWith('A') ? 'sha512-B' : 'sha512-A')),
    );
    const { code, stdout, stderr } = await up('node', '-p', '6*7');
    expect(stderr).toMatch(/EINTEGRITY[^]*\[setup\] npm could not install pnpm-of-test@1\.0\.0/);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(calls()).toEqual([]);
    expect(readdirSync(join(root, '.toolchain'))).toEqual([]);
  });
});
