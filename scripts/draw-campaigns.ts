// Prints some of the files that have more than `npm test` runs, one a line: `draw-campaigns.ts SEED PARTS` prints one part of so many, the
// same for the same seed. Those files are campaigns, and files with tests that ask whether all is taken, themselves or by a helper.
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';

const [seed, parts] = [process.argv[2], Number(process.argv[3])];
if (seed === undefined || !(parts >= 1)) throw new Error('usage: draw-campaigns.ts SEED PARTS');

const asksForAll = /inject\('takesAll'\)|describeOverEachStore\(|from '[^']*\/(?:race|part-of)\.ts'/;
const rankOf = (file: string): string => createHash('sha256').update(`${seed} ${file}`).digest('hex');

const files = globSync(['packages/*/{src,test}/**/*.test.ts', 'tests/**/*.test.ts'], { exclude: ['**/node_modules/**'] }).filter(
  (file) => file.endsWith('.campaign.test.ts') || asksForAll.test(readFileSync(file, 'utf8')),
);
for (const file of files.toSorted((left, right) => (rankOf(left) < rankOf(right) ? -1 : 1)).slice(0, Math.ceil(files.length / parts)))
  console.log(file);
