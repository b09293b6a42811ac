// Refuses a source that does not say in its first ten lines what it is for, and comments that begin as no sentence does: "What of", "Of a",
// "Of the", "Whom", "That". A reader then looks for the subject, which the comment must name: "The columns that a contact update writes", not
// "Of a contact what a change of it has".
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const begins = /^\s*(?:\/\/|\/\*\*?|\*)\s+(?:What of|Of an?|Of the|Whom|That)\b/;

/** Tests say by their titles what they are for, programs of a README stand in it, and configurations are known by their names. */
const knownByName = /\.test(?:-d)?\.tsx?$|\/readme-program\.ts$|\.d\.ts$|\.config\.ts$|^(?:examples|docs)\//;
const comment = /^\s*(?:\/\/|\/\*\*?|\*)\s*\S/;

const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.ts', '*.tsx', '*.mjs'], {
  encoding: 'utf8',
});
const listed = files.split('\n').filter((file) => file !== '' && existsSync(file) && file !== 'scripts/check-comments.ts');
const silent = listed.filter(
  (file) =>
    /\.tsx?$/.test(file) &&
    !knownByName.test(file) &&
    !readFileSync(file, 'utf8')
      .split('\n', 10)
      .some((line) => comment.test(line)),
);
const problems = listed.flatMap((file) =>
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
if (silent.length > 0) {
  console.error(`Say in the first ten lines what these are for:\n${silent.join('\n')}`);
  process.exitCode = 1;
}
