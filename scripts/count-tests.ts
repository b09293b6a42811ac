// Closes a run of all tests with the plain line `N passed, N failed`, from the report that vitest's json reporter left.
import { readFileSync } from 'node:fs';

interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly success: boolean;
}

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: count-tests.ts REPORT');
const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
const skipped = report.numPendingTests > 0 ? `, ${report.numPendingTests} skipped` : '';
console.log(`${report.numPassedTests} passed, ${report.numFailedTests} failed${skipped}`);
if (!report.success || report.numPassedTests === 0) process.exitCode = 1;
