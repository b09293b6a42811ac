import type { CanvasDiff, DescribedNode } from '@hilo/engine/authoring';
import type { Channel, Json, JsonObject, Problem } from '@hilo/engine/contract';
import type { CanvasJson, Point } from '../canvas/canvas-json.ts';
import type { Change } from '../canvas/changes.ts';
import type { LayoutInput } from '../canvas/layout.ts';
import type { CanvasUpdate } from './shared-canvases.ts';

/** The engine's findings on a canvas. */
export interface CheckResult {
  readonly problems: readonly Problem[];
  readonly nodes: readonly DescribedNode[];
  /** Types of nodes that the worker has no definition of: only the service can judge a canvas with one. */
  readonly unknownTypes: readonly string[];
}

/** The simulated user and company of a test. */
export interface TestSetting {
  readonly channel: Channel;
  /** What canvases read as `$company.settings`; the company's own are loaded where it is left out. */
  readonly company?: JsonObject;
  /** What else the company is: its plan and time zone decide what a test waits for. */
  readonly facts?: CompanyFacts;
  /** When the conversation begins, in milliseconds since the epoch; kept tests begin when those of the command line do. */
  readonly startAt?: number;
  readonly user: { readonly id: string; readonly names?: string; readonly phone?: string };
}

/** A company beside its settings. */
export interface CompanyFacts {
  readonly name: string;
  readonly plan: string;
  readonly kind: string;
  readonly timeZone?: string;
  readonly locale?: string;
}

/** What happened in a test, in order. `input` counts the author's acts, from 0. */
export type TestLine = { readonly input: number; readonly nodeId?: string } & (
  | { readonly kind: 'user'; readonly text: string }
  | { readonly kind: 'bot'; readonly message: Json }
  | { readonly kind: 'note'; readonly text: string }
  /** A call that the tester does not show as a message; `what` tells which, where its request does. */
  | { readonly kind: 'call'; readonly effect: string; readonly what?: string }
);

/** A pending call, since a simulation makes no real ones. */
export interface OpenCall {
  readonly effect: string;
  readonly nodeId: string;
  readonly request: Json;
  /** A line of a script that would answer it. */
  readonly example: string;
  /** What a model could answer; of other calls there are none. */
  readonly offers?: readonly ModelOffer[];
}

/** An answer of a model that a test offers. */
export interface ModelOffer {
  readonly kind: 'reply' | 'tool' | 'exit' | 'refuse' | 'fail';
  /** What the tool or the exit is called. */
  readonly name?: string;
  /** The line of a script that says so. */
  readonly line: string;
  /** Whether it gives values, which are samples. */
  readonly hasInput?: boolean;
}

/** The current state of a test. */
export interface TestView {
  readonly lines: readonly TestLine[];
  readonly calls: readonly OpenCall[];
  /** In Unix milliseconds of the virtual clock. */
  readonly nowMs: number;
  /** When something happens by itself. */
  readonly nextDueMs: number | undefined;
  readonly status: string | undefined;
  readonly wait: { readonly kind: string; readonly nodeId: string; readonly dueAtMs: number | null } | undefined;
  readonly failure: { readonly nodeId?: string; readonly cause: string; readonly message: string } | undefined;
  /** How often each port was left, by node id and port joined by a NUL. */
  readonly taken: { readonly [port: string]: number };
  readonly variables: JsonObject;
  /** The whole transcript: a script that can be played again. */
  readonly transcript: string;
  /** An input that failed, and why. */
  readonly error?: string;
}

/** A transcript that is kept with a workflow, and how it went with the canvas of now. */
export interface TranscriptResult {
  readonly name: string;
  readonly isPassed: boolean;
  readonly expected: string;
  readonly actual: string;
  /** The ports that it takes, each once, by node id and port joined by a NUL. */
  readonly taken: readonly string[];
}

export interface TranscriptsResult {
  readonly results: readonly TranscriptResult[];
  /** Ports that no transcript takes, as `node.port`. */
  readonly neverTaken: readonly string[];
  readonly tookMs: number;
}

/** What an agent does, whatever its model answers. */
export interface AgentFinding {
  readonly nodeId: string;
  /** The answers and outcomes that were tried. */
  readonly steps: number;
  /** The most that one conversation used. */
  readonly worst: { readonly modelCalls: number; readonly toolCalls: number; readonly messages: number };
  /** Laws that it breaks, each with a script that leads there. */
  readonly breaches: readonly { readonly law: string; readonly script: string }[];
}

/** The functions of the worker. */
export interface WorkerMethods {
  check(canvas: CanvasJson, channels: readonly Channel[]): Promise<CheckResult>;
  layout(input: LayoutInput): Promise<readonly (readonly [string, Point])[]>;
  /** What the second canvas does otherwise than the first. Layout is no change. */
  diff(before: CanvasJson, after: CanvasJson): Promise<CanvasDiff>;
  /** Begins a test, playing a script first. */
  startTest(canvases: readonly CanvasJson[], script: string, setting: TestSetting): Promise<TestView>;
  /** Performs a line of a script. */
  playLine(line: string): Promise<TestView>;
  /** A script in which a port is taken, as `node.port`, or that follows the way of a problem; `undefined` where none was found. */
  findConversation(canvases: readonly CanvasJson[], goal: string | Pick<Problem, 'way'>, setting: TestSetting): Promise<string | undefined>;
  runTranscripts(
    canvases: readonly CanvasJson[],
    transcripts: readonly { readonly name: string; readonly text: string }[],
    setting: TestSetting,
  ): Promise<TranscriptsResult>;
  /** Tries every kind of answer of their models with the agents of a canvas; one that cannot run is left out. */
  exploreAgents(canvas: CanvasJson): Promise<readonly AgentFinding[]>;
}

/** An argument of a call. Canvases are sent as what differs from those before. */
export type Argument = { readonly value: unknown } | { readonly canvas: CanvasUpdate } | { readonly canvases: readonly CanvasUpdate[] };

export type WorkerRequest = { readonly id: number; readonly method: keyof WorkerMethods; readonly args: readonly Argument[] };
/** The answer of a check is what differs from the one before. */
export type WorkerAnswer = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly checked: readonly Change[] }
  | { readonly error: string }
);
