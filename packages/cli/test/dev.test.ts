import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { folderWith } from '../../server/test/hilo-process.ts';
import { hasEnded } from '../src/dev.ts';
import { hiloHere } from './hilo-in-process.ts';

it.each(['SIGKILL', 'SIGTERM'] as const)('takes a service that ended by %s for one that has to be started again', async (signal) => {
  const child = spawn(process.execPath, ['--eval', 'setInterval(() => {}, 60_000)'], { stdio: 'ignore' });
  expect(hasEnded(child)).toBe(false);
  child.kill(signal);
  await once(child, 'exit');
  expect(hasEnded(child)).toBe(true);
});

it('wants a workspace', async () => {
  using folder = folderWith({});
  const { code, stderr } = await hiloHere(['dev'], { cwd: folder.path });
  expect(stderr).toContain('error: no workspace: name it by --workspace, or as `workspace` in hilo.config.ts');
  expect(code).toBe(2);
});
