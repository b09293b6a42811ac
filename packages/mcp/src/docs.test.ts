/** The list of pages, by which a coding agent chooses what to read. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDocs } from './docs.ts';

const docs = openDocs();
const lines = docs.describe().split('\n');

it.each(docs.pages)('says in a sentence what %s is about', (page) => {
  const line = lines.find((one) => one.includes(`](${page}.md)`)) ?? '';
  expect(line).toMatch(/\.md\): (?!Example)(?!.*\b(?:const|import) ).{15,}\.$/);
});

it('says how a page is read where no link leads to it, and where the skill is', () => {
  const [told = ''] = lines.filter((line) => line.startsWith('In a project'));
  const [, page = ''] = /`npx hilo docs ([a-z/]+)`/.exec(told) ?? [];
  expect(docs.read(page)).toContain('# Ask');
  expect(told).toContain(`\`hilo://docs/${page}\``);
  expect(docs.readAll()).toContain(`<!-- ${page} -->`);
  const [, file = ''] = /`node_modules\/@hilo\/cli\/([^`]+)`/.exec(told) ?? [];
  expect(existsSync(join(import.meta.dirname, '../../cli', file))).toBe(true);
});
