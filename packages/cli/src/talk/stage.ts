import type { Canvas, Channel } from '@hilo/engine/contract';
import type { CompleteParts } from '@hilo/server/kit';
import { type Conversation, simulate, type SimulatedCompany, type SimulatedUser, virtualStartMs } from '@hilo/simulator';
import type { KeptTalk } from './kept-talk.ts';
import { createEventLog, type EventLog } from './events.ts';

/** What a talk takes place on: canvases, and for whom they run. */
export interface Stage {
  readonly main: Canvas;
  /** The main canvas first, then those it calls. */
  readonly canvases: readonly Canvas[];
  readonly channel: Channel;
  readonly user: SimulatedUser;
  readonly company: SimulatedCompany;
  /** What the project adds to Hilo: its drivers perform the effects of its nodes. */
  readonly parts: Pick<CompleteParts, 'nodes' | 'drivers'>;
  /** What ids and draws derive from. */
  readonly seed: number;
  /** Where the talk is kept; only in memory, when left out. */
  readonly kept?: KeptTalk;
}

/** A conversation, with what happens in it. */
export interface Talk {
  readonly conversation: Conversation;
  readonly log: EventLog;
}

/** What `simulate` and `replayScript` take of a stage. */
export const circumstances = ({ main, channel, user, company, seed, parts: { nodes, drivers } }: Stage) => ({
  main: main.id,
  channel,
  user,
  company,
  seed,
  nodes,
  drivers,
});

/**
 * Begins a conversation, or goes on with the one that is kept.
 *
 * @param startAt - milliseconds since the Unix epoch; when left out, where the kept talk stood, or a Monday morning
 */
export async function openTalk(stage: Stage, startAt?: number): Promise<Talk> {
  const log = createEventLog();
  const { kept } = stage;
  const beginMs = latest(startAt, kept?.stoodAtMs);
  let nowMs = (): number => beginMs ?? virtualStartMs; // until there is a clock to ask
  const conversation = await simulate({
    canvases: stage.canvases,
    ...circumstances(stage),
    ...(kept !== undefined && keptIn(kept, stage.seed)),
    ...(beginMs !== undefined && { startAt: beginMs }),
    observer: log.observer(() => nowMs()),
  });
  nowMs = conversation.clock.now;
  log.listen(conversation);
  return { conversation, log };
}

/** Time never goes back, whatever was kept. */
const latest = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : Math.max(one, other ?? one);

/** The same seed would draw the same ids again: each process that goes on with a talk has one of its own. */
const keptIn = ({ store, canvasStore, earlier }: KeptTalk, seed: number) => ({
  store,
  canvasStore,
  continues: earlier,
  seed: seed + earlier.conversations * spread,
});

/** An odd number without a pattern, so that neighbouring seeds have nothing to do with each other. */
const spread = 0x9e3779b1;
