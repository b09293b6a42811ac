// What the workflows and the steps of a list of executions are called: the list itself has ids alone.
import type { Execution } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeNames } from '../canvas/node-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

export interface RowNames {
  readonly ofWorkflow: (workflowId: string) => string;
  /** What a step is called in the version that an execution is of; by its id where that was not read. */
  readonly ofStep: (execution: Pick<Execution, 'workflowId' | 'version'>, nodeId: string) => string;
}

/** As many versions are read for the names of their steps: a list mostly has one or two. */
const mostVersions = 8;
const noNodes: Pick<CanvasJson, 'nodes'> = { nodes: [] };

export function useRowNames(rows: readonly Execution[]): RowNames {
  const { client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const waiting = new Map(
    rows.flatMap(({ workflowId, version, wait }) =>
      wait === null ? [] : [[keyOf(workflowId, version), { workflowId, version }] as const],
    ),
  );
  const wanted = [...waiting].slice(0, mostVersions);
  const { value: canvases } = useLoaded(
    `names/${wanted
      .map(([key]) => key)
      .toSorted()
      .join()}`,
    async () => {
      const read = wanted.map(async ([key, { workflowId, version }]) => {
        const canvas =
          version === 'draft' ? (await client.draft(companyId, workflowId)).canvas : await client.version(companyId, workflowId, version);
        return [key, canvas] as const;
      });
      return new Map((await Promise.allSettled(read)).flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))); // others keep their ids
    },
  );
  const nameIn = useNodeNames();
  return {
    ofWorkflow: (workflowId) => references?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId,
    ofStep: ({ workflowId, version }, nodeId) => nameIn(canvases?.get(keyOf(workflowId, version)) ?? noNodes, nodeId),
  };
}

const keyOf = (workflowId: string, version: Execution['version']): string => `${workflowId}/${version}`;
