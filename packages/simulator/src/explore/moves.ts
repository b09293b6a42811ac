// What can happen next in a conversation: everything that a user, a caller, another service, an operator or time may do there.
import {
  type ExecutionEvent,
  isJsonObject,
  type Json,
  type JsonObject,
  type OpenWait,
  parseJsonText,
  type Path,
  sessionWindowMs,
  setPath,
} from '@hilo/engine/contract';
import type { CompiledCanvas, CompiledNode } from '@hilo/engine/debug';
import { channelFacts, optionText } from '@hilo/nodes/effects';
import { sampleForm } from '../sample-form.ts';
import { formMessage, type ScriptInput, type WebhookInput } from '../script/script-input.ts';
import { listAnswers } from './effect-moves.ts';
import { type Move, readSaveAs, type Repertoire, said } from './repertoire.ts';
import { applyEvent, begin, type Beginning, type Frame, type Setting, type Standing } from './standing.ts';
import { usualTexts, type Vocabulary } from './vocabulary.ts';

/** Every platform has it. */
declare const structuredClone: <Value>(value: Value) => Value;

/** All that may happen in a standing. */
export function listMoves(standing: Standing, repertoire: Repertoire): readonly Move[] {
  const top = standing.frames.at(-1);
  if (top === undefined) return [];
  const { pending, wait } = top.state;
  if (pending !== undefined) return listAnswers(standing, top, pending, repertoire);
  return wait === undefined
    ? []
    : [
        ...listMessages(standing, top, wait, repertoire),
        ...listReplies(standing, top, wait, repertoire),
        ...listTimers(standing, repertoire),
      ];
}

// Beginnings

/** The ways to begin a canvas: each message that one of its starts takes, calls of its webhook, a start by a call. */
export function listBeginnings(standing: Standing, repertoire: Repertoire): readonly Move[] {
  const { setting } = repertoire;
  const [canvas] = setting.canvases;
  if (canvas === undefined) return [];
  return [
    ...listFirstMessages(standing, canvas, repertoire),
    // A user who has written lately can be written to.
    ...[greet(standing, setting), standing].flatMap((at) =>
      at === undefined ? [] : [...listCalls(at, canvas, repertoire), ...listStarts(at, canvas, repertoire)],
    ),
  ];
}

/** After a message that begins nothing; `undefined` where that changes nothing, or every message begins something. */
function greet(standing: Standing, setting: Setting): Standing | undefined {
  const message = textMessage('hello');
  const isOpen = !channelFacts[setting.channel].hasSessionWindow || standing.nowMs < standing.windowUntilMs;
  if (isOpen || findStart(setting, message, 'all') !== undefined) return undefined;
  return hear(said(standing, [{ kind: 'says', message }]), message, setting).standing;
}

function listFirstMessages(standing: Standing, canvas: CompiledCanvas, repertoire: Repertoire): readonly Move[] {
  if (canvas.canvas.kind !== 'skill') return [];
  const ofStarts = canvas.starts.flatMap(({ definition: { entry }, config }): readonly JsonObject[] => {
    if (entry?.kind !== 'message') return [];
    return [
      ...(entry.keywords?.(config) ?? []).map(({ text }) => textMessage(text)),
      ...(entry.identifiers?.(config) ?? []).map(({ message }) => message),
    ];
  });
  const nearby = canvas.starts.flatMap(({ id }) => repertoire.words.near(id).filter((value) => typeof value === 'string'));
  const texts = [...nearby, ...usualTexts, ...repertoire.words.texts].slice(0, 40).map(textMessage);
  const unique = new Map([...ofStarts, ...texts, ...media].map((message) => [JSON.stringify(message), message] as const));
  return [...unique.values()].map((message) => firstMessage(standing, message, repertoire));
}

const textMessage = (text: string): JsonObject => ({ type: 'text', text });

/** The start that a message begins at, among all canvases: a payload before a keyword, and that before a fallback. */
function findStart(
  { canvases, channel }: Setting,
  message: JsonObject,
  among: 'all' | 'interrupting',
): Omit<Beginning, 'trigger'> | undefined {
  const found = new Map<string, Omit<Beginning, 'trigger'>>();
  for (const canvas of canvases) {
    const { kind, settings } = canvas.canvas;
    if (kind !== 'skill' || settings.channels?.includes(channel) === false) continue;
    for (const entry of canvas.starts) {
      const definition = entry.definition.entry;
      if (definition?.kind !== 'message' || (among === 'interrupting' && definition.interrupts?.(entry.config) !== true)) continue;
      const how = definition.match(entry.config, message);
      if (how !== undefined && !found.has(how)) found.set(how, { canvas, entry });
    }
  }
  return found.get('payload') ?? found.get('keyword') ?? (among === 'all' ? found.get('fallback') : undefined);
}

function firstMessage(standing: Standing, message: JsonObject, { setting }: Repertoire): Move {
  const inputs: readonly ScriptInput[] = [{ kind: 'says', message }];
  return {
    inputs,
    take() {
      const start = findStart(setting, message, 'all');
      if (start === undefined) return undefined;
      const { standing: heard, message: whole } = hear(said(standing, inputs), message, setting);
      return begin(heard, { ...start, trigger: () => ({ kind: 'message', message: whole }) }, setting);
    },
  };
}

/** The user has written: the window is open again, and their bot knows them. */
function hear(standing: Standing, message: JsonObject, { user }: Setting): { readonly standing: Standing; readonly message: JsonObject } {
  const { counts, nowMs } = standing;
  const whole = { id: `user-message-${counts.messages + 1}`, ...message, at: new Date(nowMs).toISOString() };
  const contact = { names: user.names ?? null, phone: user.phone ?? null };
  const heard = { ...standing, windowUntilMs: nowMs + sessionWindowMs, contact, counts: { ...counts, messages: counts.messages + 1 } };
  return { standing: heard, message: whole };
}

function listStarts(standing: Standing, canvas: CompiledCanvas, { setting, words }: Repertoire): readonly Move[] {
  const entry = canvas.starts[0] ?? canvas.webhook;
  if (entry === undefined) return [];
  const declared = canvas.canvas.settings.inputs ?? {};
  const names = Object.keys(declared);
  const canBegin = entry.definition.entry?.kind !== 'message' || listFirstMessagesOf(entry) > 0;
  if (names.length === 0 && canBegin && canvas.canvas.kind === 'skill') return [];
  const values = new Map(
    names.map((name) => {
      const type = declared[name]?.type;
      const wanted = [...words.valuesOf(['$input', name]), ...words.contentsOf(['$input', name], []), ...words.texts, 'x', 5, true, [], {}];
      return [name, wanted.filter((value) => type === undefined || kindOfValue(value) === type).slice(0, 30)] as const;
    }),
  );
  const plain = Object.fromEntries([...values].flatMap(([name, [first]]) => (first === undefined ? [] : [[name, first] as const])));
  const single = [...values].flatMap(([name, each]) => each.slice(1).map((value) => ({ ...plain, [name]: value })));
  const required = Object.fromEntries(Object.entries(plain).filter(([name]) => declared[name]?.optional !== true));
  const unique = new Map([plain, required, ...single].map((inputs) => [JSON.stringify(inputs), inputs] as const));
  return [...unique.values()].map((given): Move => {
    const inputs: readonly ScriptInput[] = [{ kind: 'starts', inputs: given }];
    return {
      inputs,
      take: () =>
        begin(
          said(standing, inputs),
          { canvas, entry, trigger: () => ({ kind: 'call', inputs: given, webhook: {} }), isAnonymous: canvas.canvas.kind === 'tool' },
          setting,
        ),
    };
  });
}

const kindOfValue = (value: Json): string => (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value);

/** How many messages begin at a start. */
const listFirstMessagesOf = ({ definition: { entry }, config }: CompiledNode): number =>
  entry?.kind !== 'message'
    ? 0
    : (entry.keywords?.(config).length ?? 0) +
      (entry.identifiers?.(config).length ?? 0) +
      (entry.match(config, textMessage('hello')) === undefined ? 0 : 1);

// Webhooks

/** The variable that a webhook node keeps its request in, and the fields that its config names. */
interface WebhookConfig {
  readonly variableName: string;
  readonly storage: 'webhook' | 'context';
  readonly methods: readonly string[];
}

function listRequests(node: CompiledNode, words: Vocabulary, executionId: string | undefined): readonly WebhookInput[] {
  const { variableName, storage, methods } = node.config as WebhookConfig;
  const data =
    node.definition.entry?.kind === 'webhook' ? (node.config as { readonly userIdPath?: Path; readonly executionIdPath?: Path }) : {};
  const at = [`$${storage}`, variableName];
  const contents = words.contentsOf(at, ['body']);
  return methods.flatMap((method, index) =>
    contents.slice(0, index === 0 ? contents.length : 3).map((content): WebhookInput => {
      const body = isJsonObject(content) ? (structuredClone(content) as Record<string, Json>) : content;
      if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
        if (data.userIdPath !== undefined) setPath(body as Record<string, Json>, data.userIdPath, userIdText);
        if (executionId !== undefined && data.executionIdPath !== undefined)
          setPath(body as Record<string, Json>, data.executionIdPath, executionId);
      }
      const isNamed = data.executionIdPath !== undefined && isJsonObject(body);
      return { method, body, ...(executionId !== undefined && !isNamed && { query: { executionId } }) };
    }),
  );
}

/** Replaced by the id of the user of the search. */
const userIdText = '<user>';

/** A request as the simulator makes it of the line of a script: with the user where it would begin something and names none. */
function completeRequest(call: WebhookInput, userId: string | undefined): { method: string; headers: {}; query: JsonObject; body: Json } {
  const body = parseJsonText(JSON.stringify(call.body ?? null).replaceAll(userIdText, userId ?? ''));
  return { method: call.method ?? 'POST', headers: {}, query: call.query ?? {}, body };
}

function listCalls(standing: Standing, canvas: CompiledCanvas, { setting, words }: Repertoire): readonly Move[] {
  const node = canvas.webhook;
  const entry = node?.definition.entry;
  if (node === undefined || entry?.kind !== 'webhook') return [];
  const { user, channel } = setting;
  const isTool = canvas.canvas.kind === 'tool';
  return listRequests(node, words, undefined).map((template): Move => {
    const request = completeRequest(template, user.id);
    const call: WebhookInput = { ...template, body: request.body };
    const inputs: readonly ScriptInput[] = [{ kind: 'webhook', call }];
    return {
      inputs,
      take() {
        const admission = tryAdmit(node, request);
        if (admission === undefined) return undefined;
        const needsUser = !isTool && admission.userId(channel, 'strict') === undefined;
        const whole = needsUser ? { ...request, query: { ...request.query, userId: user.id } } : request;
        const admitted = tryAdmit(node, whole);
        const known = standing.contact ?? { names: null, phone: /^\d+$/.test(user.id) ? user.id : null };
        return admitted === undefined
          ? undefined
          : begin(
              { ...said(standing, inputs), contact: isTool ? standing.contact : known },
              {
                canvas,
                entry: node,
                trigger: (executionId) => ({ kind: 'webhook', writes: admitted.writes({ executionId, mode: 'new' }) }),
                isAnonymous: isTool,
              },
              setting,
            );
      },
    };
  });
}

function tryAdmit(
  { definition: { entry }, config }: CompiledNode,
  request: Parameters<Extract<typeof entry, { kind: 'webhook' }>['admit']>[1],
) {
  try {
    return entry?.kind === 'webhook' ? entry.admit(config, request) : undefined;
  } catch {
    return undefined; // a request that is refused leads nowhere
  }
}

// Waits

const media: readonly JsonObject[] = [
  { type: 'image', mediaUrl: 'https://files.example/a.png' },
  { type: 'document', mediaUrl: 'https://files.example/a.pdf' },
  { type: 'location', coordinates: { lat: -12.05, long: -77.04 } },
  { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana' }, phones: [{ phone: '+5215512345678' }] }] },
  { type: 'audio', mediaUrl: 'https://files.example/a.ogg' },
];

/** The messages of the user that answer a wait, or end it. */
const listMessages = (standing: Standing, top: Frame, wait: OpenWait, repertoire: Repertoire): readonly Move[] =>
  wait.takesReply
    ? listAnswersOfUser(top, wait, repertoire).flatMap((message) => replyMove(standing, wait, message, repertoire.setting))
    : [];

/** What answers a wait, time and messages aside. */
function listReplies(standing: Standing, top: Frame, wait: OpenWait, repertoire: Repertoire): readonly Move[] {
  const { setting, words } = repertoire;
  const { nowMs } = standing;
  const node = top.canvas.nodes.get(wait.nodeId);
  const move = (
    inputs: readonly ScriptInput[],
    event: (at: Standing) => { readonly at: Standing; readonly event: ExecutionEvent },
  ): Move => ({
    inputs,
    take() {
      const { at, event: happened } = event(said(standing, inputs));
      return applyEvent(at, happened, setting);
    },
  });
  const signal = (payload: Json, input: ScriptInput): Move =>
    move([input], (at) => ({ at, event: { type: 'signal.received', waitId: wait.id, payload, atMs: nowMs } }));
  const { name = '', value: correlation = '' } = wait.correlation ?? {};
  switch (wait.kind) {
    case 'event':
      return words
        .contentsOf(readSaveAs(node), [])
        .slice(0, 40)
        .map((payload) => signal(payload, { kind: 'signals', name, correlation, payload }));
    case 'payment':
      return ['approved', 'rejected', 'pending', 'expired'].map((status) =>
        signal({ status }, { kind: 'signals', name, correlation, payload: { status } }),
      );
    case 'handoff':
      return (['closes', 'expires'] as const).map((does) => {
        const state = does === 'closes' ? 'closed' : 'expired';
        const endedReason = does === 'closes' ? 'closed_by_operator' : 'expired';
        return signal({ conversationId: correlation, state, endedReason, operatorId: null }, { kind: 'operator', act: { does } });
      });
    case 'webhook':
    case 'external':
      return listResumes(standing, top, wait, repertoire);
    default:
      return [];
  }
}

function replyMove(standing: Standing, wait: OpenWait, message: JsonObject, setting: Setting): readonly Move[] {
  // It would end this conversation and begin another.
  if (findStart(setting, message, 'interrupting') !== undefined) return [];
  const inputs: readonly ScriptInput[] = [{ kind: 'says', message }];
  return [
    {
      inputs,
      take() {
        const { standing: heard, message: whole } = hear(said(standing, inputs), message, setting);
        return applyEvent(heard, { type: 'reply.received', waitId: wait.id, message: whole, atMs: standing.nowMs }, setting);
      },
    },
  ];
}

/** What the user may answer: the options that they were shown, what the question compares with, and something of every kind. */
function listAnswersOfUser({ canvas }: Frame, { nodeId }: OpenWait, { words }: Repertoire): readonly JsonObject[] {
  const shown = shownOptions(canvas, nodeId);
  const own = words.near(nodeId).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const saved = readSaveAs(canvas.nodes.get(nodeId));
  const looked =
    saved.length === 0 ? [] : words.valuesOf(saved).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  const texts = [...new Set([...own, ...looked, ...usualTexts, ...words.texts])].filter((text) => text !== '' && text.length <= 200);
  const form = listForms(canvas.canvas.nodes.find(({ id }) => id === nodeId)?.data);
  return [...shown, ...form, ...texts.slice(0, 50).map(textMessage), ...media];
}

/** A form that comes back: filled in, where its fields are known, and with another value. */
function listForms(data: JsonObject | undefined): readonly JsonObject[] {
  if (data === undefined || !JSON.stringify(data).includes('"flow"')) return [];
  const filledIn = sampleForm(data['input']);
  return [...(filledIn === undefined ? [] : [formMessage(filledIn)]), { type: 'flow', text: '', response: { answer: 'yes' } }];
}

/** The buttons of a question that are written out in it. */
function shownOptions({ canvas }: CompiledCanvas, nodeId: string): readonly JsonObject[] {
  const message = canvas.nodes.find(({ id }) => id === nodeId)?.data['message'];
  if (!isJsonObject(message)) return [];
  const buttons = isJsonObject(message['buttons']) ? message['buttons']['options'] : undefined;
  const lists = [message['quick_replies'], buttons].flatMap((list) => (Array.isArray(list) ? (list as readonly Json[]) : []));
  return lists.flatMap((option) => {
    if (!isJsonObject(option) || typeof option['title'] !== 'string' || option['title'].includes('{{')) return [];
    const { title, payload = title } = option;
    return typeof payload === 'string' && !payload.includes('{{')
      ? [{ type: 'button', payload, text: optionText(option as never) ?? title }]
      : [];
  });
}

function listResumes(standing: Standing, top: Frame, wait: OpenWait, { setting, words }: Repertoire): readonly Move[] {
  const node = top.canvas.webhook;
  if (node === undefined) return [];
  const name = `<execution-${standing.frames[0]?.number ?? 1}>`;
  return listRequests(node, words, name).map((template): Move => {
    const request = completeRequest(template, setting.user.id);
    const isMain = top.canvas === setting.canvases[0];
    const call: WebhookInput = { ...template, body: request.body, ...(!isMain && { workflowId: top.canvas.canvas.id }) };
    const inputs: readonly ScriptInput[] = [{ kind: 'webhook', call }];
    return {
      inputs,
      take() {
        const admission = tryAdmit(node, request);
        if (admission === undefined) return undefined;
        const writes = admission.writes({ executionId: top.state.rootId, mode: 'resume' });
        const event = {
          type: 'webhook.received',
          waitId: wait.id,
          via: node.id,
          once: admission.oneTimeOnly,
          writes,
          atMs: standing.nowMs,
        } as const;
        return applyEvent(said(standing, inputs), event, setting);
      },
    };
  });
}

/** The next timer of the conversation, of its execution or of one of its callers. */
function listTimers(standing: Standing, { setting }: Repertoire): readonly Move[] {
  const due = standing.frames.flatMap(({ state: { wait } }, index) =>
    wait?.dueAtMs === undefined || wait.dueAtMs === null ? [] : [{ index, atMs: wait.dueAtMs, waitId: wait.id }],
  );
  const [next] = due.toSorted((left, right) => left.atMs - right.atMs || right.index - left.index);
  if (next === undefined) return [];
  const durationMs = Math.max(1, next.atMs - standing.nowMs);
  const inputs: readonly ScriptInput[] = [{ kind: 'passes', durationMs }];
  return [
    {
      inputs,
      take() {
        const later = { ...said(standing, inputs), nowMs: standing.nowMs + durationMs };
        return applyEvent(later, { type: 'timer.fired', waitId: next.waitId, lateByMs: 0, atMs: next.atMs }, setting, next.index);
      },
    },
  ];
}
