import type { Json, LaneSet, LeaseListener } from '@hilo/engine/contract';

/** Notices to a member, in order: `gained`, `wanted`, `queued a`, `call a`, `lost`. It releases wanted lanes at once. */
export interface RecordedListener extends LeaseListener {
  readonly notices: readonly string[];
  /** Resolves at this notice, or at once if it came since the last wait for it. */
  until(notice: string): Promise<void>;
  /** From now on it keeps what others are to have. @returns lets go of it */
  keep(): () => void;
  /** How it answers calls from now on; by the call itself, when never called. */
  answerBy(answer: (call: Json) => Promise<Json | undefined>): void;
}

/** A listener of leases that keeps what it is told, for tests of stores. */
export function recordedListener(): RecordedListener {
  const notices: string[] = [];
  const unheard: string[] = [];
  let waiting: { readonly notice: string; readonly resolve: () => void }[] = [];
  let kept: (() => void)[] | undefined;
  let answer = async (call: Json): Promise<Json | undefined> => call;

  const hear = (notice: string): void => {
    notices.push(notice);
    const heard = waiting.filter((one) => one.notice === notice);
    waiting = waiting.filter((one) => one.notice !== notice);
    if (heard.length === 0) unheard.push(notice);
    for (const { resolve } of heard) resolve();
  };

  return {
    notices,
    until(notice) {
      const index = unheard.indexOf(notice);
      if (index !== -1) {
        unheard.splice(0, index + 1);
        return Promise.resolve();
      }
      return new Promise((resolve) => void waiting.push({ notice, resolve }));
    },
    keep() {
      const releases: (() => void)[] = [];
      kept = releases;
      return () => {
        kept = undefined;
        for (const release of releases) release();
      };
    },
    answerBy(how) {
      answer = how;
    },
    onGained: () => hear('gained'),
    onWanted(_lanes: LaneSet, release) {
      if (kept === undefined) release();
      else kept.push(release);
      hear('wanted');
    },
    onQueued: (lane) => hear(`queued ${lane}`),
    onCall(lane, call) {
      hear(`call ${lane}`);
      return answer(call);
    },
    onLost: () => hear('lost'),
  };
}
