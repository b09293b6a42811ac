// The pages of the documentation that ship with this package, so that a client reads about the release that it works with.
import { globSync, readFileSync } from 'node:fs';
import { basename, join, parse, sep } from 'node:path';

/** The pages of the documentation, by name. */
export interface Docs {
  /** Such as `expressions` and `nodes/ask`, sorted. */
  readonly pages: readonly string[];
  /** Markdown; `undefined` for what is no page. */
  readonly read: (page: string) => string | undefined;
  /** Every page with its title and first sentence, as `llms.txt` has them. */
  readonly describe: () => string;
  /** All pages in one text, as `llms-full.txt` has them. */
  readonly readAll: () => string;
}

/** Pages that only somebody who runs or changes the service needs. */
const left: ReadonlySet<string> = new Set(['rules', 'routes', 'index']);

/** `docs` of the repository where the sources run, whatever was built there before; of this package, where it was built and packed. */
const ofRelease =
  basename(import.meta.dirname) === 'src' ? join(import.meta.dirname, '..', '..', '..', 'docs') : join(import.meta.dirname, '..', 'docs');

/**
 * Opens the pages of the documentation, to be listed and searched.
 *
 * @param folder - the documentation of this release, when left out
 */
export function openDocs(folder = ofRelease): Docs {
  const files = globSync('{*,nodes/*,channels/*}.md', { cwd: folder });
  const names = new Map(
    files.map((file): readonly [string, string] => {
      const { dir, name } = parse(file);
      return [dir === '' ? name : `${dir.replaceAll(sep, '/')}/${name}`, file];
    }),
  );
  for (const name of left) names.delete(name);
  const pages = [...names.keys()].sort();
  const read = (page: string): string | undefined => {
    const file = names.get(page);
    return file === undefined ? undefined : readFileSync(join(folder, file), 'utf8');
  };
  return {
    pages,
    read,
    describe: () =>
      [`# Hilo\n\n> ${about}\n\n${howToRead}\n\n## Pages\n`, ...pages.map((page) => describePage(page, read(page) ?? ''))].join('\n'),
    readAll: () => pages.map((page) => `<!-- ${page} -->\n\n${read(page) ?? ''}`).join('\n'),
  };
}

const about =
  'A workflow engine for conversational bots: canvases of nodes, written as JSON, checked, tested with transcripts, executed durably.';

/** The index is read where its links lead nowhere, too: from a service, or in a terminal. */
const howToRead =
  'In a project, `npx hilo docs nodes/ask` prints a page; the tools of `hilo mcp` have it as the resource `hilo://docs/nodes/ask`; in `llms-full.txt` it stands behind `<!-- nodes/ask -->`. How a bot is written, with the nodes of six kinds of bots: `node_modules/@hilo/cli/skills/hilo/SKILL.md`.';

/** `- [Ask](nodes/ask.md): Asks the user something and waits.` */
function describePage(page: string, text: string): string {
  const title = /^# (.{1,200})$/m.exec(text)?.[1] ?? page;
  const prose = text
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}/)
    .slice(1, 6);
  // Which program shows it is no summary.
  const [told = ''] = prose.filter((paragraph) => /^[^\n#|]/.test(paragraph) && !paragraph.startsWith('Example: '));
  const sentence = told.slice(0, 2_000).replaceAll('\n', ' ');
  const first = /^.{1,240}?[.](?= |$)/.exec(sentence)?.[0] ?? /^.{1,240}?:(?= |$)/.exec(sentence)?.[0] ?? sentence.slice(0, 240);
  return `- [${title}](${page}.md)${first === '' ? '' : `: ${first.replace(/:$/, '.')}`}`;
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
