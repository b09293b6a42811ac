// `npm run verify`: all checks besides the tests. Runs all of them and lists at the end which failed; `npm run verify -- types lint` runs
// only those.
import { spawnSync } from 'node:child_process';

/** Each check is one command or several; a command is a list of words. */
const checks: Readonly<Record<string, readonly (readonly string[])[]>> = {
  lint: [['oxlint']],
  format: [['biome', 'format']],
  types: ['.', 'packages/studio', 'packages/chat', 'examples/embed-studio/web'].map((project) => [
    'node',
    'node_modules/tsc7/bin/tsc',
    '--pretty',
    '-p',
    project,
  ]),
  'dead-code': [['knip', '--no-progress']],
  imports: [
    ['depcruise', '--config', '.dependency-cruiser.mjs', 'packages', 'tests'],
    ['depcruise', '--config', '.dependency-cruiser-folders.mjs', 'packages/server/src'],
  ],
  generated: [
    ['node', 'scripts/generate.ts', '--check'],
    ['node', 'scripts/check-descriptions.ts'],
  ],
  rules: [['node', 'scripts/check-rules.ts']],
  searches: [['node', 'scripts/check-searches.ts']],
  docs: [['vitepress', 'build', 'docs']],
  build: [['node', 'scripts/build.ts']],
  packages: [['node', 'scripts/pack-check.ts']],
};

const chosen = process.argv.slice(2);
const unknown = chosen.filter((name) => !(name in checks));
if (unknown.length > 0) {
  console.error(`No such check: ${unknown.join(', ')}. There are: ${Object.keys(checks).join(', ')}`);
  process.exit(2);
}

const failed: string[] = [];
for (const [name, commands] of Object.entries(checks)) {
  if (chosen.length > 0 && !chosen.includes(name)) continue;
  const startedAt = performance.now();
  const problems = commands.map(run).filter((output) => output !== undefined);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'}  ${name.padEnd(10)} ${seconds} s`);
  if (problems.length > 0) failed.push(name);
  for (const problem of problems) console.log(problem);
}
if (failed.length > 0) console.log(`verify: ${failed.join(', ')} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** @returns the output of a failed command */
function run([command = '', ...args]: readonly string[]): string | undefined {
  const result = spawnSync(command, args, { encoding: 'utf8', shell: process.platform === 'win32' });
  if (result.status === 0) return undefined;
  return (
    `${result.stdout ?? ''}${result.stderr ?? ''}${result.error?.message ?? ''}`.trimEnd() ||
    `${command} ended with ${result.status ?? result.signal}`
  );
}
