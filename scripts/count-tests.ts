// Closes runs of tests with the plain line `N passed, N failed`, from the reports that vitest's json reporter left.
import { readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

const files = process.argv.slice(2);
if (files.length === 0) throw new Error('usage: count-tests.ts REPORT…');
const reports = files.map((file) => JSON.parse(readFileSync(file, 'utf8')) as Report);
const sum = (of: (report: Report) => number): number => reports.reduce((total, report) => total + of(report), 0);
const skipped = sum(({ numPendingTests }) => numPendingTests);
const counts = `${sum(({ numPassedTests }) => numPassedTests)} passed, ${sum(({ numFailedTests }) => numFailedTests)} failed`;
console.log(skipped > 0 ? `${counts}, ${skipped} skipped` : counts);
if (reports.some(({ success, numPassedTests }) => !success || numPassedTests === 0)) process.exitCode = 1;
