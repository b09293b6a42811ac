// RESULTS.md, written part by part: each command replaces its own.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { peers } from './peers.ts';

const path = join(import.meta.dirname, 'RESULTS.md');

const head = `# Results

Each part is written by the command at its head, which also says how loaded the machine was: rates and times suffer from what else it does, and contestants suffer alike, so trust the ratios.
Of each aim it is said whether it holds, and of one that is missed what bounds it. What is measured, and how, is in [README.md](README.md).

Peers: ${Object.entries(peers)
  .map(([name, version]) => `${name} ${version}`)
  .join(' · ')}.

`;

/** Writes one part of RESULTS.md and leaves the others as they are. */
export function writeResults(title: string, markdown: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const parts = before.split(/^(?=## )/m).slice(1); // the text before the first is the head
  const part = `## ${title}\n\n${markdown}\n\n`;
  const index = parts.findIndex((other) => other.startsWith(`## ${title}\n`));
  if (index === -1) parts.push(part);
  else parts[index] = part;
  writeFileSync(path, `${head}${parts.map((text) => text.trimEnd()).join('\n\n')}\n`);
}
