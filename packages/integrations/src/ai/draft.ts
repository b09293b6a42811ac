/** The reply of a model while it is written, as others may see it: without secrets, and with nothing in place of marks. */
import type { Clock, Json } from '@hilo/engine/contract';
import type { Withhold } from '@hilo/drivers/kit';

/** A reply that is shown while it comes. */
export interface Draft {
  /** Adds what the model wrote next. */
  add(text: string): void;
  /** Shows all of it: the reply is whole. */
  finish(): void;
  /** Takes back what was shown, and shows nothing more. */
  withdraw(): void;
}

/** How often the draft is shown, at most. */
const everyMs = 50;

/** A mark stands for a value that no model sees. The driver does not know it, and shows this in its place. */
const hidden = '…';
const marks = /\[\[v\d{1,4}\]\]/g;
/** The end of a text with which a mark may begin. */
const begunMark = /\[(?:\[(?:v(?:\d{1,4}\]?)?)?)?$/;

/** @param show - gets all that may be seen so far, or an empty text for nothing */
export function createDraft(clock: Clock, withhold: Pick<Withhold, 'text' | 'begun'>, show: (value: Json) => void): Draft {
  let whole = '';
  let shown = '';
  let shownAtMs = -Infinity;
  let isOver = false;
  let timer: unknown;

  const showText = (text: string): void => {
    if (text === shown) return;
    shown = text;
    show({ text });
  };
  const showNow = (): void => {
    timer = undefined;
    shownAtMs = clock.now();
    showText(hideMarks(withhold.begun(withhold.text(whole)).replace(begunMark, '')));
  };
  const end = (): void => {
    isOver = true;
    if (timer !== undefined) clock.clearTimeout(timer);
  };
  return {
    add(text) {
      if (isOver) return;
      whole += text;
      if (timer !== undefined) return;
      const waitMs = shownAtMs + everyMs - clock.now();
      if (waitMs <= 0) showNow();
      else timer = clock.setTimeout(showNow, waitMs);
    },
    finish() {
      if (isOver) return;
      end();
      showText(hideMarks(withhold.text(whole)));
    },
    withdraw() {
      if (isOver) return;
      end();
      showText('');
    },
  };
}

/** A text without marks, and without the half of a pair of surrogates at its end. */
const hideMarks = (text: string): string => text.replace(marks, hidden).replace(/[\uD800-\uDBFF]$/, '');
