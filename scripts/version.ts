// `npm run release:version`: sets the next version of every package, and moves the entries of .changeset into CHANGELOG.md.
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly private?: boolean;
}

/** What the changes mean to users, by the file of the entry. */
const changes = globSync('.changeset/*.md')
  .filter((file) => !file.endsWith('README.md'))
  .toSorted()
  .map((file) => /^---\r?\n[^]*?\r?\n---\r?\n([^]*)$/.exec(readFileSync(file, 'utf8'))?.[1]?.trim() ?? '')
  .filter((text) => text !== '');
if (changes.length === 0) throw new Error('There is no change to release: .changeset has none (npx changeset writes one)');

const { status } = spawnSync('changeset', ['version'], { stdio: 'inherit', shell: process.platform === 'win32' });
if (status !== 0) throw new Error('changeset version failed: the reason is above, and CHANGELOG.md is as it was');

const published = globSync('packages/*/package.json')
  .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Manifest)
  .filter((manifest) => manifest.private !== true);
const versions = new Set(published.map(({ version }) => version));
const [version = ''] = versions;
if (versions.size !== 1) throw new Error(`Packages have ${[...versions].join(' and ')}: all of them have one version`);

const log = readFileSync('CHANGELOG.md', 'utf8');
const section = `## ${version}\n\n${changes.map((text) => `- ${text.replaceAll('\n', '\n  ')}`).join('\n')}\n`;
const place = log.search(/^## /m);
writeFileSync('CHANGELOG.md', place === -1 ? `${log.trimEnd()}\n\n${section}` : `${log.slice(0, place)}${section}\n${log.slice(place)}`);
console.log(`${published.length} packages have version ${version}; look at CHANGELOG.md, commit, then npm run release`);
