// Plays scripts and transcripts with canvases, as one task that another thread can be given: a conversation that never ends is then
// ended with its thread, and holds up nobody.
import { isHiloError, isJsonObject, type Json, type NodeDefinition, parseJsonText } from '@hilo/engine/contract';
import { cut } from './answer.ts';
import { agentsOf, type Breach, type Conversation, exploreAgent, replayTalk, uncoveredPorts } from '@hilo/simulator';

export { type ComparedLine, compareTranscripts, writeComparedLine } from './compare-transcripts.ts';

/** Scripts to be played, each with canvases of its own beginning. */
export interface SimulationTask {
  /** Each as JSON: the workflow that is played first, then those that it calls. */
  readonly canvases: readonly string[];
  readonly scripts: readonly { readonly name: string; readonly text: string }[];
  /** How many answers of models in a row are tried with the agents of the first canvas; none, when left out. */
  readonly depth?: number;
}

/** What became of one script. */
export type PlayedScript =
  | {
      readonly name: string;
      readonly kind: 'played';
      readonly transcript: string;
      /** Why executions failed and inputs came to nothing, of which a transcript has the codes alone. */
      readonly notes: readonly string[];
      /** The call for whose answer the conversation waits at the end of the script, with a line that would answer it. */
      readonly stoppedAt?: { readonly nodeId: string; readonly call: string; readonly answer: string };
    }
  /** A line that cannot be read or does not fit what happens, or a canvas that publishing would refuse. */
  | { readonly name: string; readonly kind: 'failed'; readonly code: 'INVALID_SCRIPT' | 'INVALID_CANVAS'; readonly message: string };

/** What became of a task. */
export interface SimulationReport {
  readonly scripts: readonly PlayedScript[];
  /** Ports of the first canvas, as `node.port`: those that a script left by, and those that none did. */
  readonly taken: readonly string[];
  readonly never: readonly string[];
  /** Laws that an agent of the first canvas breaks. */
  readonly breaches: readonly (Breach & { readonly agent: string })[];
}

/** The same where the work was stopped from outside. */
export type SimulationOutcome =
  | { readonly kind: 'done'; readonly report: SimulationReport }
  | { readonly kind: 'stopped'; readonly reason: string };

/** Plays every script from its beginning. */
export async function runSimulation(
  nodes: readonly NodeDefinition[],
  { canvases, scripts, depth }: SimulationTask,
): Promise<SimulationReport> {
  const played: PlayedScript[] = [];
  const [main] = canvases;
  const isTool = main !== undefined && kindOf(main) === 'tool';
  const histories: Awaited<ReturnType<Conversation['history']>>[] = [];
  for (const { name, text } of scripts) {
    const notes: string[] = [];
    // Who calls a tool is not there: a message or a webhook is what one tries first.
    const instead = isTool ? '; it is begun by a line such as start: {"name":"value"}, with its inputs' : '';
    const note = (what: string): void => {
      if (notes.length < mostNotes) notes.push(cut(what, 500));
    };
    try {
      const observer = {
        unmatched: (reason: string) => note(`Unmatched: ${reason}${instead}`),
        refused: (reason: string) => note(`Refused: ${reason}${instead}`),
      };
      const talk = await replayTalk(canvases, text, { nodes, observer });
      for (const { executionId, workflowId, state } of await talk.executions()) {
        const { cause, message, nodeId } = state.ending?.failure ?? {};
        if (cause !== undefined) note(`Failed: ${workflowId}${nodeId === undefined ? '' : ` at "${nodeId}"`}, ${cause}: ${message ?? ''}`);
        histories.push(await talk.history(executionId));
      }
      const transcript = talk.transcript();
      const [open] = talk.pending();
      const answer = open === undefined ? undefined : talk.exampleFor(open);
      played.push({
        name,
        kind: 'played',
        transcript: transcript.endsWith('\n') ? transcript : `${transcript}\n`,
        notes,
        ...(open !== undefined && answer !== undefined && { stoppedAt: { nodeId: open.nodeId, call: open.effect, answer } }),
      });
    } catch (error) {
      if (!isHiloError(error, 'INVALID_SCRIPT') && !isHiloError(error, 'INVALID_CANVAS')) throw error;
      played.push({ name, kind: 'failed', code: error.code, message: error.message });
    }
  }
  const coverage = main === undefined ? { taken: [], never: [] } : uncoveredPorts(main, histories, { nodes });
  return { scripts: played, ...coverage, breaches: main === undefined || depth === undefined ? [] : exploreAgents(main, depth) };
}

/** The kind of a canvas; `undefined` where it cannot be read. */
function kindOf(text: string): Json | undefined {
  try {
    const canvas = parseJsonText(text);
    return isJsonObject(canvas) ? canvas['kind'] : undefined;
  } catch {
    return undefined;
  }
}

/** Notes that are told of one conversation. */
const mostNotes = 20;

/** As many steps as a thread takes in some seconds. */
const maxSteps = 300_000;

function exploreAgents(text: string, depth: number): SimulationReport['breaches'] {
  const canvas = parseJsonText(text);
  if (!isJsonObject(canvas)) return [];
  return agentsOf(canvas).flatMap((agent) =>
    exploreAgent(canvas, { agent, depth, maxSteps }).breaches.map((breach) => ({ agent, ...breach })),
  );
}
