// Refuses comments that begin as no sentence does: "What of", "Of a", "Of the", "Whom", "That". A reader then looks for the subject, which the
// comment must name: "The columns that a contact update writes", not "Of a contact what a change of it has".
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const begins = /^\s*(?:\/\/|\/\*\*?|\*)\s+(?:What of|Of an?|Of the|Whom|That)\b/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  encoding: 'utf8',
});
const problems = files
  .split('\n')
  .filter((file) => file !== '' && file !== 'scripts/check-comments.ts')
  .flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index, lines) => {
        // In the middle of a block, such a line goes on with a sentence.
        const isContinued = /^\s*(?:\*|\/\/)\s/.test(line) && /^\s*(?:\*|\/\/|\/\*\*?)\s+\S/.test(lines[index - 1] ?? '');
        return begins.test(line) && !isContinued ? [`${file}:${index + 1}: ${line.trim().slice(0, 120)}`] : [];
      }),
  );
if (problems.length > 0) {
  console.error(`Begin these comments with what they are about:\n${problems.join('\n')}`);
  process.exitCode = 1;
}
