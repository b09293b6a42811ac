import { existsSync } from 'node:fs';
import { problemCodes } from '../../packages/engine/src/canvas/problem-codes.ts';
import { cell } from './schema-fields.ts';

const examples = new URL('../../packages/engine/test/problem-examples/', import.meta.url);

/** The documentation of what a check can find, from the table of problem codes. */
export function problemsPage(): string {
  const rows = Object.entries(problemCodes).map(([code, { severity, otherwise, meaning, hint }]) => {
    // An example that would fill pages is made by the test that checks all of them.
    const hasExample = existsSync(new URL(`${code}.json`, examples));
    const link = hasExample ? `[canvas](../packages/engine/test/problem-examples/${code}.json)` : '';
    return `| \`${code}\` | ${otherwise === undefined ? severity : `${severity}; ${otherwise}`} | ${cell(meaning)} | ${cell(hint.replaceAll('__proto__', '`__proto__`'))} | ${link} |`;
  });
  return `# What a check can find

A problem has a code, a severity, the node, its location as a JSON pointer, a message about the specific case, and a hint. A canvas with an
error cannot be published; a warning is advice.

\`npm run generate\` writes this table from \`packages/engine/src/canvas/problem-codes.ts\`; a test checks each example.

| code | severity | meaning | hint | example |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}
