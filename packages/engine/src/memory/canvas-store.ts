// Canvases in memory.
import type { Canvas } from '../contract/canvas.ts';
import type { CanvasStore, Gate, PublishedVersion } from '../contract/store.ts';

interface Workflow {
  gate?: Gate | undefined;
  draft?: { readonly canvas: Canvas; readonly hash: string };
  readonly versions: PublishedVersion[];
}

function latestOf(workflow: Workflow | undefined): PublishedVersion | undefined {
  const latest = workflow?.versions.at(-1);
  return latest === undefined || workflow?.gate === undefined ? latest : { ...latest, gate: workflow.gate };
}

/** The in-memory {@link CanvasStore}. */
export function createMemoryCanvases(): CanvasStore {
  const companies = new Map<string, Map<string, Workflow>>();
  const contents = new Map<string, Canvas>();

  const company = (companyId: string) => companies.get(companyId) ?? new Map<string, Workflow>();
  const workflow = (companyId: string, workflowId: string): Workflow => {
    const workflows = company(companyId);
    const found = workflows.get(workflowId) ?? { versions: [] };
    companies.set(companyId, workflows.set(workflowId, found));
    return found;
  };
  const sorted = (companyId: string): readonly Workflow[] =>
    [...company(companyId)].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, found]) => found);
  const contentKey = (companyId: string, hash: string) => `${companyId}\0${hash}`;

  return {
    async saveDraft(companyId, canvas, hash) {
      workflow(companyId, canvas.id).draft = { canvas, hash };
      contents.set(contentKey(companyId, hash), canvas);
    },
    draft: async (companyId, workflowId) => company(companyId).get(workflowId)?.draft,
    drafts: async (companyId) => sorted(companyId).flatMap(({ draft = [] }) => draft),
    async publish(companyId, canvas, hash, atMs) {
      const place = workflow(companyId, canvas.id);
      const { versions } = place;
      if (place.gate?.state === 'unpublished') place.gate = undefined;
      const latest = versions.at(-1);
      if (latest?.hash === hash) return latest;
      const published = { workflowId: canvas.id, version: versions.length + 1, hash, canvas, publishedAtMs: atMs };
      versions.push(published);
      contents.set(contentKey(companyId, hash), canvas);
      return published;
    },
    version: async (companyId, workflowId, version) => company(companyId).get(workflowId)?.versions[version - 1],
    versions: async (companyId, workflowId) => [...(company(companyId).get(workflowId)?.versions ?? [])],
    latest: (companyId, workflowId) => latestOf(company(companyId).get(workflowId)),
    published: async (companyId) => sorted(companyId).flatMap((found) => latestOf(found) ?? []),
    async setGate(companyId, workflowId, gate, unless) {
      const changed = workflow(companyId, workflowId);
      if (unless !== undefined && changed.gate?.state === unless) return false;
      changed.gate = gate;
      return true;
    },
    async keep(companyId, canvas, hash) {
      contents.set(contentKey(companyId, hash), canvas);
    },
    companyIds: async () => [...companies.keys()],
    byHash: async (companyId, hash) => contents.get(contentKey(companyId, hash)),
  };
}
