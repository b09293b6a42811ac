/** What a script of the page hears of a chat. */
export interface ChatEvents {
  open: { readonly bot: string };
  close: { readonly bot: string };
  /** A message of either side, also of an earlier visit. */
  message: { readonly bot: string; readonly isMine: boolean };
  /** How many messages the visitor has not seen. */
  unread: { readonly bot: string; readonly count: number };
}
export type ChatEvent = keyof ChatEvents;

/** What a chat of the page can be told. */
interface ChatControl {
  readonly bot: string;
  open(): void;
  close(): void;
}

/** `window.HiloChat`: what the page's own scripts can do with the chats in it. */
export interface HiloChat {
  /** Opens a chat: the one of a bot, or the first of the page. */
  open(bot?: string): void;
  close(bot?: string): void;
  /** Calls a function at each event of any chat of the page. @returns what ends that */
  on<Event extends ChatEvent>(event: Event, listener: (about: ChatEvents[Event]) => void): () => void;
}

/** One object for all chats of a page, each of which is loaded by a script of its own: they meet at the page's own `window`. */
interface SharedChat extends HiloChat {
  readonly register: (control: ChatControl) => void;
  readonly emit: <Event extends ChatEvent>(event: Event, about: ChatEvents[Event]) => void;
}

/** The page's `HiloChat`, which the first script of a chat makes. */
export function findHiloChat(page: { HiloChat?: SharedChat } = globalThis as { HiloChat?: SharedChat }): SharedChat {
  page.HiloChat ??= createHiloChat();
  return page.HiloChat;
}

function createHiloChat(): SharedChat {
  const controls: ChatControl[] = [];
  const listeners = new Map<ChatEvent, Set<(about: never) => void>>();
  const find = (bot: string | undefined): ChatControl | undefined =>
    bot === undefined ? controls[0] : controls.find((control) => control.bot === bot);
  return {
    open: (bot) => find(bot)?.open(),
    close: (bot) => find(bot)?.close(),
    on(event, listener) {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
      return () => void known.delete(listener);
    },
    register: (control) => void controls.push(control),
    emit(event, about) {
      for (const listener of listeners.get(event) ?? [])
        try {
          listener(about as never);
        } catch (error) {
          reportError(error); // of the page's own script: the chat goes on
        }
    },
  };
}
