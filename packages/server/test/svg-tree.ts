/** An element of a picture. */
export interface SvgElement {
  readonly name: string;
  readonly attributes: { readonly [name: string]: string };
  readonly children: readonly SvgElement[];
  /** The text right inside it. */
  readonly text: string;
}

const unescaped = (text: string): string =>
  text.replace(/&(?:amp|lt|gt|quot|apos);/g, (entity) => ({ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' })[entity] ?? "'");

/**
 * Reads XML as strictly as the part of it that pictures use allows.
 *
 * @throws {Error} for what is not well-formed
 */
export function parseSvg(xml: string): SvgElement {
  type Open = { name: string; attributes: Record<string, string>; children: SvgElement[]; text: string };
  const root: Open = { name: '', attributes: {}, children: [], text: '' };
  const open = [root];
  const token = /<(\/?)([A-Za-z][\w:-]*)((?: [A-Za-z][\w:-]*="[^"<]*")*)(\/?)>|([^<]+)/gy;
  const fail = (reason: string): never => {
    throw new Error(`Not well-formed: ${reason}`);
  };
  if (/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(xml)) fail('a character that XML does not have');
  if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(xml)) fail('a bare "&"');
  let read = 0;
  for (const [all, closing, name = '', attributes = '', selfClosing, text] of xml.trimEnd().matchAll(token)) {
    read += all.length;
    const top = open.at(-1) ?? fail('a tag too many');
    if (text !== undefined) {
      if (open.length === 1) fail('text outside of the root');
      top.text += unescaped(text);
    } else if (closing === '/') {
      if (top.name !== name) fail(`</${name}> closes <${top.name}>`);
      open.pop();
    } else {
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, unescaped(value)] as const);
      if (new Set(pairs.map(([key]) => key)).size < pairs.length) fail(`an attribute twice in <${name}>`);
      const element: Open = { name, attributes: Object.fromEntries(pairs), children: [], text: '' };
      top.children.push(element);
      if (selfClosing !== '/') open.push(element);
    }
  }
  if (read !== xml.trimEnd().length) fail(`something unreadable at ${read}`);
  if (open.length !== 1) fail(`<${open.at(-1)?.name}> is never closed`);
  const [svg, ...others] = root.children;
  return svg === undefined || others.length > 0 ? fail('there must be one root') : svg;
}

/** The element and all that is in it. */
export const allIn = (element: SvgElement): readonly SvgElement[] => [element, ...element.children.flatMap(allIn)];

/** A node of a canvas as it was drawn. */
export interface DrawnNode {
  readonly id: string;
  readonly texts: readonly string[];
  readonly ports: readonly string[];
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Every node of a picture, with its frame. */
export function nodesIn(svg: SvgElement): readonly DrawnNode[] {
  return allIn(svg)
    .filter(({ attributes }) => attributes['data-node'] !== undefined)
    .map((group) => {
      const [, left = '', top = ''] = /^translate\((\S+) (\S+)\)$/.exec(group.attributes['transform'] ?? '') ?? [];
      const inside = allIn(group);
      const frame = inside.find(({ attributes }) => attributes['class'] === 'card');
      const [, right = '0', low = '0'] = /^M0,0H(\S+?)V(\S+?)l/.exec(frame?.attributes['d'] ?? '') ?? [];
      return {
        id: group.attributes['data-node'] ?? '',
        texts: inside.filter(({ name }) => name === 'text').map(({ text }) => text),
        ports: inside.flatMap(({ attributes }) => attributes['data-port'] ?? []),
        left: Number(left),
        top: Number(top),
        width: Number(frame?.attributes['width'] ?? right),
        height: Number(frame?.attributes['height'] ?? Number(low) + 16),
      };
    });
}
