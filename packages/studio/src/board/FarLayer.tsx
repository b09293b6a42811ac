// Cards as they are drawn from afar.
import { useStore } from '@xyflow/react';
import { useEffect, useMemo, useRef } from 'react';
import { portKey } from '../canvas/canvas-json.ts';
import type { Card, Flow } from '../canvas/flow.ts';
import { useLanguage } from '../words/words.tsx';
import type { Overlay } from './overlay.ts';
import { type Rect, rectsOf } from './rects.ts';

interface FarLayerProps {
  readonly flow: Flow;
  /** Cards that are elements already, and are not drawn here. */
  readonly except: ReadonlySet<string> | undefined;
  readonly overlay: Overlay;
  readonly selected: ReadonlySet<string> | undefined;
  readonly label: string;
}

/**
 * A large canvas from afar: every card a block in the colour of its group, every way a line, on one layer instead of thousands of
 * elements. A keyboard or a screen reader has the outline instead.
 */
export function FarLayer({ flow, except, overlay, selected, label }: FarLayerProps) {
  const [x, y, zoom] = useStore(({ transform }) => transform);
  const width = useStore((state) => state.width);
  const height = useStore((state) => state.height);
  const layer = useRef<HTMLCanvasElement>(null);
  const probes = useRef<HTMLSpanElement>(null);
  const rects = useMemo(() => rectsOf(flow), [flow]);
  const { own } = useLanguage();
  const groups = useMemo(() => [...new Set(flow.cards.map(({ category }) => category))], [flow]);

  useEffect(() => {
    const pen = layer.current?.getContext('2d');
    if (layer.current === null || pen === null || pen === undefined || probes.current === null) return;
    const scale = globalThis.devicePixelRatio;
    layer.current.width = width * scale;
    layer.current.height = height * scale;
    pen.setTransform(zoom * scale, 0, 0, zoom * scale, x * scale, y * scale);
    const colours = coloursOf(probes.current);
    const { fontFamily } = getComputedStyle(layer.current);
    const isInView = (rect: Rect): boolean =>
      (rect.x + rect.width) * zoom + x > 0 &&
      rect.x * zoom + x < width &&
      (rect.y + rect.height) * zoom + y > 0 &&
      rect.y * zoom + y < height;
    for (const wire of flow.wires) {
      const [from, to] = [rects.get(wire.source), rects.get(wire.target)];
      if (from === undefined || to === undefined || !(isInView(from) || isInView(to))) continue;
      if (except?.has(wire.source) === true && except.has(wire.target)) continue;
      const isTaken = (overlay.taken?.[portKey(wire.source, wire.port)] ?? 0) > 0;
      pen.globalAlpha = overlay.way !== undefined || (overlay.taken !== undefined && !isTaken) ? 0.3 : 1;
      pen.strokeStyle = colours.get(isTaken ? 'taken' : 'wire') ?? '';
      pen.lineWidth = 1.2 / zoom;
      pen.beginPath();
      pen.moveTo(from.x + from.width, from.y + 28);
      pen.lineTo(to.x, to.y + 28);
      pen.stroke();
    }
    for (const card of flow.cards) {
      const rect = rects.get(card.id);
      if (rect === undefined || !isInView(rect) || except?.has(card.id) === true) continue;
      pen.globalAlpha = overlay.way !== undefined && !overlay.way.nodes.has(card.id) ? 0.3 : 1;
      const isFrame = card.frame !== undefined; // it is around others, which are seen through it
      const { globalAlpha } = pen;
      pen.fillStyle = colours.get('surface') ?? '';
      if (!isFrame) pen.fillRect(rect.x, rect.y, rect.width, rect.height);
      pen.fillStyle = pen.strokeStyle = colours.get(colourOf(card, overlay)) ?? '';
      pen.globalAlpha = globalAlpha * 0.14;
      if (!isFrame) pen.fillRect(rect.x, rect.y, rect.width, rect.height);
      pen.globalAlpha = globalAlpha;
      const counted = overlay.numbers?.cards.get(card.id);
      if (counted !== undefined) {
        pen.fillStyle = colours.get('bad') ?? '';
        pen.globalAlpha = globalAlpha * counted.heat * 0.6;
        pen.fillRect(rect.x, rect.y, rect.width, rect.height);
        pen.globalAlpha = globalAlpha;
        pen.fillStyle = pen.strokeStyle;
      }
      if (!isFrame) pen.fillRect(rect.x + 12, rect.y + 12, 32, 32);
      pen.lineWidth = (selected?.has(card.id) === true ? 4 : 1.2) / zoom;
      pen.strokeRect(rect.x, rect.y, rect.width, rect.height);
      const { title, entry, bubble } = card;
      // Seven cards called “Message” tell nobody which is which: one without a label of its own shows what it says.
      const word = entry !== undefined && title === entry.label ? (bubble ?? own(`node.${entry.type}`, title)) : title;
      const letters = lettersAt(zoom);
      if (letters === undefined) continue;
      pen.fillStyle = colours.get('text') ?? '';
      pen.font = `600 ${letters.size}px ${fontFamily}`;
      pen.fillText(
        word.length > letters.count ? `${word.slice(0, letters.count - 1)}…` : word,
        rect.x + 52,
        rect.y + 28 + letters.size / 3,
      );
      if (counted !== undefined) pen.fillText(counted.short, rect.x + 12, rect.y + 56 + letters.size);
    }
  }, [flow, except, rects, overlay, selected, own, x, y, zoom, width, height]);

  return (
    <>
      <canvas ref={layer} className="far" role="img" aria-label={label} />
      <span ref={probes} className="probes" aria-hidden>
        {groups.map((group) => (
          <i key={group} data-group={group} data-name={group} />
        ))}
        {['surface', 'text', 'wire', 'taken', 'bad', 'warn', 'good', 'info'].map((name) => (
          <i key={name} className={name} data-name={name} />
        ))}
      </span>
    </>
  );
}

/** The smallest letters that can be read, in pixels of the screen. */
const leastLetters = 9;

/** The size of a title in pixels of the canvas, and how many of its letters a card has room for; `undefined` where these are too few. */
function lettersAt(zoom: number): { readonly size: number; readonly count: number } | undefined {
  const size = Math.max(14, leastLetters / zoom);
  const count = Math.floor(180 / (size * 0.56));
  return count < 5 ? undefined : { size, count };
}

/** What a card's state is painted in, as on the card itself; without one, its group. */
function colourOf({ id, category, errors, warnings }: Card, { failed, waiting, running, passed }: Overlay): string {
  if (failed?.nodeId === id || errors > 0) return 'bad';
  if (waiting?.nodeId === id || warnings > 0) return 'warn';
  if (running === id) return 'info';
  return passed?.has(id) === true ? 'good' : category;
}

/** The colours of the style sheet in this mode: a canvas element cannot use its variables. */
const coloursOf = (probes: HTMLElement): ReadonlyMap<string, string> =>
  new Map([...probes.querySelectorAll<HTMLElement>('i')].map((probe) => [probe.dataset['name'] ?? '', getComputedStyle(probe).color]));
