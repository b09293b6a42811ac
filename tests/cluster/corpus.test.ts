import { describe, expect, it } from 'vitest';
import type { ClusterMode } from './plan.ts';
import { simulateCluster } from './simulate-cluster.ts';

/** Every seed that once found a defect, with the defect. */
const corpus: readonly { readonly seed: number; readonly mode: ClusterMode; readonly was: string }[] = [
  { seed: 187, mode: 'normal', was: 'a store that failed while a lane was taken up ended the process, or left the lane for ever' },
  { seed: 3694, mode: 'normal', was: 'a user who is held was answered again for the same message, and not for the next' },
  { seed: 5870, mode: 'normal', was: 'a timer that was overdue when its execution was released never fired' },
  { seed: 11355, mode: 'two-process', was: 'a process that lost a lane looked at its queue for ever, without a pause' },
  { seed: 12621, mode: 'always-suspend', was: 'a resume of an execution in quarantine was accepted and had no consequence' },
  { seed: 12972, mode: 'normal', was: 'a second try was held to be under way, since the answer to the first was recorded unheard' },
  { seed: 103_144, mode: 'two-process', was: 'an effect of a lane that was lost kept it closed once it was got again' },
  { seed: 3_015_546, mode: 'normal', was: 'a message of a process that died at once was taken for another, which then had no turn' },
  { seed: 3_022_169, mode: 'always-suspend', was: 'what was released was quarantined again for deaths before its release' },
  { seed: 3_012_383, mode: 'two-process', was: 'the same, where several processes share the store' },
  { seed: 1_019_382, mode: 'normal', was: 'timers of one user, overdue and released together, were each counted as a death of the other' },
  { seed: 1_013_153, mode: 'always-suspend', was: 'the same, where what got on meanwhile was forgotten too late' },
  { seed: 5_043_656, mode: 'normal', was: 'a message whose turn took another that was then discarded had no turn itself' },
  { seed: 8_001_178, mode: 'normal', was: 'what an operator released was set aside again by the deaths that the release forgot' },
  { seed: 300_810, mode: 'normal', was: 'an execution stayed running, its effect held to be under way' },
  { seed: 301_403, mode: 'two-process', was: 'what was accepted for a lane was left by all processes' },
  { seed: 302_707, mode: 'two-process', was: 'what was accepted for a lane was left by all processes' },
  { seed: 303_408, mode: 'normal', was: 'a held user was answered for one message with the words of two effects' },
  {
    seed: 2_017_732,
    mode: 'normal',
    was: 'a lane that was lost and gained again was not recovered, since its first gain was still being listed',
  },
  { seed: 2_009_363, mode: 'two-process', was: 'a lane that was wanted by another, lost, and gained again, was given up all the same' },
  { seed: 2_008_112, mode: 'normal', was: 'the same' },
  { seed: 2_011_110, mode: 'normal', was: 'the same' },
  { seed: 2_014_827, mode: 'two-process', was: 'the same' },
  { seed: 2_011_235, mode: 'two-process', was: 'a start of a process that was declared dead arrived late, and was written' },
  { seed: 3_008_857, mode: 'always-suspend', was: 'an overdue retry waited behind a message that was kept for its execution' },
];

describe('a seed that once found a defect', () => {
  it.each(corpus)('finds none now: $seed, $mode, where $was', async ({ seed, mode }) => {
    const { findings } = await simulateCluster({ seed, mode });
    expect(findings).toEqual([]);
  });
});
