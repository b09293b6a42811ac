import type { Canvas, Channel } from '@hilo/engine/contract';
import { type Conversation, simulate, type SimulatedCompany, type SimulatedUser } from '@hilo/testing';
import { createEventLog, type EventLog } from './events.ts';

/** What a talk takes place on: canvases, and for whom they run. */
export interface Stage {
  readonly main: Canvas;
  /** The main canvas first, then those it calls. */
  readonly canvases: readonly Canvas[];
  readonly channel: Channel;
  readonly user: SimulatedUser;
  readonly company: SimulatedCompany;
  /** What ids and draws derive from. */
  readonly seed: number;
}

/** A conversation, with what happens in it. */
export interface Talk {
  readonly conversation: Conversation;
  readonly log: EventLog;
}

/** What `simulate` and `replayScript` take of a stage. */
export const circumstances = ({ main, channel, user, company, seed }: Stage) => ({ main: main.id, channel, user, company, seed });

/** Begins a conversation. @param startAt - milliseconds since the Unix epoch; a Monday morning, when left out */
export async function openTalk(stage: Stage, startAt?: number): Promise<Talk> {
  const log = createEventLog();
  const conversation = await simulate({
    canvases: stage.canvases,
    ...circumstances(stage),
    ...(startAt !== undefined && { startAt }),
    // Asked at every call of a driver, which makes it the place to hear of them; there are no faults.
    faults: (call) => {
      log.onCall(call);
      return undefined;
    },
  });
  log.listen(conversation);
  return { conversation, log };
}
