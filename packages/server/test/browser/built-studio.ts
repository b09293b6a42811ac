// The studio as it is built, once for all test files.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { openStudio, type StudioApplication } from '../../src/studio/application.ts';

const buildOnce = fileURLToPath(new URL('../../../studio/scripts/build-once.ts', import.meta.url));

export interface BuiltStudio {
  readonly application: StudioApplication;
  readonly folder: string;
}

/** Builds the studio as `npm start` does, from the current sources. All test files share one build. */
export async function buildStudio(): Promise<BuiltStudio> {
  const { stdout, stderr } = spawnSync(process.execPath, [buildOnce, '--tests'], { encoding: 'utf8' });
  const folder = stdout.trim();
  const application = openStudio(folder);
  if ((await application.read()) === undefined) throw new Error(`The studio cannot be built: ${stderr}`);
  return { application, folder };
}
