// What the visitor has seen of the bot's messages, the number on the button that opens the chat, and the receipts for the bot.
import { findHiloChat } from './api.ts';
import type { Keep } from './keep.ts';
import type { MessageLog } from './log.ts';
import type { Page } from './page.ts';
import type { Words } from './words.ts';

interface ReadParts {
  readonly bot: string;
  readonly page: Pick<Page, 'badge' | 'launcher'>;
  readonly words: Words;
  readonly log: Pick<MessageLog, 'countUnread' | 'setRead'>;
  /** What the tabs of a browser share, the last message seen among it. */
  readonly keep: Keep;
  readonly isOpen: () => boolean;
  /** Tells the bot that the visitor has seen everything up to a message. */
  readonly report: (messageId: string) => void;
}

export interface ReadState {
  /** A message of the bot is in the log, at its place in the service's order. */
  add(messageId: string, order: number): void;
  /** Counts unseen messages and shows the count; those that are visible are seen. */
  update(): void;
}

/** Follows what is seen: in this tab whenever its page is shown, and in the others. */
export function followRead({ bot, page, words, log, keep, isOpen, report }: ReadParts): ReadState {
  const shared = findHiloChat();
  let shownCount = 0;
  /** The last message of the bot in the service's order, which a receipt names. */
  let last: { readonly id: string; readonly order: number } | undefined;

  const update = (): void => {
    const unread = log.countUnread();
    const isSeen = isOpen() && document.visibilityState === 'visible';
    if (isSeen && unread > 0) {
      log.setRead();
      if (last !== undefined) {
        report(last.id);
        keep.set('read', last.id);
      }
    }
    const count = isSeen ? 0 : unread;
    if (count !== shownCount) shared.emit('unread', { bot, count });
    shownCount = count;
    page.badge.hidden = count === 0;
    page.badge.textContent = count > 99 ? '99+' : String(count);
    page.launcher.setAttribute('aria-label', isOpen() ? words.close : count === 0 ? words.open : words.openUnread(count));
  };
  document.addEventListener('visibilitychange', update);
  keep.onChange('read', (upTo) => {
    if (upTo === undefined) return;
    log.setRead(upTo); // another tab has shown them
    update();
  });
  return {
    add(id, order) {
      if (order > (last?.order ?? 0)) last = { id, order };
    },
    update,
  };
}
