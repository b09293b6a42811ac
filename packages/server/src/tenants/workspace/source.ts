// Reads a workspace from a file or a body of any size.
import { createReadStream } from 'node:fs';
import { readFile, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, relative, resolve, sep } from 'node:path';
import { locateJsonFault } from '@hilo/engine/authoring';
import { type Problem, HiloError, isHiloError, limits, losesDigits } from '@hilo/engine/contract';
import { getManyValues, type Many, none } from 'stream-chain/defs.js';
import { Assembler } from 'stream-json/core/assembler.js';
import { jsonParser, type Token } from 'stream-json/core/parser.js';
import { noFile, readTrouble } from '../../platform/file-trouble.ts';
import { createGivenUsers, type GivenUsers } from './given-users.ts';
import { workspaceProblem, workspaceRefused } from './problems.ts';

/** More levels than any workspace has, and fewer than what checks it can take. */
const maxLevels = 1_000;

/** Longer than the name of any field, id or setting: a refusal repeats a name, in its message and its place. */
const maxKeyChars = 1_000;

/** Longer than any text of a workspace, such as the source of a function, with what a chunk has around it. */
const longestValueChars = 32_000_000;

/** The refusal of a text that no workspace can have, for its author. */
const unfitText = (reason: string): HiloError<'INVALID_REQUEST'> => new HiloError('INVALID_REQUEST', { reason });

/** Parses the text of a workspace in chunks. */
export interface WorkspaceParser {
  /** @throws {HiloError} `INVALID_REQUEST` when it is over the limits; {SyntaxError} for malformed JSON */
  write(text: string): void;
  /** @returns all of the workspace but users, of which each company has an empty list */
  end(): unknown;
}

/**
 * A streaming parser of workspaces: users are passed on one by one, as the items of `/companies/…/users` end, so that a workspace may
 * have any number of them. Everything else is built in memory, as by `JSON.parse`.
 *
 * @param onUser - called with the index of the company and the user's value
 */
export function createWorkspaceParser(onUser: (company: number, user: unknown) => void): WorkspaceParser {
  // A stage of `stream-chain` receives `none` at the end, which the type of its input leaves out.
  const parse = jsonParser({ packValues: true, streamValues: false }) as (text: string | typeof none) => Many<Token> | typeof none;
  const whole = new Assembler();
  /** The keys of the objects that are open, from the outermost. */
  const open: Set<string>[] = [];
  /** The company whose users are being read. */
  let company: number | undefined;
  let user: Assembler | undefined;

  /** Of two values under one key one would be lost in silence: a company with all that it has, for example. */
  const noteKey = (token: Token): void => {
    if (token.name === 'startObject') open.push(new Set());
    else if (token.name === 'endObject') open.pop();
    if (token.name !== 'keyValue' || typeof token.value !== 'string') return;
    // As the key of an object that is built, it would be its prototype: fields that nobody sees, and that no check finds.
    if (token.value === '__proto__')
      throw unfitText(`The key "__proto__" in ${describePlace(whole.path)} is reserved: rename it, or remove it`);
    if (token.value.length > maxKeyChars)
      throw unfitText(
        `A key in ${describePlace(whole.path)} has more than ${maxKeyChars} characters: ${JSON.stringify(token.value.slice(0, 60))}…`,
      );
    const keys = open.at(-1);
    if (keys !== undefined && keys.size >= limits.keys)
      throw unfitText(`An object in ${describePlace(whole.path)} has more than ${limits.keys} keys`);
    if (keys?.has(token.value) === true)
      throw unfitText(
        `The key ${JSON.stringify(token.value.slice(0, 60))} stands twice in ${describePlace(whole.path)}: remove one of the two, or rename it`,
      );
    keys?.add(token.value);
  };

  const takeUser = (token: Token, of: number): void => {
    user ??= new Assembler();
    user.consume(token);
    if (user.depth > maxLevels) throw tooDeep();
    if (!user.done) return;
    onUser(of, user.current);
    user = undefined;
  };

  const take = (token: Token): void => {
    if (company !== undefined && (user !== undefined || token.name !== 'endArray')) {
      takeUser(token, company);
      return;
    }
    company = undefined;
    whole.consume(token);
    if (whole.depth > maxLevels) throw tooDeep();
    if (token.name !== 'startArray') return;
    const [companies, place, users, ...deeper] = whole.path;
    if (companies !== 'companies' || typeof place !== 'number' || users !== 'users' || deeper.length > 0) return;
    company = place;
  };

  /** What the parser holds of a value that has not ended: a text without an end would be held whole, until there is no memory. */
  let pendingChars = 0;

  const feed = (text: string | typeof none): void => {
    if (text !== none) pendingChars += text.length;
    if (pendingChars > longestValueChars)
      throw unfitText(`A value in ${describePlace(whole.path)} has more than ${longestValueChars} characters`);
    const tokens = hideSyntaxError(() => parse(text));
    if (tokens !== none)
      for (const token of getManyValues(tokens)) {
        pendingChars = 0;
        noteKey(token);
        take(keepDigits(token));
      }
  };

  return {
    write: feed,
    end() {
      feed(none);
      return whole.current;
    },
  };
}

/** Where an object of a workspace stands: below the users of a company it is one of them. */
const describePlace = (path: readonly unknown[]): string => (path.length === 0 ? 'the workspace' : `/${path.map(String).join('/')}`);

/** A number that would lose digits is read as the text of them, as everywhere. */
const keepDigits = (token: Token): Token =>
  token.name === 'numberValue' && typeof token.value === 'string' && losesDigits(token.value) ? { ...token, name: 'stringValue' } : token;

const tooDeep = (): HiloError => unfitText(`The workspace is nested more than ${maxLevels} levels deep`);

/** Replaces the parser's messages, which may quote the text and so a secret (P31). */
function hideSyntaxError<Result>(parsing: () => Result): Result {
  try {
    return parsing();
  } catch (error) {
    throw new SyntaxError('This is no JSON', { cause: error });
  }
}

/**
 * A workspace: the path of its file, or the bytes of such a file as they arrive, or what such a file holds. The last two can
 * name no other file.
 */
export type WorkspaceSource = string | { readonly bytes: AsyncIterable<Uint8Array> } | { readonly workspace: unknown };

/** A workspace after reading. */
export interface ReadWorkspace {
  /** Its name in messages. */
  readonly place: string;
  /** All of it but the users. */
  readonly input: unknown;
  readonly users: GivenUsers;
  /** Where its relative paths begin; none for one without a file. */
  readonly folder: string | undefined;
}

/** The text of a file that a workspace names, or why it cannot be read. */
type ReadText = { readonly text: string } | { readonly problem: Problem };

/**
 * Reads a workspace, users one by one (`GivenUsers`, which is the caller's to close).
 *
 * @param onRead - called after each chunk with the number of users read so far
 * @throws {HiloError} `WORKSPACE_REFUSED` for a file that cannot be read or is no JSON; any error of `bytes`
 */
export async function readWorkspace(source: WorkspaceSource, onRead: (users: number) => void = () => undefined): Promise<ReadWorkspace> {
  const users = createGivenUsers();
  try {
    if (typeof source === 'string') {
      const input = await parseWorkspace(source, readBytes(source), users, onRead, () => locateFaultInFile(source));
      return { place: source, input, users, folder: dirname(resolve(source)) };
    }
    const input = 'bytes' in source ? await parseWorkspace(nameless, source.bytes, users, onRead) : takeUsersOut(source.workspace, users);
    return { place: nameless, input, users, folder: undefined };
  } catch (error) {
    users.close();
    throw error;
  }
}

const nameless = 'The workspace';

/** @param locateFault - finds where the text stops being JSON, as far as possible */
async function parseWorkspace(
  place: string,
  bytes: AsyncIterable<Uint8Array>,
  users: GivenUsers,
  onRead: (users: number) => void,
  locateFault: () => Promise<string | undefined> = async () => undefined,
): Promise<unknown> {
  let count = 0;
  const parser = createWorkspaceParser((company, user) => {
    users.add(company, user);
    count += 1;
  });
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    for await (const part of bytes) {
      parser.write(decoder.decode(part, { stream: true }));
      onRead(count);
    }
    parser.write(decoder.decode());
    return parser.end();
  } catch (error) {
    const problem = await explainParseError(error, locateFault);
    throw problem === undefined ? error : workspaceRefused(place, [problem]);
  }
}

/** @returns `undefined` for an error that the text did not cause */
async function explainParseError(error: unknown, locateFault: () => Promise<string | undefined>): Promise<Problem | undefined> {
  if (isHiloError(error, 'INVALID_REQUEST')) return workspaceProblem('INVALID_WORKSPACE', [], error.message);
  if (error instanceof SyntaxError) {
    const place = await locateFault();
    return workspaceProblem('NOT_JSON', [], `The text is no JSON${place === undefined ? '' : ` at ${place}`}`);
  }
  const isEncoding = error instanceof TypeError && 'code' in error && error.code === 'ERR_ENCODING_INVALID_ENCODED_DATA';
  return isEncoding
    ? workspaceProblem('NOT_JSON', [], 'The text is not valid UTF-8: save the file as UTF-8, not as UTF-16 or in a code page')
    : undefined;
}

/** @throws {HiloError} `WORKSPACE_REFUSED` when the file cannot be read */
async function* readBytes(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path);
  } catch (error) {
    throw workspaceRefused(path, [workspaceProblem('FILE_UNREADABLE', [], `${path} cannot be read: ${readTrouble(error)}`)]);
  }
}

/** The content of a file, with its users stored apart; the schema refuses anything but a list of companies. */
function takeUsersOut(workspace: unknown, users: GivenUsers): unknown {
  if (!isObject(workspace) || !Array.isArray(workspace['companies'])) return workspace;
  const companies = workspace['companies'].map((company: unknown, index) => {
    if (!isObject(company) || !Array.isArray(company['users'])) return company;
    for (const user of company['users']) users.add(index, user);
    return { ...company, users: [] };
  });
  return { ...workspace, companies };
}

const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** In larger files the place of a fault is not searched: the text would have to be held whole. */
const placedUpToBytes = 16_000_000;

async function locateFaultInFile(path: string): Promise<string | undefined> {
  const found = await stat(path);
  return !found.isFile() || found.size > placedUpToBytes ? undefined : locateJsonFault(await readFile(path, 'utf8'));
}

/**
 * Reads a file that a workspace names. A relative path must stay inside the workspace's folder, links included; an absolute one is
 * trusted like the author of the workspace, who may read what Hilo may. A workspace without a file, sent over the network, may name
 * none.
 */
export async function readNamedFile(folder: string | undefined, name: string, at: readonly PropertyKey[]): Promise<ReadText> {
  if (folder === undefined)
    return { problem: workspaceProblem('FILE_OUTSIDE', at, `"${name}" is a file, and a workspace that is not in a file can name none`) };
  const path = resolve(folder, name);
  if (isAbsolute(name)) return readText(path, at);
  try {
    const way = relative(await realpath(folder), await realpath(path));
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way))
      return { problem: workspaceProblem('FILE_OUTSIDE', at, `"${name}" leads out of the folder of the workspace file`) };
  } catch (error) {
    return { problem: workspaceProblem('FILE_UNREADABLE', at, reason(error)) };
  }
  return readText(path, at);
}

/** More than any file that a workspace names has: it is held whole. */
const longestFileBytes = 64_000_000;

async function readText(path: string, at: readonly PropertyKey[]): Promise<ReadText> {
  const refuse = (why: string): ReadText => ({ problem: workspaceProblem('FILE_UNREADABLE', at, `${path} cannot be read: ${why}`) });
  try {
    const found = await stat(path);
    if (!found.isFile() && !found.isDirectory()) return refuse(noFile);
    if (found.size > longestFileBytes) return refuse('it is larger than 64 MB');
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(await readFile(path)) };
  } catch (error) {
    return refuse(readTrouble(error));
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));
