import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json, JsonObject, parseJsonText } from '@hilo/engine/contract';
import { deliveryOf } from '@hilo/server/kit';
import { readTrouble } from '@hilo/server/parts';
import { z } from 'zod';
import { withProgress } from '../progress.ts';
import { type Admin, createRequest, readAnswer, readSummary } from './admin.ts';

/** Asks a server that runs. @param origin - such as `http://127.0.0.1:3000` */
export function openRemoteAdmin(origin: string, adminToken: string | undefined): Admin {
  const authorization: { readonly authorization?: string } = adminToken === undefined ? {} : { authorization: `Bearer ${adminToken}` };
  const request: Admin['request'] = (path, init) =>
    fetch(`${origin}/admin/v1${path}`, { ...init, duplex: 'half', headers: { ...init.headers, ...authorization } }).catch(
      (error: unknown) => {
        throw new Error(`No server answers at ${origin}: ${describeError(error)}`, { cause: error });
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

/** The cause of a failed `fetch`, whose own message has no details. */
function describeError(error: unknown): string {
  const { cause } = error instanceof Error ? error : {};
  return cause instanceof Error ? cause.message || cause.name : String(error);
}

/** A workspace with the files that it names inlined, since the server cannot read them. @throws {Error} for an unreadable one */
async function readSelfContained(file: string): Promise<JsonObject> {
  const workspace = await readJsonFile(file);
  const folder = dirname(resolve(file));
  const companies = readList(workspace, 'companies').map(async (company) => {
    if (!isJsonObject(company)) return company;
    const workflows = await Promise.all(
      readList(company, 'workflows').map((item) => inline(item, 'canvas', async (name) => readJsonFile(resolve(folder, name)))),
    );
    const functions = await Promise.all(
      readList(company, 'functions').map((item) => inline(item, 'source', async (name) => readTextFile(resolve(folder, name)))),
    );
    return {
      ...company,
      ...(company['workflows'] !== undefined && { workflows }),
      ...(company['functions'] !== undefined && { functions }),
    };
  });
  return { ...workspace, ...(workspace['companies'] !== undefined && { companies: await Promise.all(companies) }) };
}

/** The items of a list; none where the field is no list, which the server reports. */
function readList(value: JsonObject, field: string): readonly Json[] {
  const { data } = z.array(z.custom<Json>()).safeParse(value[field]);
  return data ?? [];
}

/** An item with the content of its file in place of the name. */
async function inline(item: Json, field: string, read: (name: string) => Promise<Json>): Promise<Json> {
  if (!isJsonObject(item)) return item;
  const { file, ...rest } = item;
  return typeof file === 'string' ? { ...rest, [field]: await read(file) } : item;
}

async function readJsonFile(file: string): Promise<JsonObject> {
  const text = await readTextFile(file);
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
