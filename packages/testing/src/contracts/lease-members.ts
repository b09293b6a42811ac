import type { ExecutionStore, InboxItem, Leases } from '@hilo/engine/contract';
import { expect, vi } from 'vitest';
import { accepted } from './execution-records.ts';
import { recordedListener, type RecordedListener } from './lease-listener.ts';

/** One process's way to a store that several share. */
export interface MemberStore {
  readonly store: ExecutionStore;
  /** Silences a live process, as when it hangs or is disconnected. */
  hang(): void;
  close(): Promise<void>;
}

/** A new, empty store for several processes. Silent processes should be declared dead soon: after some 100 ms. */
export interface SharedPlace {
  open(): Promise<MemberStore>;
  close(): Promise<void>;
}

/** A process that is a member of the store. */
export interface Member extends MemberStore {
  readonly leases: Leases;
  readonly listener: RecordedListener;
  readonly leave: () => Promise<void>;
}

/** A test with the processes that it names, in a place of its own. */
export interface WithMembers {
  /** @param join - another one joins */
  one(test: (a: Member, join: () => Promise<Member>) => Promise<void>): () => Promise<void>;
  two(test: (a: Member, b: Member) => Promise<void>): () => Promise<void>;
  three(test: (a: Member, b: Member, c: Member) => Promise<void>): () => Promise<void>;
}

export function withMembers(share: () => Promise<SharedPlace>): WithMembers {
  const run = async (count: number, test: (members: readonly Member[], join: () => Promise<Member>) => Promise<void>): Promise<void> => {
    const place = await share();
    const stores: MemberStore[] = [];
    const join = async (): Promise<Member> => {
      const store = await place.open();
      stores.push(store);
      return takePart(store);
    };
    try {
      const members: Member[] = [];
      while (members.length < count) members.push(await join());
      await test(members, join);
    } finally {
      await Promise.all(stores.map(({ close }) => close()));
      await place.close();
    }
  };
  return {
    one: (test) => () => run(1, ([a], join) => test(present(a), join)),
    two: (test) => () => run(2, ([a, b]) => test(present(a), present(b))),
    three: (test) => () => run(3, ([a, b, c]) => test(present(a), present(b), present(c))),
  };
}

/** Something accepted, in this lane. */
export const inLane = (lane: string): Omit<InboxItem, 'seq'> => ({ ...accepted('e1'), lane });

/** Enough that every process has some. */
export const lanes = Array.from({ length: 120 }, (_, index) => `lane ${index}`);
/** Those of them that a process has. */
export const ownedBy = ({ leases }: Member): readonly string[] => lanes.filter(leases.isOurs);

/** Waits until every lane is one of these processes', and each has its share. */
export const shared = (...members: readonly Member[]): Promise<void> =>
  vi.waitFor(
    () => {
      const owned = members.map(ownedBy);
      expect(owned.flat().toSorted()).toEqual(lanes.toSorted());
      for (const some of owned) expect(some.length).toBeGreaterThan(lanes.length / members.length / 4);
    },
    { timeout: 60_000, interval: 10 },
  );

/** A lane that is this process's. */
export const laneOf = (member: Member, which = 0): string => {
  const lane = ownedBy(member)[which];
  if (lane === undefined) throw new Error('The process has no lane');
  return lane;
};

function present(member: Member | undefined): Member {
  if (member === undefined) throw new Error('A process is missing');
  return member;
}

/** @throws {Error} when the store cannot be shared */
async function takePart(opened: MemberStore): Promise<Member> {
  const { leases } = opened.store;
  if (leases === undefined) throw new Error('This store has no leases');
  const listener = recordedListener();
  return { ...opened, leases, listener, leave: await leases.join(listener) };
}
