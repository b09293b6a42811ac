import { element } from './elements.ts';
import type { Language, Words } from './words.ts';

/** How far a message of the visitor has come: on its way, stored by the service, processed by the bot. */
export type Tick = 'sending' | 'sent' | 'handled';

/** The messages of both sides, in the order of the service. */
export interface MessageLog {
  has(id: string): boolean;
  /** Shows a message of the visitor that the service has not confirmed, at the end. */
  addUnsent(id: string, parts: readonly (Node | string)[]): void;
  /** Shows a message at its place in the service's order; one that is shown already is moved there. */
  put(id: string, isMine: boolean, parts: readonly (Node | string)[], at: { readonly atMs: number; readonly order: number }): void;
  /** Shows a reply that is still written, behind all messages; an empty one is taken away. */
  setDraft(text: string): void;
  setTick(id: string, tick: Tick, atMs?: number): void;
  /** Marks a message as not sent. @param retry - sends it again; without it, the visitor has to write it again */
  setFailed(id: string, retry: (() => void) | undefined): void;
  /** The bot has processed every message of the visitor until now. */
  setAllHandled(): void;
  /** How many messages of the bot the visitor has not seen. */
  countUnread(): number;
  /** Marks the messages of the bot as seen. @param upTo - the last one in the service's order; all, when left out */
  setRead(upTo?: string): void;
  scrollToEnd(): void;
  /** Makes a change that takes room from the log: its end stays visible, if it was. */
  keepEndVisible(change: () => void): void;
}

interface Entry {
  readonly item: HTMLLIElement;
  readonly foot: HTMLElement;
  readonly isMine: boolean;
  isRead: boolean;
  /** The service's; none until it has confirmed the message. */
  order?: number;
}

/**
 * The log of a chat.
 *
 * @param page - the list, and what scrolls around it
 * @param nameBot - the bot's name, for readers who do not see on which side a message is
 */
export function createLog(
  { log, list }: { readonly log: HTMLElement; readonly list: HTMLElement },
  words: Words,
  language: Language,
  nameBot: () => string,
): MessageLog {
  const entries = new Map<string, Entry>();
  const formatTime = timeFormat(language);

  const keepEndVisible = (change: () => void): void => {
    const wasAtEnd = log.scrollHeight - log.scrollTop - log.clientHeight < 80;
    change();
    if (wasAtEnd) scrollToEnd();
  };
  const scrollToEnd = (): void => {
    log.scrollTop = log.scrollHeight;
  };

  /** Puts a message before the first that the service has after it, or at the end. */
  const place = ({ item, isMine, order = Infinity }: Entry): void => {
    let next: Entry | undefined;
    for (const entry of entries.values())
      if (entry.order !== undefined && entry.order > order && entry.order < (next?.order ?? Infinity)) next = entry;
    keepEndVisible(() => list.insertBefore(item, next?.item ?? null));
    if (isMine) scrollToEnd();
  };

  const author = (isMine: boolean): HTMLElement => element('span', { class: 'author' }, `${isMine ? words.you : nameBot()}: `);

  const add = (id: string, isMine: boolean, parts: readonly (Node | string)[], order?: number): Entry => {
    const foot = element('span', { class: 'foot' });
    const item = element('li', { class: isMine ? 'message mine' : 'message' }, author(isMine), ...parts, foot);
    const entry: Entry = { item, foot, isMine, isRead: isMine, ...(order !== undefined && { order }) };
    entries.set(id, entry);
    place(entry);
    return entry;
  };

  const setFoot = ({ foot, isMine }: Entry, atMs: number, tick: Tick): void => {
    const time = element('bdi', {}, formatTime(atMs)); // "2:56 PM", and not "PM 2:56", in a page from right to left
    foot.replaceChildren(time, ' ', isMine ? createTick(tick, words) : '');
  };

  const draftText = element('p', { dir: 'auto' });
  // Screen readers hear the message once it is whole.
  const draft = element('li', { class: 'message draft', 'aria-live': 'off' }, draftText);

  return {
    has: (id) => entries.has(id),
    addUnsent: (id, parts) => setFoot(add(id, true, parts), Date.now(), 'sending'),
    put(id, isMine, parts, { atMs, order }) {
      const known = entries.get(id);
      if (known !== undefined) {
        known.item.replaceChildren(author(isMine), ...parts, known.foot);
        known.item.classList.remove('failed');
        known.order = order;
        place(known);
      }
      setFoot(known ?? add(id, isMine, parts, order), atMs, 'sent');
    },
    setDraft(text) {
      keepEndVisible(() => {
        draftText.textContent = text;
        if (text === '') draft.remove();
        else if (!draft.isConnected) list.append(draft);
      });
    },
    setTick(id, tick, atMs = Date.now()) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.item.classList.remove('failed');
      setFoot(entry, atMs, tick);
    },
    setFailed(id, retry) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      entry.item.classList.add('failed');
      const button = element('button', { type: 'button', hidden: retry === undefined ? '' : undefined }, words.retry);
      if (retry !== undefined) button.addEventListener('click', retry);
      entry.foot.replaceChildren(words.failed, ' ', button);
    },
    setAllHandled() {
      for (const { foot } of entries.values()) foot.querySelector('[role=img]')?.replaceWith(createTick('handled', words));
    },
    countUnread: () => [...entries.values()].filter(({ isRead }) => !isRead).length,
    setRead(upTo) {
      const last = upTo === undefined ? Infinity : entries.get(upTo)?.order;
      if (last === undefined) return;
      for (const entry of entries.values()) if ((entry.order ?? Infinity) <= last) entry.isRead = true;
    },
    scrollToEnd,
    keepEndVisible,
  };
}

const tickSigns: { readonly [State in Tick]: string } = { sending: '…', sent: '✓', handled: '✓✓' };

/** The sign after a message of the visitor, with its meaning for screen readers. */
const createTick = (state: Tick, words: Words): HTMLElement =>
  element('span', { role: 'img', 'aria-label': words[state] }, tickSigns[state]);

/** When a message was written: the time, with the day where it is not today's. */
function timeFormat(language: Language): (atMs: number) => string {
  const time = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' });
  const dayAndTime = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  return (atMs) => (new Date(atMs).toDateString() === new Date().toDateString() ? time : dayAndTime).format(atMs);
}
