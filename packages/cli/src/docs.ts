// `hilo docs`: the pages of this release, for who has no browser at hand.
import { findNearestName } from '@hilo/engine/contract';
import { openDocs } from '@hilo/mcp/docs';
import type { Command } from 'commander';
import { printable } from './paint.ts';

/** Prints a page, or the names of all with their first sentences. */
export function printDocs(command: Command, page: string | undefined): void {
  const docs = openDocs();
  if (page === undefined) {
    process.stdout.write(`${docs.describe()}\n`);
    return;
  }
  const name = page.replace(/\.md$/, '');
  const text = docs.read(docs.pages.find((known) => known === name || known.endsWith(`/${name}`)) ?? name);
  if (text === undefined) {
    const nearest = findNearestName(name, docs.pages);
    const remedy = nearest === undefined ? '"hilo docs" lists all of them' : `did you mean ${nearest}?`;
    return command.error(`error: there is no page ${printable(page)}: ${remedy}`);
  }
  process.stdout.write(text);
}
