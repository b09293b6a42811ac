import { checkCanvas, type Connections } from '@hilo/engine';
import type { Canvas, Problem } from '@hilo/engine/contract';
import type { Service } from '../service/service.ts';
import { rivalStarts } from './rival-starts.ts';

type Checking = Pick<Service, 'nodes' | 'effects' | 'store'>;

/**
 * All that publishing a canvas in a company would say: the one list of `validate`, of drafts and of publishing itself, which
 * refuses a canvas whose list has an error, and tells the rest as warnings.
 *
 * @param connections - what the canvas names of the company, and the channels it must fit; see `connectionsFor`
 */
export const problemsOf = async (
  service: Checking,
  companyId: string,
  canvas: Canvas,
  connections: Connections,
): Promise<readonly Problem[]> =>
  withRivals(service, companyId, canvas, checkCanvas(canvas, { ...connections, nodes: service.nodes, effects: service.effects }));

/** What the engine says of a canvas by itself, and what is wrong beside the other workflows of the company. */
export const withRivals = async (
  { store }: Pick<Checking, 'store'>,
  companyId: string,
  canvas: Canvas,
  problems: readonly Problem[],
): Promise<readonly Problem[]> => [...problems, ...(await rivalStarts({ store }, companyId, canvas))];
