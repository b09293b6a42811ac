// What the canvas shows of counts, in words: at the foot of a card, beside a port and on its wire, against another time or version.
import type { Overlay } from '../board/overlay.ts';
import { shortTime } from '../words/words.tsx';
import { change, leftHere, type NodeNumbers, type Numbers, portsOf } from './numbers.ts';
import type { SayNumbers } from './numbers-words.ts';

interface Shown {
  readonly now: Numbers;
  /** What it is compared with. */
  readonly before: Numbers | undefined;
  readonly typeOf: (nodeId: string) => string | undefined;
  readonly say: SayNumbers;
  readonly percent: (share: number) => string;
}

/** A share is shown beside a port from here on, and when the card is pointed at. */
const leastShare = 0.03;
/** Visits that took less time say nothing of waiting. */
const leastMs = 1_000;

/** How many went away in a node, as a share of those that came to it. */
const shareLeft = (node: NodeNumbers, type: string | undefined): number => Math.min(1, leftHere(node, type) / Math.max(1, node.visits));

export function drawNumbers({ now, before, typeOf, say, percent }: Shown): NonNullable<Overlay['numbers']> {
  const worst = Math.max(1, ...now.nodes.map((node) => leftHere(node, typeOf(node.nodeId))));
  const earlier = new Map(before?.nodes.map((node) => [node.nodeId, node]));
  const points = (share: number, past: number): string => change(Math.round(100 * share) - Math.round(100 * past));
  const cards = now.nodes.map((node) => {
    const { nodeId, visits, standing } = node;
    const type = typeOf(nodeId);
    const past = earlier.get(nodeId);
    const left = leftHere(node, type);
    const share = shareLeft(node, type);
    const text = [
      withChange(say('numbers.in', { count: visits }), before && change(visits - (past?.visits ?? 0))),
      ...(standing > 0 ? [say('numbers.now', { count: standing })] : []),
      ...(left > 0 ? [withChange(say('numbers.leftHere', { share: percent(share) }), past && points(share, shareLeft(past, type)))] : []),
    ].join(' · ');
    return [nodeId, { text, short: left > 0 ? `${visits} · −${percent(share)}` : String(visits), heat: left / worst }] as const;
  });
  const pastPorts = before && portsOf(before);
  const ports = [...portsOf(now)].map(([key, { share, widthPx, p50Ms, p95Ms, count }]) => {
    const past = pastPorts?.get(key);
    const withPast = withChange(percent(share), past && points(share, past.share));
    const text = p50Ms === null || p50Ms < leastMs ? withPast : say('numbers.median', { share: withPast, time: shortTime(p50Ms) });
    const time = p50Ms === null || p95Ms === null ? undefined : { half: shortTime(p50Ms), most: shortTime(p95Ms) };
    const whole = say('numbers.through', { count, share: percent(share) });
    const title = time === undefined ? whole : `${whole} · ${say('numbers.took', time)}`;
    return [key, { widthPx, text, title, isRare: share < leastShare }] as const;
  });
  return { cards: new Map(cards), ports: new Map(ports) };
}

/** What was counted, and by how much it grew or fell. */
const withChange = (text: string, changed: string | undefined): string => (changed === undefined ? text : `${text} ${changed}`);
