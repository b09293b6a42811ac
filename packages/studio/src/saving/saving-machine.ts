import { type Backoff, backoffMs } from '@hilo/engine/contract';
import { assign, fromPromise, setup } from 'xstate';
import type { CanvasJson } from '../canvas/canvas-json.ts';

/** The outcome of an attempt to save. Never an exception: each has its state. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly revision: number }
  /** Another author has saved since: their draft, to merge with. */
  | { readonly kind: 'conflict'; readonly draft: CanvasJson; readonly revision: number; readonly savedBy?: string }
  /** Somebody has removed the workflow since. */
  | { readonly kind: 'removed' }
  | { readonly kind: 'signedOut' }
  | { readonly kind: 'refused'; readonly error: Error }
  /** Not reached, or not now. */
  | { readonly kind: 'offline' };

interface SavingContext {
  /** The newest canvas of the author. */
  readonly canvas: CanvasJson;
  /** The revision that the service has, and what it held: the base of a merge. */
  readonly revision: number | undefined;
  readonly base: CanvasJson;
  /** The canvas in flight. */
  readonly sent: CanvasJson;
  readonly attempts: number;
  readonly outcome: SaveOutcome | undefined;
}

export type SavingEvent =
  | { readonly type: 'edited'; readonly canvas: CanvasJson }
  /** Before a test, publishing and leaving: do not wait for the quiet. */
  | { readonly type: 'save' }
  /** The merge of a conflict, or theirs: continues from their revision. */
  | { readonly type: 'merged'; readonly canvas: CanvasJson }
  /** What somebody else has saved, taken over as it is. */
  | { readonly type: 'theirs'; readonly canvas: CanvasJson; readonly revision: number }
  | { readonly type: 'signedIn' }
  /** A removed workflow is to be made anew. */
  | { readonly type: 'anew' };

export interface SaveRequest {
  readonly canvas: CanvasJson;
  /** Which is replaced: 0 where there must be none, `undefined` for whatever is there. */
  readonly revision: number | undefined;
}

/** Of quiet before a draft is saved. */
const quietMs = 800;
/** Between attempts while the service is not reached. */
const backoff: Backoff = { firstMs: 2_000, longestMs: 60_000 };

/**
 * The state of an author's draft against the service's. It begins as `saved`; only an outcome `saved` leads back there, so that no edit
 * counts as saved that the service has not confirmed.
 */
export const savingMachine = setup({
  types: {
    context: {} as SavingContext,
    events: {} as SavingEvent,
    input: {} as { readonly canvas: CanvasJson; readonly revision: number | undefined; readonly isNew?: boolean },
  },
  actors: {
    save: fromPromise<SaveOutcome, SaveRequest>(() => Promise.reject(new Error('Provide the actor `save`'))),
  },
  delays: {
    quiet: quietMs,
    retry: ({ context }) => backoffMs(backoff, context.attempts),
  },
  guards: {
    isDirty: ({ context }) => context.canvas !== context.sent,
    isKind: ({ context }, kind: SaveOutcome['kind']) => context.outcome?.kind === kind,
  },
  actions: {
    keep: assign({ canvas: (_, canvas: CanvasJson) => canvas }),
  },
}).createMachine({
  id: 'saving',
  context: ({ input: { canvas, revision } }) => ({ canvas, revision, base: canvas, sent: canvas, attempts: 0, outcome: undefined }),
  initial: 'saved',
  states: {
    saved: {
      on: {
        // What was taken over comes back as an edit of the canvas, and is saved already.
        edited: [
          { guard: ({ context, event }) => event.canvas === context.canvas },
          { target: 'unsaved', actions: { type: 'keep', params: ({ event }) => event.canvas } },
        ],
        theirs: {
          actions: assign(({ event: { canvas, revision } }) => ({ canvas, base: canvas, sent: canvas, revision })),
        },
      },
    },
    unsaved: {
      after: { quiet: 'saving' },
      on: {
        edited: { target: 'unsaved', reenter: true, actions: { type: 'keep', params: ({ event }) => event.canvas } },
        save: 'saving',
      },
    },
    saving: {
      entry: assign({ sent: ({ context }) => context.canvas, outcome: undefined }),
      invoke: {
        src: 'save',
        input: ({ context }) => ({ canvas: context.canvas, revision: context.revision }),
        onDone: { target: 'judging', actions: assign({ outcome: ({ event }) => event.output }) },
        onError: { target: 'judging', actions: assign({ outcome: { kind: 'offline' } as const }) },
      },
      on: { edited: { actions: { type: 'keep', params: ({ event }) => event.canvas } } },
    },
    judging: {
      always: [
        {
          guard: { type: 'isKind', params: 'saved' },
          target: 'kept',
          actions: assign(({ context }) => ({
            revision: context.outcome?.kind === 'saved' ? context.outcome.revision : context.revision,
            base: context.sent,
            attempts: 0,
          })),
        },
        {
          guard: { type: 'isKind', params: 'conflict' },
          target: 'conflict',
          actions: assign(({ context }) => ({
            revision: context.outcome?.kind === 'conflict' ? context.outcome.revision : context.revision,
          })),
        },
        { guard: { type: 'isKind', params: 'removed' }, target: 'removed', actions: assign({ revision: 0 }) },
        { guard: { type: 'isKind', params: 'signedOut' }, target: 'signedOut' },
        { guard: { type: 'isKind', params: 'refused' }, target: 'refused' },
        { target: 'offline', actions: assign({ attempts: ({ context }) => context.attempts + 1 }) },
      ],
    },
    kept: { always: [{ guard: 'isDirty', target: 'unsaved' }, { target: 'saved' }] },
    offline: {
      after: { retry: 'saving' },
      on: { edited: { actions: { type: 'keep', params: ({ event }) => event.canvas } }, save: 'saving' },
    },
    conflict: {
      on: {
        edited: { actions: { type: 'keep', params: ({ event }) => event.canvas } },
        merged: {
          target: 'saving',
          actions: assign(({ context, event }) => ({
            canvas: event.canvas,
            base: context.outcome?.kind === 'conflict' ? context.outcome.draft : context.base,
          })),
        },
      },
    },
    // Neither edits nor a test bring it back: only its author does, on purpose.
    removed: {
      on: { edited: { actions: { type: 'keep', params: ({ event }) => event.canvas } }, anew: 'saving' },
    },
    refused: {
      on: { edited: { target: 'unsaved', actions: { type: 'keep', params: ({ event }) => event.canvas } }, save: 'saving' },
    },
    signedOut: {
      on: { edited: { actions: { type: 'keep', params: ({ event }) => event.canvas } }, signedIn: 'saving', save: 'saving' },
    },
  },
});
