// Writes the section of the README that shows the benchmark.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { figure, type Measured, type Part } from './part.ts';

const path = join(import.meta.dirname, '../README.md');
const [begin, end] = ['<!-- bench: written by npm run bench -- --write -->\n', '<!-- /bench -->'];

/** A row of the README's table: from which part, and which contestants of it. */
interface Row {
  readonly what: string;
  /** How the part's name begins. */
  readonly part: string;
  /** Which of the part's contestants: all by default. */
  readonly of?: (contestant: Measured) => boolean;
  readonly value?: (contestant: Measured) => number | undefined;
}

const rows: readonly Row[] = [
  { what: 'ten nodes in memory, µs', part: 'W1' },
  { what: 'webhook to answer over 32 connections, requests/s', part: 'W2: webhook to answer, 32' },
  {
    what: 'durable starts, 64 callers, a second',
    part: 'W3: durable on SQLite',
    of: ({ name }) => /^floor|^(Hilo|OpenWorkflow|Restate|DBOS), starts$/.test(name),
  },
  { what: 'durable resumes, 64 callers, a second', part: 'W3: durable on SQLite', of: ({ name }) => /^floor|resumes$/.test(name) },
  { what: '1,000 paused, killed, started and all resumed, ms', part: 'W3: killed with 1,000' },
  {
    what: 'from nothing to the first execution, ms of processor time',
    part: 'Cold start',
    value: ({ cpuUs }) => (cpuUs ?? Number.NaN) / 1e3,
  },
];

/** Writes the rows of these parts into the README's table, and leaves the others as they are. */
export function writeReadme(parts: readonly Part[]): void {
  const readme = readFileSync(path, 'utf8');
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)];
  if (from === -1 || to < from) throw new Error('README.md has no place for the table of the benchmark');
  const before = readme.slice(from + begin.length, to).split('\n');
  const lines = rows.flatMap((row) => {
    const part = parts.find(({ name }) => name.startsWith(row.part));
    const line = part === undefined ? undefined : lineOf(row, part);
    return line ?? before.find((old) => old.startsWith(`| ${row.what} |`)) ?? [];
  });
  const table = ['| | Hilo | floor | others |', '| --- | ---: | ---: | --- |', ...lines].join('\n');
  writeFileSync(path, `${readme.slice(0, from)}${begin}${table}\n${readme.slice(to)}`);
}

/** @returns `undefined` where Hilo is missing */
function lineOf({ what, of = () => true, value = ({ median }) => median }: Row, { contestants }: Part): string | undefined {
  const chosen = contestants.filter(of);
  const own = chosen.find(({ name }) => /^Hilo($|, whole|, each|, starts|, resumes|, engine)/.test(name));
  if (own === undefined) return undefined;
  const floor = chosen.find(({ name }) => name.startsWith('floor'));
  const others = chosen.filter(({ name }) => !/^(Hilo|floor|what Hilo)/.test(name));
  const text = (contestant: Measured): string =>
    `${contestant.name.replace(/, (starts|resumes|nothing kept|a state per node)$/, '')} ${figure(value(contestant))}`;
  return `| ${what} | **${figure(value(own))}** | ${floor === undefined ? '–' : figure(value(floor))} | ${others.map(text).join(' · ')} |`;
}
