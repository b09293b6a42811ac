// Where the Restate server is that tests start.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');

/** The Restate server of `HILO_RESTATE_SERVER`, else the one that `npm test` fetches; `undefined` where there is none for this platform. */
export const restateProgram: string | undefined = process.env['HILO_RESTATE_SERVER'] ?? fetchedProgram();

/** Where `scripts/up.mjs --restate` installs it. */
function fetchedProgram(): string | undefined {
  const { restate } = JSON.parse(readFileSync(join(root, 'scripts/toolchain.json'), 'utf8')) as {
    readonly restate: { readonly [platform: string]: { readonly package: string; readonly version: string } };
  };
  const tool = restate[`${process.platform}-${process.arch}`];
  if (tool === undefined) return undefined;
  const folder = join(root, '.toolchain', `${tool.package.replace('/', '-')}-${tool.version}`);
  const program = join(folder, 'node_modules', tool.package, 'bin/restate-server');
  return existsSync(program) ? program : undefined;
}

/** What to do where `restateProgram` is undefined. */
export const howToGetRestate = 'set HILO_RESTATE_SERVER, or run `npm test`, which fetches one where npm has it for the platform';
