import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hiloHere } from './hilo-in-process.ts';

describe('hilo serve --runtime restate', () => {
  it('says which packages to install, with exit code 1 and nothing made, where the server is missing', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'hilo-restate-'));
    const data = join(directory, 'data');
    const flags = ['serve', '--port', '0', '--data', data, '--runtime', 'restate'];
    const missing = await hiloHere([...flags, '--restate-server', join(directory, 'nothing')]);
    expect(missing.stderr).toContain('cannot be run: npm install @hilo/restate @restatedev/restate-server@1.7.12');
    expect(missing.code).toBe(1);
    const elsewhere = await hiloHere([...flags, '--restate-server', 'true', '--database-url', 'postgres://localhost/hilo']);
    expect(elsewhere.stderr).toContain(
      'With --runtime restate, executions are read from SQLite: leave --database-url (HILO_DATABASE_URL) out',
    );
    expect(elsewhere.code).toBe(1);
    expect(existsSync(data)).toBe(false);
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
    expect(stderr).toContain('That takes 200,000 cells');
    expect(code).toBe(1);
  });
});
