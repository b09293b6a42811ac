// Builds every package into its dist folder, from scratch: a removed file must not be published.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { bundleEngineAndNodes } from './bundle.ts';

for (const dist of globSync('packages/*/dist')) rmSync(dist, { recursive: true });
const projects = globSync('packages/*/tsconfig.build.json');
// By its path, since TypeScript 6, which some tools need as a library, has a command of the same name.
const { status } = spawnSync(process.execPath, ['node_modules/tsc7/bin/tsc', '-b', '--force', ...projects], { stdio: 'inherit' });
if (status === 0) {
  await bundleEngineAndNodes('packages');
  finishStudio();
  copyDocs();
  copyExamples();
  if (spawnSync(process.execPath, ['packages/chat/scripts/build.ts'], { stdio: 'inherit' }).status !== 0)
    throw new Error('The chat cannot be built');
  const { status: applicationStatus } = spawnSync(process.execPath, ['packages/studio/scripts/build-once.ts', '--required'], {
    stdio: 'inherit',
  });
  process.exitCode = applicationStatus ?? 1;
} else process.exitCode = status ?? 1;

/** What TypeScript leaves as it is: the style sheets, which hosts get as one, and the address of the worker, which is a text and no import. */
function finishStudio(): void {
  const sheets = ['style.css', 'inbox/inbox.css', 'home/home.css'].map((sheet) => readFileSync(`packages/studio/src/${sheet}`, 'utf8'));
  writeFileSync('packages/studio/dist/style.css', sheets.join('\n'));
  const client = 'packages/studio/dist/worker/engine-client.js';
  const source = readFileSync(client, 'utf8');
  if (!source.includes("'./worker.ts'")) throw new Error(`${client} names no worker`);
  writeFileSync(client, source.replace("'./worker.ts'", "'./worker.js'"));
}

/** The examples that `hilo new` begins with. */
function copyExamples(): void {
  for (const folder of ['canvases', 'transcripts']) cpSync(`examples/${folder}`, `packages/cli/examples/${folder}`, { recursive: true });
}

/** The pages that the authoring server and `hilo docs` show; those of rules and routes are for who works on the service itself. */
function copyDocs(): void {
  rmSync('packages/mcp/docs', { recursive: true, force: true });
  const isShipped = (path: string): boolean =>
    !/^(?:\.vitepress|rules\.md|routes\.md|index\.md)$/.test(basename(path)) && !/\.(?:svg|png)$/.test(path);
  cpSync('docs', 'packages/mcp/docs', { recursive: true, filter: isShipped });
}
