import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledCommand } from '../../../scripts/vitest/bundled-command.ts';

/** Where the command begins. */
export const main = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));

/** The repository's root. */
export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** What the services of tests ask operators for. */
export const adminToken = 'admin-token-of-the-tests';

/** The header that authenticates an operator; none for other paths. */
export const headersOfOperator = (path: string, token: string = adminToken): { readonly authorization?: string } =>
  /^\/(?:admin\/v1|studio|docs|metrics|openapi\.json)\b/.test(path) ? { authorization: `Bearer ${token}` } : {};

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HiloOptions {
  readonly input?: string;
  readonly cwd?: string;
  readonly env?: { readonly [name: string]: string };
}

/** Runs the command as a user does, in a process of its own. */
export function hilo(args: readonly string[], { input = '', cwd = root, env = {} }: HiloOptions = {}): Promise<Ended> {
  const child = startHilo(args, { cwd, env });
  child.stdin.on('error', () => {}); // who refuses its arguments reads nothing
  child.stdin.end(input);
  return ended(child);
}

/**
 * Starts the command and leaves its input open. It is the bundle of the sources, but the sources themselves beside a configuration, whose
 * imports of `@hilo` have to lead to the same modules, and with `HILO_TEST_SOURCES`, for a test that changes modules as they are loaded.
 */
export function startHilo(args: readonly string[], { cwd = root, env = {} }: Omit<HiloOptions, 'input'> = {}) {
  const isConfigured = args.includes('--config') || globSync('hilo.config.*', { cwd }).length > 0;
  const program = isConfigured || env['HILO_TEST_SOURCES'] !== undefined ? main : bundledCommand();
  return spawn(process.execPath, [program, ...args], {
    cwd,
    env: { ...process.env, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

export function ended(child: ReturnType<typeof startHilo>): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stderr.on('data', (data: Buffer) => (stderr += data.toString()));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
}

/** A folder with files, until it is disposed of. */
export function folderWith(files: { readonly [name: string]: string | Uint8Array | object }): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), 'hilo-test-'));
  for (const [name, content] of Object.entries(files)) {
    writeFileSync(
      join(path, name),
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content, null, 2),
    );
  }
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** The smallest canvas that can be published, with changes. */
export const smallCanvas = (changes: object = {}): object => ({
  schemaVersion: 1,
  id: 'small',
  name: 'Small',
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: ['hello'] } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [{ source: 'begin', target: 'done' }],
  ...changes,
});
