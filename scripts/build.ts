// Builds every package into its dist folder, from scratch: a file that is gone must not be published.
import { spawnSync } from 'node:child_process';
import { globSync, rmSync } from 'node:fs';
import { bundle } from './bundle.ts';

for (const dist of globSync('packages/*/dist')) rmSync(dist, { recursive: true });
const projects = globSync('packages/*/tsconfig.build.json');
// By its path, since TypeScript 6, which some tools need as a library, has a command of the same name.
const { status } = spawnSync(process.execPath, ['node_modules/tsc7/bin/tsc', '-b', '--force', ...projects], { stdio: 'inherit' });
if (status === 0) for (const name of ['engine', 'nodes']) await bundle(`packages/${name}`);
process.exitCode = status ?? 1;
