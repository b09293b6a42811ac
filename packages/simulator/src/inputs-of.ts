import { Duration, isJsonObject, type Json, type JsonObject, parsePath, setPath } from '@hilo/engine/contract';
import type { CompiledCanvas, CompiledNode } from '@hilo/engine/debug';
import { compileCanvasInput, type CanvasPath, type PathOptions } from './paths-of.ts';
import { sampleForm } from './sample-form.ts';
import { formMessage, type ScriptInput } from './script/script-input.ts';

/** Every platform has it. */
declare const structuredClone: <Value>(value: Value) => Value;

/** An input that a canvas itself names: a keyword, an option, an answer of the kind that a question asks for, a body of its webhook. */
export interface CanvasInputOf {
  /** The port that an execution at this node leaves by when it gets the input, as far as the canvas alone says; as `node.port`. */
  readonly step: string;
  readonly input: ScriptInput;
  /** How often it has to come; once, when left out. */
  readonly times?: number;
  /** The port of a `switch` behind it that its values lead out of. */
  readonly leadsTo?: string;
}

/** The user of a simulation that names none. */
const defaultUserId = '5215512345678';

/**
 * The inputs that a canvas itself names, by the port that they lead out of: its keywords and options, answers of the kinds that its
 * questions ask for (with their bounds), bodies of its webhook, its events, the lengths of its waits, answers to its calls.
 *
 * @param canvas - as an object, or as its text in JSON
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 */
export function inputsOf(canvas: object | string, options: Pick<PathOptions, 'nodes'> = {}): readonly CanvasInputOf[] {
  const compiled = compileCanvasInput(canvas, options);
  return [...compiled.nodes.values()].flatMap((node) => listInputs(compiled, node));
}

/**
 * The inputs that take a conversation along a path, as far as inputs decide it: a port that a condition chooses by values is not forced.
 *
 * @example
 * for (const path of pathsOf(canvas).paths) {
 *   const conversation = await simulate(canvas);
 *   for (const input of conversationFor(canvas, path)) await conversation.plays(input);
 * }
 *
 * @throws {HiloError} `INVALID_CANVAS` for a canvas that cannot be compiled
 */
export function conversationFor(
  canvas: object | string,
  { steps }: Pick<CanvasPath, 'steps'>,
  options: Pick<PathOptions, 'nodes'> = {},
): readonly ScriptInput[] {
  const byStep = Map.groupBy(inputsOf(canvas, options), ({ step }) => step);
  const isOnWay = ({ leadsTo }: CanvasInputOf): boolean => leadsTo !== undefined && steps.includes(leadsTo);
  return steps.flatMap((step) => {
    const inputs = byStep.get(step) ?? [];
    const chosen = inputs.find(isOnWay) ?? inputs.find(({ leadsTo }) => leadsTo === undefined) ?? inputs[0];
    return chosen === undefined ? [] : Array.from({ length: chosen.times ?? 1 }, () => chosen.input);
  });
}

function listInputs(canvas: CompiledCanvas, node: CompiledNode): readonly CanvasInputOf[] {
  const { id, type } = node;
  const data = canvas.canvas.nodes.find((one) => one.id === id)?.data ?? {};
  const by = (port: string, ...inputs: readonly ScriptInput[]): readonly CanvasInputOf[] =>
    inputs.map((input) => ({ step: `${id}.${port}`, input }));
  const waits = (...ports: readonly string[]): readonly CanvasInputOf[] => {
    const durationMs = longestOf(data, canvas.sessionExpiryMs);
    return ports.flatMap((port) => (node.targets.has(port) ? by(port, { kind: 'passes', durationMs }) : []));
  };
  const interrupts = node.targets.has('interrupted') ? by('interrupted', says('Hello')) : [];
  switch (type) {
    case 'start':
      return by('next', ...listKeywords(node).map(says));
    case 'webhook':
      return [
        ...listCalls(canvas, id, 'new', data, undefined),
        ...listCalls(canvas, id, 'resume', data, '<execution-1>'),
        ...waits('timeout'),
        ...interrupts,
      ];
    case 'wait-external': {
      const webhook = canvas.canvas.nodes.find((one) => one.id === canvas.webhook?.id)?.data;
      return [
        ...(webhook === undefined ? [] : listCalls(canvas, id, 'resumed', webhook, '<execution-1>')),
        ...waits('timeout'),
        ...interrupts,
      ];
    }
    case 'ask':
      return [...listAnswers(data, by), ...waits('timeout')];
    case 'collect':
      return [...by('collected', says('Hello')), ...waits('collected')];
    case 'delay':
    case 'wait-until':
      return [...waits('elapsed'), ...interrupts];
    case 'wait-event':
      return [...by('received', { kind: 'signals', ...readEvent(data), payload: { ok: true } }), ...waits('timeout'), ...interrupts];
    case 'api':
      return [
        ...listBodies(canvas, data['saveAs']).map(({ body, ...more }) => ({
          step: `${id}.success`,
          input: { kind: 'apiAnswers', answer: { status: 200, body } } as const,
          ...more,
        })),
        ...by('error', { kind: 'apiAnswers', answer: 'timeout' }),
      ];
    case 'handoff':
      return [
        ...by('closed', { kind: 'operator', act: { does: 'closes' } }),
        ...by('expired', { kind: 'operator', act: { does: 'expires' } }),
      ];
    default:
      return [];
  }
}

const says = (text: string): ScriptInput => ({ kind: 'says', message: { type: 'text', text } });

/** Texts that match a start by keyword; any text where it takes any. */
function listKeywords({ definition: { entry }, config }: CompiledNode): readonly string[] {
  if (entry?.kind !== 'message') return [];
  const keywords = entry.keywords?.(config).map(({ text }) => text) ?? [];
  return keywords.length > 0 || entry.match(config, { type: 'text', text: 'Hello' }) === undefined ? keywords : ['Hello'];
}

/** Requests by each method of a webhook, with the ids where it looks for them. */
function listCalls(
  canvas: CompiledCanvas,
  nodeId: string,
  port: string,
  { methods, userIdPath, executionIdPath, variableName, storage }: JsonObject,
  executionId: string | undefined,
): readonly CanvasInputOf[] {
  const inBody = typeof executionIdPath === 'string' && executionId !== undefined;
  const query = executionId === undefined ? { userId: defaultUserId } : { executionId };
  const isWhole = executionId === undefined ? typeof userIdPath === 'string' : inBody;
  const scope = storage === 'context' ? '$context' : '$webhook';
  return listBodies(canvas, typeof variableName === 'string' ? `${scope}.${variableName}` : undefined).flatMap(
    ({ body: named, ...more }) => {
      const body = structuredClone(named);
      if (typeof userIdPath === 'string') write(body, userIdPath, defaultUserId);
      if (inBody) write(body, executionIdPath, executionId);
      return (Array.isArray(methods) ? (methods as readonly Json[]) : []).flatMap((method): readonly CanvasInputOf[] => {
        if (typeof method !== 'string') return [];
        const call = { method, body, ...(!(isWhole && method !== 'GET') && { query }) };
        return [{ step: `${nodeId}.${port}`, input: { kind: 'webhook', call }, ...more }];
      });
    },
  );
}

type Body = { [name: string]: Json };

/** Bodies with the values that a `switch` of the canvas looks for, and one without. @param variable - where the body is kept */
function listBodies(
  { canvas: { nodes } }: CompiledCanvas,
  variable: Json | undefined,
): readonly { readonly body: Body; readonly leadsTo?: string }[] {
  const before = typeof variable === 'string' ? `${variable}.body.` : undefined;
  const looked = nodes.flatMap(({ id, type, data: { value, cases } }) => {
    const read = typeof value === 'string' ? (/^\{\{\s*(\$[\w.]+)\s*\}\}$/.exec(value)?.[1] ?? '') : '';
    if (type !== 'switch' || before === undefined || !read.startsWith(before) || !Array.isArray(cases)) return [];
    const ways = [
      ...(cases as readonly Json[]).map((one) => [typeof one === 'string' ? one : JSON.stringify(one), one] as const),
      ['else', 'something else'] as const,
    ];
    return ways.map(([port, one]) => {
      const body: Body = {};
      write(body, read.slice(before.length), one);
      return { body, leadsTo: `${id}.${port}` };
    });
  });
  return [...looked, { body: { ok: true } }];
}

function write(body: Body, path: string, value: Json): void {
  const steps = parsePath(path);
  if (steps !== undefined) setPath(body, steps, value);
}

type By = (port: string, ...inputs: readonly ScriptInput[]) => readonly CanvasInputOf[];

/** The options of a question, or answers of its kind, and what is no answer to it. */
function listAnswers({ message, input, attempts }: JsonObject, by: By): readonly CanvasInputOf[] {
  if (isJsonObject(input)) {
    const wrong = by('invalid', ...wrongAnswers(input)).map((one) => ({ ...one, times: literal(attempts, 'number') ?? defaultAttempts }));
    return [...by('answered', ...answersOf(input, message).map(asMessage)), ...wrong];
  }
  if (isJsonObject(message) && message['type'] === 'flow') {
    const wrong = by('invalid', says('something else')).map((one) => ({ ...one, times: literal(attempts, 'number') ?? defaultAttempts }));
    return [...by('answered', asMessage({ type: 'flow', text: '', response: { answer: 'yes' } })), ...wrong];
  }
  return [
    ...listOptions(message).flatMap(({ title, payload, port }) =>
      by(port, { kind: 'says', message: { type: 'button', payload, text: title } }, says(title)),
    ),
    ...by('other', says('something else')),
  ];
}

/** How often a question is asked that does not say it. */
const defaultAttempts = 3;

const asMessage = (answer: string | JsonObject): ScriptInput =>
  typeof answer === 'string' ? says(answer) : { kind: 'says', message: answer };

interface Option {
  readonly title: string;
  readonly payload: string;
  readonly port: string;
}

/** The quick replies and buttons that are written out in a message. */
function listOptions(message: Json | undefined): readonly Option[] {
  if (!isJsonObject(message)) return [];
  const { quick_replies: replies, buttons } = message;
  const options = isJsonObject(buttons) ? buttons['options'] : undefined;
  const read = (list: Json | undefined, isPort: 'title' | 'payload'): readonly Option[] =>
    Array.isArray(list)
      ? (list as readonly Json[]).flatMap((one) => {
          if (!isJsonObject(one) || typeof one['title'] !== 'string') return [];
          const { title, payload = title } = one as { readonly title: string; readonly payload?: Json };
          const chosen = typeof payload === 'string' ? payload : title;
          return [{ title, payload: chosen, port: isPort === 'title' ? title : chosen }];
        })
      : [];
  return [...read(replies, 'title'), ...read(options, 'payload')];
}

const literal = <Kind extends 'number' | 'string'>(
  value: Json | undefined,
  kind: Kind,
): (Kind extends 'number' ? number : string) | undefined => (typeof value === kind ? (value as never) : undefined);

/** Answers of the kind that a question asks for, at its bounds first. */
function answersOf(input: JsonObject, message: Json | undefined): readonly (string | JsonObject)[] {
  const { kind, min, max, integer, minLength, maxLength } = input;
  switch (kind) {
    case 'form':
      return [formMessage(sampleForm(input) ?? {})];
    case 'number': {
      const [least = 0, most = 100] = [literal(min, 'number'), literal(max, 'number')];
      return [least, most, integer === true ? Math.ceil((least + most) / 2) : (least + most) / 2].map(String);
    }
    case 'date':
      return [literal(min, 'string') ?? '2031-04-05', literal(max, 'string') ?? '2031-12-24'];
    case 'time':
      return [literal(min, 'string') ?? '09:30', literal(max, 'string') ?? '17:45'];
    case 'email':
      return ['ana@example.com'];
    case 'phone':
      return ['+52 1 55 1234 5678'];
    case 'option':
      return listOptions(message).map(({ title }) => title);
    case 'media':
      return [{ type: 'image', mediaUrl: 'https://files.example/a.png' }];
    case 'order':
      return [sampleOrder];
    case 'location':
      return [{ type: 'location', coordinates: { lat: -12.05, long: -77.04 } }];
    case 'contact':
      return [{ type: 'contacts', contacts: [{ phones: [{ phone: '+5215512345678' }] }] }];
    default: {
      const least = literal(minLength, 'number') ?? 1;
      return ['Hello'.padEnd(least, '!').slice(0, Math.max(least, literal(maxLength, 'number') ?? 5))];
    }
  }
}

/** An order as WhatsApp sends it. */
const sampleOrder: JsonObject = {
  type: 'order',
  order: { catalog_id: '1', text: '', product_items: [{ product_retailer_id: 'A-17', quantity: 2, item_price: 12.5, currency: 'USD' }] },
};

/** What is no answer to a question of a kind. */
const wrongAnswers = ({ kind }: JsonObject): readonly ScriptInput[] =>
  kind === 'text' ? [{ kind: 'says', message: { type: 'sticker', mediaUrl: 'https://files.example/a.webp' } }] : [says('no such thing')];

function readEvent({ name, correlation }: JsonObject): { readonly name: string; readonly correlation: string } {
  const text = (value: Json | undefined): string => (typeof value === 'string' && !value.includes('{{') ? value : '');
  return { name: text(name), correlation: text(correlation) };
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The longest wait that the data of a node names, or the session; a day, where neither is written out. */
function longestOf(data: JsonObject, sessionMs: number | undefined): number {
  const named = Object.values(data).flatMap((value) => (typeof value === 'string' ? (Duration.safeParse(value).data ?? []) : []));
  return named.length > 0 ? Math.max(...named) : (sessionMs ?? dayMs);
}
