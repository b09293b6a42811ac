import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createClient } from '@hey-api/openapi-ts';
import { root } from '../hilo-process.ts';

/** The result of a call. */
interface Called {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

/** How calls sign in, by the scheme that the document names. */
export interface AuthScheme {
  readonly type: 'http' | 'apiKey';
  readonly scheme?: 'basic' | 'bearer';
  readonly name?: string;
}

interface ClientConfig {
  readonly baseUrl: string;
  readonly auth: (scheme: AuthScheme) => string | undefined;
}

/** A client as its generator made it: a function for each operation. */
export interface GeneratedClient {
  readonly operations: ReadonlyMap<string, (options: object) => Promise<Called>>;
  configure(config: ClientConfig): void;
}

/** Generates a client of an OpenAPI document into a folder, and loads it. */
export async function generateClient(document: object, folder: string): Promise<GeneratedClient> {
  const input = join(folder, 'openapi.json');
  writeFileSync(input, JSON.stringify(document));
  await createClient({
    input,
    output: { path: join(folder, 'client'), module: { extension: '.ts' } },
    plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
    logs: { level: 'silent' },
  });
  const load = (name: string): Promise<unknown> => import(pathToFileURL(join(folder, 'client', name)).href);
  const { client } = (await load('client.gen.ts')) as { readonly client: { setConfig(config: ClientConfig): void } };
  const sdk = (await load('sdk.gen.ts')) as { readonly [operation: string]: (options: object) => Promise<Called> };
  return { operations: new Map(Object.entries(sdk)), configure: (config) => client.setConfig(config) };
}

/** The compiler's errors about the client and about typical calls; empty when there are none. */
export function typeProblems(folder: string, calls: readonly { readonly operation: string; readonly options: object }[]): string {
  const lines = calls.map(({ operation, options }) => `await sdk.${operation}(${JSON.stringify(options)});`);
  writeFileSync(join(folder, 'calls.ts'), ["import * as sdk from './client/index.ts';", ...lines].join('\n'));
  const compilerOptions = {
    target: 'esnext',
    module: 'nodenext',
    lib: ['esnext', 'dom', 'dom.iterable'],
    types: [],
    strict: true,
    noEmit: true,
    allowImportingTsExtensions: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['calls.ts'] }));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, 'node_modules/tsc7/bin/tsc'), '-p', folder], { encoding: 'utf8' });
  return stdout + stderr;
}
