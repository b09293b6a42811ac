import type { Connections } from '@hilo/engine';
import type { Channel, Reference } from '@hilo/engine/contract';
import type { WorkspaceCompany } from './workspace.ts';

/** What canvases of a company may name, by kind. */
export type KnownNames = { readonly [Kind in Reference['kind']]: ReadonlySet<string> };

/** What a workspace brings of it. @param workflows - the ids of the canvases that it brings */
export const namesBrought = (company: WorkspaceCompany, workflows: Iterable<string>): KnownNames => ({
  template: new Set(company.templates.flatMap(({ id, elementName }) => [id, elementName])),
  credential: new Set(company.credentials.map(({ id }) => id)),
  function: new Set(company.functions.map(({ id }) => id)),
  tag: new Set(company.tags.map(({ id }) => String(id))),
  team: new Set(company.teams.map(({ id }) => String(id))),
  operator: new Set(company.operators.map(({ id }) => String(id))),
  workflow: new Set(workflows),
});

/** What canvases are checked against where these names are all there are. Which versions there will be, nobody can say yet. */
export const connectionsTo = (names: KnownNames, channels: Iterable<Channel>): Connections => ({
  channels: [...new Set(channels)],
  resolve: ({ kind, id, version }) => (names[kind].has(id) && version !== undefined ? undefined : names[kind].has(id)),
});
