/** The list of pages, by which a coding agent chooses what to read. */
import { expect, it } from 'vitest';
import { openDocs } from './docs.ts';

const docs = openDocs();
const lines = docs.describe().split('\n');

it.each(docs.pages)('says in a sentence what %s is about', (page) => {
  const line = lines.find((one) => one.includes(`](${page}.md)`)) ?? '';
  expect(line).toMatch(/\.md\): (?!Example)(?!.*\b(?:const|import) ).{15,}\.$/);
});
