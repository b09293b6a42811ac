import type { Place } from '../address.ts';
import type { HiloClient } from './client.ts';

/**
 * A client that has begun to read what the first screen will ask for, while the screen itself is still loading: an editor opens after one
 * round trip instead of three, one after the other. The first call for each is answered by what was read; later ones read again.
 */
export function readAhead(client: HiloClient, { companyId, view }: Place): HiloClient {
  const workflowId = view.screen === 'editor' ? view.workflowId : undefined;
  let nodes = view.screen === 'inbox' ? undefined : begun(client.nodes()); // who only answers users may not read them
  let draft = companyId === undefined || workflowId === undefined ? undefined : begun(client.draft(companyId, workflowId));
  return {
    ...client,
    nodes() {
      const first = nodes;
      nodes = undefined;
      return first ?? client.nodes();
    },
    draft(company, workflow) {
      const first = company === companyId && workflow === workflowId ? draft : undefined;
      draft = undefined; // what was read for this workflow may be old when another one was opened first
      return first ?? client.draft(company, workflow);
    },
  };
}

/** A failure is told to the call that is answered by it, and to nobody when there is none. */
function begun<Value>(reading: Promise<Value>): Promise<Value> | undefined {
  reading.catch(() => undefined);
  return reading;
}
