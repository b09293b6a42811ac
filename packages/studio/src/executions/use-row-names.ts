// What the workflows and the steps of a list of executions are called: the list itself has ids alone.
import { useEffect, useRef, useState } from 'react';
import type { Execution } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeNames } from '../canvas/node-name.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

export interface RowNames {
  readonly ofWorkflow: (workflowId: string) => string;
  /** What a step is called in the version that an execution is of; by its id until that was read. */
  readonly ofStep: (execution: Pick<Execution, 'workflowId' | 'version'>, nodeId: string) => string;
}

/** As many versions are read at once: a list mostly has one or two, and the others follow. */
const atOnce = 4;
const noNodes: Pick<CanvasJson, 'nodes'> = { nodes: [] };

export function useRowNames(rows: readonly Execution[]): RowNames {
  const { client, companyId } = useStudio();
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const canvases = useCanvasesOf(rows.filter(({ wait }) => wait !== null));
  const nameIn = useNodeNames();
  return {
    ofWorkflow: (workflowId) => references?.workflows.find(({ id }) => id === workflowId)?.name ?? workflowId,
    ofStep: ({ workflowId, version }, nodeId) => nameIn(canvases.get(keyOf(workflowId, version)) ?? noNodes, nodeId),
  };
}

/** The canvases that executions run on, each read once: those that were read first are there first. */
function useCanvasesOf(executions: readonly Execution[]): ReadonlyMap<string, CanvasJson> {
  const { client, companyId } = useStudio();
  const [canvases, setCanvases] = useState<ReadonlyMap<string, CanvasJson>>(new Map());
  const asked = useRef(new Set<string>());
  const wanted = [...new Map(executions.map(({ workflowId, version }) => [keyOf(workflowId, version), { workflowId, version }]))];
  useEffect(() => {
    const missing = wanted.filter(([key]) => !asked.current.has(key));
    for (const [key] of missing) asked.current.add(key);
    const readOn = async (): Promise<void> => {
      for (let next = missing.shift(); next !== undefined; next = missing.shift()) {
        const [key, { workflowId, version }] = next;
        const read =
          version === 'draft'
            ? client.draft(companyId, workflowId).then(({ canvas }) => canvas)
            : client.version(companyId, workflowId, version);
        await read.then(
          (canvas) => setCanvases((before) => new Map(before).set(key, canvas)),
          () => undefined, // its steps keep their ids
        );
      }
    };
    for (let reader = 0; reader < atOnce; reader += 1) void readOn();
    // What is wanted is identified by its keys.
  }, [client, companyId, wanted.map(([key]) => key).join('|')]);
  return canvases;
}

const keyOf = (workflowId: string, version: Execution['version']): string => `${workflowId}/${version}`;
