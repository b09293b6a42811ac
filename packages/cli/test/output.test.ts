import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { freePort } from '../../stores/test/free-port.ts';
import { ended, main, root, startHilo } from '../../server/test/hilo-process.ts';
import { emptyDirectory } from '../../server/test/service-process.ts';

/** A device on which every write finds that the disk is full. */
const fullDisk = '/dev/full';

describe('the output of the hilo command', () => {
  it.runIf(existsSync(fullDisk))('reports in one line that it cannot be written', async () => {
    const full = openSync(fullDisk, 'w');
    const child = spawn(process.execPath, [main, 'validate', 'examples/canvases/survey.json'], {
      cwd: root,
      stdio: ['ignore', full, 'pipe'],
    });
    closeSync(full);
    let said = '';
    child.stderr?.on('data', (data: Buffer) => (said += data.toString()));
    await once(child, 'close');
    expect(said).toMatch(/^hilo: The output cannot be written: ENOSPC[^\n]*\n$/);
    expect(child.exitCode).toBe(1);
  });

  it('is not needed by a service, which runs on without a reader', async () => {
    using data = emptyDirectory();
    const port = await freePort();
    const child = startHilo(['serve', '--port', String(port), '--data', data.path]);
    child.stdout.destroy();
    const end = ended(child);
    const answered = await Promise.race([untilItAnswers(`http://127.0.0.1:${port}/health/live`), end]);
    child.kill('SIGKILL');
    await end;
    expect(answered).toBe(200);
  });
});

async function untilItAnswers(url: string): Promise<number> {
  for (;;) {
    try {
      return (await fetch(url)).status;
    } catch {
      await pause(100);
    }
  }
}
