import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

/** The packages that a source file loads with its own imports, types aside. */
function packagesLoaded(file: string, seen: Set<string> = new Set()): ReadonlySet<string> {
  const found = new Set<string>();
  if (seen.has(file)) return found;
  seen.add(file);
  const source = readFileSync(file, 'utf8');
  for (const [, names = '', from = ''] of source.matchAll(/^(?:import|export) (?!type )(?:([^;']*?)from )?'([^']+)';/gms)) {
    if (/^\{(?: type [^,}]+,?)+ \} $/.test(names)) continue;
    if (!from.startsWith('.')) found.add(from);
    else for (const one of packagesLoaded(join(dirname(file), from), seen)) found.add(one);
  }
  return found;
}

it('a check of canvases loads neither drivers nor stores: they are more than half of what a command would read', () => {
  const loaded = packagesLoaded(join(import.meta.dirname, 'parts.ts'));
  expect(loaded).toContain('@hilo/nodes'); // so that the walk is seen to walk
  expect([...loaded].filter((name) => !/^(?:node:|zod$|@hilo\/(?:engine|nodes)(?:\/|$))/.test(name))).toEqual([]);
});
