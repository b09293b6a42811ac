import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { checkCanvasText, createEngine } from '@hilo/engine';
import { isJsonObject, type Json, type JsonObject } from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import { describe, expect, it } from 'vitest';
import { createCommands } from '../../packages/cli/src/commands/commands.ts';
import { channelAdapters } from '../../packages/channels/src/index.ts';
import { parseShape, workspaceSchema } from '../../packages/server/src/kit.ts';
import { replayScript } from '../../packages/testing/src/index.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8').replaceAll('\r\n', '\n');
const pages = globSync(['docs/**/*.md', 'packages/*/README.md', '*.md', 'examples/**/README.md', 'tests/README.md', 'bench/*.md'], {
  cwd: root,
  exclude: (name) => name.includes('node_modules'),
});

/** Anchors of headings, as the site and code hosts derive them: lower case, words joined by hyphens. */
const anchorOf = (heading: string): string =>
  heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

const withoutCode = (markdown: string): string => markdown.replace(/```[^]*?```/g, '');

const anchorsOf = (file: string): readonly string[] =>
  Array.from(withoutCode(read(file)).matchAll(/^#{1,6} (.*)$/gm), ([, heading = '']) => anchorOf(heading));

describe('the documentation', () => {
  it.each(pages)('links to files and headings that are there: %s', (page) => {
    const links = Array.from(withoutCode(read(page)).matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g), ([, target = '']) => target);
    const dead = links.filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? page : resolve(root, dirname(page), path);
      if (!existsSync(resolve(root, target))) return true;
      return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target.replace(`${root}/`, '')).includes(anchor);
    });
    expect(dead).toEqual([]);
  });

  it.each(pages)('says what the variables of its commands are: %s', (page) => {
    const text = read(page);
    const commands = Array.from(text.matchAll(/```sh\n([^]*?)```/g), ([, block = '']) => block).join('\n');
    const named = Array.from(commands.matchAll(/\$\{?([A-Z][A-Z_]{2,40})\b/g), ([, name = '']) => name);
    const unsaid = named.filter((name) => !new RegExp(`\\b${name}=|\\$${name}\`[^]{0,80}operating\\.md#keys`).test(text));
    expect(unsaid).toEqual([]);
  });

  /** The blocks of JSON that have a field: canvases or workspaces. */
  const documentsWith = (field: string) =>
    pages.flatMap((page) =>
      Array.from(read(page).matchAll(/```json\n([^]*?)```/g), ([, text = '']) => ({ page, text })).filter(({ text }) => {
        const value = JSON.parse(text) as Json; // blocks marked as JSON must parse
        return isJsonObject(value) && field in value;
      }),
    );
  const canvases = documentsWith('schemaVersion');

  it('shows canvases and workspaces', () => {
    expect(canvases.length).toBeGreaterThanOrEqual(1);
    expect(documentsWith('companies').length).toBeGreaterThanOrEqual(1);
  });

  it.each(documentsWith('companies'))('shows a workspace that can be imported: $page', ({ text }) => {
    expect(parseShape(workspaceSchema(channelAdapters), JSON.parse(text)).problems).toEqual([]);
  });

  it.each(canvases)('shows a canvas that can be published: $page', ({ text }) => {
    expect(checkCanvasText(text, { nodes: standardNodes })).toEqual([]);
  });
});

describe('programs of the documentation', () => {
  const blocks = pages
    .filter((page) => page.startsWith('docs') && page !== 'docs/studio.md') // that page shows parts of a component, for React
    .flatMap((page) =>
      Array.from(read(page).matchAll(/```ts\b(.*)\n([^]*?)```/g), ([, file = '', text = '']) => ({ page, file: file.trim(), text })),
    );

  it('are found', () => expect(blocks.length).toBeGreaterThanOrEqual(10));

  /** What each page shows of a program, and of what is imported there from Hilo. */
  const programs = [...Map.groupBy(blocks, ({ page, file }) => `${page} ${file}`).values()].flatMap((parts) => {
    const [{ page, file } = { page: '', file: '' }] = parts;
    return file.startsWith('examples/') ? [{ page, file, shown: parts.map(({ text }) => text).join('\n') }] : [];
  });

  it.each(programs)('say where the names of Hilo come from: $page, $file', ({ file, shown }) => {
    const imports = Array.from(read(file).matchAll(/^import [^;]* from '@hilo\/[^']*';$/gm), ([line]) => line);
    const names = (line: string) => Array.from(line.matchAll(/[{,]\s*(?:type )?(\w+)/g), ([, name = '']) => name);
    const isUsed = (line: string) =>
      names(line).some((name) => new RegExp(`\\b${name}\\b`).test(shown.replaceAll(/^import [^;]*;$/gm, '')));
    expect(imports.filter((line) => isUsed(line) && !shown.includes(line))).toEqual([]);
  });

  it.each(blocks)('are in a type-checked file: $page, $file', ({ file, text }) => {
    expect(file).not.toBe('');
    expect(read(file)).toContain(text);
  });
});

describe('commands of the documentation', () => {
  /** The words after `hilo`, or after `npm run`, in shell lines. */
  // Behind a `cd` to another folder the commands are those of the project there.
  const lines = pages.flatMap((page) =>
    Array.from(read(page).matchAll(/```(?:sh|console)\n([^]*?)```/g), ([, block = '']) => (block.split(/^cd \.\.\//m)[0] ?? '').split('\n'))
      .flat()
      .map((line) => ({ page, line: line.replace(/ +#.*$/, '').replace(/^\$ /, '') })),
  );
  const commands = lines.flatMap(({ page, line }) => {
    const [, words] = /(?:npm run -s hilo -- |npx hilo |(?:^|\| )hilo )(.+)$/.exec(line) ?? [];
    return words === undefined ? [] : [{ page, words }];
  });
  const scripts = lines.flatMap(({ page, line }) => {
    const [, name] = /^npm run (?:-s )?([\w:-]+)/.exec(line) ?? [];
    return name === undefined || page.includes('template') ? [] : [{ page, name }];
  });

  it('are found, of hilo and of the repository', () => {
    expect(commands.length).toBeGreaterThanOrEqual(10);
    expect(scripts.length).toBeGreaterThanOrEqual(10);
  });

  it.each(commands)('exist in hilo, with their flags: $page, $words', ({ words }) => {
    const [name = '', ...rest] = words.split(/\s+/);
    const outer = createCommands('0').find((command) => command.name() === name);
    expect(outer?.name()).toBe(name);
    const inner = outer?.commands.find((command) => command.name() === rest[0]) ?? outer;
    const known = [...(inner?.options ?? []), ...(outer?.options ?? [])].flatMap(({ long, short }) => [long, short]);
    const flags = rest.filter((word) => /^--?[a-z]/.test(word));
    expect(flags.filter((flag) => !known.includes(flag))).toEqual([]);
  });

  it.each(scripts)('are scripts of the repository: $page, npm run $name', ({ name }) => {
    const { scripts: known } = JSON.parse(read('package.json')) as { readonly scripts: object };
    expect(Object.keys(known)).toContain(name);
  });
});

describe('the page of embedding', () => {
  it('names every method of a company', () => {
    const methods = Object.keys(createEngine({ nodes: standardNodes, drivers: [] }).company('1'));
    expect(methods.length).toBeGreaterThan(20);
    const page = read('docs/embedding.md');
    expect(methods.filter((name) => !new RegExp(`^\\| .*\`${name}[(.]`, 'm').test(page))).toEqual([]);
  });
});

describe('the settings of the service', () => {
  const serve = createCommands('0').find((command) => command.name() === 'serve');
  const variables = [...new Set(Array.from((serve?.helpInformation() ?? '').matchAll(/HILO_[A-Z_]+/g), ([name]) => name))];

  it('are found', () => expect(variables.length).toBeGreaterThanOrEqual(30));

  it.each(variables)('are in the table of docs/operating.md: %s', (name) => {
    const rows = read('docs/operating.md')
      .split('\n')
      .filter((line) => line.startsWith('| `HILO_'));
    expect(rows.filter((row) => row.includes(`\`${name}\``))).toHaveLength(1);
  });
});

describe('the example of each node', () => {
  const folder = join(root, 'examples/nodes');
  const canvasOf = (id: string): JsonObject => JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')) as JsonObject;

  it('is of a node each', () => {
    const named = globSync('*.json', { cwd: folder }).map((file) => file.replace('.json', ''));
    expect(named.toSorted()).toEqual(standardNodes.map(({ type }) => type).toSorted());
  });

  it.each(standardNodes.map(({ type }) => type))('is what happens: %s', async (type) => {
    const canvas = canvasOf(type);
    const text = JSON.stringify(canvas);
    const called = Array.from(text.matchAll(/"workflowId":"([^"]+)"/g), ([, id = '']) => canvasOf(id));
    expect(text).toContain(`"type":"${type}"`);
    const script = readFileSync(join(folder, `${type}.txt`), 'utf8');
    expect(await replayScript([canvas, ...called], script)).toBe(script);
  });
});
