import { type Direction, letterings, measures, type PlacedPort } from './card.ts';
import type { PlacedCard, Point } from './layout.ts';
import { element, ink, roundText, textLine, toneColours } from './svg.ts';
import { firstCharacter } from './text-width.ts';

/** A card with all that is on it, at its place. */
export function drawCard(card: PlacedCard, direction: Direction): string {
  const label = [card.title, card.subtitle].filter(Boolean).join(', ');
  const drawn = card.kind === 'note' ? drawNote(card) : drawNode(card, direction);
  return element(
    'g',
    {
      transform: `translate(${roundText(card.x)} ${roundText(card.y)})`,
      'data-node': card.id,
      class: card.kind,
      'aria-label': label || card.id,
    },
    drawn,
  );
}

function drawNode(card: PlacedCard, direction: Direction): readonly string[] {
  const { width, height, colour, title, subtitle, summary, ports, kind } = card;
  const { padding, headerHeight, summaryLine, portRow } = measures;
  const inside = measureInside(card);
  const portsTop = height - 8 - (direction === 'right' ? ports.length : 1) * portRow;
  const isUnknown = kind === 'unknown';
  return [
    element('rect', { x: 0, y: 3, width, height, rx: 11, fill: '#0f172a', 'fill-opacity': 0.07 }),
    element('rect', {
      class: 'card',
      width,
      height,
      rx: 11,
      fill: isUnknown ? '#f1f5f9' : '#ffffff',
      stroke: isUnknown ? ink.line : ink.border,
      'stroke-dasharray': isUnknown ? '5 4' : undefined,
    }),
    element('path', { d: `M5,1.78A11,11 0 0 0 0,11V${roundText(height - 11)}A11,11 0 0 0 5,${roundText(height - 1.78)}z`, fill: colour }),
    ...drawIcon(card),
    textLine(title, { x: padding + 38, y: 23, room: inside - 38 }, letterings.title, ink.title),
    textLine(subtitle, { x: padding + 38, y: 39, room: inside - 38 }, letterings.subtitle, ink.faint),
    ...summary.map((line, index) =>
      textLine(line, { x: padding, y: headerHeight + 12 + index * summaryLine, room: inside }, letterings.summary, ink.text),
    ),
    ...(ports.length === 0
      ? []
      : [
          element('path', {
            d: `M${padding},${roundText(portsTop)}H${roundText(width - padding)}`,
            stroke: '#eef2f6',
            'stroke-width': 1,
          }),
        ]),
    ...ports.flatMap((port) =>
      direction === 'right'
        ? drawPort(port, { x: width, y: port.at }, { x: width - padding, y: port.at + 4, anchor: 'end' })
        : drawPort(port, { x: port.at, y: height }, { x: port.at, y: height - 12, anchor: 'middle' }),
    ),
  ];
}

/** The room for text between the borders of a card. */
const measureInside = ({ width }: PlacedCard): number => width - 2 * measures.padding;

/** The icon in its field; the first letter of the title for an icon that is not among {@link glyphs}. */
function drawIcon({ icon, colour, title }: PlacedCard): readonly string[] {
  const { padding } = measures;
  const glyph = findGlyph(icon);
  const field = element('rect', { x: padding, y: 11, width: 29, height: 29, rx: 8, fill: colour, 'fill-opacity': 0.13 });
  if (glyph === undefined)
    return [
      field,
      textLine(
        firstCharacter(title).toUpperCase(),
        { x: padding + 14.5, y: 30.5, anchor: 'middle', room: 27 },
        { size: 14, isBold: true },
        colour,
      ),
    ];
  const strokes = { fill: 'none', stroke: colour, 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' };
  return [field, element('path', { ...strokes, d: glyph, transform: `translate(${padding + 5.5} 16.5) scale(0.75)` })];
}

function drawPort(
  { name, text: shown, room, tone, isConnected }: PlacedPort,
  { x, y }: Point,
  text: Point & { readonly anchor: 'end' | 'middle' },
): readonly string[] {
  const colour = toneColours[tone];
  return [
    textLine(shown, { ...text, room }, letterings.port, colour),
    element('circle', {
      class: 'port',
      'data-port': name,
      cx: x,
      cy: y,
      r: 4,
      fill: isConnected ? colour : '#ffffff',
      stroke: isConnected ? '#ffffff' : colour,
      'stroke-width': 1.5,
    }),
  ];
}

/** A sticky note with a corner turned up. */
function drawNote(card: PlacedCard): readonly string[] {
  const { width, height, summary } = card;
  const { padding, noteLine } = measures;
  const [right, low] = [roundText(width), roundText(height - 16)];
  return [
    element('path', { class: 'card', d: `M0,0H${right}V${low}l-16,16H0z`, fill: '#fef3c7', stroke: '#fcd34d' }),
    element('path', { d: `M${right},${low}l-16,16v-16z`, fill: '#fcd34d' }),
    ...summary.map((line, index) =>
      textLine(line, { x: padding, y: padding + 11 + index * noteLine, room: measureInside(card) }, letterings.note, '#713f12'),
    ),
  ];
}

/**
 * Icons on a grid of 24, drawn as lines, under the icon names that node definitions use. Drawn for Hilo, so that a
 * picture needs no font and no network.
 */
const glyphs: { readonly [icon: string]: string } = {
  'calendar-clock': 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4M12 13v3l2 1',
  'circle-stop': 'M12 3a9 9 0 1 0 .01 0zM9 9h6v6H9z',
  'corner-up-right': 'M14 4l6 5-6 5M20 9H9a5 5 0 0 0-5 5v6',
  dices: 'M4 4h16v16H4zM8.5 8.5h.01M15.5 8.5h.01M12 12h.01M8.5 15.5h.01M15.5 15.5h.01',
  'file-text': 'M6 3h8l5 5v13H6zM14 3v5h5M9 13h7M9 17h5',
  globe: 'M12 3a9 9 0 1 0 .01 0zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  hourglass: 'M6 3h12M6 21h12M7 3c0 5 5 6 5 9s-5 4-5 9M17 3c0 5-5 6-5 9s5 4 5 9',
  'list-tree': 'M4 4v13h5M4 9h5M13 5h7M13 9h7M13 17h7',
  'message-circle-question-mark':
    'M12 3a9 9 0 0 1 0 18 9 9 0 0 1-4-1l-5 1 1-5a9 9 0 0 1 8-13zM9.5 9.5a2.5 2.5 0 1 1 3.7 2.2c-.8.4-1.2.9-1.2 1.8M12 16.8h.01',
  'message-square': 'M4 4h16v12H10l-4 4v-4H4z',
  'messages-square': 'M3 3h12v9H8l-3 3v-3H3zM18 9h3v9h-2v3l-3-3h-6v-3',
  play: 'M7 4l12 8-12 8z',
  radio: 'M12 10a2 2 0 1 0 .01 0zM8 16a6 6 0 0 1 0-8M16 8a6 6 0 0 1 0 8M5 19a10 10 0 0 1 0-14M19 5a10 10 0 0 1 0 14',
  repeat: 'M17 2l4 4-4 4M3 11V9a3 3 0 0 1 3-3h15M7 22l-4-4 4-4M21 13v2a3 3 0 0 1-3 3H3',
  reply: 'M9 5L3 11l6 6M3 11h11a7 7 0 0 1 7 7v2',
  'satellite-dish': 'M4 9a11 11 0 0 0 11 11zM9.5 14.5L14 10M13 6a6 6 0 0 1 5 5M13 2a10 10 0 0 1 9 9',
  'scroll-text': 'M7 4h12v13a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3v-1h10v2M7 4a2 2 0 0 0-2 2v10M10 8h6M10 12h6',
  'shield-alert': 'M12 3l8 3v6c0 5-4 8-8 9-4-1-8-4-8-9V6zM12 8v4M12 16h.01',
  split: 'M3 12h6l6-6h6M9 12l6 6h6M18 3l3 3-3 3M18 15l3 3-3 3',
  'sticky-note': 'M4 4h16v10l-6 6H4zM20 14h-6v6',
  variable: 'M7 4c-4 4-4 12 0 16M17 4c4 4 4 12 0 16M9 9c4 0 2 6 6 6M15 9c-3 0-3 6-6 6',
  webhook: 'M9.5 9.8a4 4 0 1 1 5-5M11 8l-4 8M7 16a3.5 3.5 0 1 0 3 3.5h7M17 19.5a2 2 0 1 0 .01 0M13 7l3.5 6.5a4 4 0 1 1-1 7',
  workflow: 'M3 3h7v7H3zM14 14h7v7h-7zM6.5 10v4a3.5 3.5 0 0 0 3.5 3.5h4',
};

/** The paths of an icon; `undefined` for an unknown one. */
const findGlyph = (icon: string): string | undefined => (Object.hasOwn(glyphs, icon) ? glyphs[icon] : undefined);
