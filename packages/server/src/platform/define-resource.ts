// A resource as one value: what the service, or a host of it, has for one thing, such as tags or approvals. Its tables are made with the store,
// move with companies and go with a person who is erased; its routes stand behind the credentials, permissions and limits of ours; its jobs,
// nodes and drivers are those of the service. Whatever contradicts itself is refused where it is defined, with its place.
import type { BoundDriver, DriverContext, EffectDefinition, NodeDefinition, Random } from '@hilo/engine/contract';
import type { Migration, TableFacts } from '@hilo/stores';
import type { Route } from './http/define-route.ts';
import type { Job } from './jobs/define-job.ts';
import type { Platform } from './platform.ts';

/** What drivers of a resource work with, beside the request. */
export interface DriverParts extends Pick<Platform, 'store' | 'clock' | 'log'> {
  readonly random: Random;
}

/** A driver that is bound once the store is open. */
export interface ResourceDriver {
  readonly effect: EffectDefinition;
  readonly bind: (parts: DriverParts) => BoundDriver;
}

/** What a host says of a resource. */
export interface ResourceDefinition<Parts, JobParts = Parts> {
  /** 1 to 40 lower-case letters; the store remembers under it how far its tables are. Never `service`. */
  readonly name: string;
  readonly tables?: readonly TableFacts[];
  /**
   * The steps by which its tables were made and changed, the oldest first: only ever added to. Those that make the tables as they are, when
   * left out.
   */
  readonly migrations?: readonly Migration[];
  /** Of operators (`auth: 'operator'`), below `/admin/v1/companies/{companyId}/`, or of clients (`auth: 'basic'`), below `/v1/`. */
  readonly routes?: readonly Route<Parts>[];
  readonly jobs?: readonly Job<JobParts>[];
  readonly nodes?: readonly NodeDefinition[];
  /** Made with {@link driveResource}. */
  readonly drivers?: readonly ResourceDriver[];
}

/** A resource that has been checked. `Parts` is what its routes and jobs work with: the service has all of it. */
export type Resource<Parts, JobParts = Parts> = Required<ResourceDefinition<Parts, JobParts>>;

/**
 * Defines a resource for `openService({ resources })` or a `hilo.config.ts`.
 *
 * @example
 * const notes = defineTable('notes', { companyId: key(text()), id: key(text()) }, { moves: 'copied', personal: 'none' });
 * export const resource = defineResource({ name: 'notes', tables: [notes] });
 *
 * @throws {TypeError} for what contradicts itself, with the name of the resource and of the part
 */
export function defineResource<Parts>(definition: ResourceDefinition<Parts>): Resource<Parts> {
  const resource = buildResource(definition);
  const { name, tables, migrations, routes } = resource;
  if (name === 'service') refuse(name, '', nameRule);
  if (tables.length > 0 && migrations.length === 0)
    refuse(name, '', 'it has tables and no migration that makes them: leave migrations out');
  for (const { name: table, options } of tables) {
    const place = `, table "${table}"`;
    if (options.workspace !== undefined) refuse(name, place, 'lists of a workspace are those of the service: leave workspace out');
    if (options.personal === undefined)
      refuse(name, place, `say what of its rows is of a person: personal: 'none', or the column that says whose a row is`);
  }
  for (const route of routes) {
    const place = `, route ${route.operationId} (${route.method.toUpperCase()} ${route.path})`;
    if (route.auth !== 'operator' && route.auth !== 'basic') refuse(name, place, 'its auth is "operator" or "basic"');
    if (route.auth === 'operator' && route.ofAll !== true && !route.path.startsWith('/admin/v1/companies/{companyId}/'))
      refuse(name, place, 'what is of one company is below /admin/v1/companies/{companyId}/, and what is of all of them says ofAll: true');
  }
  return resource;
}

/**
 * Makes a resource of the service itself: the same value, whose routes may have other addresses, and whose tables are those of the platform,
 * since several resources share them and one chain of migrations makes them.
 *
 * @throws {TypeError} for a name that is none, or that two of its parts have
 */
export function buildResource<Parts, JobParts = unknown>({
  name,
  tables = [],
  migrations = tables.map((table) => (dialect) => table.ddl(dialect)),
  routes = [],
  jobs = [],
  nodes = [],
  drivers = [],
}: ResourceDefinition<Parts, JobParts>): Resource<Parts, JobParts> {
  if (!/^[a-z]{1,40}$/.test(name)) refuse(name, '', nameRule);
  for (const [kind, names] of Object.entries({
    tables: tables.map((table) => table.name),
    routes: routes.map(({ operationId }) => operationId),
    jobs: jobs.map((job) => job.kind),
    drivers: drivers.map(({ effect }) => effect.type),
  })) {
    const twice = names.find((one, index) => names.indexOf(one) !== index);
    if (twice !== undefined) refuse(name, `, ${kind}`, `"${twice}" is there twice`);
  }
  return { name, tables, migrations, routes, jobs, nodes, drivers };
}

const nameRule = 'its name is 1 to 40 lower-case letters, and not "service"';

function refuse(name: string, place: string, why: string): never {
  throw new TypeError(`The resource "${name}"${place}: ${why}`);
}

/**
 * Pairs an effect with a driver that works with the store of the service.
 *
 * @example
 * const count = defineEffect('notes.count', { request: z.strictObject({}), result: z.int() });
 * const drivers = [
 *   driveResource(count, async (_request, { origin }, { store }) => (await store.runner.read(notes.all(origin.companyId))).length),
 * ];
 */
export const driveResource = <Type extends string, Request, const Result>(
  effect: EffectDefinition<Type, Request, Result>,
  perform: (request: Request, context: DriverContext, parts: DriverParts) => Result | Promise<Result>,
): ResourceDriver => ({
  effect: effect as unknown as EffectDefinition,
  bind: (parts) => ({
    effect: effect as unknown as EffectDefinition,
    perform: (request: Request, context: DriverContext) => perform(request, context, parts),
  }),
});
