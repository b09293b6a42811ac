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
 * A strict parser for the subset of XML that pictures use.
 *
 * @throws {Error} for malformed XML
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
const allIn = (element: SvgElement): readonly SvgElement[] => [element, ...element.children.flatMap(allIn)];

/** A node of a canvas as drawn. */
export interface DrawnNode {
  readonly id: string;
  readonly texts: readonly string[];
  readonly ports: readonly string[];
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A point of a picture: x, y. */
export type DrawnPoint = readonly [number, number];

/** The lines of a picture in the order of its edges, each as points close together from where it begins to where it ends. */
export const linesIn = (svg: SvgElement): readonly (readonly DrawnPoint[])[] =>
  allIn(svg)
    .filter(({ name, attributes }) => name === 'path' && attributes['stroke-width'] === '1.7')
    .map(({ attributes }) => pointsAlong(attributes['d'] ?? ''));

/** @throws {Error} for a path with other commands than M, L, Q and C */
function pointsAlong(path: string): readonly DrawnPoint[] {
  const along: DrawnPoint[] = [];
  for (const [stroke, numbers = ''] of path.matchAll(/[A-Za-z]([^A-Za-z]*)/g)) {
    const points = numbers.split(' ').map((pair): DrawnPoint => {
      const [x = Number.NaN, y = Number.NaN] = pair.split(',').map(Number);
      return [x, y];
    });
    if (points.flat().some(Number.isNaN) || points.length !== { M: 1, L: 1, Q: 2, C: 3 }[stroke.charAt(0)])
      throw new Error(`No path: ${stroke}`);
    const last = along.at(-1);
    if (last === undefined) along.push(...points);
    else {
      const steps = Math.ceil(lengthOf([last, ...points]) / 10) + 5;
      for (let step = 1; step <= steps; step += 1) along.push(bezier([last, ...points], step / steps));
    }
  }
  return along;
}

const lengthOf = (points: readonly DrawnPoint[]): number =>
  points.slice(1).reduce((sum, [x, y], index) => sum + Math.hypot(x - (points[index]?.[0] ?? x), y - (points[index]?.[1] ?? y)), 0);

/** A point of a Bézier curve, by De Casteljau's construction. */
function bezier(points: readonly DrawnPoint[], share: number): DrawnPoint {
  const [first = [0, 0]] = points;
  if (points.length === 1) return first;
  const between = points.slice(1).map(([x, y], index): DrawnPoint => {
    const [fromX, fromY] = points[index] ?? first;
    return [fromX + (x - fromX) * share, fromY + (y - fromY) * share];
  });
  return bezier(between, share);
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
