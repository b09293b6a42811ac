import { parseJsonText, type Problem } from '@hilo/engine/contract';
import { type ImportSummary, workspaceRefused } from '@hilo/server';
import type { MoveAnswer, MoveCommand, SaidMessage } from '@hilo/server/kit';
import { z } from 'zod';
import { printable } from '../paint.ts';
import { sayWithFlags } from './flag-words.ts';

/** The management interface, of this process or of a server. */
export interface Admin {
  /** @throws {AdminRefused} for every answer but 200 and 202 */
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<unknown>;
  /** The answer whatever it is, to a request whose body and headers are as given. @param path - below `/admin/v1` */
  request(path: string, init: PlainRequest): Promise<Response>;
  /** Brings in the workspace of a file. @throws {HiloError} `WORKSPACE_REFUSED` with every problem */
  importWorkspace(file: string, options: { readonly overwrite: boolean }): Promise<ImportSummary>;
  /** Delivers a user's text to a bot, signed; left out where no service runs, since none would answer. */
  say?(message: SaidMessage): Promise<unknown>;
  /** Moves a company by a file of this machine; left out for a server elsewhere. @throws {Error} in words, where it is refused */
  move?(command: MoveCommand): Promise<MoveAnswer>;
  close(): Promise<void>;
}

/** A request to management with nothing but what every way to it can carry. */
export interface PlainRequest {
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it is read. */
  readonly body?: string | ReadableStream<Uint8Array>;
}

/**
 * Why the data is opened: `look` reads, `work` also lets executions run, and an object writes and creates a missing store. Its
 * `beforeCreating` is called first where there is no store yet: a command whose input cannot be read creates none.
 */
export type Purpose = 'look' | 'work' | { readonly beforeCreating: () => Promise<void> };

/** A request that management refused, with the message of its answer. */
class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  /** The body of the answer. */
  readonly body: unknown;
  /** Whether the request itself is invalid, regardless of what exists. */
  readonly isWrongUse: boolean;

  constructor(status: number, body: unknown) {
    super(nameFlags(findSentence(body)) ?? `The server answered ${status}`);
    this.body = body;
    this.isWrongUse = status === 400 || status === 422;
  }
}

const Failed = z.object({ error: z.string(), message: z.string() });
const ErrorAnswer = z.object({ message: z.union([z.string(), z.array(z.string())]) });

/** A sentence of the interface with the flags of the command line for its fields. */
const nameFlags = (sentence: string | undefined): string | undefined =>
  sentence?.replace(/ add again: true /, ' add --again ').replace(/ with \?force=true$/, '');

function findSentence(body: unknown): string | undefined {
  const { data } = ErrorAnswer.safeParse(body);
  return data === undefined ? undefined : sayWithFlags(printable([data.message].flat().join('; ')));
}

/**
 * The body of an answer; of one by lines, the last.
 *
 * @throws {AdminRefused} for every answer but 200 and 202
 */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const isOfLines = response.headers.get('content-type')?.startsWith('application/x-ndjson') === true;
  const body = parseJson(isOfLines ? (text.trimEnd().split('\n').at(-1) ?? '') : text);
  // Work that takes long is answered before it is done: what it fails with then is its last line.
  if (isOfLines && Failed.safeParse(body).success) throw new AdminRefused(500, body);
  if (response.status !== 200 && response.status !== 202) throw new AdminRefused(response.status, body);
  return body;
}

/**
 * The result of an import by a service.
 *
 * @throws {HiloError} `WORKSPACE_REFUSED` with every problem
 */
export async function readSummary(file: string, asking: Promise<unknown>): Promise<ImportSummary> {
  try {
    return Summary.parse(await asking);
  } catch (error) {
    const { data } = Refused.safeParse(error instanceof AdminRefused ? error.body : undefined);
    throw data === undefined ? error : workspaceRefused(file, data.problems);
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const Summary = z.custom<ImportSummary>((value) => isObject(value) && 'counts' in value);
const Refused = z.object({ problems: z.array(z.custom<Problem>((value) => isObject(value) && 'pointer' in value)) });

function parseJson(text: string): unknown {
  try {
    return parseJsonText(text);
  } catch (error) {
    throw new Error('The server does not answer as Hilo does: is --url the address of one?', { cause: error });
  }
}

/** A request to management with a body of JSON, or none. */
export const createRequest = (method: string, body?: object): PlainRequest => ({
  method,
  headers: body === undefined ? {} : { 'content-type': 'application/json' },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});
