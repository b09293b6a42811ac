import { applyChanges, type Change, changesBetween } from '../canvas/changes.ts';

/** A canvas that another thread is sent: whole, or as what differs from the one before in the same slot. */
export type CanvasUpdate = { readonly slot: string } & ({ readonly whole: object } | { readonly changes: readonly Change[] });

/** Tells another thread of canvases: after an edit no more than the edit, however large the canvas is. */
export interface SentCanvases {
  update(slot: string, canvas: object): CanvasUpdate;
  /** It is not sure what the other thread has: what comes next is sent whole. */
  forget(): void;
}

export function createSentCanvases(): SentCanvases {
  const sent = new Map<string, object>();
  return {
    update(slot, canvas) {
      const before = sent.get(slot);
      sent.set(slot, canvas);
      return before === undefined ? { slot, whole: canvas } : { slot, changes: changesBetween(before, canvas) };
    },
    forget: () => sent.clear(),
  };
}

/** Puts updates together to canvases; to be called with each update, in the order of sending. */
export function createReceivedCanvases(): (update: CanvasUpdate) => object {
  const received = new Map<string, object>();
  return (update) => {
    const canvas = 'whole' in update ? update.whole : applyChanges(received.get(update.slot) ?? {}, update.changes);
    received.set(update.slot, canvas);
    return canvas;
  };
}

/** The lists of a check's result, of which an edit changes a few items. */
interface Checked {
  readonly problems: readonly object[];
  readonly nodes: readonly object[];
  readonly unknownTypes: readonly string[];
}

/** What a thread has told another one of the results of its checks: of each, the other thread gets what differs from the one before. */
export function createSentChecks(): (result: Checked) => readonly Change[] {
  let sent: object = {};
  let known = new Map<string, unknown>();
  return (result) => {
    const next = new Map<string, unknown>();
    /** Equal results are the same one, so that only others are sent. */
    const shared = (value: object): unknown => {
      const text = JSON.stringify(value);
      const same = next.get(text) ?? known.get(text) ?? value;
      next.set(text, same);
      return same;
    };
    const after = { problems: result.problems.map(shared), nodes: result.nodes.map(shared), unknownTypes: result.unknownTypes };
    const changes = changesBetween(sent, after);
    sent = after;
    known = next;
    return changes;
  };
}
