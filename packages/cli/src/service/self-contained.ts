import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isJsonObject, type Json, JsonObject } from '@hilo/engine/contract';
import { z } from 'zod';

/** A workspace as it goes over the network: the files that it names are in it. @throws {Error} for one that cannot be read */
export async function selfContained(file: string): Promise<JsonObject> {
  const workspace = await jsonIn(file);
  const folder = dirname(resolve(file));
  const companies = listIn(workspace, 'companies').map(async (company) => {
    if (!isJsonObject(company)) return company;
    const workflows = await Promise.all(
      listIn(company, 'workflows').map((item) => inlined(item, 'canvas', async (name) => jsonIn(resolve(folder, name)))),
    );
    const functions = await Promise.all(
      listIn(company, 'functions').map((item) => inlined(item, 'source', async (name) => textIn(resolve(folder, name)))),
    );
    return {
      ...company,
      ...(company['workflows'] !== undefined && { workflows }),
      ...(company['functions'] !== undefined && { functions }),
    };
  });
  return { ...workspace, ...(workspace['companies'] !== undefined && { companies: await Promise.all(companies) }) };
}

/** What is no list is left to the server, which says so. */
function listIn(value: JsonObject, field: string): readonly Json[] {
  const { data } = z.array(z.custom<Json>()).safeParse(value[field]);
  return data ?? [];
}

/** An item with what its file holds in place of the name of the file. */
async function inlined(item: Json, field: string, read: (name: string) => Promise<Json>): Promise<Json> {
  if (!isJsonObject(item)) return item;
  const { file, ...rest } = item;
  return typeof file === 'string' ? { ...rest, [field]: await read(file) } : item;
}

async function jsonIn(file: string): Promise<JsonObject> {
  const text = await textIn(file);
  try {
    return JsonObject.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${file} holds no object in JSON`, { cause: error });
  }
}

async function textIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new Error(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
