// The studio has a word for each kind of job of the service, and for what becomes of their things.
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { isChangeWord } from './change-words.ts';

/** The kinds that the sources of the service define. */
function definedKinds(): readonly string[] {
  const root = fileURLToPath(new URL('../../../server/src', import.meta.url));
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  return files.flatMap((file) =>
    [...readFileSync(`${root}/${file}`, 'utf8').matchAll(/^export const \w+ = defineJob\(\{\n {2}kind: '([^']+)'/gm)].map(
      ([, kind = '']) => kind,
    ),
  );
}

/** What a page of each kind counts; `failed` is counted of any that is refused as a whole. */
const outcomes: { readonly [kind: string]: readonly string[] } = {
  migrate: ['same', 'changed', 'enters', 'cancels', 'keeps', 'needs', 'refused', 'busy'],
  undo: ['undone', 'alreadyUndone', 'goneOn'],
  bulk: ['cancelled', 'released', 'retried', 'signalled', 'unchanged', 'refused', 'talking', 'windowClosed', 'gone', 'same', 'needs'],
  publish: ['published'],
  start: ['started', 'missed', 'failed'],
  schedule: ['started', 'missed', 'noBot', 'elsewhere', 'failed'],
  erase: ['cancelled', 'executions', 'messages', 'files', 'answers', 'signals', 'objects', 'contacts'],
  'sync-templates': ['changed', 'refused'],
};

describe('the words of jobs', () => {
  it('are there for every kind', () => {
    const kinds = definedKinds();
    expect(kinds.filter((kind) => !isChangeWord(`job.kind.${kind}`))).toEqual([]);
    expect(kinds.toSorted()).toEqual(Object.keys(outcomes).toSorted());
  });

  it.each(Object.entries(outcomes))('are there for what %s counts', (kind, counted) => {
    const isSaid = (outcome: string): boolean =>
      [`job.outcome.${kind}.${outcome}`, `job.outcome.${outcome}`, `plan.kind.${outcome}`].some(isChangeWord);
    expect([...counted, 'failed'].filter((outcome) => !isSaid(outcome))).toEqual([]);
  });
});
