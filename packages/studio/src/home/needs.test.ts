import { expect, it } from 'vitest';
import type { WorkflowSummary } from '../api/client.ts';
import { listNeeds } from './needs.ts';

const well: WorkflowSummary = {
  workflowId: 'well',
  name: 'well',
  kind: 'skill',
  publishedVersion: 1,
  isPublished: true,
  updatedAt: null,
  savedBy: null,
  errors: 0,
  warnings: 0,
  running: 0,
  waiting: 0,
  failed24h: 0,
};

it('workflows that need somebody come in the order of harm, and those that are well not at all', () => {
  const all = [
    well,
    { ...well, name: 'draft', isPublished: false },
    { ...well, name: 'new', publishedVersion: null, isPublished: false },
    { ...well, name: 'b', failed24h: 2, errors: 1 },
    { ...well, name: 'a', failed24h: 2 },
    { ...well, name: 'worst', failed24h: 3 },
    { ...well, name: 'doubtful', warnings: 9 },
    { ...well, name: 'wrong', errors: 1, warnings: 9 },
  ];
  expect(listNeeds(all).map(({ workflow, need }) => [workflow.name, need.why])).toEqual([
    ['worst', 'failed'],
    ['a', 'failed'],
    ['b', 'failed'],
    ['wrong', 'errors'],
    ['doubtful', 'warnings'],
    ['draft', 'changed'],
    ['new', 'never'],
  ]);
});
