import type { Json } from './json.ts';

/** What an execution did at a halt: it asked for an effect, began to wait, or ended. */
export interface Seen {
  readonly nodeId: string;
  /** The type of the effect, `wait.` and the kind of the wait, or `ended.` and the status. */
  readonly what: string;
  readonly value: Json;
}

/**
 * How a recorded conversation goes on another content. `start`: its message does not begin it there, or begins it elsewhere; `request`: the
 * same node asks for something else; `order`, `extra`, `missing`: another node has its turn; `end`: it ends otherwise; `drawn`: a random
 * choice falls otherwise, because another number of nodes is visited before it.
 */
export type ReplayDifference = 'start' | 'request' | 'order' | 'extra' | 'missing' | 'end' | 'drawn';

/** What a recorded conversation comes to on another content. */
export type ReplayOutcome =
  | { readonly kind: 'equal' }
  | {
      readonly kind: 'differs';
      /** The index of the event in its history. */
      readonly index: number;
      readonly how: ReplayDifference;
      /** The same for all conversations that differ there: what `ignore` names. */
      readonly group: string;
      readonly before?: Seen;
      readonly after?: Seen;
    }
  | { readonly kind: 'unknown'; readonly why: string }
  | { readonly kind: 'unreadable'; readonly why: 'masked' | 'removed' | 'jumped' | 'migrated' };
