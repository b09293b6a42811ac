import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import type { SandboxRun } from '@hilo/sandbox';

/**
 * The program of the process in which the code of one company runs, one run after the other. Each run is a line of JSON on stdin, each
 * result one on stdout. The process has no environment, and access only to the files of the sandbox.
 */

/** Where the modules of the sandbox are: the process may not look for them. */
const places = JSON.parse(process.argv[2] ?? '{}') as { readonly [specifier: string]: string };
registerHooks({
  resolve(specifier, context, next) {
    const path = places[specifier];
    if (path === undefined) return next(specifier, context);
    const format = specifier !== '@hilo/sandbox' ? 'commonjs' : path.endsWith('.ts') ? 'module-typescript' : 'module';
    return { url: pathToFileURL(path).href, format, shortCircuit: true };
  },
});

const say = (fields: object): void => void process.stdout.write(`${JSON.stringify(fields)}\n`);

const { createSandbox } = await import('@hilo/sandbox');
const run = createSandbox({ bytes: readFileSync(places['@jitl/quickjs-ng-wasmfile-release-sync/wasm'] ?? '') });

createInterface({ input: process.stdin }).on('line', (line) => {
  run(JSON.parse(line) as SandboxRun).then(say, (error: unknown) => {
    say({ kind: 'broke', message: String(error).slice(0, 200) });
  });
});
// The parent process has ended.
process.stdin.on('end', () => process.exit(0));
say({ kind: 'ready' });
