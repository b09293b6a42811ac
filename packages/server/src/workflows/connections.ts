import { setImmediate as turn } from 'node:timers/promises';
import { type CheckOptions, compileCanvas, type Connections, nodeTypes } from '@hilo/engine';
import type { Canvas } from '@hilo/engine/contract';
import type { PublishChecks } from './check-canvas.ts';
import type { Service } from '../service.ts';
import { collections } from '../platform/database/collections.ts';

type Reference = Parameters<NonNullable<CheckOptions['resolve']>>[0];

/**
 * What a canvas is checked against: the channels its company has connected, and what of that company exists of all that
 * the canvas names. Another company's templates, credentials and functions exist for it as little as none at all (T19, P28).
 */
export async function connectionsFor(service: ConnectionSources, companyId: string, canvas: Canvas): Promise<Connections> {
  await turn(); // a large canvas was read before this and is checked after it: others get their turn between (P20)
  const { nodes } = compileCanvas(canvas, '', nodeTypes(service.nodes)).compiled;
  const references = [...nodes.values()].flatMap(({ definition, config }) => definition.references(config));
  const known = new Map<string, boolean | undefined>();
  for (const reference of references) {
    const name = nameOf(reference);
    if (!known.has(name)) known.set(name, await exists(service, companyId, canvas, reference));
  }
  await turn();
  return {
    channels: channelsOf(service, companyId),
    resolve: (reference) => known.get(nameOf(reference)),
  };
}

/** What publishing a canvas in a company checks it against. */
export const checksFor = async (
  service: ConnectionSources & Pick<Service, 'effects'>,
  companyId: string,
  canvas: Canvas,
): Promise<PublishChecks> => ({
  ...(await connectionsFor(service, companyId, canvas)),
  nodes: service.nodes,
  effects: service.effects,
  published: () => service.store.canvases.published(companyId),
});

/** Where references are looked up. */
export type ConnectionSources = Pick<Service, 'companies' | 'store' | 'functions' | 'nodes'>;

/** The channels a company has connected, each once. */
export const channelsOf = ({ companies }: Pick<Service, 'companies'>, companyId: string) => [
  ...new Set(companies.bots(companyId).map(({ channel }) => channel)),
];

const nameOf = ({ kind, id, version }: Reference): string => JSON.stringify([kind, id, version ?? null]);

/** A workflow exists from its first draft on, so that two that call each other can be published one after the other. */
async function exists(
  { companies, functions, store: { canvases, runner } }: ConnectionSources,
  companyId: string,
  canvas: Canvas,
  { kind, id, version }: Reference,
): Promise<boolean | undefined> {
  const numbered = { company_id: companyId, id: Number(id) };
  switch (kind) {
    case 'workflow':
      if (version !== undefined) return (await canvases.version(companyId, id, version)) !== undefined;
      return (
        id === canvas.id || (await canvases.draft(companyId, id)) !== undefined || (await canvases.latest(companyId, id)) !== undefined
      );
    case 'template':
      return (
        companies.template(companyId, id) !== undefined || companies.templates(companyId).some(({ elementName }) => elementName === id)
      );
    case 'credential':
      return (await companies.credential(companyId, id)) !== undefined;
    case 'function':
      return functions === undefined ? undefined : (await functions.owner(id)) === companyId;
    case 'tag':
      return (await runner.readOne(collections.tags.find(numbered))) !== undefined;
    case 'team':
      return (await runner.readOne(collections.teams.find(numbered))) !== undefined;
    case 'operator':
      return (await runner.readOne(collections.operators.find(numbered))) !== undefined;
  }
}
