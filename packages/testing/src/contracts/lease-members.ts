import type { ExecutionStore, Leases, InboxItem } from '@hilo/engine/contract';
import { accepted } from './execution-records.ts';
import { recordedListener, type RecordedListener } from './lease-listener.ts';

/** One process's way to a store that several share. */
export interface MemberStore {
  readonly store: ExecutionStore;
  /** From now on nothing is heard of this process, though it lives: as when it hangs, or is cut off. */
  hang(): void;
  close(): Promise<void>;
}

/** A new, empty store for several processes. Those that are not heard of should be dead soon: after some 100 ms. */
export interface SharedPlace {
  open(): Promise<MemberStore>;
  close(): Promise<void>;
}

/** A process that takes part. */
export interface Member extends MemberStore {
  readonly leases: Leases;
  readonly listener: RecordedListener;
  readonly leave: () => Promise<void>;
}

/** A test with as many processes as it names, in a place of their own. */
export interface WithMembers {
  two(test: (a: Member, b: Member) => Promise<void>): () => Promise<void>;
  three(test: (a: Member, b: Member, c: Member) => Promise<void>): () => Promise<void>;
}

export function withMembers(share: () => Promise<SharedPlace>): WithMembers {
  const run = async (count: number, test: (members: readonly Member[]) => Promise<void>): Promise<void> => {
    const place = await share();
    const stores = await Promise.all(Array.from({ length: count }, () => place.open()));
    try {
      await test(await Promise.all(stores.map(takePart)));
    } finally {
      await Promise.all(stores.map(({ close }) => close()));
      await place.close();
    }
  };
  return {
    two: (test) => () => run(2, ([a, b]) => test(present(a), present(b))),
    three: (test) => () => run(3, ([a, b, c]) => test(present(a), present(b), present(c))),
  };
}

/** Something accepted, in this lane. */
export const inLane = (lane: string): Omit<InboxItem, 'seq'> => ({ ...accepted('e1'), lane });

function present(member: Member | undefined): Member {
  if (member === undefined) throw new Error('A process is missing');
  return member;
}

/** @throws {Error} when the store is none that processes share */
async function takePart(opened: MemberStore): Promise<Member> {
  const { leases } = opened.store;
  if (leases === undefined) throw new Error('This store has no leases');
  const listener = recordedListener();
  return { ...opened, leases, listener, leave: await leases.join(listener) };
}
