// Closes runs of tests, from the reports that vitest's json reporter left: repeats each failure in a few lines, since the run said it far
// above, and ends with the plain line `N passed, N failed`.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
  /** By file. A file that cannot be imported has a message and no test. */
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly fullName: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: count-tests.ts REPORT…');
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
for (const failure of reports.flatMap(listFailures)) console.log(failure);

const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
const skipped = sum(({ numPendingTests }) => numPendingTests);
const counts = `${sum(({ numPassedTests }) => numPassedTests)} passed, ${sum(({ numFailedTests }) => numFailedTests)} failed`;
console.log(skipped > 0 ? `${counts}, ${skipped} skipped` : counts);
if (reports.some(({ success, numPassedTests }) => !success || numPassedTests === 0)) process.exitCode = 1;

function listFailures({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((test) => test.status === 'failed');
    const file = relative(process.cwd(), name);
    const ofFile = status === 'failed' && tests.length === 0 ? [describe(file, message)] : [];
    return [
      ...ofFile,
      ...tests.map(({ fullName, failureMessages }) => describe(`${file} > ${fullName.trim()}`, failureMessages.join('\n'))),
    ];
  });
}

/** A failure with the beginning of what it says: values that differ are within these lines, and most of the stack is not. */
function describe(what: string, message: string): string {
  const lines = message.split('\n').filter((line) => line.trim() !== '' && !line.includes('/node_modules/'));
  return [`FAILED ${what}`, ...lines.slice(0, 12).map((line) => `    ${line.slice(0, 300)}`)].join('\n');
}
