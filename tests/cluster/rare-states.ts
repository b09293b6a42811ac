import type { Evidence } from './evidence.ts';

/**
 * What seldom happens, and is what simulation is for. A campaign that does not reach each of them proves less than it
 * seems to.
 */
export const rareStates = [
  'zombie write refused',
  'lanes inherited',
  'lanes handed over',
  'call left for another',
  'commit met another writer',
  'commit of a dead process took place',
  'answer of a commit lost',
  'answer to a committed start lost',
  'write on a full disk refused',
  'delivery twice at once',
  'delivery known already',
  'several resumes at once',
  'resume ignored',
  'resume refused',
  'clock went back',
  'clock went forward',
  'publish while executions run',
  'execution outlived its version',
  'effect performed again after a death',
  'effect tried again after a failure',
  'effect of unknown outcome',
  'timer due while nobody was there',
  'message before its wait',
  'message held back',
  'child ended and told its parent',
  'child cancelled with its parent',
  'jump into another canvas',
  'quarantine',
  'release from quarantine',
] as const;

export type RareState = (typeof rareStates)[number];

/** The least delay of a timer that no process was alive to fire. */
const lateMs = 9_000;

/** The rare states that can be seen once a run is over. */
export function rareStatesIn({ answers, commits, effects, executions, histories }: Evidence): readonly RareState[] {
  const events = [...histories.values()].flat().map(({ event }) => event);
  const attempts = Map.groupBy(effects, ({ key, attempt }) => `${key} ${attempt}`);
  const latest = new Map<string, number>();
  let outlived = false;
  for (const { workflowId, version } of commits.flatMap(({ commit }) => commit.saves)) {
    if (version === 'draft') continue;
    outlived ||= version < (latest.get(workflowId) ?? 0);
    latest.set(workflowId, Math.max(version, latest.get(workflowId) ?? 0));
  }
  const seen: { readonly [State in RareState]?: boolean } = {
    'resume refused': answers.some(({ verb, refusal }) => verb === 'resume' && refusal !== undefined),
    'execution outlived its version': outlived,
    'effect performed again after a death': [...attempts.values()].some((all) => all.length > 1),
    'effect tried again after a failure': effects.some(({ attempt }) => attempt > 1),
    'effect of unknown outcome': events.some(
      (event) => event.type === 'effect.settled' && event.settled.kind === 'failure' && event.settled.outcome === 'unknown',
    ),
    'timer due while nobody was there': events.some((event) => event.type === 'timer.fired' && event.lateByMs > lateMs),
    'message before its wait': waitedInQueue(commits),
    'child ended and told its parent': events.some(({ type }) => type === 'child.ended'),
    'child cancelled with its parent': executions.some(({ parent, state }) => parent !== undefined && state.status === 'cancelled'),
    'jump into another canvas': events.some(({ type }) => type === 'canvas.entered'),
    quarantine: events.some(({ type }) => type === 'execution.quarantined'),
  };
  return rareStates.filter((state) => seen[state] === true);
}

/** Whether a message that answers a wait was accepted before the wait was there. */
function waitedInQueue(commits: Evidence['commits']): boolean {
  const acceptedAt = new Map<number, number>();
  const openedAt = new Map<string, number>();
  for (const { order, commit, seqs } of commits) {
    for (const [index, { accepted }] of commit.enqueue.entries()) if (accepted.kind === 'message') acceptedAt.set(seqs[index] ?? 0, order);
    for (const { event, executionId } of commit.history) {
      if (event.type !== 'reply.received') continue;
      const opened = openedAt.get(`${executionId} ${event.waitId}`) ?? 0;
      if (commit.dequeue.some(({ seq }) => (acceptedAt.get(seq) ?? opened) < opened)) return true;
    }
    for (const { executionId, state } of commit.saves) {
      const wait = `${executionId} ${state.wait?.id ?? ''}`;
      if (state.wait !== undefined && !openedAt.has(wait)) openedAt.set(wait, order);
    }
  }
  return false;
}
