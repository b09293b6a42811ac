import { HiloError } from './contract/errors.ts';
import { refuseSchema } from './contract/refuse-schema.ts';
import type { EngineOptions } from './runtime/context.ts';

/** The check of each option, for hosts in JavaScript: returns what is wrong, or nothing. */
const checks: { readonly [Name in keyof Required<EngineOptions>]: (given: unknown) => string | undefined } = {
  nodes: (given) => checkNodes(given),
  drivers: (given) => checkDrivers(given),
  clock: (given) => checkFunctions(given, ['now', 'setTimeout', 'clearTimeout']),
  random: (given) => checkFunctions(given, ['bytes']),
  digest: (given) => checkFunction(given),
  resumeUrl: (given) => checkFunction(given),
  store: (given) => checkStore(given),
  directory: (given) => checkFunctions(given, ['company', 'bot']),
  inspect: (given) => (typeof given === 'function' || isObject(given) ? undefined : 'must be a function, or an observer with "next"'),
  reach: (given) => checkFunctions(given, ['send']),
  runtime: (given) => checkFunction(given),
  cell: (given) => checkFunctions(given, ['elsewhere', 'slotAt']),
  trace: (given) => checkFunction(given),
};

/**
 * Checks the options of an engine, so that a mistake is reported when the engine is created.
 *
 * @throws {HiloError} `INVALID_OPTIONS` that names the option
 */
export function checkOptions(options: unknown): void {
  if (!isObject(options)) throw refused('createEngine takes an object: { nodes, drivers, store, … }');
  if (options['nodes'] === undefined)
    throw refused('"nodes" is missing: give standardNodes of @hilo/nodes, or node definitions of your own');
  for (const [name, given] of Object.entries(options)) {
    if (!Object.hasOwn(checks, name)) throw refused(`There is no option "${name}"; there are ${Object.keys(checks).join(', ')}`);
    const wrong = given === undefined ? undefined : checks[name as keyof EngineOptions](given);
    if (wrong !== undefined) throw refused(`"${name}" ${wrong}`);
  }
}

const refused = (reason: string): HiloError => new HiloError('INVALID_OPTIONS', { reason });

type Fields = { readonly [name: string]: unknown };
const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const checkFunction = (given: unknown): string | undefined => (typeof given === 'function' ? undefined : 'must be a function');

function checkFunctions(given: unknown, names: readonly string[]): string | undefined {
  const missing = isObject(given) ? names.filter((name) => typeof given[name] !== 'function') : names;
  return missing.length === 0 ? undefined : `must have ${missing.map((name) => `"${name}"`).join(', ')}: a function each`;
}

function checkNodes(given: unknown): string | undefined {
  if (!Array.isArray(given)) return 'must be a list of node definitions';
  const seen = new Set<string>();
  for (const [index, node] of (given as readonly unknown[]).entries()) {
    if (!isObject(node) || typeof node['type'] !== 'string' || typeof node['run'] !== 'function')
      return `has at ${index} what is no node definition: make one with defineNode`;
    const wrong = refuseSchema(node['config']);
    if (wrong !== undefined) return `has the node "${node['type']}", whose "config" ${wrong}`;
    if (seen.has(node['type'])) return `has the type "${node['type']}" twice: give the later one another type, or leave one out`;
    seen.add(node['type']);
  }
  return undefined;
}

function checkDrivers(given: unknown): string | undefined {
  if (!Array.isArray(given)) return 'must be a list of drivers';
  for (const [index, driver] of (given as readonly unknown[]).entries()) {
    if (!isObject(driver)) return `has at ${index} what is no driver: make one with drive(effect, perform)`;
    const { effect, perform } = driver;
    const type: unknown = typeof effect === 'function' || isObject(effect) ? Reflect.get(effect, 'type') : undefined;
    if (typeof type !== 'string') return `has at ${index} what is no driver: make one with drive(effect, perform)`;
    if (typeof perform !== 'function') return `has at ${index} a driver of ${type} without a function that performs it`;
  }
  return undefined;
}

function checkStore(given: unknown): string | undefined {
  if (given instanceof Promise) return 'is a promise: await the store before you hand it over';
  const isWhole = isObject(given) && isObject(given['executions']) && isObject(given['canvases']);
  return isWhole ? undefined : 'must have "executions" and "canvases", as what openSqliteStore opens has';
}
