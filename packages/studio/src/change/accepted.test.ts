import { describe, expect, it } from 'vitest';
import { bulkFilterOf, isNarrow } from '../executions/bulk-filter.ts';
import { acceptedOf, readValue } from './accepted.ts';

describe('what comes to another version', () => {
  it('is what is proved and what was chosen by node; another future is accepted by hand alone', () => {
    const counts = { same: 3, changed: 2, enters: 1 };
    expect([...acceptedOf(counts, new Map())]).toEqual(['same', 'enters']);
    expect([...acceptedOf(counts, new Map([['changed', true]]))]).toEqual(['same', 'changed', 'enters']);
    expect([...acceptedOf(counts, new Map([['same', false]]))]).toEqual(['enters']);
    expect([...acceptedOf({}, new Map([['cancels', true]]))]).toEqual([]);
  });

  it('has values of JSON where they are that, else texts', () => {
    expect(['7', 'true', '"7"', 'Acme', '{', ''].map(readValue)).toEqual([7, true, '7', 'Acme', '{', '']);
  });
});

it('an act on many has the filter of its list, and never all of a company', () => {
  expect(bulkFilterOf({ workflowId: 'a', version: '3', status: 'failed' })).toEqual({ workflowId: 'a', version: 3, status: 'failed' });
  expect(bulkFilterOf({ version: 'draft' })).toEqual({ version: 'draft' });
  expect(bulkFilterOf({ version: 'x' })).toEqual({});
  expect([{}, { status: 'failed' }, { version: 3 }, { workflowId: '' }].map((filter) => isNarrow(filter))).toEqual([
    false,
    false,
    false,
    false,
  ]);
  expect([{ workflowId: 'a' }, { userId: 'u' }, { from: 't' }, { to: 't' }].map((filter) => isNarrow(filter))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
