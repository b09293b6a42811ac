/** Creates an element. Texts become text nodes: nothing here parses HTML. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: { readonly [attribute: string]: string | undefined } = {},
  ...content: readonly (Node | string | undefined)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) if (value !== undefined) made.setAttribute(attribute, value);
  made.append(...content.filter((part) => part !== undefined));
  return made;
}

const icons = {
  chat: 'M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2H9l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2z',
  close: 'M6.4 5 5 6.4 10.6 12 5 17.6 6.4 19l5.6-5.6 5.6 5.6 1.4-1.4-5.6-5.6L19 6.4 17.6 5 12 10.6z',
  again: 'M12 5V1L7 6l5 5V7a5 5 0 1 1-5 5H5a7 7 0 1 0 7-7z',
  send: 'M3 20v-6l8-2-8-2V4l19 8z',
  attach:
    'M16.5 6v10.5a4 4 0 0 1-8 0V5a2.5 2.5 0 0 1 5 0v9.5a1 1 0 0 1-2 0V6H10v8.5a2.5 2.5 0 0 0 5 0V5a4 4 0 0 0-8 0v11.5a5.5 5.5 0 0 0 11 0V6z',
};

/** A decorative picture: its button has the label. */
export function icon(name: keyof typeof icons): SVGSVGElement {
  const namespace = 'http://www.w3.org/2000/svg';
  const svg = document.createElementNS(namespace, 'svg');
  for (const [attribute, value] of [
    ['viewBox', '0 0 24 24'],
    ['width', '22'],
    ['height', '22'],
    ['aria-hidden', 'true'],
  ] as const)
    svg.setAttribute(attribute, value);
  const path = document.createElementNS(namespace, 'path');
  path.setAttribute('d', icons[name]);
  path.setAttribute('fill', 'currentColor');
  svg.append(path);
  return svg;
}

/** An address that may be opened or shown: of the web, and nothing that runs. */
export function webAddress(text: unknown): string | undefined {
  if (typeof text !== 'string' || !URL.canParse(text)) return undefined;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

/** A link to elsewhere, which learns nothing of this page. */
export const link = (href: string, text: string, hint: string): HTMLAnchorElement =>
  element('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow', title: hint }, text);

/** A text with the addresses in it as links. */
export function linkedText(text: string, hint: string): readonly (Node | string)[] {
  return text.split(/(https?:\/\/[^\s<>"']+[^\s<>"'.,;:!?)\]])/).map((part, index) => {
    const href = index % 2 === 1 ? webAddress(part) : undefined;
    return href === undefined ? part : link(href, part, hint);
  });
}
