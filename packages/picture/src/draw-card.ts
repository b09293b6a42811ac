import { type Direction, letterings, measures, type PlacedPort } from './card.ts';
import { ink, toneColours } from './colours.ts';
import type { PlacedCard, Point } from './layout.ts';
import { glyphOf } from './glyphs.ts';
import { element, rounded, textLine } from './svg.ts';
import { firstCharacter } from './text-width.ts';

/** A card with all that is on it, at its place. */
export function drawCard(card: PlacedCard, direction: Direction): string {
  const label = [card.title, card.subtitle].filter(Boolean).join(', ');
  const drawn = card.kind === 'note' ? note(card) : node(card, direction);
  return element(
    'g',
    {
      transform: `translate(${rounded(card.x)} ${rounded(card.y)})`,
      'data-node': card.id,
      class: card.kind,
      'aria-label': label || card.id,
    },
    drawn,
  );
}

function node(card: PlacedCard, direction: Direction): readonly string[] {
  const { width, height, colour, title, subtitle, summary, ports, kind } = card;
  const { padding, headerHeight, summaryLine, portRow } = measures;
  const inside = insideOf(card);
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
    element('path', { d: `M5,1.78A11,11 0 0 0 0,11V${rounded(height - 11)}A11,11 0 0 0 5,${rounded(height - 1.78)}z`, fill: colour }),
    ...sign(card),
    textLine(title, { x: padding + 38, y: 23, room: inside - 38 }, letterings.title, ink.title),
    textLine(subtitle, { x: padding + 38, y: 39, room: inside - 38 }, letterings.subtitle, ink.faint),
    ...summary.map((line, index) =>
      textLine(line, { x: padding, y: headerHeight + 12 + index * summaryLine, room: inside }, letterings.summary, ink.text),
    ),
    ...(ports.length === 0
      ? []
      : [
          element('path', {
            d: `M${padding},${rounded(portsTop)}H${rounded(width - padding)}`,
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
const insideOf = ({ width }: PlacedCard): number => width - 2 * measures.padding;

/** The icon in its field; the first letter where no icon was drawn. */
function sign({ icon, colour, title }: PlacedCard): readonly string[] {
  const { padding } = measures;
  const glyph = glyphOf(icon);
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
function note(card: PlacedCard): readonly string[] {
  const { width, height, summary } = card;
  const { padding, noteLine } = measures;
  const [right, low] = [rounded(width), rounded(height - 16)];
  return [
    element('path', { class: 'card', d: `M0,0H${right}V${low}l-16,16H0z`, fill: '#fef3c7', stroke: '#fcd34d' }),
    element('path', { d: `M${right},${low}l-16,16v-16z`, fill: '#fcd34d' }),
    ...summary.map((line, index) =>
      textLine(line, { x: padding, y: padding + 11 + index * noteLine, room: insideOf(card) }, letterings.note, '#713f12'),
    ),
  ];
}
