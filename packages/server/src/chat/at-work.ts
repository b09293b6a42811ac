// What visitors are shown of a bot at work: that it is, and a reply while it is written.
import type { Engine, ExecutionRef } from '@hilo/engine';
import { type Clock, isJsonObject } from '@hilo/engine/contract';
import { sendMessage } from '@hilo/nodes/effects';
import { laneOf, nameLane } from '../platform/database/lanes.ts';

/** A reply while it is written. It is kept in this process alone, and once for all streams of its visitor. */
export interface Draft {
  readonly executionId: string;
  readonly key: string;
  readonly text: string;
  /** When it began: a message of the bot from then on takes its place. */
  readonly sinceMs: number;
}

/** The longest draft: that of the longest value. */
const maxDraftChars = 64 * 1024;

/** Kept in this process alone: another one shows the messages, as they are stored. */
export interface AtWork {
  /** Whether a bot is working on an answer for this user. */
  isBusy(user: string): boolean;
  draftOf(user: string): Draft | undefined;
  /** Once the last stream of a user has ended. */
  forget(user: string): void;
  /** Notes what the engine tells of its executions. */
  follow(engine: Pick<Engine, 'on'>): void;
}

/**
 * @param open - the users with a stream: nothing is noted of others
 * @param wake - called when what a user is shown has changed
 */
export function createAtWork(clock: Pick<Clock, 'now'>, open: ReadonlyMap<string, unknown>, wake: (user: string) => void): AtWork {
  const busy = new Set<string>();
  const drafts = new Map<string, Draft>();

  const setBusy = (user: string, isBusy: boolean): void => {
    if (busy.has(user) === isBusy || (isBusy && !open.has(user))) return;
    if (isBusy) busy.add(user);
    else busy.delete(user);
    wake(user);
  };
  const setDraft = (user: string, draft: Omit<Draft, 'sinceMs'>): void => {
    if (!open.has(user)) return;
    const known = drafts.get(user);
    drafts.set(user, { ...draft, sinceMs: known?.key === draft.key ? known.sinceMs : clock.now() });
    wake(user);
  };
  /** The next message, or none, takes the place of the draft of an execution. */
  const dropDraft = (user: string, executionId: string): void => {
    if (drafts.get(user)?.executionId !== executionId) return;
    drafts.delete(user);
    wake(user);
  };

  return {
    isBusy: (user) => busy.has(user),
    draftOf: (user) => drafts.get(user),
    forget(user) {
      busy.delete(user);
      drafts.delete(user);
    },
    follow(engine) {
      const note = (isBusy: boolean) => (about: { readonly companyId: string; readonly botId?: string; readonly userId?: string }) => {
        const { companyId, botId, userId } = about;
        if (open.size + busy.size === 0) return; // no chat is open, and most users have none
        if (botId !== undefined && userId !== undefined) setBusy(nameLane(laneOf({ companyId, botId, userId })), isBusy);
      };
      const noteEnd = ({ companyId, executionId, origin: { botId, userId } }: ExecutionRef): void => {
        if (drafts.size === 0 || botId === undefined || userId === undefined) return;
        dropDraft(nameLane(laneOf({ companyId, botId, userId })), executionId);
      };
      const noteRest = (execution: ExecutionRef): void => {
        noteEnd(execution);
        note(false)({ ...execution.origin, companyId: execution.companyId });
      };
      engine.on('effect.progressed', ({ companyId, origin: { botId, userId }, executionId, key, value }) => {
        const text = isJsonObject(value) ? value['text'] : undefined;
        if (typeof text !== 'string' || text.length > maxDraftChars || botId === undefined || userId === undefined) return;
        setDraft(nameLane(laneOf({ companyId, botId, userId })), { executionId, key, text });
      });
      engine.on('effect.requested', (execution, { effect }) => {
        if (effect?.type !== sendMessage.type) noteEnd(execution); // another call follows: that was not the reply
      });
      engine.on('message.received', note(true));
      engine.on('message.unmatched', note(false));
      engine.on('message.held', note(false));
      engine.on('message.attended', note(false));
      engine.on('execution.waiting', (execution) => noteRest(execution));
      engine.on('execution.ended', (execution) => noteRest(execution));
      engine.on('execution.quarantined', (execution) => noteRest(execution));
    },
  };
}

/**
 * Writes what a browser has not got of the draft. However slowly it reads, nothing waits for it: it gets what is new when it asks.
 *
 * @returns the events for the draft as it is now, behind the new messages, of which the last one of the bot was stored at `repliedAtMs`
 */
export function createDraftReader(): (now: Draft | undefined, repliedAtMs: number | undefined) => readonly string[] {
  let shown = { key: '', text: '' };
  let replied: string | undefined;
  return (now, repliedAtMs) => {
    if (repliedAtMs !== undefined && repliedAtMs >= (now?.sinceMs ?? 0)) {
      replied = now?.key ?? shown.key;
      shown = { key: '', text: '' };
    }
    const before = shown;
    const { key, text } = now === undefined || now.key === replied ? { key: '', text: '' } : now;
    shown = { key, text };
    if (text === '') return before.text === '' ? [] : [formatDraft(before.key, 0, '')];
    if (key === before.key && text === before.text) return [];
    const at = key === before.key && text.startsWith(before.text) ? before.text.length : 0;
    return [formatDraft(key, at, text.slice(at))];
  };
}

const formatDraft = (key: string, at: number, text: string): string => `event: draft\ndata: ${JSON.stringify({ key, at, text })}\n\n`;
