// Which gate of a workflow is in force, and the stand-in that answers for a paused workflow.
import type { CompiledCanvas } from '../canvas/compile.ts';
import { canvasHash } from '../canvas/hash.ts';
import { Canvas } from '../contract/canvas.ts';
import type { JsonObject } from '../contract/json.ts';
import type { CanvasStore, Gate, PublishedVersion } from '../contract/store.ts';
import type { CanvasLibrary } from './canvas-library.ts';

/** The gate that keeps a workflow from being started now. */
export function gateInForce(published: Pick<PublishedVersion, 'gate'> | undefined, nowMs: number): Gate | undefined {
  const gate = published?.gate;
  return gate?.untilMs !== undefined && gate.untilMs <= nowMs ? undefined : gate;
}

/** After how many seconds a webhook is called again where nobody knows when the pause ends. */
const usualRetryS = 60;

/** When a caller of a paused workflow should try again, in seconds. */
export const retryAfterS = ({ untilMs }: Gate, nowMs: number): number =>
  untilMs === undefined ? usualRetryS : Math.max(1, Math.ceil((untilMs - nowMs) / 1_000));

/**
 * The canvas that answers for a paused workflow: the starts of its latest version, all leading to one message. The types `message` and
 * `end` are those of the standard nodes.
 */
export function createStandIn(live: Canvas, starts: ReadonlySet<string>, says: JsonObject): Canvas {
  const [message, end] = ['paused', 'told'].map((name) => nameUnlike(name, starts));
  const { channels } = live.settings;
  return Canvas.parse({
    schemaVersion: live.schemaVersion,
    id: live.id,
    name: live.name,
    kind: live.kind,
    settings: channels === undefined ? {} : { channels },
    variables: {},
    nodes: [
      ...live.nodes.filter(({ id }) => starts.has(id)),
      { id: message, type: 'message', data: { message: says } },
      { id: end, type: 'end', data: {} },
    ],
    edges: [...[...starts].map((source) => ({ source, target: message })), { source: message, sourceHandle: 'sent', target: end }],
  });
}

const nameUnlike = (name: string, taken: ReadonlySet<string>): string => (taken.has(name) ? nameUnlike(`${name}-`, taken) : name);

/** The nodes by which a message begins a canvas. */
export const listStarts = ({ starts }: CompiledCanvas): ReadonlySet<string> =>
  new Set(starts.filter(({ definition }) => definition.entry?.kind === 'message').map(({ id }) => id));

/** The stand-in of a paused workflow, compiled; kept by its content, so that what it began can be continued after the pause. */
export async function loadStandIn(
  { canvases, library }: { readonly canvases: CanvasStore; readonly library: CanvasLibrary },
  companyId: string,
  live: CompiledCanvas,
  says: JsonObject,
): Promise<CompiledCanvas> {
  const standIn = createStandIn(live.canvas, listStarts(live), says);
  const hash = canvasHash(standIn);
  const known = library.get(companyId, hash);
  if (known !== undefined) return known;
  await canvases.keep(companyId, standIn, hash);
  return library.load(companyId, hash);
}
