// The chat on a page: what the service tells is shown in its parts, and what the visitor does in them is passed to the connection.
import { findHiloChat } from './api.ts';
import { showChoices } from './choices.ts';
import { createComposer } from './composer.ts';
import type { Connection, Listener } from './connection.ts';
import { contentOf } from './content.ts';
import type { Keep } from './keep.ts';
import { createLog } from './log.ts';
import { buildPage } from './page.ts';
import { alwaysOpen, controlPanel } from './panel.ts';
import { followRead } from './read-state.ts';
import type { Settings } from './settings.ts';
import { createStatusLine } from './status-line.ts';
import { type Words, words as allWords } from './words.ts';

/** The view of the chat: shows the events of the connection, and passes the visitor's input to it. */
export interface View extends Listener {
  /** Begins, once there is a connection. */
  attach(connection: Connection): void;
}

/**
 * Adds the chat to the page.
 *
 * @param keep - what the browser remembers between visits, shared by its tabs
 */
export function createView(settings: Settings, keep: Keep): View {
  const words: Words = allWords[settings.language];
  const { botId: bot, draft, start } = settings;
  const shared = findHiloChat();
  const isPage = settings.mode === 'page';
  const page = buildPage(settings, words);
  const { input } = page;
  let connection: Connection | undefined;

  const log = createLog(page, words, settings.language, () => page.name.textContent);
  const status = createStatusLine(page, words, draft !== undefined);
  const onPanelChange = (isOpen: boolean): void => {
    if (isOpen) {
      connection?.start();
      input.focus();
      log.scrollToEnd();
    }
    read.update();
  };
  const panel = isPage ? alwaysOpen : controlPanel(page, bot, onPanelChange);
  const read = followRead({ bot, page, words, log, keep, isOpen: panel.isOpen, report: (id) => connection?.read(id) });

  /** Until somebody has written, a greeting stands in the chat, and a button that begins. */
  let isBegun = false;
  const begin = (): void => {
    if (isBegun) return;
    isBegun = true;
    page.greeting.hidden = true;
    page.again.hidden = start === undefined && draft === undefined;
    if (start !== undefined) composer.offer();
  };
  const composer = createComposer({
    page,
    words,
    log,
    status,
    pass: (outgoing) => connection?.send(outgoing),
    onSend: begin,
    close: panel.close,
  });
  const sendStart = (): void => {
    if (start === undefined) return;
    composer.sendText(start);
    input.focus();
  };
  if (start !== undefined) {
    const choices = { offered: [{ title: start }], asksForLocation: false };
    showChoices(page.choices, choices, { choose: sendStart, shareLocation: () => undefined }, words);
  }
  page.again.addEventListener('click', () => {
    if (draft === undefined) return sendStart();
    keep.set('token', undefined); // the next visitor knows nothing of this one
    location.reload();
  });

  return {
    attach(opened) {
      connection = opened;
      for (const outgoing of opened.unsent()) composer.restore(outgoing);
      if (isPage) input.focus();
      if (isPage || opened.isKnown()) opened.start();
    },
    onName(given) {
      page.name.textContent = draft === undefined ? given : `${given} · ${words.draft}`;
      page.panel.setAttribute('aria-label', words.chatWith(given));
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
      } = contentOf(message, words, (values, reopen) => composer.sendForm(name, values, reopen));
      log.put(messageId, isMine, parts, { atMs, order });
      composer.confirm(messageId);
      if (isMine) return composer.offer();
      status.setTyping(false); // what was being written is here
      composer.offer({ offered, asksForLocation });
      if (kept === 'read') log.setRead(messageId);
      read.add(messageId, order);
      log.setAllHandled();
      read.update();
    },
    onDraft: log.setDraft,
    onTyping: status.setTyping,
    onState: status.setState,
    onSent(id, sent) {
      if (sent === 'failed') composer.fail(id);
      else if (sent === 'unmatched') composer.tellUnmatched(id);
      else log.setTick(id, sent);
    },
  };
}
