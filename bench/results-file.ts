import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const path = join(import.meta.dirname, 'RESULTS.md');

const head = `# Results

Each part is written by the command at its head. What is measured, and how, is in [README.md](README.md).
`;

/** Writes one part of RESULTS.md and leaves the others as they are. */
export function writeResults(title: string, markdown: string): void {
  const before = existsSync(path) ? readFileSync(path, 'utf8') : head;
  const parts = before.split(/^(?=## )/m);
  const part = `## ${title}\n\n${markdown}\n`;
  const index = parts.findIndex((other) => other.startsWith(`## ${title}\n`));
  if (index === -1) parts.push(`\n${part}`);
  else parts[index] = index === parts.length - 1 ? part : `${part}\n`;
  writeFileSync(path, parts.join(''));
}
