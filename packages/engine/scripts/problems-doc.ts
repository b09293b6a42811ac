// `node scripts/problems-doc.ts` writes docs/problems.md from the table of problem codes; `--check` only says whether it
// is up to date, by its exit code.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { problemCodes } from '../src/canvas/problem-codes.ts';

const file = new URL('../docs/problems.md', import.meta.url);
const examples = '../test/problem-examples';

const rows = Object.entries(problemCodes).map(([code, { severity, meaning, hint }]) => {
  const example = `${examples}/${code}.json`;
  // An example that would fill pages is made by the test that checks all of them.
  const link = existsSync(new URL(example, file)) ? `[canvas](${example})` : '';
  return `| \`${code}\` | ${severity} | ${meaning} | ${hint.replaceAll('__proto__', '`__proto__`')} | ${link} |`;
});

const text = `# What a check can find

Every problem has a code, a severity, the node, the place as a JSON pointer, a sentence about this very case and what to do. A canvas with
an error cannot be published; a warning is advice. This table is made from \`src/canvas/problem-codes.ts\`; a test checks each example.

| code | severity | meaning | what to do | example |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;

if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  console.error('docs/problems.md is out of date: run node packages/engine/scripts/problems-doc.ts');
  process.exitCode = 1;
}
