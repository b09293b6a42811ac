// Management over HTTP, as commands with --url use it.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { HiloError, isJsonObject, type Json, JsonObject, parseJsonText, type Problem } from '@hilo/engine/contract';
import { deliveryOf } from '@hilo/server/kit';
import { readTrouble } from '@hilo/server/parts';
import { readNamedFile } from '@hilo/server/project';
import { z } from 'zod';
import { withProgress } from '../progress.ts';
import { type Admin, createRequest, readAnswer, readSummary } from './admin.ts';

/** Asks a server that runs. @param origin - such as `http://127.0.0.1:3000` */
export function openRemoteAdmin(origin: string, adminToken: string | undefined): Admin {
  const authorization: { readonly authorization?: string } = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const request: Admin['request'] = (path, init) =>
    fetch(`${origin}/admin/v1${path}`, { ...init, duplex: 'half', headers: { ...init.headers, ...authorization } }).catch(
      (error: unknown) => {
        throw new Error(describeSilence(origin, error), { cause: error });
      },
    );
  const ask: Admin['ask'] = async (method, path, body) =>
    readAnswer(await withProgress(`Asking ${origin}`, request(path, createRequest(method, body))));
  return {
    ask,
    request,
    importWorkspace: async (file, { overwrite }) =>
      readSummary(file, ask('POST', `/workspace?overwrite=${overwrite}`, await readSelfContained(file))),
    async say(message) {
      const appSecret = process.env['HILO_APP_SECRET'];
      if (appSecret === undefined || appSecret === '') throw new Error('With --url the appSecret of the bot is read from HILO_APP_SECRET');
      return readAnswer(await withProgress(`Asking ${origin}`, fetch(deliveryOf(message, appSecret, origin))));
    },
    close: async () => {},
  };
}

/** Once a request has arrived, nobody knows what became of it: Node's own `fetch` waits five minutes for the head of an answer. */
function describeSilence(origin: string, error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  const isLate = typeof cause === 'object' && cause !== null && Reflect.get(cause, 'code') === 'UND_ERR_HEADERS_TIMEOUT';
  if (!isLate) return `No server answers at ${origin}: ${describeError(error)}`;
  return `The server at ${origin} has not answered in five minutes: it may still do what was asked, so look there before you ask again`;
}

/** The cause of a failed `fetch`, whose own message has no details. */
function describeError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message || cause.name : String(error);
}

/**
 * A workspace with the files that it names inlined, since the server cannot read them. They are read as where it is imported without a
 * server: a folder of somebody else names nothing outside of it, no device and no pipe, whose content would leave with it.
 *
 * @throws {Error} for a workspace that cannot be read
 * @throws {HiloError} `WORKSPACE_REFUSED` for files that it names
 */
async function readSelfContained(file: string): Promise<JsonObject> {
  const workspace = await readJsonFile(file);
  const folder = dirname(resolve(file));
  const problems: Problem[] = [];
  /** The items of a list, each with the content of its file in place of the name: one after the other, however many files there are. */
  const inlined = async (company: JsonObject, at: readonly PropertyKey[], list: string, field: string): Promise<readonly Json[]> => {
    const items: Json[] = [];
    for (const [index, item] of readList(company, list).entries()) {
      const { file: name, ...rest } = isJsonObject(item) ? item : {};
      if (typeof name !== 'string') {
        items.push(item);
        continue;
      }
      const read = await readNamedFile(folder, name, [...at, list, index, 'file']);
      if ('problem' in read) problems.push(read.problem);
      else items.push({ ...rest, [field]: field === 'canvas' ? parseObject(name, read.text) : read.text });
    }
    return items;
  };
  const companies: Json[] = [];
  for (const [index, company] of readList(workspace, 'companies').entries()) {
    if (!isJsonObject(company)) {
      companies.push(company);
      continue;
    }
    const at = ['companies', index];
    companies.push({
      ...company,
      ...(company['workflows'] !== undefined && { workflows: await inlined(company, at, 'workflows', 'canvas') }),
      ...(company['functions'] !== undefined && { functions: await inlined(company, at, 'functions', 'source') }),
    });
  }
  if (problems.length > 0) throw new HiloError('WORKSPACE_REFUSED', { place: file, problems });
  return { ...workspace, ...(workspace['companies'] !== undefined && { companies }) };
}

/** The items of a list; none where the field is no list, which the server reports. */
function readList(value: JsonObject, field: string): readonly Json[] {
  const { data } = z.array(z.custom<Json>()).safeParse(value[field]);
  return data ?? [];
}

const readJsonFile = async (file: string): Promise<JsonObject> => parseObject(file, await readTextFile(file));

function parseObject(file: string, text: string): JsonObject {
  try {
    return JsonObject.parse(parseJsonText(text));
  } catch (error) {
    throw new Error(`${file} holds no object in JSON`, { cause: error });
  }
}

async function readTextFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${readTrouble(error)}`, { cause: error });
  }
}
