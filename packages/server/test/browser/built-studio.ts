import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findStudio, type StudioApplication } from '../../src/studio/application.ts';

const studio = fileURLToPath(new URL('../../../studio/', import.meta.url));

export interface BuiltStudio extends Disposable {
  readonly application: StudioApplication;
  readonly folder: string;
}

/** Builds the studio as `npm start` does, into a folder of the test's own: what is served is what the sources are now. */
export async function buildStudio(): Promise<BuiltStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-studio-'));
  const vite = join(studio, 'node_modules', 'vite', 'bin', 'vite.js');
  const { status, stderr } = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error', '--outDir', folder], {
    cwd: studio,
    encoding: 'utf8',
    env: { ...process.env, NODE_ENV: 'production' }, // a test's own would make it React for developers
  });
  const application = await findStudio(folder);
  if (status !== 0 || application === undefined) throw new Error(`The studio cannot be built: ${stderr}`);
  return { application, folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) };
}
