// Tests of drafts, in the worker.
import {
  type EffectDefinition,
  type HistoryRecord,
  getPath,
  isJsonObject,
  type Json,
  type JsonObject,
  type NodeDefinition,
  type Problem,
  isHiloError,
} from '@hilo/engine/contract';
import { standardNodes } from '@hilo/nodes';
import {
  type Conversation,
  dialogueOf,
  findTalkTo,
  parseScript,
  readInput,
  replayTalk,
  simulate,
  type Simulation,
  uncoveredPorts,
} from '@hilo/simulator';
import { type CanvasJson, portKey } from '../canvas/canvas-json.ts';
import { modelOffers } from './model-offers.ts';
import type { TestLine, TestSetting, TestView, TranscriptsResult } from './protocol.ts';

/** One test of a draft: the simulator of the engine, in virtual time. Nothing of it leaves the process. */
export interface Tester {
  /** Restarts, and plays a script. A line that fails is reported in the view; earlier ones stay. */
  start(canvases: readonly CanvasJson[], script: string, setting: TestSetting): Promise<TestView>;
  /** @throws {Error} when no test was begun */
  play(line: string): Promise<TestView>;
}

export function createTester(nodes: readonly NodeDefinition[]): Tester {
  let session: Session | undefined;
  return {
    async start(canvases, script, setting) {
      session = await openSession(canvases, setting, nodes);
      for (const line of parseScript(script)) {
        if (line.kind === 'remark') session.talk.notes(line.line);
        else if ((await session.play(line.line)) !== undefined) break;
      }
      return session.view();
    },
    async play(line) {
      if (session === undefined) throw new Error('No test was begun');
      await session.play(line);
      return session.view();
    },
  };
}

interface Session {
  readonly talk: Conversation;
  /** @returns why the line could not be done */
  play(line: string): Promise<string | undefined>;
  view(): Promise<TestView>;
}

async function openSession(canvases: readonly CanvasJson[], setting: TestSetting, nodes: readonly NodeDefinition[]): Promise<Session> {
  const lines: TestLine[] = [];
  let input = -1;
  let error: string | undefined;
  const talk = await simulate({
    ...simulationOf(setting, nodes),
    canvases,
    observer: {
      called({ effect, request, nodeId }) {
        const fields: JsonObject = isJsonObject(request) ? request : {};
        if (effect === 'message.send') lines.push({ input, nodeId, kind: 'bot', message: fields['message'] ?? null });
        else if (effect === 'template.send') lines.push({ input, nodeId, kind: 'bot', message: { type: 'template', ...fields } });
        else if (effect === 'http.request')
          lines.push({ input, nodeId, kind: 'call', effect, what: `${text(fields['method'])} ${text(fields['url'])}` });
        else lines.push({ input, nodeId, kind: 'call', effect });
      },
      answered: ({ nodeId }, outcome) =>
        void lines.push({ input, nodeId, kind: 'note', text: outcome instanceof Error ? outcome.message : JSON.stringify(outcome) }),
      unmatched: (reason) => void lines.push({ input, kind: 'note', text: reason }),
    },
  });

  return {
    talk,
    async play(line) {
      error = undefined;
      try {
        const act = readInput(line);
        input += 1;
        if (act.kind === 'says') lines.push({ input, kind: 'user', text: said(act.message) });
        else lines.push({ input, kind: 'note', text: line });
        await talk.plays(act, line);
      } catch (thrown) {
        error = thrown instanceof Error ? thrown.message : String(thrown);
      }
      return error;
    },
    async view() {
      const record = await talk.execution();
      const executions = (await talk.executions()).filter(({ workflowId }) => workflowId === canvases[0]?.id);
      const histories = await Promise.all(executions.map(({ executionId }) => talk.history(executionId)));
      const { status, wait, ending } = record?.state ?? {};
      return {
        lines: [...lines],
        calls: talk.pending().flatMap((call) => {
          const example = talk.exampleFor(call);
          if (example === undefined) return [];
          const offers = call.effect === 'model.ask' ? { offers: modelOffers(call.request, example) } : {};
          return [{ effect: call.effect, nodeId: call.nodeId, request: call.request, example, ...offers }];
        }),
        nowMs: talk.clock.now(),
        nextDueMs: await talk.nextDueMs(),
        status,
        wait: wait === undefined ? undefined : { kind: wait.kind, nodeId: wait.nodeId, dueAtMs: wait.dueAtMs },
        failure: ending?.failure === undefined ? undefined : ending.failure,
        taken: takenPorts(histories.flat()),
        variables: record?.state.variables ?? {},
        transcript: talk.transcript(),
        ...(error !== undefined && { error }),
      };
    },
  };
}

/** How often each port was left. */
function takenPorts(records: readonly HistoryRecord[]): { readonly [port: string]: number } {
  const taken: { [port: string]: number } = Object.create(null) as { [port: string]: number };
  for (const { nodeId, port } of records.flatMap(({ entries }) => entries)) {
    if (port === undefined) continue;
    const key = portKey(nodeId, port);
    taken[key] = (taken[key] ?? 0) + 1;
  }
  return { ...taken };
}

/** Replays every transcript. One passes when it is reproduced byte for byte. */
export async function runTranscripts(
  canvases: readonly CanvasJson[],
  transcripts: readonly { readonly name: string; readonly text: string }[],
  given: TestSetting,
  nodes: readonly NodeDefinition[],
  now: () => number,
): Promise<TranscriptsResult> {
  const { startAt: _ofAnExecution, ...setting } = given;
  const startedAt = now();
  const histories: (readonly HistoryRecord[])[] = [];
  const results = [];
  for (const { name, text: expected } of transcripts) {
    let actual: string;
    const own: HistoryRecord[] = [];
    try {
      const talk = await replayTalk(canvases, expected, simulationOf(setting, nodes));
      for (const { executionId, workflowId } of await talk.executions()) {
        const history = await talk.history(executionId);
        histories.push(history);
        if (workflowId === canvases[0]?.id) own.push(...history);
      }
      actual = talk.transcript();
    } catch (error) {
      actual = `${isHiloError(error, 'INVALID_SCRIPT') ? '' : 'The test could not be run: '}${error instanceof Error ? error.message : String(error)}`;
    }
    results.push({ name, isPassed: actual.trimEnd() === expected.trimEnd(), expected, actual, taken: Object.keys(takenPorts(own)) });
  }
  return { results, neverTaken: neverTaken(canvases[0], histories, nodes), tookMs: now() - startedAt };
}

function neverTaken(
  canvas: CanvasJson | undefined,
  histories: readonly (readonly HistoryRecord[])[],
  nodes: readonly NodeDefinition[],
): readonly string[] {
  if (canvas === undefined) return [];
  try {
    return uncoveredPorts(canvas, histories, { nodes }).never;
  } catch {
    return []; // a canvas that cannot be compiled has problems, which are shown elsewhere
  }
}

/** How long an author waits for a conversation that is looked for. */
const searchMs = 10_000;

/**
 * Looks for a conversation in which a port is taken, or that follows the way of a problem; the simulator has played what is found.
 *
 * @returns a script; `undefined` where none was found
 */
export async function searchConversation(
  canvases: readonly CanvasJson[],
  goal: string | Pick<Problem, 'way'>,
  setting: TestSetting,
  nodes: readonly NodeDefinition[],
  nowMs: () => number,
): Promise<string | undefined> {
  const untilMs = nowMs() + searchMs;
  const { runsUnchecked: _always, ...simulation } = simulationOf(setting, nodes);
  const options = { ...simulation, isOver: () => nowMs() > untilMs };
  return (await (typeof goal === 'string' ? findTalkTo(canvases, goal, options) : dialogueOf(canvases, goal, options)))?.script;
}

function simulationOf(
  { channel, company = {}, user, facts, startAt }: TestSetting,
  nodes: readonly NodeDefinition[],
): Omit<Simulation, 'canvases'> {
  const time = startAt === undefined ? {} : { startAt };
  return { channel, user, company: { ...facts, settings: company }, ...time, nodes, asks: ownEffects(nodes), runsUnchecked: true };
}

/** What own nodes ask of the world: their drivers are with the service, so that the author answers. The simulator performs the others. */
function ownEffects(nodes: readonly NodeDefinition[]): readonly EffectDefinition[] {
  const known = new Set(standardNodes.flatMap(({ effects = [] }) => effects.map(({ type }) => type)));
  return nodes.flatMap(({ effects = [] }) => effects.filter(isWhole)).filter(({ type }) => !known.has(type));
}

/** A node names its effects by their definitions, or by their types alone: an answer to these cannot be checked. */
const isWhole = (effect: Pick<EffectDefinition, 'type'>): effect is EffectDefinition => 'request' in effect && 'result' in effect;

const text = (value: Json | undefined): string => (typeof value === 'string' ? value : value === undefined ? '' : JSON.stringify(value));

/** What the user's own screen would show of a message. */
function said({ text: written, payload, type, coordinates, mediaUrl, contacts }: JsonObject): string {
  if (typeof written === 'string' && written !== '') return written;
  if (payload !== undefined) return text(payload);
  const names = Array.isArray(contacts)
    ? contacts.map((contact: Json) => text(getPath(contact, ['name', 'formatted_name']))).join(', ')
    : '';
  const place = isJsonObject(coordinates) ? `${text(coordinates['lat'])}, ${text(coordinates['long'])} ${text(coordinates['name'])}` : '';
  const rest = [names, place, text(mediaUrl)].find((part) => part.trim() !== '');
  return rest === undefined ? text(type) : `${text(type)}: ${rest.trim()}`;
}
