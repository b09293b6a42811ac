// The operators of a simulation, and the conversations that are handed over to them.
import type { Driver, Json } from '@hilo/engine/contract';
import { type openHandoff, refuseHandoff } from '@hilo/nodes/effects';
import type { VirtualClock } from '../virtual-clock.ts';
import type { FoundInCompany } from './company-directory.ts';

type Perform = Driver<typeof openHandoff>;
type Opening = Parameters<Perform>[0];
type Opened = Awaited<ReturnType<Perform>>;

/** How a conversation with an operator may end. */
export const handoffEnds = ['closed', 'resolved', 'expired'] as const;
type HandoffEnd = (typeof handoffEnds)[number];

/** What the operator of a simulation does. */
export type OperatorAct =
  | { readonly does: 'says'; readonly text: string }
  | { readonly does: 'closes' | 'expires' }
  /** The next hand-off finds no operator. */
  | { readonly does: 'none' };

/** The operator's desk of a simulation: one operator, who has one conversation at a time. */
export interface Desk {
  /** Performs `handoff.open`. The same key again is the same conversation (P4); a user who has one stays in it. */
  open(opening: Opening, idempotencyKey: string, choose: FoundInCompany['operator']): Opened;
  isOpen(): boolean;
  /** The user wrote a message with this id to the operator: the time of the conversation starts again. */
  hear(messageId: Json | undefined): void;
  /** Whether the operator heard the message with this id: one that a node kept reaches them only after the hand-off. */
  hasHeard(messageId: Json | undefined): boolean;
  /** @returns whether there was a conversation to do it in */
  act(act: OperatorAct): boolean;
  /** Ends the conversation because a signal ended it already. */
  endBySignal(correlation: string): void;
  /** When the conversation expires; `undefined` where none is open. */
  dueMs(): number | undefined;
}

interface DeskParts {
  readonly clock: VirtualClock;
  /** Signals the workflow that waits. */
  readonly onEnd: (conversationId: string, end: { readonly state: HandoffEnd; readonly payload: Json }) => void;
}

interface OpenConversation {
  readonly id: string;
  readonly idleMs: number;
  readonly operatorId: number | null;
  dueMs: number;
  timer: unknown;
}

/** Silence ends a conversation as in the service, measured by the clock that a script moves. */
export function createDesk({ clock, onEnd }: DeskParts): Desk {
  const heard = new Set<Json | undefined>();
  const opened = new Map<string, string>();
  let conversation: OpenConversation | undefined;
  let count = 0;
  let hasNoOperator = false;

  const end = (state: HandoffEnd, endedReason: string): void => {
    if (conversation === undefined) return;
    const { id, operatorId, timer } = conversation;
    clock.clearTimeout(timer);
    conversation = undefined;
    onEnd(id, { state, payload: { conversationId: id, state, endedReason, operatorId } });
  };

  const watch = (dueMs: number): void => {
    if (conversation === undefined) return;
    clock.clearTimeout(conversation.timer);
    conversation.dueMs = dueMs;
    conversation.timer = clock.setTimeout(() => end('expired', 'expired'), dueMs - clock.now());
  };

  return {
    open(opening, idempotencyKey, choose) {
      const { idleMs } = opening;
      const known = opened.get(idempotencyKey) ?? conversation?.id;
      if (known === undefined && hasNoOperator) {
        hasNoOperator = false;
        return { kind: 'noAgent' };
      }
      const chosen = known === undefined ? choose(opening) : undefined;
      if (chosen !== undefined && chosen.kind !== 'chosen') return refuseHandoff(chosen.kind, opening);
      if (known === undefined) count += 1;
      const id = known ?? `conversation-${count}`;
      opened.set(idempotencyKey, id);
      if (chosen !== undefined) {
        conversation = { id, idleMs, operatorId: chosen.operatorId, dueMs: 0, timer: undefined };
        watch(clock.now() + idleMs);
      }
      return { kind: 'opened', conversationId: id, key: id };
    },
    isOpen: () => conversation !== undefined,
    hear(messageId) {
      heard.add(messageId);
      watch(clock.now() + (conversation?.idleMs ?? 0));
    },
    hasHeard: (messageId) => heard.has(messageId),
    act(act) {
      if (act.does === 'none') {
        hasNoOperator = true;
        return true;
      }
      if (conversation === undefined) return false;
      if (act.does === 'says') watch(clock.now() + conversation.idleMs);
      else if (act.does === 'closes') end('closed', 'closed_by_operator');
      else end('expired', 'expired');
      return true;
    },
    endBySignal(correlation) {
      if (conversation?.id !== correlation) return;
      clock.clearTimeout(conversation.timer);
      conversation = undefined;
    },
    dueMs: () => conversation?.dueMs,
  };
}
