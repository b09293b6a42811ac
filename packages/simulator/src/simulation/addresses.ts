// The addresses that `resumeUrl` gives in a simulation: readable, and called by lines of a script.
import type { ResumeClaim } from '@hilo/engine/contract';

/** Addresses of callbacks, the last of each node. */
export interface Addresses {
  /** Writes the address for a claim. It names the execution, for which a transcript writes its name. */
  write(claim: ResumeClaim): string;
  /** The address that was given last, of a node where one is named. */
  last(nodeId: string | undefined): ResumeClaim | undefined;
}

/** No addresses yet. */
export function createAddresses(): Addresses {
  const byNode = new Map<string, ResumeClaim>();
  return {
    write(claim) {
      byNode.delete(claim.nodeId); // the last one given is the last of the map
      byNode.set(claim.nodeId, claim);
      return `https://callbacks.example/workflows/v2/resume/${claim.executionId}.${claim.nodeId}.${claim.visit}`;
    },
    last: (nodeId) => (nodeId === undefined ? [...byNode.values()].at(-1) : byNode.get(nodeId)),
  };
}
