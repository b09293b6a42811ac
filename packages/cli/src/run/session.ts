// A conversation in the terminal: what a line does to it, and what is reported of it.
import { HiloError, type JsonObject } from '@hilo/engine/contract';
import type { MessageOption } from '@hilo/nodes';
import { type Conversation, type ScriptInput, simulate, type SimulatedUser, virtualStartMs } from '@hilo/simulator';
import { readCommand, type RunCommand } from './command.ts';
import { listChoices, sentMessage } from './draw-message.ts';
import { createEventLog, type EventLog, type RunEvent } from './events.ts';
import type { Moment, Reporter, Shown } from './reporter.ts';
import { type RunSetup, createSimulationOptions } from './setup.ts';

/** A conversation that processes one line after the other. */
export interface Session {
  /** Performs a line. */
  take(line: string): Promise<'continue' | 'quit'>;
  /** Performs an input of a script. */
  play(input: ScriptInput): Promise<void>;
  /** Advances the clock to the real time and fires due timers. @returns when the next one is due */
  catchUp(nowMs: number): Promise<number | undefined>;
  /** The current conversation. */
  conversation(): Conversation;
}

/** Begins a conversation and greets. @param now - the real time, in real-time mode; otherwise time stands still until `/time` */
export async function openSession(setup: RunSetup, reporter: Reporter, now?: () => number): Promise<Session> {
  let run = await beginRun(setup, now?.());
  let choices: readonly MessageOption[] = [];

  const moment = async (): Promise<Moment> => ({
    nowMs: run.conversation.clock.now(),
    executionIds: (await run.conversation.executions()).map(({ executionId }) => executionId),
  });

  const report = async (first: readonly RunEvent[] = []): Promise<void> => {
    const events = [...first, ...run.log.take()];
    for (const event of events)
      if (event.kind === 'effect' && event.effect === 'message.send') choices = listChoices(sentMessage(event.request));
    reporter.events(events, await moment());
  };

  const play = async (input: ScriptInput): Promise<void> => {
    if (input.kind === 'says') choices = [];
    if (input.kind === 'webhook') await report([await callWebhook(run, input.call)]);
    else {
      await run.conversation.plays(input);
      await report();
    }
  };

  const skip = async (): Promise<void> => {
    const durationMs = await untilNextDue(run.conversation);
    if (durationMs === undefined) reporter.complain('Nothing is due');
    else await play({ kind: 'passes', durationMs });
  };

  const take = async (line: string): Promise<'continue' | 'quit'> => {
    const command = readCommand(line, choices);
    switch (command.kind) {
      case 'nothing':
        return 'continue';
      case 'input':
        if (command.input.kind === 'passes') requireVirtualTime(now);
        await play(command.input);
        return 'continue';
      case 'contact':
        await play({ kind: 'says', message: createContact(command, setup.user) });
        return 'continue';
      case 'skip':
        requireVirtualTime(now);
        await skip();
        return 'continue';
      case 'show':
        reporter.show(await inspect(run, command.what), await moment());
        return 'continue';
      case 'restart':
        await run.conversation.engine.stop();
        run = await beginRun(setup, now?.());
        choices = [];
        reporter.greet(await moment());
        return 'continue';
      case 'quit':
        return 'quit';
    }
  };

  reporter.greet(await moment());
  return {
    play,
    conversation: () => run.conversation,
    take: (line) => take(line).catch((error: unknown) => complainOf(error, reporter)),
    async catchUp(nowMs) {
      await advance(run.conversation, nowMs);
      await report();
      return run.conversation.clock.nextMs();
    },
  };
}

/** A line that cannot be performed is complained of, and the conversation goes on. @throws what is not the line's fault */
function complainOf(error: unknown, reporter: Reporter): 'continue' {
  if (!(error instanceof SyntaxError || error instanceof HiloError)) throw error;
  reporter.complain(error.message);
  return 'continue';
}

/** @throws {SyntaxError} in real-time mode */
function requireVirtualTime(now: (() => number) | undefined): void {
  if (now !== undefined) throw new SyntaxError('Time runs by itself here: leave --real-time out to move it');
}

/** How long it is until the next timer is due, at least a millisecond; nothing, where none is. */
async function untilNextDue({ nextDueMs, clock }: Conversation): Promise<number | undefined> {
  const nextMs = await nextDueMs();
  return nextMs === undefined ? undefined : Math.max(1, nextMs - clock.now());
}

/** Advances the clock of a conversation to an instant, and stops at each timer that is due on the way. */
async function advance({ clock, settles }: Conversation, nowMs: number): Promise<void> {
  for (let dueMs = clock.nextMs(); dueMs !== undefined && dueMs <= nowMs; dueMs = clock.nextMs()) {
    clock.advanceTo(Math.max(dueMs, clock.now()));
    await settles();
  }
  if (nowMs > clock.now()) clock.advanceTo(nowMs);
}

/** A simulated conversation, with the events that were not reported yet. */
interface Run {
  readonly conversation: Conversation;
  readonly log: EventLog;
}

/** @param startAt - milliseconds since the Unix epoch; a Monday morning, when left out */
async function beginRun(setup: RunSetup, startAt = virtualStartMs): Promise<Run> {
  const log = createEventLog();
  let nowMs = (): number => startAt; // until there is a clock to ask
  const conversation = await simulate({
    canvases: setup.canvases,
    ...createSimulationOptions(setup),
    startAt,
    observer: log.observer(() => nowMs()),
  });
  nowMs = conversation.clock.now;
  log.listen(conversation);
  return { conversation, log };
}

/** Calls the webhook. Its answer is reported before all events of the call. */
async function callWebhook({ conversation }: Run, call: Extract<ScriptInput, { readonly kind: 'webhook' }>['call']): Promise<RunEvent> {
  const atMs = conversation.clock.now();
  const answer = await conversation.webhook(call);
  if (answer === 'pending') return { kind: 'answered', atMs };
  if (answer instanceof HiloError) return { kind: 'answered', atMs, error: answer.code, message: answer.message };
  const { executionId, mode, ignored } = answer;
  return { kind: 'answered', atMs, executionId, mode, ...(ignored === true && { isIgnored: true }) };
}

/** A contact as WhatsApp sends it: of another person, or the user's own. */
function createContact({ phone, name }: Extract<RunCommand, { readonly kind: 'contact' }>, user: SimulatedUser): JsonObject {
  const number = phone === '' ? (user.phone ?? user.id) : phone;
  const called = phone === '' ? (user.names ?? '') : name;
  return {
    type: 'contacts',
    contacts: [{ ...(called !== '' && { name: { formatted_name: called } }), phones: [{ phone: number }] }],
  };
}

async function inspect({ conversation }: Run, what: Shown['kind']): Promise<Shown> {
  switch (what) {
    case 'state':
      return { kind: 'state', executions: await conversation.executions() };
    case 'history':
      return { kind: 'history', records: await conversation.history() };
    case 'time': {
      const nextMs = await conversation.nextDueMs();
      return nextMs === undefined ? { kind: 'time' } : { kind: 'time', nextMs };
    }
    case 'transcript':
      return { kind: 'transcript', text: conversation.transcript() };
    case 'help':
      return { kind: 'help' };
  }
}
