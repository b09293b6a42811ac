import { element, link, linkedText, webAddress } from './elements.ts';
import { drawForm, formText, type SubmitForm } from './form.ts';
import type { Words } from './words.ts';

/** One of several things that a visitor may answer with one press. */
export interface Choice {
  readonly title: string;
  readonly description?: string | undefined;
  readonly payload?: string | undefined;
}

/** The content of a message: its parts, and the visitor's choices. */
export interface Content {
  readonly parts: readonly (Node | string)[];
  readonly choices: readonly Choice[];
  readonly asksForLocation: boolean;
}

type Fields = { readonly [field: string]: unknown };

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): readonly Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A text of the visitor, as it was written. */
export const textParagraph = (text: string): HTMLElement => element('p', { dir: 'auto' }, text);

/** Shows a message of any type; of an unknown one, its text. @param submit - sends the form that is in it */
export function contentOf(message: Fields, words: Words, submit: SubmitForm): Content {
  const plain = (text: unknown, className?: string): HTMLElement | undefined =>
    textOf(text).trim() === '' ? undefined : element('p', { class: className, dir: 'auto' }, ...linkedText(textOf(text), words.newTab));
  const shown = (parts: readonly (Node | undefined)[], choices: readonly Choice[] = [], asksForLocation = false): Content => ({
    parts: parts.filter((part) => part !== undefined),
    choices: choices.filter(({ title }) => title !== ''),
    asksForLocation,
  });
  const { type } = message;
  switch (type) {
    case 'text': {
      const buttons = fieldsOf(message['buttons']);
      return shown([plain(buttons['title'], 'title'), plain(message['text'])], listOf(buttons['options']).map(choiceOf));
    }
    case 'quick_reply':
      return shown([plain(message['title'], 'title'), plain(message['text'])], listOf(message['quick_replies']).map(choiceOf));
    case 'image':
    case 'sticker':
    case 'audio':
    case 'video':
    case 'file':
      return shown([fileOf(type, message, words), plain(message['text'])]);
    case 'location': {
      const { lat, long } = fieldsOf(message['coordinates']);
      const href = webAddress(`https://www.google.com/maps/search/?api=1&query=${Number(lat)},${Number(long)}`);
      return shown([href === undefined ? undefined : element('p', {}, link(href, words.location, words.newTab))]);
    }
    case 'location_request':
      return shown([plain(message['text'])], [], true);
    case 'contacts':
      return shown(listOf(message['contacts']).map((contact) => plain(contactText(contact))));
    case 'cta_url': {
      const { url, display_text: label } = fieldsOf(message['parameters']);
      return shown([plain(message['title'], 'title'), plain(message['text']), action(url, label), plain(message['caption'], 'caption')]);
    }
    case 'flow':
      // What the visitor filled in themself.
      if (message['response'] !== undefined) return shown([plain(textOf(message['text']) || formText(fieldsOf(message['response'])))]);
      return shown([
        plain(message['title'], 'title'),
        plain(message['text']),
        plain(message['caption'], 'caption'),
        drawForm(message['parameters'], words, submit),
      ]);
    case 'carousel':
      return shown([plain(message['text']), element('div', { class: 'cards' }, ...cards(message))]);
    default:
      return shown([plain(message['title'] ?? message['header'], 'title'), plain(message['text']), plain(message['caption'], 'caption')]);
  }

  function action(url: unknown, label: unknown): HTMLElement | undefined {
    const href = webAddress(url);
    return href === undefined ? undefined : element('p', { class: 'action' }, link(href, textOf(label) || href, words.newTab));
  }

  function cards({ parameters }: Fields): readonly HTMLElement[] {
    return listOf(fieldsOf(parameters)['cards']).map((card) => {
      const picture = webAddress(fieldsOf(fieldsOf(fieldsOf(card['header'])['image']))['link']);
      const { url, display_text: label } = fieldsOf(fieldsOf(card['action'])['parameters']);
      const parts = [plain(fieldsOf(card['body'])['text']), action(url, label)].filter((part) => part !== undefined);
      return element('div', { class: 'card' }, picture === undefined ? undefined : image(picture, words), ...parts);
    });
  }
}

const choiceOf = ({ title, description, payload }: Fields): Choice => ({
  title: textOf(title),
  ...(textOf(description) !== '' && { description: textOf(description) }),
  ...(textOf(payload) !== '' && { payload: textOf(payload) }),
});

/** A file in place, with a way to it where the page's own policy, or the browser, does not show it. */
function fileOf(type: string, message: Fields, words: Words): HTMLElement | undefined {
  const href = webAddress(message['mediaUrl']);
  if (href === undefined) return undefined;
  const name = textOf(message['filename']) || words.file;
  const way = (): HTMLElement => element('p', {}, link(href, name, words.newTab));
  if (type === 'file') return way();
  if (type === 'image' || type === 'sticker') {
    const shown = image(href, words);
    shown.addEventListener('error', () => shown.replaceWith(way()));
    return shown;
  }
  const player = element(type === 'audio' ? 'audio' : 'video', { controls: '', preload: 'metadata', src: href, 'aria-label': name });
  player.addEventListener('error', () => player.replaceWith(way()));
  return player;
}

const image = (src: string, words: Words): HTMLImageElement =>
  element('img', { src, alt: words.image, loading: 'lazy', referrerpolicy: 'no-referrer' });

function contactText({ name, phones, emails }: Fields): string {
  const { formatted_name: formatted, first_name: first, last_name: last } = fieldsOf(name);
  const spoken = textOf(formatted) || [first, last].map(textOf).filter(Boolean).join(' ');
  return [spoken, ...listOf(phones).map(({ phone }) => textOf(phone)), ...listOf(emails).map(({ email }) => textOf(email))]
    .filter(Boolean)
    .join('\n');
}
