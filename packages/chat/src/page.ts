import { element, icon } from './elements.ts';
import type { Settings } from './settings.ts';
import { styleSheet } from './style.ts';
import type { Words } from './words.ts';

const fileTypes =
  'image/jpeg,image/png,image/gif,image/webp,audio/mpeg,audio/mp4,audio/ogg,audio/wav,video/mp4,video/webm,application/pdf,text/plain';

/** How far from each other the buttons of several chats at one side of a page are, in px. */
const launcherDistance = 72;

/** What changes in the chat's part of the page, or is listened to. */
export type Page = ReturnType<typeof buildPage>;

/** Adds the chat to the page, in a shadow root that the page's own styles do not reach. @returns what changes, or is listened to */
export function buildPage(settings: Settings, words: Words) {
  const isPage = settings.mode === 'page';
  const neighbours = isPage ? [] : document.querySelectorAll(`hilo-chat[data-side=${settings.position}]`);
  const side = isPage ? undefined : settings.position;
  const host = element('hilo-chat' as 'div', { lang: settings.language, 'data-bot': settings.botId, 'data-side': side });
  host.style.setProperty('--shift', `${neighbours.length * launcherDistance}px`);
  const shadow = host.attachShadow({ mode: 'open' });
  shadow.adoptedStyleSheets = [styleSheet(settings)];

  const badge = element('span', { class: 'badge', hidden: '', 'aria-hidden': 'true' });
  const launcher = element(
    'button',
    { class: 'launcher', type: 'button', 'aria-expanded': 'false', 'aria-label': words.open },
    icon('chat'),
    badge,
  );
  const name = element(isPage ? 'h1' : 'div', { class: 'name' });
  const again = element('button', { type: 'button', hidden: '', 'aria-label': words.startOver, title: words.startOver }, icon('again'));
  const closer = element('button', { type: 'button', 'aria-label': words.close }, icon('close'));
  const list = element('ol');
  const greets = settings.draft === undefined ? settings.greeting : words.tryDraft;
  const greeting = element('p', { class: 'greeting', dir: 'auto', ...(greets === undefined && { hidden: '' }) }, greets);
  const log = element('div', { class: 'log', role: 'log', 'aria-label': words.messages, tabindex: '0' }, greeting, list);
  const choices = element('div', { class: 'choices', role: 'group', 'aria-label': words.options, hidden: '' });
  const status = element('div', { class: 'status', role: 'status' });
  const input = element('textarea', {
    rows: '1',
    'aria-label': words.write,
    placeholder: words.write,
    dir: 'auto',
    enterkeyhint: 'send',
  });
  const picker = element('input', { type: 'file', accept: fileTypes, hidden: '', 'aria-hidden': 'true', tabindex: '-1' });
  const attach = element('button', { type: 'button', 'aria-label': words.attach }, icon('attach'));
  const form = element('form', {}, picker, attach, input, element('button', { class: 'send', 'aria-label': words.send }, icon('send')));
  const head = element('div', { class: 'head' }, name, again, isPage ? undefined : closer);
  const panel = element(
    'section',
    { class: 'panel', 'aria-label': words.chat, ...(isPage ? {} : { role: 'dialog', hidden: '' }) },
    head,
    log,
    choices,
    status,
    form,
  );
  shadow.append(
    element(isPage ? 'main' : 'aside', { class: settings.mode, 'aria-label': words.chat }, ...(isPage ? [] : [launcher]), panel),
  );
  document.body.append(host);
  return { badge, launcher, name, again, closer, greeting, list, log, choices, status, input, picker, attach, form, panel };
}
