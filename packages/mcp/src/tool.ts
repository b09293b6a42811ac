// A tool as a value, and the one function through which each runs: permission, budget, refusals, and errors that say nothing of the
// service to a client.
import { explainValue } from '@hilo/engine/authoring';
import { type ErrorCode, HiloError, isWorkflowId, type NodeDefinition, pointer } from '@hilo/engine/contract';
import type { Picture } from '@hilo/picture';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { cut, describeAnswer, describeRefusal, type ToolAnswer } from './answer.ts';
import { type AuthoringBackend, type BackendRequest, isRecord, refusalOf, sayNext, ToolRefused } from './backend.ts';
import type { CallBudget } from './budget.ts';
import type { Docs } from './docs.ts';
import type { SimulationOutcome, SimulationTask } from './simulation.ts';

/** What an operator may do, as the routes of management name it. */
export type AuthoringPermission = 'view' | 'edit' | 'publish';

/** What every tool works with. */
export interface ToolContext {
  /** @throws {ToolRefused} for every answer but 200 */
  readonly ask: (request: BackendRequest) => Promise<unknown>;
  /** The answer whatever its status, where a tool knows what to say to others than 200. */
  readonly askAny: (request: BackendRequest) => ReturnType<AuthoringBackend['ask']>;
  readonly nodes: readonly NodeDefinition[];
  readonly docs: Docs;
  readonly draw: (canvas: object) => Promise<Picture>;
  /** The workflows that a canvas names; none for one that cannot be read. */
  readonly calledBy: (canvas: object) => Promise<readonly string[]>;
  /** @throws {ToolRefused} `TOO_MANY_SIMULATIONS` */
  readonly simulate: (task: SimulationTask) => Promise<SimulationOutcome>;
}

/** A tool of the authoring server. */
export interface AuthoringTool {
  readonly name: string;
  readonly title: string;
  /** For a model: what it does, what it answers, and when to call it. */
  readonly description: string;
  readonly input: z.ZodObject;
  readonly needs: AuthoringPermission;
  /** Whether it replaces what others see. */
  readonly isDestructive?: true;
  run(input: unknown, context: ToolContext): Promise<ToolAnswer>;
}

/** A tool whose `run` gets its input as the schema has read it. */
export function defineTool<Input extends z.ZodObject>(
  tool: Omit<AuthoringTool, 'input' | 'run'> & {
    readonly input: Input;
    run(input: z.output<Input>, context: ToolContext): Promise<ToolAnswer>;
  },
): AuthoringTool {
  return { ...tool, run: (given, context) => tool.run(tool.input.parse(given), context) };
}

/** What runs tools for one client. */
export interface ToolRunner {
  readonly backend: AuthoringBackend;
  readonly can: ReadonlySet<string>;
  readonly nodes: readonly NodeDefinition[];
  readonly docs: Docs;
  readonly budget: CallBudget;
  readonly simulate: (task: SimulationTask) => Promise<SimulationOutcome>;
  readonly draw: ToolContext['draw'];
  readonly calledBy: ToolContext['calledBy'];
  /** Gets every error that is nobody's refusal, with the id that the client is told. */
  readonly onError: (error: unknown, id: string) => void;
  /** An id for such an error. */
  readonly createId: () => string;
}

/** Runs a tool. @returns a result, never a rejection: what a client may know of an error is in it */
export async function runTool(tool: AuthoringTool, input: unknown, via: string, runner: ToolRunner): Promise<CallToolResult> {
  if (!runner.can.has(tool.needs))
    return describeRefusal(
      new ToolRefused(
        'FORBIDDEN',
        `The tool ${tool.name} needs the permission "${tool.needs}", which this client does not have: ask the person who works with you for a token that has it, or to start "hilo mcp" with --can`,
      ),
    );
  if (!runner.budget.takeCall())
    return describeRefusal(new ToolRefused('TOO_MANY_CALLS', 'At most 5 calls a second are answered: wait a second, and call again'));
  const wrong = explainValue(tool.input, input ?? {});
  if (wrong.length > 0) return describeRefusal(refuseInput(tool, wrong));
  try {
    return describeAnswer(await tool.run(input ?? {}, createContext(runner, via)));
  } catch (error) {
    if (error instanceof ToolRefused) return describeRefusal(error);
    if (isAnyHiloError(error)) return describeRefusal({ code: error.code, message: sayNext(error.code, error.message), details: {} });
    const id = runner.createId();
    runner.onError(error, id);
    return describeRefusal(new ToolRefused('FAILED', `The tool failed: the log of the service has the reason, with the id ${id}`));
  }
}

/** The most problems of an input that are told at once. */
const mostProblems = 20;

/** Says what is wrong with an input, and what the tool takes. */
function refuseInput({ name, input }: AuthoringTool, wrong: ReturnType<typeof explainValue>): ToolRefused {
  const told = wrong.slice(0, mostProblems).map(({ at, message }) => ({ pointer: cut(pointer(at), 200), message: cut(message, 300) }));
  const fields = Object.entries<z.ZodType>(input.shape).map(([field, schema]) =>
    schema.safeParse(undefined).success ? `[${field}]` : field,
  );
  const takes = fields.length === 0 ? 'takes no input' : `takes ${fields.join(', ')}`;
  const said = told.slice(0, 3).map(({ message }) => message.replace(/\.$/, ''));
  return new ToolRefused('INVALID_INPUT', `${said.join('; ')}. ${name} ${takes}: correct the input, and call again`, { problems: told });
}

/** With its code as a union of texts, where `instanceof` leaves it open. */
const isAnyHiloError = (error: unknown): error is HiloError<ErrorCode> => error instanceof HiloError;

function createContext({ backend, nodes, docs, budget, simulate, draw, calledBy }: ToolRunner, via: string): ToolContext {
  const askAny = (request: BackendRequest) => backend.ask(request, via);
  return {
    askAny,
    nodes,
    docs,
    draw,
    calledBy,
    async ask(request) {
      const answer = await askAny(request);
      if (answer.status !== 200) throw refusalOf(answer);
      return answer.body;
    },
    simulate(task) {
      const outcome = budget.simulate(() => simulate(task));
      if (outcome === undefined)
        throw new ToolRefused('TOO_MANY_SIMULATIONS', 'Two simulations are under way: wait for one of them, and call again');
      return outcome;
    },
  };
}

/** The id of a workflow that may be there. */
export const WorkflowIdInput = z
  .string()
  .refine(isWorkflowId, 'A workflow id has 1 to 128 letters, digits, "_", "-" or ":"')
  .describe('The id of a workflow, such as "order-status"');

/** A canvas as JSON. */
export const CanvasInput = z
  .record(z.string(), z.unknown())
  .describe('A canvas: { "schemaVersion": 1, "id", "name", "nodes": […], "edges": […] }; describe_node tells what each node has');

/** A canvas that is given, or that of a workflow; exactly one of both. */
export const SubjectInput = {
  canvas: CanvasInput.optional(),
  workflowId: WorkflowIdInput.optional().describe('In place of "canvas": the draft of this workflow'),
};

/** The canvas that is meant. @throws {ToolRefused} where none or two are */
export async function readSubject(
  { canvas, workflowId }: { readonly canvas?: Readonly<Record<string, unknown>> | undefined; readonly workflowId?: string | undefined },
  { ask }: Pick<ToolContext, 'ask'>,
): Promise<Readonly<Record<string, unknown>>> {
  if ((canvas === undefined) === (workflowId === undefined)) throw new ToolRefused('INVALID_INPUT', 'Give either "canvas" or "workflowId"');
  return canvas ?? (await readDraft(workflowId ?? '', ask)).canvas;
}

/** The draft of a workflow. */
export interface ReadDraft {
  readonly canvas: Readonly<Record<string, unknown>>;
  readonly revision: number | string;
  readonly problems: readonly unknown[];
  readonly publishedVersion: number | null;
}

/** @throws {ToolRefused} where there is no such workflow */
export async function readDraft(workflowId: string, ask: ToolContext['ask']): Promise<ReadDraft> {
  return Draft.parse(await ask({ method: 'GET', path: `/workflows/${encodeURIComponent(workflowId)}` }));
}

const Draft = z.object({
  canvas: z.custom<Readonly<Record<string, unknown>>>(isRecord),
  revision: z.union([z.number(), z.string()]),
  problems: z.array(z.unknown()),
  publishedVersion: z.number().nullable(),
});
