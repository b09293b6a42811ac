// What a node is: its data, look, ports and behaviour, and the outcomes of a visit.
import type { ContactField } from './contact-fields.ts';
import type { z } from 'zod';
import type { Callback } from './callback.ts';
import type { VariableDeclaration } from './canvas.ts';
import type { Channel, Trigger } from './execution.ts';
import type { HoldConfig } from './common-data.ts';
import type { EffectDefinition, EffectRequest } from './effect.ts';
import type { Failure, Problem } from './problem.ts';
import type { Json, JsonObject, ValueKind } from './json.ts';
import { requireSchema } from './refuse-schema.ts';
import { requireNode } from './require-node.ts';
import type { Variables, Write } from './variables.ts';
import type { WebhookRequest } from './webhook.ts';

/** A visit ends by a port. */
export interface Leave<Port extends string = string> {
  /** Always `leave`: the visit is over. */
  readonly kind: 'leave';
  /** The port by which the execution goes on: one of the definition. */
  readonly port: Port;
  /** What it writes to variables, in this order. */
  readonly writes: readonly Write[];
  /** Why, for a port of a failure: it becomes `$error`. None, when left out. */
  readonly failure?: Failure;
  /** What the node keeps for its next visit in this execution; `null` forgets it. */
  readonly memo?: Json;
}

/** While an effect works, the user's messages do not reach the flow (RET rules). */
export interface Hold {
  /** What becomes of a message that comes meanwhile: dropped, or kept for the next wait. */
  readonly onMessage: 'discard' | 'queue';
  /** What answers a message that comes meanwhile. */
  readonly reply?: EffectRequest;
  /** When the user is released though the node continues, counted from the visit. */
  readonly capMs: number;
}

/** How long an effect may take in total, and what its cut is called (P13, TMO-06). */
export interface Deadline {
  /** The longest that the effect may take, in milliseconds. */
  readonly appliedMs: number;
  /** The cause of the failure when the time is over, such as `TIMEOUT`. */
  readonly cause: string;
  /** What else the failure says. Nothing, when left out. */
  readonly details?: JsonObject;
}

/** What is told of an effect beside its request. */
export interface PerformOptions {
  /** What the history keeps in place of the request, where that repeats what earlier lines hold. */
  readonly recorded?: Json;
  /** How long the effect may take; the engine's own limit, when left out. */
  readonly deadline?: Deadline;
  /** How its user is held meanwhile; not at all, when left out. */
  readonly hold?: Hold;
}

/** A visit requests an effect, and decides by its result. */
export interface Perform<Port extends string = string> extends PerformOptions {
  /** Always `perform`: the visit goes on with the result. */
  readonly kind: 'perform';
  /** What is asked for, or waited for. */
  readonly effect: EffectRequest;
  /** Goes on with the result, now and in each replay: keep it pure. */
  readonly next: (result: never) => Outcome<Port>;
}

/** The execution ends here. */
export interface Finish {
  /** Always `finish`: the execution is over. */
  readonly kind: 'finish';
  /** How it ended. */
  readonly outcome: 'done' | 'failed';
  /** What it hands to the workflow that called it. */
  readonly outputs: JsonObject;
  /** Why it failed; left out where it is done. */
  readonly failure?: Failure;
}

/** The visit ends, and the next visit of the same node begins: for a node that works in rounds, such as the turns of a conversation. */
export interface Again {
  /** Always `again`: the node is visited once more. */
  readonly kind: 'again';
  /** What it writes to variables before that, in this order. */
  readonly writes: readonly Write[];
  /** What the next visit begins with. */
  readonly memo: Json;
}

/** How a visit ends: it leaves by a port, asks for an effect, finishes the execution, or visits its node again. */
export type Outcome<Port extends string = string> = Leave<Port> | Perform<Port> | Finish | Again;

/** The port in the history line of a visit that was followed by the next one of its node. No edge leaves by it. */
export const againPort = 'again';

const noWrites: readonly Write[] = Object.freeze([]);

/** Leaves by a port, with writes. */
export const leave = <const Port extends string>(
  port: Port,
  writes: readonly Write[] = noWrites,
  more?: { readonly failure?: Failure; readonly memo?: Json },
): Leave<Port> => (more === undefined ? { kind: 'leave', port, writes } : { kind: 'leave', port, writes, ...more });

/**
 * Ends this visit and begins the next one of the same node, which gets the memo. What a node does over and over is so divided into visits,
 * each with an own hold and effects that are repeated after a crash without those before; each counts as a step (P16).
 *
 * @param memo - a value of at most 64 KB: a larger one is a failure of the node, `VALUE_TOO_LARGE`
 */
export const again = (memo: Json, writes: readonly Write[] = noWrites): Again => ({ kind: 'again', writes, memo });

/** Leaves by `error` with a cause. */
export const fail = (cause: string, message: string, details?: JsonObject): Leave<'error'> => ({
  kind: 'leave',
  port: 'error',
  writes: [],
  failure: { cause, message, ...(details === undefined ? {} : { details }) },
});

/** Asks for an effect, or opens a wait; `next` sees the answer. It may run again after a restart: keep it pure. */
export const perform = <Result, Port extends string>(
  effect: EffectRequest<Result>,
  next: (result: Result) => Outcome<Port>,
  options?: PerformOptions,
): Perform<Port> => (options === undefined ? { kind: 'perform', effect, next } : { kind: 'perform', effect, next, ...options });

/** Ends the execution. */
export const finish = (outcome: 'done' | 'failed', outputs: JsonObject = {}, failure?: Failure): Finish => ({
  kind: 'finish',
  outcome,
  outputs,
  ...(failure === undefined ? {} : { failure }),
});

/** The input of a visit. Everything in it is the same when the visit is replayed. */
export interface RunArguments<Config> {
  /** The node's `data`, as its schema has parsed it. */
  readonly config: Config;
  /** The variables of the execution, as they are when the visit begins. */
  readonly variables: Variables;
  /** What started the execution, when it did so at this very node. */
  readonly trigger: Trigger | undefined;
  /** Whether an edge leaves by this port. */
  readonly isConnected: (port: string) => boolean;
  /** The next number in [0, 1) of this visit, derived from the execution's recorded seed. */
  readonly random: () => number;
  /** The instant of the event that led here, in milliseconds since the Unix epoch. */
  readonly nowMs: number;
  /** What the node kept from an earlier visit, or null. */
  readonly memo: Json;
  /** The channel of the execution's bot; `undefined` without a bot. */
  readonly channel: Channel | undefined;
  /** The node's `hold`, where it is enabled and a user can be held: never inside a tool (RET-05). */
  readonly hold: HoldConfig | undefined;
  /** Whether the first effect of the visit has its result: then its request is recorded, and need not be built again. */
  readonly isAnswered?: boolean;
  /** How many effects of the visit have their result: a node need not judge an earlier result again once a later one is there. */
  readonly resultCount?: number;
}

/** A node ready for any number of visits. */
export interface Visit<Config = unknown, Port extends string = string> {
  /** Runs a visit. */
  run(args: RunArguments<Config>): Outcome<Port>;
}

/** How a node looks on the canvas and in its form. */
export interface Visual<RawConfig> {
  /** The name of the type, in the palette and on the canvas. */
  readonly label: string;
  /** The group of the palette that it stands in. */
  readonly category: 'entry' | 'message' | 'logic' | 'time' | 'data' | 'integration' | 'flow' | 'people';
  /** A lucide icon name. */
  readonly icon: string;
  /** A hex colour. */
  readonly colour: string;
  /** What the node does, in a sentence or two: people and models choose by it. */
  readonly description: string;
  /** One short line for the node on the canvas; sees the config as authored, which may be incomplete. */
  summary?(config: RawConfig): string;
  /** Form widgets by dotted field name. Hints of your own need a host that provides the widget. */
  readonly formHints?: { readonly [field: string]: StandardHint | (string & Record<never, never>) };
  /** What people read beside the fields, by dotted field name. */
  readonly fields?: FieldTexts;
}

/** What people read beside a field: a text alone is its label. */
export type FieldText = string | { readonly label: string; readonly help?: string; readonly example?: string };

/**
 * The texts of fields by language, such as `en` and `es`. The key is a dotted field name, or the end of one: `options.title` is that of
 * every list of options, and the longest key counts. `mode=park` is the text of the value `park` of the field `mode`.
 */
export interface FieldTexts {
  readonly [field: string]: { readonly [language: string]: FieldText };
}

/** What forms have a widget for. */
type StandardHint =
  | 'multiline'
  | 'duration'
  | 'variable'
  | 'expression'
  | 'workflow'
  | 'template'
  | 'credential'
  | 'message'
  | 'answer'
  | 'texts'
  | 'rule'
  | 'week'
  | 'moment';

/** Notes for authors beyond the form, in phrases: for the table of nodes in the documentation. */
export interface NodeFacts {
  /** What must be there before it works. */
  readonly needs?: string;
  /** Its bounds. */
  readonly limits?: string;
  /** Its ports, where they depend on what the author writes. */
  readonly ports?: string;
  /** How long it may keep the user's messages from the flow, where its `hold` is on (RET rules). */
  readonly holds?: string;
}

/** A name in a canvas that must resolve to something outside it. */
export interface Reference {
  /** What is named. */
  readonly kind: 'workflow' | 'template' | 'credential' | 'function' | 'tag' | 'team' | 'operator' | 'segment' | 'group';
  /** Its id, as `data` has it. */
  readonly id: string;
  /** The version that is meant; the latest, when left out. */
  readonly version?: number;
  /** The place of the name inside `data`. */
  readonly at: readonly (string | number)[];
  /** The kinds of a credential that suit, such as `basic`; any, when left out. */
  readonly suits?: readonly string[];
  /** The tool of a function that the node calls, and the place of its name inside `data`. */
  readonly tool?: { readonly name: string; readonly at: readonly (string | number)[] };
  /** What the node gives to the workflow or tool that it names, and wants of it. Who finds it says where it differs. */
  readonly expects?: ExpectedTool;
}

/**
 * What is called as the tool of a model, with these inputs: a workflow of kind `tool` without a wait for time, events or calls, or the
 * tool of a function.
 */
export interface ExpectedTool {
  readonly kind: 'tool';
  /** The place of the inputs inside `data`, where a fix puts those of the workflow. */
  readonly at: readonly (string | number)[];
  readonly inputs: { readonly [name: string]: ExpectedInput };
  /** The model calls it without the agreement of the user, and the author does not say what a wrong call may do: who finds it says so. */
  readonly isUnconfirmed?: boolean;
}

/** What a node may do that cannot be taken back: nothing, a change outside of the execution, or a movement of money. */
export type Risk = 'read' | 'change' | 'money';

/** What a node expects of an input of a workflow that it calls. */
export interface ExpectedInput {
  /** As a workflow declares it. */
  readonly type: VariableDeclaration['type'];
  readonly isAlways: boolean;
  /** What the node has at its place; nothing for an input that the author fills in. */
  readonly field?: Json;
}

/** A problem a node sees in its own config; the engine adds the node and the rest of the pointer. */
export type ConfigProblem = Pick<Problem, 'code' | 'severity' | 'message' | 'hint'> & {
  readonly at: readonly (string | number)[];
  /** A value of the config by which the problem goes, and what an editor says of it. */
  readonly fix?: { readonly label: string; readonly at: readonly (string | number)[]; readonly value: Json };
};

/** The one form in which a text is kept, such as a day as `2026-12-01`. */
export interface WrittenForm {
  /** For a sentence: `a day, kept as 2026-12-01`. Forms that say the same are one. */
  readonly says: string;
  /** The form of another writing of it, `2026-12-01` for `1/12/2026`; `undefined` for what is none. */
  meant(text: string): string | undefined;
}

/** A field that a company declares for its contacts, as a check knows it. */
export type UserField = Pick<ContactField, 'key' | 'type'>;

/** What a node may know of its surroundings when it looks at its own config. */
export interface CheckSurroundings {
  /** Those that the company has connected, when known. */
  readonly channels: readonly Channel[];
  readonly kind: 'skill' | 'tool';
  /** What the company declares for its contacts, when known. */
  readonly userFields?: readonly UserField[] | undefined;
  /** The kind of value that a variable or a text with one `{{expression}}` has: `$input.count`, `{{size($context.items)}}`; `undefined` for what may be of any. Unknown, when left out. */
  typeOf?(path: string): ValueKind | undefined;
  /** The form of the texts that a variable surely has where it has any. Unknown, when left out. */
  formOf?(path: string): WrittenForm | undefined;
  /**
   * Why what a text with one `{{expression}}` gives never equals a constant, or as a part never holds it, such as `lower(…)` a text with
   * capitals; `undefined` where it may. Unknown, when left out.
   */
  explainNever?(expression: string, constant: string | number, how: 'whole' | 'part'): string | undefined;
}

/** A message by which a workflow begins. */
export interface Keyword {
  readonly text: string;
  /** The place inside `data`. */
  readonly at: readonly (string | number)[];
  /** The words of the text, where each message that the keyword matches holds all of them; without it, it is compared with every other. */
  readonly words?: readonly string[];
}

/** A message that begins a workflow by what no person sees: the payload of a button, the reference of a link. */
export interface Identifier {
  readonly text: string;
  /** The place inside `data`. */
  readonly at: readonly (string | number)[];
  readonly message: JsonObject;
}

/** What all starts share that are tried with one message. */
export interface Routing {
  /**
   * Counts what looking at the message costs, in characters looked at (P20).
   *
   * @returns whether the budget of the message allows more
   */
  readonly spend: (work: number) => boolean;
  /** What a function makes of the message, for example its folded text: made at the first call, for all starts. */
  readonly once: <Made>(make: (message: JsonObject) => Made) => Made;
}

/** How an execution can begin at a node. */
export type Entry<Config> =
  | {
      readonly kind: 'message';
      /** How a message begins here: a `payload` (or the reference of a link) is matched before a `keyword`, and that before a `fallback`. One that throws does not match. */
      match(config: Config, message: JsonObject, routing?: Routing): 'payload' | 'keyword' | 'fallback' | undefined;
      /** Messages that begin here by keyword, to be compared with those of other workflows; unknown, when left out. */
      keywords?(config: Config): readonly Keyword[];
      /** Messages that begin here by payload or reference, to be compared with those of other workflows; none, when left out. */
      identifiers?(config: Config): readonly Identifier[];
      /** The data of such a node that begins with any message: what an editor offers where a canvas has no entry; nothing, when left out. */
      readonly sample?: JsonObject;
      /** The fields that a message may have in `$message`: the check warns of others. Any, when left out. */
      readonly fields?: readonly string[];
      /** Whether a message of any kind begins here, so that fields which not every message has may be missing; no, when left out. */
      takesAny?(config: Config): boolean;
      /** Whether a keyword begins here though another execution waits for the user's reply, which it ends; no, when left out. */
      interrupts?(config: Config): boolean;
    }
  | {
      readonly kind: 'webhook';
      admit(config: Config, request: WebhookRequest): WebhookAdmission;
      /** The variable under `$webhook` that a child hands back to the execution that called it (WEB-17); none, when left out. */
      handsBack?(config: Config): string | undefined;
    }
  | { readonly kind: 'catch' };

/** What a webhook node makes of a request before anything is looked up (WEB rules). */
export interface WebhookAdmission {
  /** Present: the request resumes (WEB-10). */
  readonly executionId: string | undefined;
  /**
   * The user a new execution is for; `undefined` when the request names none (WEB-12).
   *
   * @throws {HiloError} `INVALID_USER_ID`
   */
  readonly userId: (channel: Channel, format: 'strict' | 'open') => string | undefined;
  readonly oneTimeOnly: boolean;
  readonly respond: 'onAccept' | 'onFinish';
  /** The writes once the execution is known. */
  readonly writes: (execution: { readonly executionId: string; readonly mode: 'new' | 'resume' }) => readonly Write[];
}

/** An effect by its name. */
export type NamedEffect = Pick<EffectDefinition, 'type'>;

/** A node definition, complete. */
export interface NodeDefinition<Config = unknown, RawConfig = unknown, Port extends string = string, Type extends string = string> {
  /** The name of the type in canvases, such as `ask`. */
  readonly type: Type;
  /** The schema of `data`: what it gives is the config of a visit. */
  readonly config: z.ZodType<Config, RawConfig>;
  /** Counts the forms that the config has had: 1, when left out. A node in a canvas names the one that its `data` is written for. */
  readonly version?: number;
  /**
   * Brings the config of an earlier version forward to this one: without it, data of earlier versions is refused. Pure. The fields that
   * every node has, such as `label`, are not in `data`, and stay.
   *
   * @param fromVersion - the version that it was written for, below `version`
   */
  upgrade?(data: JsonObject, fromVersion: number): JsonObject;
  /** How it looks on the canvas and in its form. */
  readonly visual: Visual<RawConfig>;
  /** What its page in the documentation says of it beside its fields. */
  readonly facts: NodeFacts;
  /** Ports that must have an edge. */
  ports(config: Config): readonly string[];
  /** Ports that may stay without one. */
  optionalPorts(config: Config): readonly string[];
  /** Runs a visit from its beginning to the next effect, wait or port. Pure: it runs again for each result. */
  run(args: RunArguments<Config>): Outcome<Port>;
  /** Makes the visits of a node with this config, once, when its canvas is compiled. */
  compile(config: Config): Visit<Config, Port>;
  /**
   * The effects that it may request, except waits: publishing refuses a canvas with the node when one of them has no driver. Where they
   * are `undefined`, publishing knows only the first effect of the node, provided that is visible before anything runs.
   */
  readonly effects: readonly NamedEffect[] | undefined;
  /** How it begins an execution; `undefined` for a node that begins none. */
  readonly entry: Entry<Config> | undefined;
  /**
   * Fields with names and other short texts that people read, by their paths: `options.title` is in each item of `options`, `fields.*.label`
   * in each value of `fields`. Signs that nobody sees are refused in them. None, when left out.
   */
  readonly names: readonly string[];
  /** How a third party resumes it by an address, without a key; not at all, when left out. */
  readonly callback?: Callback<Config> | undefined;
  /** Ports that are left only after input from outside, or after time: a cycle through one is no busy loop. */
  waitsBefore(config: Config): readonly string[];
  /** Ports that are left because the user has written. */
  heardBefore(config: Config): readonly string[];
  /** What it sends to the user: a message, which a channel refuses after 24 hours of silence, or a template; nothing, when left out. */
  sends(config: Config): 'message' | 'template' | undefined;
  /** Fields with the duration of a wait, in milliseconds once parsed, and the ports that are left when it is over. */
  readonly waitFields: { readonly [field: string]: readonly string[] };
  /**
   * Fields that name what the node writes. While another field is invalid, what these name counts as written; `undefined` when any field
   * may name it.
   */
  readonly writingFields: readonly string[] | undefined;
  /** Ports that authors likely forgot when unconnected: those that the config makes the node leave by. */
  advisedPorts(config: Config): readonly string[];
  /** Dotted paths that surely have a value when the node leaves by a port: it has written them, or has found them there. */
  writes(config: Config): { readonly [port: string]: readonly string[] };
  /** The kinds of the values that it writes, by their dotted paths; a path that is left out gets values of any kind. */
  writtenKinds(config: Config): { readonly [path: string]: ValueKind | undefined };
  /** The forms of the texts that it writes, by their dotted paths, where each path has one: a constant of another form never equals them. */
  writtenForms(config: Config): { readonly [path: string]: WrittenForm | undefined };
  /** Dotted paths that the node itself has written, or has found there, before it reads the template at a place of its `data`. */
  writesBefore(config: Config, at: readonly (string | number)[]): readonly string[];
  /**
   * The names that the objects have which it writes, by their dotted paths: the check warns of a read of any other. Where a node writes
   * the same path and says nothing of its names, they may be any.
   */
  shapes(config: Config): { readonly [path: string]: readonly string[] };
  /** What its `data` names outside of the canvas, such as workflows and templates: the check looks whether they exist. */
  references(config: Config): readonly Reference[];
  /** What it may do where nobody meant it to, for a workflow that a model calls as a tool. */
  risk(config: Config): Risk;
  /** Problems beyond the schema. */
  check(config: Config, around: CheckSurroundings): readonly ConfigProblem[];
  /** The kinds of canvas and the channels it works in, and whether its visits may be tried again by the field `retry`; all by default. */
  readonly supports: { readonly kinds: readonly ('skill' | 'tool')[]; readonly channels: readonly Channel[]; readonly retry: boolean };
  /** A remark: checked, but not compiled. */
  readonly isRemark: boolean;
  /** Ports that need an edge once another node leads into this one (a webhook's `resume`). */
  readonly portsWhenEntered: readonly string[];
  /** Ports into a body with a bounded number of iterations: a cycle through one ends. */
  readonly boundedPorts: readonly string[];
  /** Ports that are left once a request came to the canvas's webhook, whose variable is then set (WEB-21). */
  readonly webhookPorts: readonly string[];
}

/** The definition by the author of a node; the rest has defaults. A node defines `run`, or derives it from its config. */
export type NodeInput<Schema extends z.ZodType, Required extends string, Optional extends string, Type extends string = string> = NodeParts<
  Schema,
  Required,
  Optional,
  Type
> &
  (Runs<z.output<Schema>, NoInfer<Required | Optional>> | Compiles<z.output<Schema>, NoInfer<Required | Optional>>);

interface Runs<Config, Port extends string> extends Visit<Config, Port> {
  compile?: undefined;
}

interface Compiles<Config, Port extends string> {
  /** Makes the visits of a node with this config, once, so that what they have in common is worked out before. */
  compile(config: Config): Visit<Config, Port>;
  run?: undefined;
}

interface NodeParts<Schema extends z.ZodType, Required extends string, Optional extends string, Type extends string = string>
  extends Partial<
    Pick<
      NodeDefinition<z.output<Schema>>,
      | 'facts'
      | 'version'
      | 'upgrade'
      | 'effects'
      | 'names'
      | 'entry'
      | 'callback'
      | 'writes'
      | 'writesBefore'
      | 'shapes'
      | 'writtenKinds'
      | 'writtenForms'
      | 'writingFields'
      | 'sends'
      | 'references'
      | 'risk'
      | 'check'
      | 'isRemark'
    >
  > {
  readonly type: Type;
  readonly config: Schema & z.ZodType<z.output<Schema>, z.input<Schema>>;
  readonly visual: Visual<z.input<Schema>>;
  readonly ports: readonly Required[] | ((config: z.output<Schema>) => readonly Required[]);
  readonly optionalPorts?: readonly Optional[] | ((config: z.output<Schema>) => readonly Optional[]);
  waitsBefore?(config: z.output<Schema>): readonly NoInfer<Required | Optional>[];
  advisedPorts?(config: z.output<Schema>): readonly NoInfer<Required | Optional>[];
  heardBefore?(config: z.output<Schema>): readonly NoInfer<Required | Optional>[];
  readonly waitFields?: { readonly [field: string]: readonly NoInfer<Required | Optional>[] };
  readonly supports?: Partial<NodeDefinition['supports']>;
  readonly portsWhenEntered?: readonly NoInfer<Required | Optional>[];
  readonly boundedPorts?: readonly NoInfer<Required | Optional>[];
  readonly webhookPorts?: readonly NoInfer<Required | Optional>[];
}

/**
 * A node as one value: schema, look, ports, behaviour. Leaving by a port that was never declared does not compile.
 *
 * @example
 * // `compile` in place of `run`: what the config decides is worked out once, when the canvas is compiled
 * const size = defineNode({
 *   type: 'size',
 *   config: z.strictObject({ text: Template, longFrom: z.int() }),
 *   visual: { label: 'Size', category: 'logic', icon: 'ruler', colour: '#7c3aed', description: 'Tells long texts from short ones.' },
 *   ports: ['long', 'short'],
 *   compile({ text, longFrom }) {
 *     const [long, short] = [leave('long'), leave('short')];
 *     return { run: ({ variables }) => (text(variables).length >= longFrom ? long : short) };
 *   },
 * });
 *
 * @throws {TypeError} for a part that is missing, unknown or of another kind, a `config` that is no schema of zod 4, such as one of zod 3, a `version` that is no whole number from 1 on, and an
 *   `upgrade` of version 1
 */
export function defineNode<
  Schema extends z.ZodType,
  const Required extends string = never,
  const Optional extends string = never,
  const Type extends string = string,
>(input: NodeInput<Schema, Required, Optional, Type>): NodeDefinition<z.output<Schema>, z.input<Schema>, Required | Optional, Type> {
  requireNode(input);
  const { ports, optionalPorts = [], supports } = input;
  requireSchema(`The "config" of the node "${input.type}"`, input.config);
  requireVersion(input);
  type Visits = Visit<z.output<Schema>, Required | Optional>;
  const behaviour =
    input.compile === undefined
      ? {
          run: (args: RunArguments<z.output<Schema>>) => input.run(args),
          /** The definition itself; for a copy with another `run`, that copy. */
          compile(this: Visits): Visits {
            return this;
          },
        }
      : { run: (args: RunArguments<z.output<Schema>>) => input.compile(args.config).run(args), compile: input.compile };
  return {
    facts: {},
    effects: undefined,
    names: [],
    entry: undefined,
    isRemark: false,
    portsWhenEntered: [],
    boundedPorts: [],
    webhookPorts: [],
    waitsBefore: () => [],
    advisedPorts: () => [],
    heardBefore: () => [],
    sends: () => undefined,
    waitFields: {},
    writingFields: input.writes === undefined ? [] : undefined,
    writes: () => ({}),
    writesBefore: () => [],
    shapes: () => ({}),
    writtenKinds: () => ({}),
    writtenForms: () => ({}),
    references: () => [],
    risk: () => 'read',
    check: () => [],
    ...input,
    ...behaviour,
    supports: { kinds: supports?.kinds ?? ['skill', 'tool'], channels: supports?.channels ?? [], retry: supports?.retry ?? true },
    ports: typeof ports === 'function' ? ports : () => ports,
    optionalPorts: typeof optionalPorts === 'function' ? optionalPorts : () => optionalPorts,
  };
}

function requireVersion({ type, version = 1, upgrade }: Pick<NodeDefinition, 'type' | 'version' | 'upgrade'>): void {
  if (!Number.isSafeInteger(version) || version < 1)
    throw new TypeError(`The "version" of the node "${type}" is ${String(version)}: it counts the forms of its config, from 1 on`);
  if (upgrade !== undefined && version === 1)
    throw new TypeError(`The node "${type}" has an "upgrade" and no "version": give it version 2, so that data of version 1 is upgraded`);
}
