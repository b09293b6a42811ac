// `npm run verify -- rules`: every rule code that a file of the repository names has its text in docs/rules.md.
import { globSync, readFileSync } from 'node:fs';

const rules = 'docs/rules.md';
const areas = 'AUT|CAM|CON|ERR|EVT|FUN|GEN|GRP|LIM|MED|MSG|PAY|RET|STA|TAG|TMO|TOK|TPL|UID|VAR|VER|WEB|WIN';
/** WEB-15 anywhere; P9 and T11 only where they are cited: in brackets, or in a row of such codes. */
const code = new RegExp(String.raw`\b(?:${areas})-\d{2}\b|(?<=[(,] ?|to |and )[PT]\d{1,2}(?=[),:;]| to| and)`, 'g');

const written = new Set(
  [...readFileSync(rules, 'utf8').matchAll(/^(?:- \*\*(P\d+)\.|\| ([A-Z]{3}-\d{2}|T\d+) \|)/gm)].map((match) => match[1] ?? match[2]),
);

const files = globSync(
  [
    'packages/*/{src,test,docs,scripts}/**/*.{ts,md}',
    'packages/*/*.md',
    'tests/**/*.{ts,md}',
    'examples/**/*.{ts,md}',
    'scripts/**/*.{ts,mjs}',
    'docs/*.md',
    'README.md',
  ],
  {
    exclude: (name) => name.includes('node_modules') || name === rules,
  },
);
const missing: string[] = [];
for (const file of files) {
  for (const [index, line] of readFileSync(file, 'utf8').split('\n').entries()) {
    for (const [name] of line.matchAll(code)) {
      if (!written.has(name)) missing.push(`${file}:${index + 1} names ${name}, which ${rules} does not explain`);
    }
  }
}
if (missing.length > 0) console.log(missing.join('\n'));
process.exitCode = missing.length === 0 ? 0 : 1;
