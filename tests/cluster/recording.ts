import type { ExecutionRecord, ExecutionStore, HistoryRecord } from '@hilo/engine/contract';
import { simulatedIds } from '../../packages/simulator/src/simulation/world.ts';
import type { Answer, CommitMade, EffectMade, EngineFault, Evidence } from './evidence.ts';
import type { RareState } from './rare-states.ts';
import type { SharedExecutionStore } from './shared-store.ts';
import { listenForUnhandled } from './unhandled.ts';

/** Writes down what happens in a run, for the oracles. */
export interface Recording {
  /** How much has happened so far: the place of the next commit or effect. */
  order(): number;
  /** The same with the answers: it grows as long as anything comes about. */
  progress(): number;
  effect(effect: Omit<EffectMade, 'order'>): void;
  answer(answer: Answer): void;
  fault(fault: EngineFault): void;
  /** A store of which every commit is written down, with the process that made it. */
  watched(process: string, store: SharedExecutionStore): SharedExecutionStore;
  /** Every execution, as last saved. */
  executions(): readonly ExecutionRecord[];
  /** Ends the recording, and adds to it what the store holds. */
  end(contents: ExecutionStore, others: EvidenceOfOthers): Promise<Evidence>;
}

/** Evidence that is not recorded here. */
type EvidenceOfOthers = Pick<Evidence, 'unanswered' | 'endMs' | 'canvasOf' | 'isQuiet' | 'isPunctual'>;

export function createRecording(nowMs: () => number, onRare: (state: RareState) => void): Recording {
  const commits: CommitMade[] = [];
  const effects: EffectMade[] = [];
  const answers: Answer[] = [];
  const faults: EngineFault[] = [];
  const executions = new Map<string, ExecutionRecord>();
  const unhandled = listenForUnhandled();
  const order = (): number => commits.length + effects.length;

  return {
    order,
    progress: () => order() + answers.length,
    effect: (effect) => void effects.push({ order: order(), ...effect }),
    answer: (answer) => void answers.push(answer),
    fault: (fault) => void faults.push(fault),
    watched: (process, store) => ({
      ...store,
      async commit(commit, requester) {
        const committed = await store.commit(commit, requester);
        if (committed.kind === 'conflict') onRare('commit met another writer');
        if (committed.kind === 'duplicate') onRare('delivery known already');
        if (committed.kind !== 'committed') return committed;
        commits.push({ order: order(), atMs: nowMs(), process, commit, seqs: committed.seqs });
        for (const record of commit.saves) executions.set(record.executionId, record);
        return committed;
      },
    }),
    executions: () => [...executions.values()],
    async end(contents, others) {
      const { companyId } = simulatedIds;
      const unfinished = await contents.unfinished('', Number.POSITIVE_INFINITY);
      const kept: ExecutionRecord[] = [];
      const histories = new Map<string, readonly HistoryRecord[]>();
      for (const executionId of executions.keys()) {
        histories.set(executionId, await contents.history(companyId, executionId));
        const record = await contents.load(companyId, executionId);
        if (record !== undefined) kept.push(record);
      }
      return { commits, effects, answers, faults, unhandled: unhandled.end(), executions: kept, histories, unfinished, ...others };
    },
  };
}
