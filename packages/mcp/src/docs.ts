// The pages of the documentation that ship with this package, so that a client reads about the release that it works with.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, parse, sep } from 'node:path';

/** The pages of the documentation, by name. */
export interface Docs {
  /** Such as `expressions` and `nodes/ask`, sorted. */
  readonly pages: readonly string[];
  /** Markdown; `undefined` for what is no page. */
  readonly read: (page: string) => string | undefined;
}

/** Pages that only somebody who runs or changes the service needs. */
const left: ReadonlySet<string> = new Set(['rules', 'routes', 'index']);

/** `docs` of this package where it was built and packed, else that of the repository. */
const places = [join(import.meta.dirname, '..', 'docs'), join(import.meta.dirname, '..', '..', '..', 'docs')];

/** @param folder - the documentation of this release, when left out */
export function openDocs(folder: string | undefined = places.find((place) => existsSync(place))): Docs {
  const files = folder === undefined ? [] : globSync('{*,nodes/*,channels/*}.md', { cwd: folder });
  const names = new Map(
    files.map((file): readonly [string, string] => {
      const { dir, name } = parse(file);
      return [dir === '' ? name : `${dir.replaceAll(sep, '/')}/${name}`, file];
    }),
  );
  for (const name of left) names.delete(name);
  return {
    pages: [...names.keys()].sort(),
    read(page) {
      const file = names.get(page);
      return file === undefined || folder === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
    },
  };
}

/** A section of a page: the heading of level two, and what stands below it. */
export interface Section {
  readonly heading: string;
  readonly text: string;
}

/** The sections of a page in order; what stands before the first is left out. */
export const readSections = (page: string): readonly Section[] =>
  page
    .split(/^## /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...lines] = part.split('\n');
      return { heading: heading.trim(), text: lines.join('\n').trim() };
    });
