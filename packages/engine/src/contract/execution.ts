import { z } from 'zod';
import type { Json, JsonObject } from './json.ts';
import type { Failure } from './problem.ts';
import type { WaitKind } from './wait.ts';
import type { Write } from './variables.ts';

/** The channels of the specification, by their names in addresses (WEB-03). */
export const channels = ['whatsapp', 'web', 'instagram', 'facebook', 'slack', 'teams', 'twitter', 'custom'] as const;
/** The schema of a channel, by its name in addresses. */
export const Channel = z.enum(channels);
export type Channel = z.output<typeof Channel>;

/** Every status that an execution may have; `running` and `waiting` are open, the others ended but `quarantined`, which is held. */
export const executionStatuses = ['running', 'waiting', 'completed', 'failed', 'cancelled', 'expired', 'quarantined'] as const;
/** One of {@link executionStatuses}. */
export type ExecutionStatus = (typeof executionStatuses)[number];

/** The company, bot and user of an execution. Never changes. */
export interface Origin {
  /** The company that it belongs to. */
  readonly companyId: string;
  /** The bot that it speaks as; none for a tool that no conversation has called. */
  readonly botId?: string;
  /** The user that it is for, by the id that the bot knows them by; none where nobody is. */
  readonly userId?: string;
  /** The bot's channel. */
  readonly channel?: Channel;
  /** Whether it serves people, or somebody tries it out. */
  readonly route: 'production' | 'test';
}

/** A user as one bot knows them. */
export interface Contact {
  /** The bot that knows this user. */
  readonly botId: string;
  /** The id by which it does: of several spellings the first one. */
  readonly userId: string;
  /** What the user calls themselves, or null. */
  readonly names: string | null;
  /** Digits only, or null (VAR-04). */
  readonly phone: string | null;
  /** The business-scoped id that WhatsApp has for the user, or null. */
  readonly bsuid: string | null;
  /** The user's own IANA time zone; null where none was set: then the company's applies. */
  readonly timeZone: string | null;
  /** How numbers and dates are written for this user, such as `es-PE`; null where the company's locale serves. */
  readonly locale: string | null;
  /** The 24-hour window is open while now is before this; null when it never was (WIN-01). */
  readonly windowUntilMs: number | null;
  /** What `$user.memory` holds, by name, and until when; null for ever. */
  readonly memory: { readonly [name: string]: { readonly value: Json; readonly expiresAtMs: number | null } };
  /** The fields that the company declares, as far as this person has them: the same for every bot. */
  readonly fields?: JsonObject;
  /** What the person has said to marketing messages; absent while nothing was said. */
  readonly marketing?: Consent['marketing'];
}

/** What a person has said to marketing messages, and how it is known. */
export interface Consent {
  /** What they have said. */
  readonly marketing: 'granted' | 'revoked';
  /** When, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  /** By which way: a word such as STOP, a node, the service's interface, or an import. */
  readonly source: 'keyword' | 'node' | 'api' | 'import';
  /** What proves it, such as the id of the message. */
  readonly evidence?: string;
}

/** What set an execution going. */
export type Trigger =
  | { readonly kind: 'webhook'; readonly writes: readonly Write[] }
  /** @property campaign - the campaign that the message answers: `$campaign` */
  | { readonly kind: 'message'; readonly message: JsonObject; readonly campaign?: { readonly id: string } }
  /** @property from - the execution that some of the inputs are of, where it did not call this one */
  | { readonly kind: 'call'; readonly inputs: JsonObject; readonly webhook: JsonObject; readonly from?: string };

/** The open wait of an execution. An answer names it by `id`, so that it can never satisfy another (P7). */
export interface OpenWait {
  /** Its own name: an answer to another wait does not end it. */
  readonly id: string;
  /** What it waits for. */
  readonly kind: WaitKind;
  /** The node that waits. */
  readonly nodeId: string;
  /** When it began to, in milliseconds since the Unix epoch. */
  readonly openedAtMs: number;
  /** When it is over without an answer; null for never. */
  readonly dueAtMs: number | null;
  /** What happens at the due time: the wait is over, or the whole session is. */
  readonly onDue: 'timeout' | 'expire';
  /** Whether a user's message answers it. */
  readonly takesReply: boolean;
  /** `event`, `handoff`, `payment`: what an answer must name. */
  readonly correlation?: { readonly name: string; readonly value: string };
  /** `child`: the execution that must end. */
  readonly childId?: string;
}

/** The node that opened a wait, by the wait's id: an older name of it, where a migration has renamed it since. */
export const nodeOfWait = (waitId: string): string => waitId.slice(0, waitId.lastIndexOf('#'));

/** A user whose messages are held back from the flow (RET rules). */
export interface HeldUser {
  /** The cap: then the user is released even if the node is still working. */
  readonly untilMs: number;
  readonly onMessage: 'discard' | 'queue';
  /** What answers a message that comes meanwhile. */
  readonly reply?: { readonly type: string; readonly request: Json };
}

/** An effect that was requested and has no recorded result yet. */
export interface PendingEffect {
  readonly key: string;
  readonly nodeId: string;
  readonly attempt: number;
  readonly type: string;
  readonly request: Json;
  readonly limitMs: number;
  readonly limitCause: Failure;
  readonly hold?: HeldUser;
}

/** An effect with the context for its driver. */
export interface EffectCall extends Pick<PendingEffect, 'key' | 'type' | 'request' | 'nodeId' | 'attempt' | 'limitMs' | 'limitCause'> {
  readonly executionId: string;
  readonly parentId?: string | undefined;
  readonly origin: Origin;
}

/** An effect's recorded result. `unknown` means that it may have happened (P5). */
export type Settled =
  | { readonly kind: 'result'; readonly value: Json }
  | {
      readonly kind: 'failure';
      readonly failure: Failure;
      readonly outcome: 'failed' | 'unknown';
      /** Where the visit leaves; `error`, when left out. */
      readonly port?: 'windowClosed';
    };

/** The visit an execution is in the middle of. */
export interface OpenVisit {
  readonly nodeId: string;
  readonly number: number;
  readonly attempt: number;
  readonly atMs: number;
  readonly trigger?: Trigger;
  readonly results: readonly Settled[];
  /** Held since the visit's first effect, retries and their pauses included. */
  readonly hold?: HeldUser;
  /** Its effects up to the one with this number keep the keys that they had in an execution which this one continues. */
  readonly keyed?: { readonly executionId: string; readonly through: number };
  /** Writes that results carry; applied when the visit ends. */
  readonly contextUpdates: readonly Write[];
}

/** How an execution ended. */
export interface Ending {
  /** What it hands to the workflow that called it. */
  readonly outputs: JsonObject;
  /** Why it failed or was cancelled, and at which node; left out where it is done. */
  readonly failure?: Failure & { readonly nodeId?: string };
  /** The execution that continues it, the newest of several. */
  readonly continuedAs?: string;
}

/** What an execution has from its beginning. */
interface ExecutionIdentity {
  /** The current canvas, by content hash; changes only by a jump. */
  readonly canvasHash: string;
  readonly executionId: string;
  /** The execution at the top of the family: `$context.executionId` for all of it (VAR-07). */
  readonly rootId: string;
  readonly origin: Origin;
  /** Executions above this one. */
  readonly depth: number;
  /** Hex; everything random in this execution derives from it. */
  readonly seed: string;
  readonly startedAtMs: number;
}

/** A request to the webhook `via`. `once`: only the first of an execution counts (WEB-15). */
export interface RequestToNode {
  readonly via: string;
  readonly once: boolean;
  readonly writes: readonly Write[];
  /** The visit of `via` that it is for, where it came by the address of a callback. */
  readonly visit?: number;
}

/** The whole state of an execution: JSON, and enough to continue in another process. */
export interface ExecutionState extends ExecutionIdentity {
  readonly status: ExecutionStatus;
  readonly visit?: OpenVisit | undefined;
  readonly pending?: PendingEffect | undefined;
  readonly wait?: OpenWait | undefined;
  /** Visits made, by node. */
  readonly visits: { readonly [nodeId: string]: number };
  readonly visitsInAll: number;
  readonly visitsSinceWait: number;
  /** The size of its history: the length of its JSON in UTF-16 units, without escapes (P16). */
  readonly historySize: number;
  readonly memos: { readonly [nodeId: string]: Json };
  /** The ids of the messages that it has sent since the user last answered: a reply that names one of them answers its wait. */
  readonly said?: readonly string[] | undefined;
  /** The names of messages that answers named, each with the visit that it answered: a second answer to it is to no other visit. */
  readonly answered?: readonly { readonly name: string; readonly visit: string }[] | undefined;
  /** Webhook nodes whose first resume was honoured under `oneTimeOnly` (WEB-15). */
  readonly resumedOnce: readonly string[];
  /** Requests that came while it was at work, oldest first: each answers the next wait that it fits. None, when left out. */
  readonly keptRequests?: readonly RequestToNode[] | undefined;
  /** Whether `catch` has run: it runs once. */
  readonly isCaught: boolean;
  readonly variables: JsonObject;
  /** The size of the variables without those of requests, measured likewise. */
  readonly variablesSize: number;
  readonly ending?: Ending | undefined;
  /** The execution that it continues, or is a copy of. */
  readonly forkedFrom?: string | undefined;
}

/** Whether an execution keeps its lane: an effect has no recorded answer, or its node holds the user through a pause. */
export const keepsLane = ({ status, pending, wait, visit }: ExecutionState): boolean =>
  (status === 'running' && pending !== undefined) || (status === 'waiting' && wait?.kind === 'retry' && visit?.hold !== undefined);

/** What an execution begins with. */
export interface ExecutionInput extends ExecutionIdentity {
  /** The scopes from outside: `$user`, `$memory`, `$bot`, `$company`, and `$webhook` of a caller. */
  readonly variables: JsonObject;
  /** Declared variables with their defaults: the beginning of `$context`. */
  readonly defaults: JsonObject;
}

/** One line of history: a visit that ended, an effect requested or settled, an end. */
export interface HistoryEntry {
  /** When, in milliseconds since the Unix epoch. */
  readonly at: number;
  /** The node that it is about. */
  readonly nodeId: string;
  /** Which visit of the node, from 1. */
  readonly visitNumber: number;
  /** What happened, such as `node.entered`. */
  readonly type: string;
  /** The port by which the node was left. */
  readonly port?: string;
  /** The effect that was asked for or answered; its request and result are as they were recorded. */
  readonly effect?: {
    readonly type: string;
    readonly key: string;
    readonly request?: Json;
    readonly result?: Json;
    readonly outcome?: string;
  };
  /** The wait that began. */
  readonly wait?: { readonly kind: WaitKind; readonly dueAtMs: number | null };
  /** The cause of a failure, such as `TIMEOUT`. */
  readonly cause?: string;
  /** The cause in words. */
  readonly message?: string;
  /** The engine's own limit of the effect, in milliseconds. */
  readonly limitMs?: number;
  /** The limit that the canvas asked for; null for none. */
  readonly configuredMs?: number | null;
  /** The limit that counted. */
  readonly appliedMs?: number;
  /** What was written to variables. */
  readonly writes?: readonly Write[];
}
