// Histories that earlier releases have written lead to the states that they came to, with the nodes of this one (P19, P36).
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readRecorded, replayRecorded } from '../histories/recorded.ts';

const folder = join(import.meta.dirname, '../histories');
const releases = readdirSync(folder).filter((name) => name.endsWith('.jsonl.gz'));

it('there are some of this release: `npm run record-histories` keeps them', () => {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../../packages/engine/package.json'), 'utf8')) as {
    readonly version: string;
  };
  expect(releases.map((name) => name.replace('.jsonl.gz', ''))).toContain(version);
});

it.each(releases)('%s', async (name) => {
  const recorded = readRecorded(join(folder, name));
  const { length } = recorded.executions;
  expect(length).toBeGreaterThan(0);
  expect(await replayRecorded(recorded)).toEqual({ read: length, equal: length, differs: 0, unreadable: 0, different: [] });
});

it('a history that leads elsewhere is found', async () => {
  const recorded = readRecorded(join(folder, releases[0] ?? ''));
  const [first] = recorded.executions;
  if (first === undefined) throw new RangeError('There is none');
  const { record, history } = first;
  const other = { ...record, state: { ...record.state, variables: { ...record.state.variables, $memory: { other: true } } } };
  const replayed = await replayRecorded({ ...recorded, executions: [{ record: other, history }] });
  expect(replayed).toMatchObject({ read: 1, equal: 0, differs: 1, different: [{ executionId: record.executionId }] });
});
