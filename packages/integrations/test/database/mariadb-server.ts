import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../stores/test/free-port.ts';

/** A real MariaDB with an empty database `shop`, for one test file. */
export interface MariaDbServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  remove(): Promise<void>;
}

const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
const find = (program: string): string | undefined => folders.map((folder) => join(folder, program)).find(existsSync);
const [server, installer] = [find('mariadbd'), find('mariadb-install-db')];

/** Whether this machine has one: npm has none. Where it is missing, its tests are skipped and said to be. */
export const hasMariaDb = server !== undefined && installer !== undefined;

/** @throws {Error} with what the server said, when it does not start */
export async function startMariaDb(): Promise<MariaDbServer> {
  if (server === undefined || installer === undefined) throw new Error('This machine has no MariaDB');
  const directory = mkdtempSync(join(tmpdir(), 'hilo-mariadb-'));
  const data = join(directory, 'data');
  const asUser = process.getuid?.() === 0 ? ['--user=root'] : [];
  execFileSync(installer, ['--no-defaults', ...asUser, `--datadir=${data}`, '--skip-test-db', '--auth-root-authentication-method=normal'], {
    stdio: 'ignore',
  });
  const port = await freePort();
  const [user, password] = ['hilo', 'pass-word-canary'];
  const init = join(directory, 'init.sql');
  writeFileSync(
    init,
    `create database shop;\ncreate user '${user}'@'127.0.0.1' identified by '${password}';\ngrant all on shop.* to '${user}'@'127.0.0.1';\n`,
  );
  const child = spawn(
    server,
    [
      '--no-defaults',
      ...asUser,
      `--datadir=${data}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${join(directory, 's')}`,
      `--init-file=${init}`,
      '--skip-name-resolve',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (text: Buffer) => {
      said += text.toString();
      if (said.includes('ready for connections')) resolve();
    });
    child.on('exit', () => reject(new Error(`MariaDB did not start:\n${said}`)));
  });
  return {
    port,
    user,
    password,
    async remove() {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(directory, { recursive: true });
    },
  };
}
