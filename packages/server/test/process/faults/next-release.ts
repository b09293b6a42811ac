// Makes a process one of the next release, as `--import` of it: its schema has a migration more, and what it sends to other processes has
// fields that this release does not know.
import { registerHooks } from 'node:module';

/** In which file, what, and what in its place. A migration comes after those that there are. */
const changes = [
  [
    '/stores/src/schema/migrations.ts',
    /(?<=migrations: readonly Migration\[\] = \[[^\]]*)\];/,
    ", () => ['alter table executions add column of_next_release text']];",
  ],
  ['/server/src/processes/forwarding.ts', /(?<=`\{)(?="to":)/, '"ofNextRelease":{"release":2},'],
] as const;

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const change = changes.find(([file]) => url.endsWith(file));
    if (change === undefined) return loaded;
    const [file, what, instead] = change;
    const source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source ?? undefined);
    if (!what.test(source)) throw new Error(`${file} has nothing like ${what}: what the next release changes is said here anew`);
    return { ...loaded, source: source.replace(what, instead) };
  },
});
