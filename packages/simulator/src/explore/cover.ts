// Conversations that take the ports of a canvas that no transcript takes yet, as few as possible.
import { uncoveredPorts } from '../paths-of.ts';
import { readCanvas } from '../read-canvas.ts';
import type { ScriptInput } from '../script/script-input.ts';
import { writeInput } from '../script/write-input.ts';
import type { Dialogue } from './dialogue.ts';
import { explore, type ExploreOptions } from './explore.ts';
import { play } from './play.ts';

/** A conversation with the ports that it adds to those before it. */
export interface CoveringTalk {
  /** The port that it was looked for, as `node.port`. */
  readonly port: string;
  /** All that it takes and that nothing before it does. */
  readonly ports: readonly string[];
  readonly transcript: string;
}

/** What conversations there are for the ports of a canvas. */
export interface PortCover {
  readonly talks: readonly CoveringTalk[];
  /** Ports for which no conversation was found, in the order of the canvas. */
  readonly never: readonly string[];
}

/**
 * Finds conversations for the ports of a canvas; each was played by the simulator.
 *
 * @param given - the first is covered; the others are those that it calls
 * @param taken - ports that transcripts take already
 */
export async function coverPorts(
  given: readonly (object | string)[],
  { taken = [], ...options }: ExploreOptions & { readonly taken?: readonly string[] } = {},
): Promise<PortCover> {
  const canvases = given.map(readCanvas); // once, for all that is played
  const [main] = canvases;
  if (main === undefined) return { talks: [], never: [] };
  const known = new Set(taken);
  const { all, ports } = await explore(canvases, { ...options, wants: (port) => !known.has(port) });
  const wanted = all.filter((port) => !known.has(port));
  const found = new Map<string, { readonly port: string; readonly ports: ReadonlySet<string>; readonly transcript: string }>();
  const open = new Set(wanted);
  for (const port of longestFirst(wanted, ports)) {
    for (const inputs of open.has(port) ? (ports.get(port) ?? []) : []) {
      const key = inputs.map(writeInput).join('\n');
      if (found.has(key)) break;
      const played = await play(canvases, inputs, options);
      if (played === undefined) continue;
      const left = new Set(uncoveredPorts(main, played.histories, options).taken);
      found.set(key, { port, ports: left, transcript: played.transcript });
      for (const one of left) open.delete(one);
      if (left.has(port)) break;
    }
  }
  return { talks: chooseFew([...found.values()], known), never: wanted.filter((port) => open.has(port)) };
}

/**
 * Finds a conversation that takes one port; it was played by the simulator.
 *
 * @param port - as `node.port`
 */
export async function findTalkTo(
  given: readonly (object | string)[],
  port: string,
  options: ExploreOptions = {},
): Promise<Dialogue | undefined> {
  const canvases = given.map(readCanvas);
  const [main] = canvases;
  if (main === undefined) return undefined;
  const { ports } = await explore(canvases, { ...options, wants: (one) => one === port });
  for (const inputs of ports.get(port) ?? []) {
    const played = await play(canvases, inputs, options);
    if (played !== undefined && uncoveredPorts(main, played.histories, options).taken.includes(port))
      return { script: `${played.script}\n`, transcript: played.transcript };
  }
  return undefined;
}

/** Those that are reached late come first: a conversation to them takes many others on the way. */
function longestFirst(wanted: readonly string[], found: ReadonlyMap<string, readonly (readonly ScriptInput[])[]>): readonly string[] {
  const length = (port: string): number => found.get(port)?.[0]?.length ?? 0;
  return wanted.toSorted((left, right) => length(right) - length(left));
}

/** Each time the conversation that adds most to those before it. */
function chooseFew(
  found: readonly { readonly port: string; readonly ports: ReadonlySet<string>; readonly transcript: string }[],
  known: ReadonlySet<string>,
): readonly CoveringTalk[] {
  const covered = new Set(known);
  const chosen: CoveringTalk[] = [];
  for (;;) {
    const gains = found.map((talk) => ({ talk, ports: [...talk.ports].filter((port) => !covered.has(port)) }));
    const best = gains.reduce<(typeof gains)[number] | undefined>(
      (most, one) => (one.ports.length > (most?.ports.length ?? 0) ? one : most),
      undefined,
    );
    if (best === undefined) return chosen;
    const { talk, ports } = best;
    chosen.push({ port: ports.includes(talk.port) ? talk.port : (ports[0] ?? talk.port), ports, transcript: talk.transcript });
    for (const port of ports) covered.add(port);
  }
}
