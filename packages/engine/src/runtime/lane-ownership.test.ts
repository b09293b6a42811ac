import { describe, expect, it } from 'vitest';
import type { LaneSet, LeaseListener, Leases } from '../contract/store.ts';
import { createLaneOwnership } from './lane-ownership.ts';

const lanesOf = (...names: readonly string[]): LaneSet => ({ has: (lane) => names.includes(lane) });

/** A process among others: `list` ends the listing of its n-th gain, and returns the lanes `a` and `b` of which it is to recover any. */
async function memberOf() {
  let listener: LeaseListener | undefined;
  const listings: { readonly lanes: LaneSet; readonly onListed: () => void }[] = [];
  const leases: Pick<Leases, 'join' | 'isOurs'> = {
    async join(joined) {
      listener = joined;
      return async () => undefined;
    },
    isOurs: () => true,
  };
  const ownership = createLaneOwnership(leases as Leases, undefined, {
    onWanted: () => undefined,
    onQueued: () => undefined,
    recover: async (lanes, onListed) => void listings.push({ lanes, onListed }),
    takes: () => true,
    lose: () => undefined,
    takeHanded: async () => undefined,
    newKey: () => 'key',
    fault: () => undefined,
  });
  await ownership.join();
  return {
    isOurs: ownership.isOurs,
    gains: (...names: readonly string[]) => listener?.onGained(lanesOf(...names)),
    loses: () => listener?.onLost(),
    list(gain: number) {
      const { lanes, onListed } = listings[gain] ?? {};
      const recovered = ['a', 'b'].filter((lane) => lanes?.has(lane));
      onListed?.();
      return recovered;
    },
  };
}

describe('a lane that this process gained', () => {
  it('is its own once its unfinished work is listed', async () => {
    const member = await memberOf();
    member.gains('a');
    expect([member.isOurs('a'), member.isOurs('b')]).toEqual([false, true]);
    expect(member.list(0)).toEqual(['a']);
    expect(member.isOurs('a')).toBe(true);
  });

  it.each([true, false])(
    'and gained again before that is recovered once, by its latest gain (and learnt that it was lost: %s)',
    async (learns) => {
      const member = await memberOf();
      member.gains('a', 'b');
      if (learns) member.loses();
      member.gains('a');
      expect(member.list(1)).toEqual(['a']);
      expect(member.isOurs('a')).toBe(true); // whatever the first list still takes
      expect(member.list(0)).toEqual(learns ? [] : ['b']);
      expect([member.isOurs('a'), member.isOurs('b')]).toEqual([true, true]);
    },
  );

  it('and gained again is not worked in before its latest gain is listed', async () => {
    const member = await memberOf();
    member.gains('a', 'b');
    member.gains('a');
    expect(member.list(0)).toEqual(['b']);
    expect([member.isOurs('a'), member.isOurs('b')]).toEqual([false, true]);
    expect(member.list(1)).toEqual(['a']);
    expect(member.isOurs('a')).toBe(true);
  });
});
