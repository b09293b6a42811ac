// What a host adds to a service.
import { type ChannelAdapter, channelAdapters } from '@hilo/channels';
import type { BoundDriver, NodeDefinition } from '@hilo/engine/contract';
import { nodeCatalogue, standardNodes } from '@hilo/nodes';
import type { Service } from './service.ts';
import type { ServiceRuntime } from '../platform/database/lane-keeping.ts';
import type { Resource } from '../platform/define-resource.ts';
import type { Job } from '../platform/jobs/define-job.ts';
import { movedTables, notMoved } from '../tenants/moving/moved-tables.ts';
import type { Authorize } from '../platform/http/auth/admin-auth.ts';

/** What a host adds to Hilo: nodes, drivers, kinds of provider, and resources of its own. */
export interface HostParts {
  /** In addition to the standard nodes, which the list may repeat. */
  readonly nodes?: readonly NodeDefinition[] | undefined;
  /**
   * The path of a `hilo.config.ts` that has these nodes: threads load it, to check large canvases. Without it, those are refused where a
   * host has nodes of its own. A configuration that Hilo has loaded itself is named already.
   */
  readonly nodesFrom?: string | undefined;
  /** Drivers of own effects; one for a standard effect replaces Hilo's. */
  readonly drivers?: readonly BoundDriver[] | undefined;
  /** Adapters of own providers, by their `kind`. */
  readonly channels?: readonly ChannelAdapter[] | undefined;
  /** Kinds of jobs that the host defines with `defineJob`. */
  readonly jobs?: readonly Job<Service>[] | undefined;
  /** Tables, routes, jobs, nodes and drivers that belong together, each made with `defineResource`. */
  readonly resources?: readonly Resource<Service>[] | undefined;
  /** Authorises operators in addition to the admin token. */
  readonly authorize?: Authorize | undefined;
  /** Keeps the lanes of the engine; this process and its store, when left out. */
  readonly laneRuntime?: ServiceRuntime | undefined;
}

/** The host's parts together with Hilo's. */
export interface CompleteParts {
  readonly nodes: readonly NodeDefinition[];
  readonly nodesFrom?: string | undefined;
  /** The host's alone. */
  readonly drivers: readonly BoundDriver[];
  readonly channels: readonly ChannelAdapter[];
  /** The host's alone. */
  readonly jobs: readonly Job<Service>[];
  readonly resources: readonly Resource<Service>[];
  readonly authorize: Authorize | undefined;
  readonly laneRuntime?: ServiceRuntime | undefined;
}

/**
 * Adds the parts of a host to those of Hilo.
 *
 * @throws {Error} for a name that is taken or invalid, with the name of the list
 */
export function completeParts({
  nodes = [],
  nodesFrom,
  drivers = [],
  channels = [],
  jobs = [],
  resources = [],
  authorize,
  laneRuntime,
}: HostParts): CompleteParts {
  checkResources(resources);
  const ofHilo: ReadonlySet<NodeDefinition> = new Set(standardNodes);
  const all = new Set([...nodes, ...resources.flatMap((resource) => resource.nodes)]); // they may have been completed before
  const own = [...all].filter((node) => !ofHilo.has(node));
  checkNames(
    'nodes',
    'a node of type',
    own.map(({ type }) => type),
    standardNodes.map(({ type }) => type),
  );
  checkNames(
    'drivers',
    'a driver for',
    [...drivers, ...resources.flatMap((resource) => resource.drivers)].map(({ effect }) => effect.type),
    [],
  );
  const ownChannels = channels.filter((adapter) => !channelAdapters.includes(adapter));
  checkNames(
    'channels',
    'an adapter of kind',
    ownChannels.map(({ kind }) => kind),
    channelAdapters.map(({ kind }) => kind),
  );
  for (const node of own) checkDescribable(node);
  const from = own.length === 0 ? undefined : nodesFrom; // the standard nodes are known everywhere
  return {
    nodes: [...standardNodes, ...own],
    nodesFrom: from,
    drivers,
    channels: [...channelAdapters, ...ownChannels],
    jobs: [...new Set([...jobs, ...resources.flatMap((resource) => resource.jobs)])],
    resources,
    authorize,
    laneRuntime,
  };
}

/** @throws {Error} for resources, or tables of them, that have one name, or that of a table of Hilo's */
function checkResources(resources: readonly Resource<Service>[]): void {
  const owners = new Map([...movedTables.map(({ name }) => name), ...Object.keys(notMoved)].map((table) => [table, 'Hilo']));
  const names = new Set<string>();
  for (const [index, { name, tables }] of resources.entries()) {
    const place = `resources[${index}] ("${name}")`;
    if (names.has(name)) throw new Error(`${place}: there is a resource of that name already: give yours another name`);
    names.add(name);
    for (const table of tables) {
      const owner = owners.get(table.name);
      if (owner !== undefined)
        throw new Error(`${place}: ${owner} has a table "${table.name}" already: give yours another name, such as "${name}_${table.name}"`);
      owners.set(table.name, `the resource "${name}"`);
    }
  }
}

/** @throws {Error} for a node whose config has no JSON Schema, which editors need */
function checkDescribable(node: NodeDefinition): void {
  try {
    nodeCatalogue([node]);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`nodes: the config of "${node.type}" cannot be written as JSON Schema: ${reason}`, { cause: error });
  }
}

/** @throws {Error} for a name that is invalid or a duplicate */
function checkNames(list: string, what: string, names: readonly string[], taken: readonly string[]): void {
  const known = new Set(taken);
  for (const [index, name] of names.entries()) {
    const place = `${list}[${index}]`;
    if (!/^[a-z][a-z0-9.-]{0,63}$/i.test(name))
      throw new Error(`${place}: "${name}" is no name: write 1 to 64 letters, digits, "-" or ".", a letter first`);
    if (known.has(name)) throw new Error(`${place}: there is ${what} "${name}" already: give yours another name`);
    known.add(name);
  }
}
