// Loaded first in each process of the tests (`--import`): Node.js itself loads their modules, without the types, and these hooks load what
// it cannot: components, style sheets, JSON as a bundler takes it, and the modules that start programs of their own.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from 'rolldown/utils';
import { startsPrograms, withStrippedPrograms } from './stripped-programs.ts';

registerHooks({
  load(url, context, nextLoad) {
    const read = (): string => readFileSync(fileURLToPath(url), 'utf8');
    if (url.endsWith('.tsx')) return { format: 'module', source: scriptOf(fileURLToPath(url), read()), shortCircuit: true };
    if (url.endsWith('.css')) return { format: 'module', source: '', shortCircuit: true };
    if (url.endsWith('.json')) return nextLoad(url, { ...context, importAttributes: { type: 'json' } });
    if (startsPrograms(url)) return { format: 'module-typescript', source: withStrippedPrograms(read(), url), shortCircuit: true };
    return nextLoad(url, context);
  },
});

/** A component as JavaScript, which names the lines of its source. */
function scriptOf(file: string, component: string): string {
  const { code, map } = transformSync(file, component, { jsx: { runtime: 'automatic' }, sourcemap: true });
  const lines = Buffer.from(JSON.stringify(map)).toString('base64');
  return `${code}\n//# sourceMappingURL=data:application/json;base64,${lines}`;
}
