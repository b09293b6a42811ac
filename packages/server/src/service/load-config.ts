// Reads `hilo.config.ts` of a project.
import { access } from 'node:fs/promises';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ChannelAdapter } from '@hilo/channels';
import { type BoundDriver, type NodeDefinition, HiloError } from '@hilo/engine/contract';
import { z } from 'zod';
import { standardNodes } from '@hilo/nodes';
import type { CompleteParts, HostParts } from './host-parts.ts';
import type { Authorize } from '../platform/http/auth/admin-auth.ts';
import type { Resource } from '../platform/define-resource.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import type { Service } from './service.ts';

/**
 * What a project adds to Hilo, for every command: `hilo.config.ts` in the directory that a command is run in, or the file
 * that `--config` names. Its paths begin at its folder; flags and variables go before its settings.
 */
export interface HiloConfig extends Omit<HostParts, 'nodesFrom'> {
  /** A workspace to import when the service starts. */
  readonly workspace?: string;
  /** What holds `hilo.db`; `./data` of the directory that the command is run in, when left out. */
  readonly data?: string;
  /** Where the service listens; 3000, when left out, and 0 for any that is free. */
  readonly port?: number;
  /** On which address; `127.0.0.1`, when left out. */
  readonly host?: string;
  /** Where people reach the service, for links to its own pages; where it listens, when left out. */
  readonly publicUrl?: string;
  /** `host:port` pairs that outbound calls may reach though they are private; none, when left out. */
  readonly egressAllow?: readonly string[];
  /** Days that executions are kept after their end; 30, when left out. */
  readonly keepDays?: number;
  /** The same for those that failed; 90, when left out. */
  readonly keepFailedDays?: number;
  /** Days that the record of what operators did is kept; 400, when left out. */
  readonly keepAudit?: number;
  /** Where their histories go before they are removed: a directory, or `s3://bucket/prefix`; nowhere, when left out. */
  readonly historyOutbox?: string;
  /** Where the bytes of files of users are kept: `s3://bucket/prefix`; in the store, when left out. */
  readonly files?: string;
}

/**
 * The default export of a `hilo.config.ts`, checked by TypeScript.
 *
 * @example
 * export default defineConfig({ nodes: [scoreLead], drivers: [leadScores], channels: [smsChannel], workspace: './workspace.json' });
 */
export const defineConfig = (config: HiloConfig): HiloConfig => config;

type ConfiguredSetting = Exclude<keyof HiloConfig, keyof HostParts>;

/** The complete configuration of a project: its parts together with Hilo's, its paths absolute. */
export interface LoadedConfig extends CompleteParts {
  /** The path of the file, as shown to users; `undefined` when there is none. */
  readonly file: string | undefined;
  /** Its settings, as flags would set them. */
  readonly settings: { readonly [Name in ConfiguredSetting]?: string | undefined };
}

const configRefused = (reason: string, options?: ErrorOptions): HiloError<'INVALID_CONFIG'> =>
  new HiloError('INVALID_CONFIG', { reason }, options);

/** The names that are looked for, the first that is there is read. */
const fileNames = ['hilo.config.ts', 'hilo.config.mts', 'hilo.config.js', 'hilo.config.mjs'];

/**
 * Loads the configuration of a project.
 *
 * @param given - the value of `--config`; without it, the working directory may hold a configuration
 * @param reading - the number of this read in the process: Node.js reloads the file for a new number, but not its imports
 * @throws {HiloError} `INVALID_CONFIG`
 */
export async function loadConfig(given: string | undefined, directory: string = process.cwd(), reading: number = 0): Promise<LoadedConfig> {
  const path = given === undefined ? await findFirst(configPaths(undefined, directory)) : resolve(directory, given);
  const { completeParts } = await import('./host-parts.ts'); // loads the drivers
  if (path === undefined) return { ...completeParts({}), file: undefined, settings: {} };
  const file = relative(directory, path) || path;
  if (given !== undefined && !(await exists(path))) throw configRefused(`${file}: there is no such file; --config names a hilo.config.ts`);
  const config = parseConfig(await defaultExport(path, file, directory, reading), file);
  const { nodes, drivers, channels, jobs, resources, authorize, workspace, data, port, host, publicUrl, egressAllow } = config;
  const { keepDays, keepFailedDays, keepAudit, historyOutbox, files } = config;
  const inFolder = (name: string | undefined) => (name === undefined ? undefined : resolve(dirname(path), name));
  try {
    const settings = {
      workspace: inFolder(workspace),
      data: inFolder(data),
      port: port?.toString(),
      host,
      publicUrl,
      egressAllow: egressAllow?.join(','),
      keepDays: keepDays?.toString(),
      keepFailedDays: keepFailedDays?.toString(),
      keepAudit: keepAudit?.toString(),
      historyOutbox: historyOutbox?.startsWith('s3://') === true ? historyOutbox : inFolder(historyOutbox),
      files,
    };
    return { ...completeParts({ nodes, nodesFrom: path, drivers, channels, jobs, resources, authorize }), file, settings };
  } catch (error) {
    throw configRefused(`${file}: ${readFirstLine(error)}`, { cause: error });
  }
}

/** What the check of a canvas and its simulation ask of a project. */
export type CheckParts = Pick<CompleteParts, 'nodes' | 'nodesFrom' | 'drivers' | 'resources'>;

/** Loads as {@link loadConfig} what a check asks for; without a configuration nothing but the standard nodes is loaded. */
export const loadCheckParts = async (given: string | undefined, directory?: string, reading?: number): Promise<CheckParts> =>
  given === undefined && (await findFirst(configPaths(undefined, directory))) === undefined
    ? { nodes: standardNodes, drivers: [], resources: [] }
    : loadConfig(given, directory, reading);

/** What a configuration gives to `openService`. */
export const hostOf = ({ nodes, nodesFrom, drivers, channels, jobs, resources, authorize }: LoadedConfig): CompleteParts => ({
  nodes,
  nodesFrom,
  drivers,
  channels,
  jobs,
  resources,
  authorize,
});

/** Where {@link loadConfig} looks for a configuration, in this order. */
export const configPaths = (given: string | undefined, directory: string = process.cwd()): readonly string[] =>
  (given === undefined ? fileNames : [given]).map((name) => resolve(directory, name));

async function findFirst(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) if (await exists(path)) return path;
  return undefined;
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

/** What an import gives; of CommonJS also what the file leaves in `module.exports`. */
interface Loaded {
  readonly default?: unknown;
  readonly 'module.exports'?: unknown;
}

/** Node.js loads a file without import or export as CommonJS, unless a package.json says otherwise: it then exports an empty object. */
const isEmptyCommonJs = ({ 'module.exports': exported }: Loaded): boolean =>
  typeof exported === 'object' && exported !== null && Object.keys(exported).length === 0;

async function defaultExport(path: string, file: string, directory: string, reading: number): Promise<unknown> {
  let loaded: Loaded;
  try {
    const url = pathToFileURL(path);
    if (reading > 0) url.search = `reading=${reading}`;
    loaded = (await import(url.href)) as Loaded;
  } catch (error) {
    const reason = `${findErrorPlace(error, path, directory) ?? file}: the configuration cannot be loaded: ${readFirstLine(error)}`;
    const missing = missingPackage(error);
    throw configRefused(
      missing === undefined ? reason : `${reason}: run npm install, after npm install ${missing} where package.json lacks it`,
      {
        cause: error,
      },
    );
  }
  if (loaded.default === undefined || isEmptyCommonJs(loaded))
    throw configRefused(`${file} has no default export: write export default defineConfig({ … })`);
  return loaded.default;
}

/** The npm package that an import did not find. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'ERR_MODULE_NOT_FOUND') return undefined;
  return /^Cannot find package '(@[^/']+\/[^/']+|[^/']+)/.exec(error.message)?.[1];
}

/** The place of an error in the folder of the configuration or below: the first stack line that is inside it. */
function findErrorPlace(error: unknown, path: string, directory: string): string | undefined {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  for (const [, place = '', line = '', column] of stack.matchAll(/((?:file:\/\/)?\/[^\s()]+?):(\d+)(?::(\d+))?(?=[\s)]|$)/g)) {
    const source = place.startsWith('file:') ? fileURLToPath(place) : place;
    const isOwn = source.startsWith(dirname(path)) && !source.includes('/node_modules/');
    if (isOwn) return `${relative(directory, source)}:${line}${column === undefined ? '' : `:${column}`}`;
  }
  return undefined;
}

/** Checks that a value is an object with these members; their package validates the rest. */
const requireMembers = <Value>(what: string, isOne: (members: { readonly [name: string]: unknown }) => boolean) =>
  z.custom<Value>((value) => typeof value === 'object' && value !== null && isOne(value as { readonly [name: string]: unknown }), {
    error: `is no ${what}`,
  });

const isFunction = (value: unknown): boolean => typeof value === 'function';
const node = requireMembers<NodeDefinition>(
  'node: make it with defineNode',
  ({ type, run, ports }) => typeof type === 'string' && isFunction(run) && isFunction(ports),
);
const driver = requireMembers<BoundDriver>(
  'driver: make it with drive(effect, perform)',
  ({ effect, perform }) => isFunction(effect) && typeof (effect as { readonly type?: unknown }).type === 'string' && isFunction(perform),
);
const channel = requireMembers<ChannelAdapter>(
  'channel adapter: make it with defineChannel',
  ({ kind, connect }) => typeof kind === 'string' && isFunction(connect),
);
const job = requireMembers<Job<Service>>('job: make it with defineJob', ({ kind, page }) => typeof kind === 'string' && isFunction(page));

const resource = requireMembers<Resource<Service>>(
  'resource: make it with defineResource',
  ({ name, tables, routes }) => typeof name === 'string' && Array.isArray(tables) && Array.isArray(routes),
);

/** A list in a configuration, with the message for anything else. */
export const list = <Item extends z.ZodType>(item: Item) => z.array(item, { error: 'must be a list' });
/** A text in a configuration that is not empty. */
export const text = z.string({ error: 'must be a text' }).min(1, { error: 'must not be empty' });

/** A number of days in a configuration. */
export const days = z.int({ error: 'must be a number of days' }).min(1, { error: 'must be 1 or more' }).max(99_999);

/** The fields of {@link HostParts} that a configuration and a host may have. */
export const hostFields = {
  nodes: list(node).optional(),
  drivers: list(driver).optional(),
  channels: list(channel).optional(),
  jobs: list(job).optional(),
  resources: list(resource).optional(),
  authorize: z.custom<Authorize>(isFunction, { error: 'must be a function of the request' }).optional(),
};
const portRule = { error: 'must be a port: a whole number from 0 to 65535' };
/** A port in a configuration; 0 for any that is free. */
export const portNumber = z.int(portRule).min(0, portRule).max(65_535, portRule);

const Config = z.strictObject(
  {
    ...hostFields,
    workspace: text.optional(),
    data: text.optional(),
    port: portNumber.optional(),
    host: text.optional(),
    publicUrl: text.optional(),
    egressAllow: list(text).optional(),
    keepDays: days.optional(),
    keepFailedDays: days.optional(),
    keepAudit: days.optional(),
    historyOutbox: text.optional(),
    files: text.optional(),
  },
  { error: (issue) => (issue.code === 'unrecognized_keys' ? undefined : 'must be an object, such as defineConfig({ nodes: [] })') },
);

function parseConfig(value: unknown, file: string): z.output<typeof Config> {
  const { data, error } = Config.safeParse(value);
  if (data !== undefined) return data;
  const [issue] = error.issues;
  if (issue?.code === 'unrecognized_keys')
    throw configRefused(`${file}: there is no field "${issue.keys[0] ?? ''}"; there are ${Object.keys(Config.shape).join(', ')}`);
  throw configRefused(`${file}: ${formatPath(issue?.path ?? []) || 'the default export'} ${issue?.message ?? 'is not what it must be'}`);
}

/** Names a place of an object as its author would: `nodes[0]`. */
export const formatPath = (path: readonly PropertyKey[]): string =>
  path.map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${String(step)}`)).join('');

const readFirstLine = (error: unknown): string => (error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error));
