// A message in the data of a node.
import {
  type Channel,
  compileTemplate,
  compileJson,
  type ConfigProblem,
  expressionIssue,
  getPath,
  findFaults,
  isJsonObject,
  isTemplate,
  Json,
  JsonObject,
  type IsAddress,
  type JsonTemplate,
  channels as knownChannels,
  type Path,
  type TextTemplate,
  type Variables,
} from '@hilo/engine/contract';
import { z } from 'zod';
import { authoredSchema, expressionSchema } from './json-schema.ts';
import { authoredMessageProblems, type MessageProblem, messageProblems, takesText } from './messages/channel-rules.ts';
import { channelFacts, messageTypes } from './messages/channel.ts';
import { Message, StrictMessage } from './messages/message.ts';

/** A message of a canvas, checked and compiled once to a function of the variables. */
export interface MessageTemplate {
  /** Renders the message; or the problems for which it cannot be sent: by its own rules, else by the channel's. */
  (variables: Variables, channel: Channel | undefined): RenderedMessage;
  /** The value in the canvas; `undefined` when an expression replaces more than a text, a number or a flag. */
  readonly authored: StrictMessage | undefined;
  readonly reads: JsonTemplate['reads'];
  readonly patterns: JsonTemplate['patterns'];
  readonly raws?: JsonTemplate['raws'];
  readonly callbacks?: JsonTemplate['callbacks'];
}

/** A message with its values, or its problems. */
export type RenderedMessage =
  | { readonly kind: 'message'; readonly message: Message }
  | { readonly kind: 'invalid'; readonly problems: readonly MessageProblem[] };

/** What users choose from and press in a message, in the field `message` of a node, and the name of a file. */
export const messageNames: readonly string[] = [
  'buttons.options.title',
  'buttons.buttonText.text',
  'quick_replies.title',
  'filename',
  'parameters.display_text',
  'parameters.flow_cta',
  'parameters.cards.action.parameters.display_text',
].map((path) => `message.${path}`);

/** What {@link messageVariants} returns: zod reads a schema's metadata several times for each JSON Schema. */
let variants: readonly Json[] | undefined;

/**
 * The `message` of a node's config: a body of `POST …/messages` without `userId`. An expression may replace any part of it. Constant parts
 * are checked here; computed ones as soon as they are known.
 */
export const MessageTemplate = z
  .unknown()
  .meta({
    description: 'A message, as POST …/messages takes it without userId',
    get oneOf() {
      return (variants ??= messageVariants()); // built on demand for a JSON Schema: executing canvases does not need it
    },
  })
  .transform((input, context): MessageTemplate => {
    const { data: authored, error } = StrictMessage.safeParse(input);
    const { data: source = null } = Json.safeParse(input); // anything but JSON is an issue of StrictMessage
    const ofConstants = error?.issues.filter(({ path }) => !isTemplated(getPath(source, normalizePath(path)))) ?? [];
    if (ofConstants.length === 0) return compileTemplate(source, (message) => compileMessage(message, authored), context);
    context.issues.push(...ofConstants.flatMap(convertIssue), ...listExpressionIssues(source));
    return z.NEVER;
  });

/**
 * Converts an issue of the message to issues of the config. None keeps the code of an unknown field: after such issues alone zod goes on to
 * the transforms around the message, which would then see no message.
 */
function convertIssue({ path, message, ...issue }: z.core.$ZodIssue): readonly z.core.$ZodRawIssue[] {
  const custom = { code: 'custom', message, input: undefined } as const;
  if (issue.code !== 'unrecognized_keys') return [{ ...custom, path: [...path] }];
  const lines = message.split('\n'); // one for each
  return issue.keys.map((key, index) => ({
    ...custom,
    path: [...path, key],
    params: { code: 'UNKNOWN_FIELD' },
    message: lines[index] ?? message,
  }));
}

function compileMessage(source: Json, authored: StrictMessage | undefined): MessageTemplate {
  const fixed = findTemplatedTexts(source).length === 0 ? checkMessage(source, undefined) : undefined;
  if (fixed === undefined && authored?.type === 'text' && authored.buttons === undefined && typeof authored.previewUrl === 'boolean')
    return textMessage(authored, authored.text, authored.previewUrl);
  const values = compileJson(source, isAddress);
  const render = (variables: Variables, channel: Channel | undefined): RenderedMessage =>
    fixed?.kind === 'message' ? checkForChannel(fixed.message, channel) : checkMessage(values(variables), channel);
  return Object.assign(render, { authored, ...findingsOf(values) });
}

/** Fields of a message that hold an address: of a file, or of what a button opens. */
const addressFields: ReadonlySet<unknown> = new Set(['mediaUrl', 'url', 'link']);
const isAddress: IsAddress = (at) => addressFields.has(at.at(-1)) && !at.includes('data');

/** What a check looks at in a template. */
const findingsOf = ({ reads, patterns, raws, callbacks }: JsonTemplate) => ({
  reads,
  patterns,
  ...(raws !== undefined && { raws }),
  ...(callbacks !== undefined && { callbacks }),
});

/** A text message needs no schema once its text is known: its other parts were checked with the canvas. */
function textMessage(authored: StrictMessage, source: string, previewUrl: boolean): MessageTemplate {
  const textOf = compileJson(source);
  const render = (variables: Variables, channel: Channel | undefined): RenderedMessage => {
    const text = textOf(variables);
    const isValid = typeof text === 'string' && text.trim() !== '' && (channel === undefined || takesText(text, channel));
    return isValid
      ? { kind: 'message', message: { type: 'text', text, previewUrl } }
      : checkMessage({ type: 'text', text, previewUrl }, channel);
  };
  const inText = <Found extends object>(found: readonly Found[]) => found.map((one) => ({ ...one, at: ['text'] }));
  const { reads, patterns, callbacks } = textOf;
  return Object.assign(render, {
    authored,
    reads: inText(reads),
    patterns: inText(patterns),
    ...(callbacks !== undefined && { callbacks: inText(callbacks) }),
  });
}

/**
 * Checks a message whose values are all known. Braces in them are text: values are never evaluated again. An expression that is a whole
 * field keeps its type; where a text is needed, a number or a flag is converted as within a longer text.
 */
export function checkMessage(message: Json, channel: Channel | undefined): RenderedMessage {
  const { data, error } = Message.safeParse(message);
  if (data !== undefined) return checkForChannel(data, channel);
  const places = error.issues.filter(isTextExpected).map(({ path }) => normalizePath(path));
  const convertible = places.filter((path) => isConvertible(getPath(message, path)));
  if (convertible.length > 0) return checkMessage(convertible.reduce(convertToText, message), channel);
  return { kind: 'invalid', problems: error.issues.map(({ path, message }) => ({ path: normalizePath(path), message })) };
}

const isTextExpected = (issue: z.core.$ZodIssue): boolean => issue.code === 'invalid_type' && issue.expected === 'string';

const isConvertible = (value: Json | undefined): boolean => typeof value === 'number' || typeof value === 'boolean';

/** Converts the value at a place inside a value to text. */
function convertToText(value: Json, [step, ...rest]: Path): Json {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value)) return value.map((item: Json, index) => (index === step ? convertToText(item, rest) : item));
  return Object.fromEntries(Object.entries<Json>(value).map(([key, item]) => [key, key === step ? convertToText(item, rest) : item]));
}

function checkForChannel(message: Message, channel: Channel | undefined): RenderedMessage {
  const problems = channel === undefined ? [] : messageProblems(message, channel);
  return problems.length === 0 ? { kind: 'message', message } : { kind: 'invalid', problems };
}

/**
 * Problems of a message in a canvas, beyond its schema: what the channels of the canvas would refuse (LIM-04, LIM-05, MSG-12), or every
 * channel when none is connected, and a form without a name (MSG-40).
 */
export function messageChecks({ authored, reads }: MessageTemplate, channels: readonly Channel[]): readonly ConfigProblem[] {
  if (reads.some(({ at = [] }) => at.length === 1 && at[0] === 'type')) return [computedType];
  if (authored === undefined) return [];
  const isUnnamedForm =
    authored.type === 'flow' && authored.parameters.flow_id === undefined && authored.parameters.flow_name === undefined;
  return [
    ...checkChannels(authored, channels).map((problem) => ({ ...problem, at: ['message', ...problem.at] })),
    ...(isUnnamedForm ? [{ ...flowWithoutName, at: ['message', 'parameters'] }] : []),
  ];
}

/** Problems of a text that a node sends as a message, on the channels of the canvas. */
export function textChecks({ source }: Pick<TextTemplate, 'source'>, at: Path, channels: readonly Channel[]): readonly ConfigProblem[] {
  return checkChannels({ type: 'text', text: source, previewUrl: true }, channels).map((problem) => ({ ...problem, at }));
}

/**
 * A violation of a channel's rule is an error; what only its provider would refuse is an error when no channel of the canvas accepts the
 * message, and otherwise a warning. Without channels, only what all would refuse is reported, in the words of the most lenient.
 */
function checkChannels(message: StrictMessage, channels: readonly Channel[]): readonly ConfigProblem[] {
  const known = channels.length > 0 ? channels : channelsByTextLimit;
  const found = known.map((channel) => authoredMessageProblems(message, channel));
  const isAccepted = found.some(({ ofRules, ofProvider }) => ofRules.length + ofProvider.length === 0);
  if (channels.length === 0 && isAccepted) return [];
  const reported = channels.length > 0 ? found : found.slice(0, 1);
  return reported.flatMap(({ ofRules, ofProvider }) => [
    ...ofRules.map((problem) => channelLimit(problem, 'error')),
    ...ofProvider.map((problem) => channelLimit(problem, isAccepted ? 'warning' : 'error')),
  ]);
}

/** The channels, those with the longest texts first. */
const channelsByTextLimit = knownChannels.toSorted((left, right) => channelFacts[right].textLimit.max - channelFacts[left].textLimit.max);

const channelLimit = ({ path: at, message }: MessageProblem, severity: ConfigProblem['severity']): ConfigProblem => ({
  code: severity === 'error' ? 'CHANNEL_LIMIT' : 'LIMIT_OF_SOME_CHANNEL',
  severity,
  message,
  hint: 'Shorten or change the message so that the channel accepts it, or list the channels of the canvas in its settings.',
  at,
});

const computedType = {
  code: 'INVALID_CONFIG',
  severity: 'error',
  message: `The type of a message is a constant, for it decides which fields there are: write one of ${messageTypes.join(', ')}`,
  hint: 'Correct the field at the given location.',
  at: ['message', 'type'],
} as const;

const flowWithoutName = {
  code: 'FLOW_WITHOUT_NAME',
  severity: 'warning',
  message: 'The form has neither "flow_id" nor "flow_name", so the channel cannot tell which one to open',
  hint: 'Set flow_id or flow_name.',
} as const;

/** A summary of a message that may be incomplete, in one line. */
export function messageSummary(message: unknown): string {
  const { text, mediaUrl, type } = PartialMessage.safeParse(message).data ?? {};
  return text ?? mediaUrl ?? type ?? '';
}

const PartialMessage = z.object({ type: z.string(), text: z.string(), mediaUrl: z.string() }).partial();

/** Finds every text with an expression in it, with its place. */
function findTemplatedTexts(value: Json, path: Path = []): readonly { readonly path: Path; readonly text: string }[] {
  if (typeof value === 'string') return isTemplate(value) ? [{ path, text: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: Json, index) => findTemplatedTexts(item, [...path, index]));
  return Object.entries(value).flatMap(([key, item]) => findTemplatedTexts(item, [...path, key]));
}

const isTemplated = (value: Json | undefined): boolean => typeof value === 'string' && isTemplate(value);

/** Lists every expression that cannot be compiled, each at its own place. */
const listExpressionIssues = (source: Json): readonly z.core.$ZodRawIssue[] =>
  findFaults(source).map((fault) => expressionIssue(source, fault));

const normalizePath = (path: readonly PropertyKey[]): Path => path.map((step) => (typeof step === 'number' ? step : String(step)));

const Expression: JsonObject = expressionSchema;

/**
 * The types of a message in a canvas as JSON Schemas, for editors and forms: those of {@link StrictMessage}, in which an expression may
 * also replace a list, an object or a choice. Only the message's type is always constant: it chooses the form.
 */
function messageVariants(): readonly Json[] {
  const { oneOf } = JsonObject.parse(authoredSchema(StrictMessage));
  const variants = Array.isArray(oneOf) ? oneOf.map((variant: Json) => allowExpressions(variant, ['type'])) : [];
  return [...variants, Expression];
}

/** Lets the inner schemas of a schema accept expressions, except for the named fields. */
function allowExpressions(schema: Json, except: readonly string[] = []): Json {
  if (!isJsonObject(schema)) return schema;
  const { properties, items } = schema;
  const allowInside = ([field, inner]: [string, Json]) => [field, except.includes(field) ? inner : allowExpression(inner)] as const;
  return {
    ...schema,
    ...(isJsonObject(properties) ? { properties: Object.fromEntries(Object.entries(properties).map(allowInside)) } : {}),
    ...(items === undefined ? {} : { items: allowExpression(items) }),
  };
}

/**
 * Lets a schema accept an expression: by `anyOf`, unless it is a text, which accepts one anyway, or a constant. The description stays at the
 * field, where editors and forms look for it.
 */
function allowExpression(schema: Json): Json {
  if (!isJsonObject(schema) || 'const' in schema || 'anyOf' in schema) return schema;
  if (schema['type'] === 'string' && !('enum' in schema)) return schema;
  const { description, ...form } = schema;
  return { ...(description !== undefined && { description }), anyOf: [allowExpressions(form), Expression] };
}
