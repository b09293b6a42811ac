// Inputs of a lane that a runtime keeps whole: reads what `decideLane` lacks, and collects its steps until the lane is quiet.
import { describeThrown, HiloError, isHiloError } from '../contract/errors.ts';
import type { Contact } from '../contract/execution.ts';
import type { Json } from '../contract/json.ts';
import { hasPhone } from '../contract/phone-spellings.ts';
import type { Commit, ContactChange, ExecutionStore, InboxItem } from '../contract/store.ts';
import { createRefusal, isKnown, type LaneInput, type LaneReply } from '../lane/calls.ts';
import { decideLane, dropPoison } from '../lane/decide-lane.ts';
import { collectFollowUps, type FollowUps } from '../lane/follow-ups.ts';
import { commitToLane, isBlocked, keepLane, type KeptLane, type Lane, listQuestions, listWaits, nextItem, openLane } from '../lane/lane.ts';
import { findMember, waitsForRequest } from '../lane/resume.ts';
import type { LaneStep } from '../lane/step.ts';
import { companyOfLane } from '../machine/new-execution.ts';
import { applyContactChange } from '../memory/execution-store.ts';
import type { EngineContext } from './context.ts';
import { ContextReads, queryLane } from './lane-reads.ts';
import { publishStep } from './publish-step.ts';

/** The consequences of an input, as JSON: recorded before any of them happens. */
export interface LaneDecision extends FollowUps {
  /** The instant of the decision, in milliseconds since the Unix epoch. */
  readonly atMs: number;
  readonly reply: LaneReply;
  /** The lane after it. */
  readonly kept: KeptLane;
  /** Commits for `store`, in this order. */
  readonly commits: readonly Commit[];
  /** Inputs of other lanes. */
  readonly elsewhere: readonly Omit<InboxItem, 'seq'>[];
  /** Whether an item is left that can have its turn now. */
  readonly isDue: boolean;
}

/** A decision, and what is lost with the process that made it. */
export interface TakenInLane {
  readonly decision: LaneDecision;
  /** Publishes events and performs unawaited effects, once the decision is recorded. */
  publish(): void;
}

/**
 * Takes an input of a lane that a runtime keeps, and gives accepted items their turns until the lane is blocked or has none. It changes and
 * performs nothing, and may be repeated until its decision is recorded. Reads outside of the lane are those of `engine.store` at that time.
 *
 * @param isAlone - takes nothing but this input: an earlier try may have killed its process, and the items are tried by themselves (P17)
 * @throws {HiloError} `STORE_UNAVAILABLE` when the store cannot be read
 */
export async function takeInLane(
  engine: EngineContext,
  name: string,
  before: KeptLane,
  input: LaneInput,
  isAlone = false,
): Promise<TakenInLane> {
  // A timer that fires is due, whatever this process's clock shows (P12).
  const atMs = Math.max(engine.clock.now(), input.type === 'timer' ? input.wait.dueAtMs : 0);
  const draft = new LaneDraft(engine, name, before, atMs);
  if (!isAlone || input.type === 'turn') await draft.giveTurns(isAlone ? 1 : Number.POSITIVE_INFINITY);
  const reply = await draft.answer(input);
  if (!isAlone) await draft.giveTurns(Number.POSITIVE_INFINITY);
  const kept = keepLane(draft.lane);
  const { commits, elsewhere, notices } = draft;
  return {
    decision: {
      atMs,
      reply: draft.withOutcome(reply),
      kept,
      commits,
      elsewhere,
      isDue: draft.isDue(),
      ...collectFollowUps(before, kept, atMs),
    },
    publish: () => notices.forEach((one) => one()),
  };
}

/** A lane with the steps that were decided and are not recorded yet. */
class LaneDraft {
  lane: Lane;
  readonly commits: Commit[] = [];
  readonly elsewhere: Omit<InboxItem, 'seq'>[] = [];
  readonly notices: (() => void)[] = [];
  readonly #engine: EngineContext;
  readonly #context: EngineContext;
  readonly #atMs: number;
  readonly #companyId: string;
  readonly #contacts = new Map<string, { readonly companyId: string; readonly contact: Contact }>();
  /** The next item keeps its place: it is for another release, or for a wait that its execution is on its way to. */
  #isKept = false;
  /** The number of the message that the input is, until its turn. */
  #seq: number | undefined;
  #outcome: LaneReply | undefined;

  constructor(engine: EngineContext, name: string, before: KeptLane, atMs: number) {
    this.lane = openLane(name, before);
    this.#engine = engine;
    this.#atMs = atMs;
    this.#companyId = companyOfLane(name);
    const events: EngineContext['events'] = {
      ...engine.events,
      emit: (event, ...args) => void this.notices.push(() => engine.events.emit(event, ...args)),
    };
    this.#context = { ...engine, events, store: this.#readThrough(engine.store) };
  }

  isDue = (): boolean => nextItem(this.lane) !== undefined && !this.#isKept && !isBlocked(this.lane.blocks, this.#atMs);

  /** The reply to a message says what became of it, where that is known. */
  withOutcome = (reply: LaneReply): LaneReply => this.#outcome ?? reply;

  /** Gives accepted items their turns, until the lane is blocked or has none. */
  async giveTurns(most: number): Promise<void> {
    for (let given = 0; given < most && this.isDue(); given += 1) await this.#giveTurn();
  }

  async #giveTurn(): Promise<void> {
    const item = nextItem(this.lane);
    if (item === undefined) return;
    const reads = this.#reads();
    let step: LaneStep;
    try {
      step = await this.#take({ type: 'turn' }, reads);
    } catch (error) {
      if (isPassing(error)) throw error;
      this.#report(error, `processing accepted items of lane ${this.lane.name}`);
      if (isHiloError(error, 'INVALID_CANVAS'))
        this.#isKept = true; // for a release that can run its execution
      else await this.#setAside(item, { type: 'poison', reason: describeThrown(error), isRepeated: false }, reads);
      return;
    }
    this.#isKept = step.keptFor !== undefined;
    if (step.routed !== undefined && item.seq === this.#seq) this.#outcome = { kind: 'answer', value: { outcome: step.routed } };
  }

  /** Removes an item that cannot be processed; where it cannot be quarantined either, it is dropped. */
  async #setAside(item: InboxItem, input: LaneInput, tried: ContextReads): Promise<void> {
    try {
      await this.#take(input, tried.again(this.#atMs));
    } catch (error) {
      if (isPassing(error)) throw error;
      this.#report(error, `quarantining what cannot be processed in lane ${this.lane.name}`);
      await this.#commit(dropPoison(item));
    }
  }

  /** Takes an input. @returns the answer for its caller; `busy` where it has its turn behind the effect that blocks the lane */
  async answer(input: LaneInput): Promise<LaneReply> {
    const item = nextItem(this.lane);
    if (input.type === 'poison' && item !== undefined) await this.#setAside(item, input, this.#reads());
    if (input.type === 'turn' || input.type === 'poison') return { kind: 'answer', value: null };
    if ((this.#isKept || isBlocked(this.lane.blocks, this.#atMs)) && (await this.#needsTurn(input))) return { kind: 'busy' };
    try {
      return { kind: 'answer', value: (await this.#take(input, this.#reads())).answer as Json };
    } catch (error) {
      if (isPassing(error)) throw error;
      if (hasCaller(input)) return this.#refuse(error);
      this.#report(error, `taking an input of lane ${this.lane.name}`);
      if (input.type === 'effect' || input.type === 'timer') {
        const { companyId, executionId } = input.type === 'effect' ? input : input.wait;
        await this.#take({ type: 'quarantine', companyId, executionId, reason: describeThrown(error) }, this.#reads());
      }
      return { kind: 'answer', value: null };
    }
  }

  #refuse(error: unknown): LaneReply {
    if (isKnown(error)) return createRefusal(error);
    this.#report(error, `taking a call of lane ${this.lane.name}`);
    return { kind: 'refused', code: 'INVALID_REQUEST', details: { reason: describeThrown(error) } };
  }

  /** Whether an input has its turn behind the effect that blocks the lane, such as an answer to a wait that is open. */
  async #needsTurn(input: LaneInput): Promise<boolean> {
    if (input.type !== 'resume') return input.type === 'signal';
    const { call, executionId } = input;
    const member = await queryLane(this.#context, this.#companyId, (reads) => findMember(this.lane, executionId, call.workflowId, reads));
    return member !== undefined && waitsForRequest(member);
  }

  #reads = (): ContextReads => new ContextReads(this.#context, this.#companyId, this.#atMs);

  #report(error: unknown, doing: string): void {
    this.#context.events.emit('engine.fault', { error, while: doing });
  }

  async #take(input: LaneInput, reads: ContextReads): Promise<LaneStep> {
    for (;;) {
      const step = decideLane(this.lane, input, reads);
      if (step.kind === 'step') return this.#commit(step, input);
      await reads.read(step.need);
      reads.transitions.rewind();
    }
  }

  /** Commits a step to the lane. @returns it, with the answer that its caller gets */
  async #commit(step: LaneStep, input?: LaneInput): Promise<LaneStep> {
    const { commit } = step;
    if (commit === undefined) return step;
    const keys = commit.seen?.keys ?? [];
    const seen = keys.length === 0 ? undefined : await this.#context.store.seenAnswer(keys);
    if (seen !== undefined) return { ...step, isApplied: false, answer: step.repeated ?? seen.answer };
    const { committed, lane, elsewhere } = commitToLane(this.lane, commit);
    if (committed.kind !== 'committed') throw new HiloError('STORE_CONFLICT', { executionId: this.lane.name });
    for (const one of commit.contacts) await this.#change(one);
    this.lane = lane;
    this.commits.push(commit);
    this.elsewhere.push(...elsewhere);
    this.#isKept = false;
    if (input?.type === 'message') [this.#seq] = committed.seqs;
    this.notices.push(() => publishStep(this.#engine, step));
    return step;
  }

  async #change(one: ContactChange): Promise<void> {
    const { companyId, botId, userId } = one;
    const known = await this.#context.store.contact(companyId, botId, [userId]);
    const before = known?.userId === userId ? known : undefined;
    this.#contacts.set(JSON.stringify([companyId, botId, userId]), { companyId, contact: applyContactChange(before, one) });
  }

  /** The store with what the steps have changed: executions of the lane are read from the lane, everything else from the store. */
  #readThrough(shared: ExecutionStore): ExecutionStore {
    const contacts = this.#contacts;
    return {
      ...shared,
      load: async (companyId, executionId) => {
        const here = this.lane.executions.find((record) => record.executionId === executionId);
        if (here === undefined) return shared.load(companyId, executionId);
        return here.companyId === companyId ? here : undefined;
      },
      async contact(companyId, botId, ids) {
        const isNamed = ({ userId, phone, bsuid }: Contact): boolean => ids.some((id) => id === userId || id === phone || id === bsuid);
        const ofBot = [...contacts.values()].filter((known) => known.companyId === companyId && known.contact.botId === botId);
        const here = ofBot.find((known) => isNamed(known.contact));
        if (here !== undefined) return here.contact;
        return (
          (await shared.contact(companyId, botId, ids)) ?? ofBot.find(({ contact }) => ids.some((id) => hasPhone(contact, id)))?.contact
        );
      },
      seenAnswer: async (keys) => {
        for (const key of keys) {
          const answer = this.lane.seen.get(key);
          if (answer !== undefined) return { answer };
        }
        return shared.seenAnswer(keys);
      },
      awaitingReply: async (_companyId, botId, userId) => listQuestions(this.lane, botId, userId)[0],
      awaitingReplies: async (_companyId, botId, userId) => listQuestions(this.lane, botId, userId).slice(0, 50),
      awaitingSignal: async (companyId, name, value) => {
        const own = new Set(this.lane.executions.map(({ executionId }) => executionId));
        const others = (await shared.awaitingSignal(companyId, name, value)).filter(({ executionId }) => !own.has(executionId));
        return [...others, ...listWaits(this.lane, name, value)];
      },
    };
  }
}

/** Whether somebody waits for the answer of an input. */
const hasCaller = ({ type }: LaneInput): boolean => callers.has(type);

const ofCallers = [
  'start',
  'message',
  'resume',
  'signal',
  'cancel',
  'release',
  'migrate',
  'undoMigration',
  'retry',
  'fork',
  'refusal',
] as const;
const callers: ReadonlySet<LaneInput['type']> = new Set(ofCallers);

const isPassing = (error: unknown): boolean => isKnown(error) && error.status === 503;
