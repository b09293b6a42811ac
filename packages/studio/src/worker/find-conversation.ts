import type { NodeDefinition } from '@hilo/engine/contract';
import { type CanvasJson, isRecord, portKey } from '../canvas/canvas-json.ts';
import type { TestSetting, TestView } from './protocol.ts';
import { createTester } from './tester.ts';

/** Beyond this a search is given up: an author waits for it. */
const maxPlays = 400;
const maxActs = 14;
const maxAnswers = 20;

/** What is said where nothing else is known: something for each kind of answer that a node checks. */
const usualWords = ['hello', 'yes', '5', 'ana@example.com', '2031-03-04', '10:30', '5215512345678'];

/**
 * Looks for a conversation in which a port is taken: from each place where the draft waits it tries what its user, its world and time can
 * do, the shortest conversation first. Of several ways to stand at one place, after as many acts, the first is followed.
 *
 * @param port - as `node.port`
 * @returns a script; `undefined` where none was found
 */
export async function findConversation(
  canvases: readonly CanvasJson[],
  port: string,
  setting: TestSetting,
  nodes: readonly NodeDefinition[],
): Promise<string | undefined> {
  const [canvas] = canvases;
  const at = port.lastIndexOf('.');
  const wanted = portKey(port.slice(0, at), port.slice(at + 1));
  if (canvas === undefined) return undefined;
  const seen = new Set<string>();
  const open: (readonly string[])[] = [[]];
  let plays = 0;
  for (let acts = open.shift(); acts !== undefined && plays < maxPlays; acts = open.shift()) {
    const tester = createTester(nodes);
    const view = await tester.start(canvases, acts.join('\n'), setting);
    plays += 1;
    if ((view.taken[wanted] ?? 0) > 0) return acts.join('\n');
    // After as many acts: a third wrong answer may lead where the first does not.
    const place = JSON.stringify([acts.length, view.status, view.wait?.nodeId, view.calls.map(({ nodeId }) => nodeId)]);
    if (seen.has(place) || view.error !== undefined) continue;
    seen.add(place);
    const isOver = acts.length > 0 && view.status !== 'running' && view.status !== 'waiting';
    if (!isOver && acts.length < maxActs) open.push(...actsAt(view, canvas).map((act) => [...(acts ?? []), act]));
  }
  return undefined;
}

/** What can happen next. */
function actsAt({ calls, wait, nextDueMs, nowMs }: TestView, canvas: CanvasJson): readonly string[] {
  const [call] = calls;
  if (call !== undefined)
    return [call.example, ...(call.effect === 'http.request' ? [...answersFor(canvas), 'api: 500', 'api: timeout'] : [])];
  const standing = canvas.nodes.find(({ id }) => id === wait?.nodeId);
  const from = standing === undefined ? canvas.nodes.filter(({ type }) => type === 'start') : [standing];
  const options = from.flatMap(({ data }) => textsNamed(data, ['payload', 'title', 'keywords']));
  return [
    ...[...new Set(options)].map((text) => `user: [payload ${text.replaceAll(']', '')}] ${text}`),
    ...[...new Set([...options, ...usualWords])].map((text) => `user: ${text}`),
    ...(nextDueMs === undefined ? [] : [`time: +${Math.max(1, nextDueMs - nowMs)}ms`]),
    ...(canvas.nodes.some(({ type }) => type === 'webhook') ? ['webhook: POST {}'] : []),
  ];
}

/** Answers of an API that a canvas tells apart: each value that it compares, in each field of a body that it reads. */
function answersFor({ nodes }: CanvasJson): readonly string[] {
  const fields = new Set([...JSON.stringify(nodes).matchAll(/\bbody\??\.(\w+)/g)].map(([, field = '']) => field));
  const values = new Set(nodes.flatMap(({ data }) => textsNamed(data, ['cases', 'right'])));
  const bodies = [...fields].flatMap((field) => ['other', ...values].map((value) => `api: 200 ${JSON.stringify({ [field]: value })}`));
  return bodies.slice(0, maxAnswers);
}

/** Texts of one line in fields of these names, at every depth. */
function textsNamed(value: unknown, names: readonly string[], isNamed = false): readonly string[] {
  if (typeof value === 'string') return isNamed && value !== '' && !/[\n{]/.test(value) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((item) => textsNamed(item, names, isNamed));
  return isRecord(value) ? Object.entries(value).flatMap(([name, item]) => textsNamed(item, names, names.includes(name))) : [];
}
