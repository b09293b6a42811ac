// Tools for conversations: play a script, keep its transcript as a test, play all tests of a workflow, and find what none has tried.
import { parseCanvas } from '@hilo/engine';
import { listReferences } from '@hilo/engine/authoring';
import { isWorkflowId, type NodeDefinition } from '@hilo/engine/contract';
import { z } from 'zod';
import { many } from '../answer.ts';
import { sayNext, ToolRefused } from '../backend.ts';
import type { SimulationReport } from '../simulation.ts';
import { compareTranscripts, writeComparedLine } from '../compare-transcripts.ts';
import { defineTool, readDraft, readSubject, SubjectInput, type ToolContext, WorkflowIdInput } from '../tool.ts';

/** The most characters of a script, and the most canvases that run beside one. */
const [maxScriptChars, maxBeside] = [100_000, 20];

const ScriptInput = z
  .string()
  .min(1)
  .max(maxScriptChars)
  .describe(
    'Lines such as "user: hello", "webhook: POST {…}", "api: 200 {…}", "time: +2h", and "start: {…}" with the inputs of a workflow that no message begins; the page "testing" has all of them',
  );
const NameInput = z
  .string()
  .regex(/^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,99}$/, 'A name has 1 to 100 letters, digits, "_", "." or "-", and does not begin with "."')
  .describe('The name of the transcript, such as "late-answer"');

export const runScript = defineTool({
  name: 'run_script',
  title: 'Talk to a canvas',
  description:
    'Plays a script with a canvas in virtual time: nothing reaches the world. Answers the whole transcript (what the bot says, what it waits for, which calls wait for an answer), the ports that this conversation did not take, why something failed ("notes"), and the call that waits for an answer at the end ("stoppedAt", with a line that would answer it). The transcript, when it is as it should be, is what put_transcript takes.',
  needs: 'view',
  input: z.strictObject({
    ...SubjectInput,
    script: ScriptInput,
    with: z.array(WorkflowIdInput).max(maxBeside).optional().describe('Workflows that run beside; those that it calls are found anyway'),
  }),
  async run({ script, with: beside = [], ...subject }, context) {
    const canvas = await readSubject(subject, context);
    const canvases = await collectCanvases(canvas, beside, context);
    const outcome = await context.simulate({ canvases, scripts: [{ name: 'script', text: script }] });
    if (outcome.kind === 'stopped') throw new ToolRefused('SIMULATION_STOPPED', outcome.reason);
    const { scripts, never } = outcome.report;
    const [played] = scripts;
    if (played?.kind !== 'played') {
      const code = played?.code ?? 'INVALID_SCRIPT';
      throw new ToolRefused(code, sayNext(code, played?.message ?? 'There is no script'));
    }
    const { transcript, notes, stoppedAt } = played;
    const sentences = [
      never.length === 0 ? 'Every port was taken by this conversation.' : `Ports that this conversation did not take: ${never.length}.`,
      ...(notes.length === 0 ? [] : ['"notes" says why something failed or came to nothing.']),
      ...(stoppedAt === undefined ? [] : ['A call waits for its answer at the end: "stoppedAt" has a line for it.']),
    ];
    return {
      text: sentences.join(' '),
      value: { transcript, uncovered: never, ...(notes.length > 0 && { notes }), ...(stoppedAt !== undefined && { stoppedAt }) },
    };
  },
});

const Names = z.object({ results: z.array(z.object({ name: z.string() })) });

export const listTranscripts = defineTool({
  name: 'list_transcripts',
  title: 'List transcripts',
  description: 'The names of the transcripts that are kept with a workflow as its tests.',
  needs: 'view',
  input: z.strictObject({ workflowId: WorkflowIdInput }),
  async run({ workflowId }, { ask }) {
    const names = await listNames(workflowId, ask);
    return { text: `${many(names.length, 'transcript')}.`, value: { names } };
  },
});

export const runTranscripts = defineTool({
  name: 'run_transcripts',
  title: 'Run the tests',
  description:
    'Plays every transcript of a workflow with its draft, and compares line by line: "-" is what the transcript says, "+" what happens now. "coverage" are the ports that they take, and those that no transcript takes.',
  needs: 'view',
  input: z.strictObject({ workflowId: WorkflowIdInput }),
  async run({ workflowId }, context) {
    const { canvas } = await readDraft(workflowId, context.ask);
    const { passed, failed, stopped, coverage } = await playTranscripts(workflowId, canvas, context);
    if (stopped !== undefined) throw new ToolRefused('SIMULATION_STOPPED', stopped);
    return {
      text: `Transcripts that are what happens: ${passed.length}; that are not: ${failed.length}.`,
      value: { passed: passed.length, failed, coverage },
    };
  },
});

export const putTranscript = defineTool({
  name: 'put_transcript',
  title: 'Keep a test',
  description:
    'Keeps a transcript with a workflow as a test; one of the same name is replaced. It is not played: run_transcripts does that.',
  needs: 'edit',
  input: z.strictObject({ workflowId: WorkflowIdInput, name: NameInput, transcript: ScriptInput }),
  async run({ workflowId, name, transcript }, { ask }) {
    await ask({ method: 'PUT', path: `${transcriptsOf(workflowId)}/${encodeURIComponent(name)}`, body: transcript });
    return { text: `The transcript "${name}" is kept.`, value: { name } };
  },
});

export const explore = defineTool({
  name: 'explore',
  title: 'What no test has tried',
  description:
    'The ports of a workflow that none of its transcripts takes: each is a way on which nobody knows what the bot does. And the laws that its agents break when their models answer anything at all, each with a script that leads there.',
  needs: 'view',
  input: z.strictObject({
    workflowId: WorkflowIdInput,
    depth: z.int().min(1).max(3).optional().describe('How many answers of models in a row; 2, when left out'),
  }),
  async run({ workflowId, depth = 2 }, context) {
    const { canvas } = await readDraft(workflowId, context.ask);
    const { stopped, coverage, breaches } = await playTranscripts(workflowId, canvas, context, depth);
    if (stopped !== undefined) throw new ToolRefused('SIMULATION_STOPPED', stopped);
    const broken = breaches.length === 0 ? '' : ` ${breaches.length} laws are broken by agents.`;
    return { text: `Ports that no transcript takes: ${coverage.never.length}.${broken}`, value: { uncovered: coverage.never, breaches } };
  },
});

const transcriptsOf = (workflowId: string): string => `/workflows/${encodeURIComponent(workflowId)}/transcripts`;

async function listNames(workflowId: string, ask: ToolContext['ask']): Promise<readonly string[]> {
  const { results } = Names.parse(await ask({ method: 'GET', path: transcriptsOf(workflowId) }));
  return results.map(({ name }) => name);
}

/** What became of every transcript of a workflow. */
interface PlayedTranscripts {
  readonly passed: readonly string[];
  readonly failed: readonly { readonly name: string; readonly diff: string }[];
  readonly coverage: { readonly taken: readonly string[]; readonly never: readonly string[] };
  readonly breaches: SimulationReport['breaches'];
  /** Why they were not played to their end. */
  readonly stopped?: string;
}

/** Plays every transcript of a workflow with a canvas. @param depth - of the exploration of its agents; none, when left out */
export async function playTranscripts(
  workflowId: string,
  canvas: object,
  context: ToolContext,
  depth?: number,
): Promise<PlayedTranscripts> {
  const names = await listNames(workflowId, context.ask);
  const scripts: { readonly name: string; readonly text: string }[] = [];
  for (const name of names)
    scripts.push({
      name,
      text: z.string().parse(await context.ask({ method: 'GET', path: `${transcriptsOf(workflowId)}/${encodeURIComponent(name)}` })),
    });
  const outcome = await context.simulate({
    canvases: await collectCanvases(canvas, [], context),
    scripts,
    ...(depth !== undefined && { depth }),
  });
  if (outcome.kind === 'stopped')
    return { passed: [], failed: [], coverage: { taken: [], never: [] }, breaches: [], stopped: outcome.reason };
  const { scripts: played, taken, never, breaches } = outcome.report;
  const compared = played.map((one, index) => ({
    name: one.name,
    diff:
      one.kind === 'played'
        ? compareTranscripts(scripts[index]?.text ?? '', one.transcript)
            ?.map(writeComparedLine)
            .join('\n')
        : one.message,
  }));
  return {
    passed: compared.flatMap(({ name, diff }) => (diff === undefined ? [name] : [])),
    failed: compared.flatMap(({ name, diff }) => (diff === undefined ? [] : [{ name, diff }])),
    coverage: { taken, never },
    breaches,
  };
}

/** A canvas as JSON, then the drafts of the workflows that it calls, those that they call, and those that are to run beside. */
async function collectCanvases(canvas: object, beside: readonly string[], context: ToolContext): Promise<readonly string[]> {
  const own = String((canvas as { readonly id?: unknown }).id);
  const found = new Map<string, string>([[own, JSON.stringify(canvas)]]);
  const waiting = [...beside, ...(await context.calledBy(canvas))];
  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    if (found.has(id) || !isWorkflowId(id) || found.size > maxBeside) continue;
    const answer = await context.askAny({ method: 'GET', path: `/workflows/${encodeURIComponent(id)}` });
    if (answer.status !== 200) continue; // the check of the canvas reports what it calls and is not there
    const { canvas: called } = await readDraft(id, () => Promise.resolve(answer.body));
    found.set(id, JSON.stringify(called));
    waiting.push(...(await context.calledBy(called)));
  }
  return [...found.values()];
}

/** The workflows that a canvas names; none for one that cannot be read. */
export function calledIn(canvas: object, nodes: readonly NodeDefinition[]): readonly string[] {
  const { canvas: parsed } = parseCanvas(JSON.stringify(canvas));
  if (parsed === undefined) return [];
  return listReferences(parsed, nodes).references.flatMap(({ kind, id }) => (kind === 'workflow' ? [id] : []));
}
