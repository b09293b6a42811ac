// The chat on a page: its button, its panel, its messages and the field to write in.
import { findHiloChat } from './api.ts';
import { type ChoiceButtons, showChoices } from './choices.ts';
import type { Connection, Listener } from './connection.ts';
import { type Choice, contentOf, textParagraph } from './content.ts';
import { formText } from './form.ts';
import type { Keep } from './keep.ts';
import { createLog } from './log.ts';
import type { Outgoing } from './outgoing.ts';
import { buildPage } from './page.ts';
import type { Settings } from './settings.ts';
import { type Words, words as allWords } from './words.ts';

/** The limits of the service: a text in characters, a file in bytes. */
const limits = { textLength: 4_096, fileBytes: 5 * 1024 * 1024 };

/** The other side has probably left when it has been writing for so long. */
const maxTypingMs = 20_000;

/** The event by which a chat tells others in the page that it was opened: one is open at a time. */
const openedEvent = 'hilo-chat-opened';

const noChoices: ChoiceButtons = { offered: [], asksForLocation: false };

/** The view of the chat: shows the events of the connection, and passes the visitor's input to it. */
export interface View extends Listener {
  /** Begins, once there is a connection. */
  attach(connection: Connection): void;
}

/** An id that the browser gives a message. `crypto.randomUUID` exists only in pages with TLS. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * Adds the chat to the page.
 *
 * @param keep - what the browser remembers between visits, shared by its tabs
 */
export function createView(settings: Settings, keep: Keep): View {
  const words: Words = allWords[settings.language];
  const bot = settings.botId;
  const shared = findHiloChat();
  const isPage = settings.mode === 'page';
  const { draft } = settings;
  const page = buildPage(settings, words);
  const { input, panel, launcher, status } = page;
  const log = createLog(page, words, settings.language, () => page.name.textContent);
  /** Messages that the service has not confirmed, for sending them again. */
  const unconfirmed = new Map<string, Outgoing>();
  let connection: Connection | undefined;
  let isOpen = isPage;
  let isTyping = false;
  let shownUnread = 0;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;
  let state: Parameters<View['onState']>[0] = 'connecting';
  /** The last message of the bot in the service's order, which a receipt names. */
  let lastReceived: { readonly id: string; readonly order: number } | undefined;

  const setOpen = (open: boolean): void => {
    if (isOpen !== open) shared.emit(open ? 'open' : 'close', { bot });
    isOpen = open;
    panel.hidden = !open;
    launcher.setAttribute('aria-expanded', String(open));
    if (open) {
      dispatchEvent(new CustomEvent(openedEvent, { detail: page }));
      connection?.start();
      input.focus();
      log.scrollToEnd();
    }
    showUnread();
  };
  const close = (): void => {
    setOpen(false);
    launcher.focus();
  };

  /** Counts unseen messages; visible ones are seen. */
  const showUnread = (): void => {
    const unread = log.countUnread();
    const isSeen = isOpen && document.visibilityState === 'visible';
    if (isSeen && unread > 0) {
      log.setRead();
      if (lastReceived !== undefined) {
        connection?.read(lastReceived.id);
        keep.set('read', lastReceived.id);
      }
    }
    const count = isSeen ? 0 : unread;
    if (count !== shownUnread) shared.emit('unread', { bot, count });
    shownUnread = count;
    page.badge.hidden = count === 0;
    page.badge.textContent = count > 99 ? '99+' : String(count);
    launcher.setAttribute('aria-label', isOpen ? words.close : count === 0 ? words.open : words.openUnread(count));
  };

  /** What stands in place of the state, until the visitor writes on: a state that changes meanwhile does not hide it. */
  let notice = '';
  const showStatus = (told = notice): void => {
    notice = told;
    const texts = {
      connecting: words.connecting,
      offline: words.offline,
      refused: draft === undefined ? words.refused : words.draftOver,
      online: isTyping ? words.typing : '',
    };
    status.textContent = notice === '' ? texts[state] : notice;
    input.disabled = state === 'refused';
  };

  const offer = (buttons: ChoiceButtons): void =>
    log.keepEndVisible(() => {
      const choose = ({ title, payload }: Choice): void => {
        send({ id: newId(), type: 'button', text: title, ...(payload !== undefined && { payload }) }, title);
        input.focus();
      };
      showChoices(page.choices, buttons, { choose, shareLocation }, words);
    });

  const send = (outgoing: Outgoing, shownAs: string): void => {
    begin();
    offer(noChoices);
    showStatus('');
    log.addUnsent(outgoing.id, [textParagraph(shownAs)]);
    unconfirmed.set(outgoing.id, outgoing);
    connection?.send(outgoing);
  };

  const shareLocation = (): void => {
    const { geolocation } = navigator as { readonly geolocation?: Geolocation }; // not there in pages without TLS
    const fail = (): void => showStatus(words.noLocation);
    if (geolocation === undefined) return fail();
    geolocation.getCurrentPosition(({ coords: { latitude: lat, longitude: long } }) => {
      send({ id: newId(), type: 'location', coordinates: { lat, long } }, words.location);
    }, fail);
  };

  const sendText = (): void => {
    const text = input.value.trim();
    if (text === '' || state === 'refused') return;
    const surplus = Array.from(text).length - limits.textLength;
    if (surplus > 0) return showStatus(words.tooLong(surplus)); // the text stays: cut off, it would be lost in silence
    input.value = '';
    send({ id: newId(), type: 'text', text }, text);
  };

  const sendFile = (file: File): void => {
    if (file.size > limits.fileBytes) return showStatus(words.tooLarge);
    send({ id: newId(), type: 'file', file }, file.name);
  };

  /** What stands in the chat until somebody has written: a greeting, and a button that begins. */
  const { start } = settings;
  let isBegun = false;
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    page.greeting.hidden = true;
    page.again.hidden = start === undefined && draft === undefined;
    if (start !== undefined) offer(noChoices);
  };
  const choose = (): void => {
    if (start === undefined) return;
    send({ id: newId(), type: 'text', text: start }, start);
    input.focus();
  };
  if (start !== undefined)
    showChoices(page.choices, { offered: [{ title: start }], asksForLocation: false }, { choose, shareLocation }, words);
  page.again.addEventListener('click', () => {
    if (draft === undefined) return choose();
    keep.set('token', undefined); // the next visitor knows nothing of this one
    location.reload();
  });
  if (!isPage)
    shared.register({
      bot,
      open: () => setOpen(true),
      close: () => {
        if (isOpen) close();
      },
    });

  listenToInput(page, { sendText, sendFile, close: isPage ? () => {} : close });
  input.addEventListener('input', () => notice !== '' && showStatus(''));
  launcher.addEventListener('click', () => (isOpen ? close() : setOpen(true)));
  addEventListener(openedEvent, (event) => {
    if (isOpen && !isPage && event instanceof CustomEvent && event.detail !== page) setOpen(false);
  });
  document.addEventListener('visibilitychange', showUnread);
  keep.onChange('read', (upTo) => {
    if (upTo === undefined) return;
    log.setRead(upTo); // another tab has shown them
    showUnread();
  });

  return {
    attach(opened) {
      connection = opened;
      for (const outgoing of opened.unsent()) {
        unconfirmed.set(outgoing.id, outgoing);
        log.addUnsent(outgoing.id, [textParagraph(shownAs(outgoing, words))]);
      }
      showStatus();
      if (isPage) input.focus();
      if (isPage || opened.isKnown()) opened.start();
    },
    onName(given) {
      page.name.textContent = draft === undefined ? given : `${given} · ${words.draft}`;
      panel.setAttribute('aria-label', words.chatWith(given));
      if (isPage) document.title = given;
    },
    onMessage({ messageId: name, direction, status: kept, atMs, order, message }) {
      const isMine = direction === 'inbound';
      begin();
      shared.emit('message', { bot, isMine });
      const { clientId } = message;
      // The service names messages by ids of its own: those from here are known by the one that they were sent under.
      const messageId = isMine && typeof clientId === 'string' ? clientId : name;
      if (!isMine) log.setDraft(''); // the message takes its place
      const {
        parts,
        choices: offered,
        asksForLocation,
      } = contentOf(message, words, (values) => send({ id: newId(), type: 'form', of: name, values }, formText(values)));
      log.put(messageId, isMine, parts, { atMs, order });
      unconfirmed.delete(messageId);
      if (isMine) return offer(noChoices);
      if (isTyping) this.onTyping(false); // what was being written is here
      offer({ offered, asksForLocation });
      if (kept === 'read') log.setRead(messageId);
      if (order > (lastReceived?.order ?? 0)) lastReceived = { id: messageId, order };
      log.setAllHandled();
      showUnread();
    },
    onDraft: log.setDraft,
    onTyping(now) {
      isTyping = now;
      clearTimeout(typingTimer);
      if (now) typingTimer = setTimeout(() => this.onTyping(false), maxTypingMs);
      showStatus();
    },
    onState(now) {
      state = now;
      showStatus();
    },
    onSent(id, sent) {
      if (sent !== 'failed') return log.setTick(id, sent);
      const outgoing = unconfirmed.get(id);
      const retry = (): void => {
        log.setTick(id, 'sending');
        if (outgoing !== undefined) connection?.send(outgoing);
      };
      log.setFailed(id, outgoing === undefined ? undefined : retry);
    },
  };
}

/** A message that is not sent yet, as it is shown. */
function shownAs(outgoing: Outgoing, words: Words): string {
  if ('text' in outgoing) return outgoing.text;
  return outgoing.type === 'form' ? formText(outgoing.values) : words.location;
}

interface InputActions {
  sendText(): void;
  sendFile(file: File): void;
  close(): void;
}

/** Passes on what the visitor writes, picks and presses in the panel. */
function listenToInput(
  { form, input, attach, picker, panel, closer }: ReturnType<typeof buildPage>,
  { sendText, sendFile, close }: InputActions,
): void {
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    sendText();
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });
  closer.addEventListener('click', close);
  attach.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    const [file] = picker.files ?? [];
    picker.value = '';
    if (file !== undefined) sendFile(file);
  });
}
