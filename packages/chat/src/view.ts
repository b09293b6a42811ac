import type { Connection, Listener, Outgoing } from './connection.ts';
import { type Choice, contentOf } from './content.ts';
import { element, icon } from './elements.ts';
import type { Keep } from './keep.ts';
import type { Settings } from './settings.ts';
import { styleSheet } from './style.ts';
import { type Words, words as allWords } from './words.ts';

/** The size limit of a file; the service has the same. */
const maxFileBytes = 5 * 1024 * 1024;
const fileTypes =
  'image/jpeg,image/png,image/gif,image/webp,audio/mpeg,audio/mp4,audio/ogg,audio/wav,video/mp4,video/webm,application/pdf,text/plain';

/** A message in the log. */
interface Entry {
  readonly item: HTMLLIElement;
  readonly foot: HTMLElement;
  readonly isMine: boolean;
  isRead: boolean;
}

/** The view of the chat: shows the events of the connection, and passes the visitor's input to it. */
export interface View extends Listener {
  /** Begins, once there is a connection. */
  attach(connection: Connection): void;
}

/** How far a message of the visitor has come: on its way, stored by the service, processed by the bot. */
type Tick = 'sending' | 'sent' | 'handled';

/** An id that the browser gives a message. `crypto.randomUUID` exists only in pages with TLS. */
const newId = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-');

/**
 * Adds the chat to the page.
 *
 * @param keep - what the browser remembers between visits, shared by its tabs
 */
export function createView(settings: Settings, keep: Keep): View {
  const words: Words = allWords[settings.language];
  const isPage = settings.mode === 'page';
  const clock = new Intl.DateTimeFormat(settings.language, { hour: 'numeric', minute: '2-digit' });
  const entries = new Map<string, Entry>();
  /** Messages that the service has not confirmed, for sending them again. */
  const unconfirmed = new Map<string, Outgoing>();
  let connection: Connection | undefined;
  let isOpen = isPage;
  let isTyping = false;
  let typingTimer: ReturnType<typeof setTimeout> | undefined;
  let state: Parameters<View['onState']>[0] = 'connecting';
  let lastReceived: string | undefined;

  const { badge, launcher, name, closer, list, log, choices, status, input, picker, attach, form, panel } = buildPage(settings, words);

  const setOpen = (open: boolean): void => {
    isOpen = open;
    panel.hidden = !open;
    launcher.setAttribute('aria-expanded', String(open));
    if (open) {
      connection?.start();
      input.focus();
      log.scrollTop = log.scrollHeight;
    } else launcher.focus();
    showUnread();
  };

  /** Counts unseen messages; visible ones are seen. */
  const showUnread = (): void => {
    const unread = [...entries.values()].filter(({ isMine, isRead }) => !isMine && !isRead);
    const isSeen = isOpen && document.visibilityState === 'visible';
    if (isSeen && unread.length > 0) {
      for (const entry of unread) entry.isRead = true;
      if (lastReceived !== undefined) {
        connection?.read(lastReceived);
        keep.set('read', lastReceived);
      }
    }
    const count = isSeen ? 0 : unread.length;
    badge.hidden = count === 0;
    badge.textContent = count > 99 ? '99+' : String(count);
    launcher.setAttribute('aria-label', isOpen ? words.close : count === 0 ? words.open : words.openUnread(count));
  };

  const showStatus = (notice = ''): void => {
    const texts = { connecting: words.connecting, offline: words.offline, refused: words.refused, online: isTyping ? words.typing : '' };
    status.textContent = notice === '' ? texts[state] : notice;
    input.disabled = state === 'refused';
  };

  const setFoot = ({ foot, isMine }: Entry, atMs: number, tick?: Tick): void => {
    foot.replaceChildren(clock.format(atMs), ' ', tick === undefined || !isMine ? '' : createTick(tick, words));
  };

  const addEntry = (id: string, isMine: boolean, parts: readonly (Node | string)[]): Entry => {
    const foot = element('span', { class: 'foot' });
    const item = element('li', { class: isMine ? 'message mine' : 'message' }, ...parts, foot);
    const entry: Entry = { item, foot, isMine, isRead: isMine };
    entries.set(id, entry);
    show(item);
    return entry;
  };

  const isAtEnd = (): boolean => log.scrollHeight - log.scrollTop - log.clientHeight < 80;

  /** Appends an entry, and keeps the end visible if it was. */
  const show = (item: HTMLLIElement): void => {
    const wasAtEnd = isAtEnd();
    list.append(item);
    if (wasAtEnd || item.classList.contains('mine')) log.scrollTop = log.scrollHeight;
  };

  const send = (outgoing: Outgoing, shownAs: string): void => {
    showChoices([]);
    const entry = addEntry(outgoing.id, true, [element('p', {}, shownAs)]);
    setFoot(entry, Date.now(), 'sending');
    unconfirmed.set(outgoing.id, outgoing);
    connection?.send(outgoing);
  };

  const showChoices = (offered: readonly Choice[], asksForLocation = false): void => {
    const isList = offered.length > 3 || offered.some(({ description }) => description !== undefined);
    choices.className = isList ? 'choices list' : 'choices';
    const buttons = offered.map(({ title, description, payload }) => {
      const button = element(
        'button',
        { type: 'button' },
        title,
        description === undefined ? undefined : element('small', {}, description),
      );
      button.addEventListener('click', () => {
        send({ id: newId(), type: 'button', text: title, ...(payload !== undefined && { payload }) }, title);
        input.focus();
      });
      return button;
    });
    if (asksForLocation) {
      const button = element('button', { type: 'button' }, words.shareLocation);
      button.addEventListener('click', shareLocation);
      buttons.push(button);
    }
    const wasAtEnd = isAtEnd();
    choices.replaceChildren(...buttons);
    choices.hidden = buttons.length === 0;
    if (wasAtEnd) log.scrollTop = log.scrollHeight; // they take room from it
  };

  const shareLocation = (): void => {
    const { geolocation } = navigator as { readonly geolocation?: Geolocation }; // not there in pages without TLS
    const fail = (): void => showStatus(words.noLocation);
    if (geolocation === undefined) return fail();
    geolocation.getCurrentPosition(({ coords: { latitude: lat, longitude: long } }) => {
      send({ id: newId(), type: 'location', coordinates: { lat, long } }, words.location);
    }, fail);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    const text = input.value.trim();
    if (text === '' || state === 'refused') return;
    input.value = '';
    send({ id: newId(), type: 'text', text }, text);
  });
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    form.requestSubmit();
  });
  panel.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !isPage) setOpen(false);
  });
  launcher.addEventListener('click', () => setOpen(!isOpen));
  closer.addEventListener('click', () => setOpen(false));
  attach.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    const [file] = picker.files ?? [];
    picker.value = '';
    if (file === undefined) return;
    if (file.size > maxFileBytes) return showStatus(words.tooLarge);
    send({ id: newId(), type: 'file', file }, file.name);
  });
  document.addEventListener('visibilitychange', showUnread);
  keep.onChange('read', (upTo) => {
    // Another tab has shown them.
    if (upTo === undefined || !entries.has(upTo)) return;
    for (const [id, entry] of entries) {
      entry.isRead = true;
      if (id === upTo) break;
    }
    showUnread();
  });

  return {
    attach(opened) {
      connection = opened;
      for (const outgoing of opened.unsent()) {
        const text = 'text' in outgoing ? outgoing.text : words.location;
        setFoot(addEntry(outgoing.id, true, [element('p', {}, text)]), Date.now(), 'sending');
      }
      showStatus();
      if (isPage || opened.isKnown()) opened.start();
    },
    onName(given) {
      name.textContent = given;
      panel.setAttribute('aria-label', words.chatWith(given));
      if (isPage) document.title = given;
    },
    onMessage({ messageId: name, direction, status: kept, atMs, message }) {
      const isMine = direction === 'inbound';
      const { clientId } = message;
      const messageId = isMine && typeof clientId === 'string' ? clientId : name;
      const known = entries.get(messageId);
      const { parts, choices: offered, asksForLocation } = contentOf(message, words);
      if (known !== undefined) {
        // A message that was sent from here, or received again, is moved to its place in the service's order.
        known.item.replaceChildren(...parts, known.foot);
        known.item.classList.remove('failed');
        show(known.item);
      }
      const entry = known ?? addEntry(messageId, isMine, parts);
      unconfirmed.delete(messageId);
      setFoot(entry, atMs, 'sent');
      if (isMine) showChoices([]);
      else {
        showChoices(offered, asksForLocation);
        entry.isRead ||= kept === 'read';
        lastReceived = messageId;
        for (const [, earlier] of entries) earlier.foot.querySelector('[role=img]')?.replaceWith(createTick('handled', words));
        showUnread();
      }
    },
    onTyping(now) {
      isTyping = now;
      clearTimeout(typingTimer);
      if (now) typingTimer = setTimeout(() => this.onTyping(false), 60_000); // the other side has probably left
      showStatus();
    },
    onState(now) {
      state = now;
      showStatus();
    },
    onSent(id, sent) {
      const entry = entries.get(id);
      if (entry === undefined) return;
      if (sent !== 'failed') return setFoot(entry, Date.now(), sent);
      const outgoing = unconfirmed.get(id);
      const retry = element('button', { type: 'button' }, words.retry);
      retry.addEventListener('click', () => {
        entry.item.classList.remove('failed');
        setFoot(entry, Date.now(), 'sending');
        if (outgoing !== undefined) connection?.send(outgoing);
      });
      entry.item.classList.add('failed');
      entry.foot.replaceChildren(words.failed, ' ', outgoing === undefined ? '' : retry);
    },
  };
}

/** Adds the chat to the page, in a shadow root that the page's own styles do not reach. @returns what changes, or is listened to */
function buildPage(settings: Settings, words: Words) {
  const isPage = settings.mode === 'page';
  const host = element('hilo-chat' as 'div', { lang: settings.language });
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [styleSheet(settings)];

  const badge = element('span', { class: 'badge', hidden: '', 'aria-hidden': 'true' });
  const launcher = element(
    'button',
    { class: 'launcher', type: 'button', 'aria-expanded': 'false', 'aria-label': words.open },
    icon('chat'),
    badge,
  );
  const name = element(isPage ? 'h1' : 'div', { class: 'name', id: 'name' });
  const closer = element('button', { type: 'button', 'aria-label': words.close }, icon('close'));
  const list = element('ol');
  const log = element('div', { class: 'log', role: 'log', 'aria-label': words.messages, tabindex: '0' }, list);
  const choices = element('div', { class: 'choices', role: 'group', 'aria-label': words.options, hidden: '' });
  const status = element('div', { class: 'status', role: 'status' });
  const input = element('textarea', {
    rows: '1',
    'aria-label': words.write,
    placeholder: words.write,
    maxlength: '4096',
    enterkeyhint: 'send',
  });
  const picker = element('input', { type: 'file', accept: fileTypes, hidden: '', 'aria-hidden': 'true', tabindex: '-1' });
  const attach = element('button', { type: 'button', 'aria-label': words.attach }, icon('attach'));
  const form = element('form', {}, picker, attach, input, element('button', { class: 'send', 'aria-label': words.send }, icon('send')));
  const head = element('div', { class: 'head' }, name, isPage ? undefined : closer);
  const panel = element(
    'section',
    { class: 'panel', 'aria-labelledby': 'name', ...(isPage ? {} : { role: 'dialog', hidden: '' }) },
    head,
    log,
    choices,
    status,
    form,
  );
  shadow.append(
    element(isPage ? 'main' : 'aside', { class: settings.mode, 'aria-label': words.messages }, ...(isPage ? [] : [launcher]), panel),
  );
  document.body.append(host);
  return { badge, launcher, name, closer, list, log, choices, status, input, picker, attach, form, panel };
}

const tickSigns: { readonly [State in Tick]: string } = { sending: '…', sent: '✓', handled: '✓✓' };

/** The sign after a message of the visitor, with its meaning for screen readers. */
const createTick = (state: Tick, words: Words): HTMLElement =>
  element('span', { role: 'img', 'aria-label': words[state] }, tickSigns[state]);
