// The line under the messages of a chat: whether it is connected, whether somebody types, and what the visitor could not do.
import type { Page } from './page.ts';
import type { StreamListener } from './stream.ts';
import type { Words } from './words.ts';

/** The other side has probably left when it has been writing for so long. */
const maxTypingMs = 20_000;

export type State = Parameters<StreamListener['onState']>[0];

export interface StatusLine {
  /** Shows a notice in place of the state, until the visitor writes on: a state that changes meanwhile does not hide it. */
  notify(notice: string): void;
  /** Shows the state again. */
  clearNotice(): void;
  setState(state: State): void;
  setTyping(isTyping: boolean): void;
  /** Whether the service takes nothing from this visitor. */
  isRefused(): boolean;
}

/** The status line of a page. @param isDraft - whether the chat is with a draft, whose link ends */
export function createStatusLine({ input, status }: Pick<Page, 'input' | 'status'>, words: Words, isDraft: boolean): StatusLine {
  let state: State = 'connecting';
  let notice = '';
  let isTyping = false;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;

  const show = (): void => {
    const texts = {
      connecting: words.connecting,
      offline: words.offline,
      refused: isDraft ? words.draftOver : words.refused,
      online: isTyping ? words.typing : '',
    };
    status.textContent = notice === '' ? texts[state] : notice;
    input.disabled = state === 'refused';
  };
  const setTyping = (now: boolean): void => {
    isTyping = now;
    clearTimeout(typingTimer);
    if (now) typingTimer = setTimeout(() => setTyping(false), maxTypingMs);
    show();
  };
  const notify = (told: string): void => {
    notice = told;
    show();
  };
  show();
  return {
    notify,
    clearNotice: () => notify(''),
    setState(now) {
      state = now;
      show();
    },
    setTyping(now) {
      if (now || isTyping) setTyping(now);
    },
    isRefused: () => state === 'refused',
  };
}
