import { execFileSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A copy of the files that a release reads: manifests, changes and the log, in a repository of its own. */
function copyOfManifests(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hilo-release-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const files = ['package.json', 'pnpm-workspace.yaml', 'pnpm-lock.yaml', 'CHANGELOG.md', '.changeset/config.json', '.changeset/README.md'];
  for (const file of [...files, ...globSync(['packages/*/package.json', 'tests/package.json', 'examples/package.json'], { cwd: root })]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(join(root, file), join(folder, file));
  }
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@x.test', ...args], { cwd: folder });
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'Before');
  return folder;
}

it('gives all packages one version by the largest change, and lists each change', () => {
  const folder = copyOfManifests();
  const release = () =>
    execFileSync(process.execPath, [join(root, 'scripts/version.ts')], {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, PATH: `${join(root, 'node_modules/.bin')}:${process.env['PATH'] ?? ''}` },
    });
  expect(release).toThrow('There is no change to release');
  writeFileSync(join(folder, '.changeset/a.md'), '---\n"@hilo/cli": patch\n---\n\n`hilo render` draws PNG.\n');
  writeFileSync(join(folder, '.changeset/b.md'), '---\n"@hilo/engine": minor\n---\n\nA node can wait for\ntwo events.\n');
  const [major = 0, minor = 0] = versionsIn(folder)[0]?.split('.').map(Number) ?? [];
  const next = `${major}.${minor + 1}.0`;
  release();
  expect(new Set(versionsIn(folder))).toEqual(new Set([next]));
  expect(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8')).toContain(
    `## ${next}\n\n- \`hilo render\` draws PNG.\n- A node can wait for\n  two events.\n`,
  );
  expect(globSync('.changeset/*.md', { cwd: folder })).toEqual(['.changeset/README.md']);
});

const versionsIn = (folder: string): readonly string[] =>
  globSync('packages/*/package.json', { cwd: folder }).map(
    (file) => (JSON.parse(readFileSync(join(folder, file), 'utf8')) as { readonly version: string }).version,
  );
