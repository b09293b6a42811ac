import { HiloError, type JsonObject } from '@hilo/engine/contract';
import type { MessageOption } from '@hilo/nodes';
import { type Conversation, InputError, type ScriptInput, type SimulatedUser, simulatedIds } from '@hilo/simulator';
import { readCommand, type TalkCommand } from './command.ts';
import { choicesOf, sentMessage } from './draw-message.ts';
import type { TalkEvent } from './events.ts';
import type { Moment, Reporter, Shown } from './reporter.ts';
import { openTalk, type Stage, type Talk } from './stage.ts';
import { whereItStands } from './where-it-stands.ts';

/** A talk that takes one line after the other. */
export interface Session {
  /** Does what a line says. @returns whether there is more to come */
  take(line: string): Promise<'goes on' | 'over'>;
  /** Does what a script says. */
  play(input: ScriptInput): Promise<void>;
  /** Where real time is given, lets the talk catch up with it. @returns when something is due next */
  catchUp(nowMs: number): Promise<number | undefined>;
  /** The talk as it stands. */
  talk(): Conversation;
}

/** Opens a talk and greets. @param now - the real time, where the talk runs by it; without, time stands until `/time` */
export async function openSession(stage: Stage, reporter: Reporter, now?: () => number): Promise<Session> {
  let talk: Talk = await openTalk(stage, now?.());
  let choices: readonly MessageOption[] = [];

  const moment = async (): Promise<Moment> => ({
    nowMs: talk.conversation.clock.now(),
    executionIds: (await talk.conversation.executions()).map(({ executionId }) => executionId),
  });

  /** What has been done is remembered before it is told. */
  const keepTime = async (): Promise<void> => stage.kept?.keepTime(talk.conversation.clock.now());

  const report = async (first: readonly TalkEvent[] = []): Promise<void> => {
    const events = [...first, ...talk.log.take()];
    for (const event of events)
      if (event.kind === 'effect' && event.effect === 'message.send') choices = choicesOf(sentMessage(event.request));
    await keepTime();
    reporter.events(events, await moment());
  };

  const play = async (input: ScriptInput): Promise<void> => {
    if (input.kind === 'says') choices = [];
    if (input.kind === 'webhook') await report([await callWebhook(talk, input.call)]);
    else {
      await talk.conversation.plays(input);
      await report();
    }
  };

  const show = async (what: 'time' | 'state' | 'history' | 'transcript' | 'help'): Promise<void> =>
    reporter.show(await shown(talk, what), await moment());

  const skip = async (): Promise<void> => {
    const nextMs = await talk.conversation.nextDueMs();
    const durationMs = nextMs === undefined ? 0 : nextMs - talk.conversation.clock.now();
    if (nextMs === undefined) reporter.complain('Nothing is due');
    else await play({ kind: 'passes', durationMs: Math.max(1, durationMs) });
  };

  const start = async (inputs: JsonObject): Promise<void> => {
    const { main, channel, user } = stage;
    const whose = main.kind === 'tool' ? {} : { botId: simulatedIds.botId, userId: user.id };
    await talk.conversation.engine.startWorkflow({
      origin: { companyId: simulatedIds.companyId, route: 'production', channel, ...whose },
      workflowId: main.id,
      inputs,
    });
    await talk.conversation.settles();
    await report();
  };

  const take = async (line: string): Promise<'goes on' | 'over'> => {
    const command = readCommand(line, choices);
    switch (command.kind) {
      case 'nothing':
        return 'goes on';
      case 'input':
        if (now !== undefined && command.input.kind === 'passes')
          throw new SyntaxError('Time runs by itself here: leave --real-time out to move it');
        await play(command.input);
        return 'goes on';
      case 'contact':
        await play({ kind: 'says', message: contactOf(command, stage.user) });
        return 'goes on';
      case 'start':
        await start(command.inputs);
        return 'goes on';
      case 'skip':
        if (now !== undefined) throw new SyntaxError('Time runs by itself here: leave --real-time out to move it');
        await skip();
        return 'goes on';
      case 'show':
        await show(command.what);
        return 'goes on';
      case 'restart':
        if (stage.kept !== undefined) throw new SyntaxError('With --data nothing is forgotten: name another directory to begin anew');
        await talk.conversation.engine.stop();
        talk = await openTalk(stage, now?.());
        choices = [];
        reporter.greet(await moment());
        return 'goes on';
      case 'quit':
        return 'over';
    }
  };

  reporter.greet(await moment());
  if (stage.kept !== undefined) await report(await whereItStands(talk.conversation));
  return {
    play,
    talk: () => talk.conversation,
    async take(line) {
      try {
        return await take(line);
      } catch (error) {
        if (!(error instanceof SyntaxError || error instanceof InputError || error instanceof HiloError)) throw error;
        reporter.complain(error.message);
        return 'goes on';
      }
    },
    async catchUp(nowMs) {
      const { clock } = talk.conversation;
      for (let dueMs = clock.nextMs(); dueMs !== undefined && dueMs <= nowMs; dueMs = clock.nextMs()) {
        clock.advanceTo(Math.max(dueMs, clock.now()));
        await talk.conversation.settles();
      }
      if (nowMs > clock.now()) clock.advanceTo(nowMs);
      await report();
      return clock.nextMs();
    },
  };
}

/** Calls the webhook. What it was answered stands before all that came of it. */
async function callWebhook({ conversation }: Talk, call: Extract<ScriptInput, { readonly kind: 'webhook' }>['call']): Promise<TalkEvent> {
  const atMs = conversation.clock.now();
  const answer = await conversation.webhook(call);
  if (answer === 'pending') return { kind: 'answered', atMs };
  if (answer instanceof HiloError) return { kind: 'answered', atMs, error: answer.code, message: answer.message };
  const { executionId, mode, ignored } = answer;
  return { kind: 'answered', atMs, executionId, mode, ...(ignored === true && { isIgnored: true }) };
}

/** A contact as WhatsApp sends it: of somebody else, or the user's own. */
function contactOf({ phone, name }: Extract<TalkCommand, { readonly kind: 'contact' }>, user: SimulatedUser): JsonObject {
  const number = phone === '' ? (user.phone ?? user.id) : phone;
  const called = phone === '' ? (user.names ?? '') : name;
  return {
    type: 'contacts',
    contacts: [{ ...(called !== '' && { name: { formatted_name: called } }), phones: [{ phone: number }] }],
  };
}

async function shown(talk: Talk, what: Shown['kind']): Promise<Shown> {
  const { conversation } = talk;
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
