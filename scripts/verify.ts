// `npm run verify`: all checks besides the tests, as many at a time as there are processors. Runs all of them and lists at the end which
// failed; `npm run verify -- types lint` runs only those, `sources` those that only read the sources, and `builds` all others.
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Each check is one command or several, one after the other; a command is a list of words. Begin with what takes longest. */
const checks: Readonly<Record<string, readonly (readonly string[])[]>> = {
  build: [['node', 'scripts/build.ts']],
  packages: [['node', 'scripts/pack-check.ts']],
  docs: [['vitepress', 'build', 'docs']],
  generated: [
    ['node', 'scripts/generate.ts', '--check'],
    ['node', 'scripts/check-descriptions.ts'],
    ['node', 'scripts/record-answers.ts', '--check'],
  ],
  // One checker: several at once each check what they share for themselves, and take two to three times as much of the processors.
  types: ['.', 'packages/studio', 'packages/chat'].map((project) => [
    'node',
    'node_modules/tsc7/bin/tsc',
    '--pretty',
    '--checkers',
    '1',
    '-p',
    project,
  ]),
  'dead-code': [['knip', '--no-progress']],
  imports: [
    ['depcruise', '--config', '.dependency-cruiser.mjs', 'packages', 'tests'],
    ['depcruise', '--config', '.dependency-cruiser-folders.mjs', 'packages/server/src'],
  ],
  lint: [['oxlint']],
  fence: [['node', 'scripts/check-fence.ts']],
  rules: [['node', 'scripts/check-rules.ts']],
  comments: [['node', 'scripts/check-comments.ts']],
  searches: [['node', 'scripts/check-searches.ts']],
  patterns: [['node', 'scripts/check-patterns.ts']],
  json: [['node', 'scripts/check-json.ts']],
  format: [['biome', 'format']],
};

/**
 * The check that must have ended before another starts: packages are tried as they were built, and the declarations that are built may
 * import no more than their package lists. No other check reads what is built.
 */
const needs: Readonly<Record<string, string>> = { packages: 'build', 'dead-code': 'build' };

/** What these write, tests may use, such as the built studio: run beside tests, they would take it from them. */
const builds = ['build', 'packages', 'docs', 'dead-code'];
const groups: Readonly<Record<string, readonly string[]>> = {
  builds,
  sources: Object.keys(checks).filter((name) => !builds.includes(name)),
};

const chosen = process.argv.slice(2).flatMap((name) => groups[name] ?? [name]);
const unknown = chosen.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(', ')}. There are: ${[...Object.keys(groups), ...Object.keys(checks)].join(', ')}`);
  process.exit(2);
}

/** Types are checked and linted by programs of Go, which collect garbage rarely where they may keep more: a quarter less of the processors. */
const env = { GOGC: '300', GOMEMLIMIT: '5GiB', ...process.env };

const waiting = Object.keys(checks).filter((name) => chosen.length === 0 || chosen.includes(name));
const running = new Map<string, Promise<void>>();
const failed: string[] = [];
while (waiting.length + running.size > 0) {
  const ready = waiting.findIndex((name) => ![...waiting, ...running.keys()].includes(needs[name] ?? ''));
  if (ready !== -1 && running.size < availableParallelism())
    for (const name of waiting.splice(ready, 1))
      running.set(
        name,
        check(name).finally(() => running.delete(name)),
      );
  else await Promise.race(running.values());
}
if (failed.length > 0) console.log(`verify: ${failed.join(', ')} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Runs a check's commands, and says in one piece how it ended, with the whole output of the commands that failed. */
async function check(name: string): Promise<void> {
  const startedAt = performance.now();
  const problems: string[] = [];
  for (const command of checks[name] ?? []) problems.push(...(await run(command)));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const verdict = `${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds} s`;
  console.log([verdict, ...problems].join('\n'));
  if (problems.length > 0) failed.push(name);
}

/** @returns the output of a failed command; nothing for one that succeeded */
function run([command = '', ...args]: readonly string[]): Promise<readonly string[]> {
  const child = spawn(command, args, { env, shell: process.platform === 'win32', stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => {
    child.on('error', ({ message }) => resolve([message]));
    child.on('close', (code, signal) => resolve(code === 0 ? [] : [output.trimEnd() || `${command} ended with ${code ?? signal}`]));
  });
}
