import { type Language, languages } from './words.ts';

/** How a page shows the chat: the attributes of its script. */
export interface Settings {
  /** Where the service is, with a slash at its end. */
  readonly base: string;
  readonly botId: string;
  /** A token by which the host names its user; anonymous, when undefined. */
  readonly identity: string | undefined;
  readonly language: Language;
  readonly theme: 'auto' | 'light' | 'dark';
  /** Of buttons and of the visitor's own messages, as `#rrggbb`. */
  readonly color: string;
  readonly position: 'left' | 'right';
  /** `page`: the chat is all that there is. */
  readonly mode: 'button' | 'page';
  /** What the bot says before the visitor has written anything: it stands in the page alone, and is no message. */
  readonly greeting: string | undefined;
  /** What a button beside the greeting sends, such as a keyword of the bot. */
  readonly start: string | undefined;
  /** The token of a link by which a draft is tried, in the address of the page; it is no part of what a browser tells a server. */
  readonly draft: string | undefined;
}

const defaultColor = '#1d4ed8';

/** Reads the attributes of the script: `data-bot`, `data-identity`, `data-language`, `data-theme`, `data-color`, `data-position`, `data-mode`, `data-greeting`, `data-start`. */
export function readSettings(script: HTMLScriptElement): Settings | undefined {
  const { bot, identity, language, theme, color = '', position, mode, greeting, start } = script.dataset;
  if (bot === undefined || bot === '') return undefined;
  return {
    base: new URL('.', script.src).href,
    botId: bot,
    identity: identity === '' ? undefined : identity,
    language: languageOf(language ?? (document.documentElement.lang || navigator.language)),
    theme: theme === 'light' || theme === 'dark' ? theme : 'auto',
    color: /^#[0-9a-f]{6}$/i.test(color) ? color : defaultColor,
    position: position === 'left' ? 'left' : 'right',
    mode: mode === 'page' ? 'page' : 'button',
    greeting: textOf(greeting),
    start: textOf(start),
    draft: mode === 'page' ? /^#draft=([\w.-]{1,2048})$/.exec(location.hash)?.[1] : undefined,
  };
}

/** A text with at least one visible character. */
const textOf = (text = ''): string | undefined => (text.trim() === '' ? undefined : text.trim());

const languageOf = (tag: string): Language => languages.find((language) => tag.toLowerCase().split('-')[0] === language) ?? 'en';

/** The visitor whom a host's token names, unverified: the service verifies it. Empty for what is no token. */
export function readSubject(identity: string): string {
  try {
    const [, claims = ''] = identity.split('.');
    const { sub } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as { readonly sub?: unknown };
    return typeof sub === 'string' ? sub : '';
  } catch {
    return '';
  }
}
