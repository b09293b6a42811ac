// Draws a conversation in a terminal while it goes on.
import { windowIsOpen } from '@hilo/nodes/effects';
import { wrapAnsi } from 'fast-wrap-ansi';
import { z } from 'zod';
import { type Paint, printable } from '../paint.ts';
import { commandHelp } from './command.ts';
import { drawEvent, type Scene } from './draw-event.ts';
import { drawHistory, drawState, type StateScene } from './draw-state.ts';
import { exampleCall } from './example-call.ts';
import type { Moment, Reporter, Shown } from './reporter.ts';
import type { RunSetup } from './setup.ts';
import { clockText, durationText } from './time.ts';

/** What a conversation is drawn with. */
export interface TerminalOptions {
  readonly setup: RunSetup;
  readonly paint: Paint;
  readonly columns: number;
  /** Whether time moves only by `/time`. */
  readonly isVirtual: boolean;
  /** Whether a user types: input from elsewhere is echoed. */
  readonly isTerminal: boolean;
  /** Prints lines; a line break is added. */
  readonly print: (text: string) => void;
}

/** The prompt of the terminal, which is also drawn before echoed input. */
export const drawPrompt = (paint: Paint): string => paint(['green', 'bold'], '› ');

/** A message is easier to read when it is no wider than on a phone held sideways. */
const widestMessage = 72;

/** Draws a conversation for a person. */
export function createTerminalReporter({ setup, paint, columns, isVirtual, isTerminal, print: printAsIs }: TerminalOptions): Reporter {
  let shownMs: number | undefined;
  /** Wraps lines between words; the terminal itself would wrap them anywhere. */
  const print = (text: string): void => printAsIs(isTerminal ? wrapAnsi(text, columns, { hard: true, trim: false }) : text);

  const createScene = ({ executionIds }: Moment): Scene => ({
    paint,
    width: Math.min(widestMessage, columns - 2),
    mainId: setup.main.id,
    canvases: setup.canvases,
    isVirtual,
    nameOf: createNaming(executionIds),
  });
  const createStateScene = ({ nowMs, executionIds }: Moment): StateScene => ({ paint, columns, nowMs, nameOf: createNaming(executionIds) });

  /** A line where time has moved on. */
  const timeLine = (atMs: number): void => {
    const passedMs = atMs - (shownMs ?? atMs);
    shownMs = atMs;
    if (passedMs >= 1_000) print(paint('dim', `── ${clockText(atMs)} (+${durationText(passedMs)}) ${'─'.repeat(12)}`));
  };

  return {
    greet({ nowMs }) {
      shownMs = nowMs;
      const { main, canvases, channel, user, company } = setup;
      const facts = [
        channel,
        user.names === undefined ? user.id : `${user.names} (${user.id})`,
        company.plan === undefined ? '' : `plan ${company.plan}`,
        clockText(nowMs),
      ];
      const calls = canvases.slice(1).map(({ id }) => id);
      print(`${paint('bold', printable(main.name))}  ${paint('dim', facts.filter(Boolean).map(printable).join(' · '))}`);
      if (calls.length > 0) print(paint('dim', `with ${calls.join(', ')}`));
      print(describeBeginning(setup));
      print(paint('dim', '/help lists all commands, /quit leaves.'));
    },
    input(line) {
      if (!isTerminal) print(`${drawPrompt(paint)}${printable(line)}`);
    },
    events(events, moment) {
      const scene = createScene(moment);
      for (const event of events) {
        if (isVirtual) timeLine(event.atMs);
        print(drawEvent(event, scene));
      }
      if (isVirtual) timeLine(moment.nowMs);
    },
    show: (shown, moment) =>
      shown.kind === 'transcript' ? printAsIs(shown.text) : print(drawShown(shown, createStateScene(moment), isVirtual)),
    complain: (reason) => print(paint('yellow', printable(`${reason.charAt(0).toUpperCase()}${reason.slice(1)}`))),
  };
}

const createNaming =
  (ids: readonly string[]) =>
  (executionId: string): string => {
    const index = ids.indexOf(executionId);
    return index < 0 ? executionId : `<execution-${index + 1}>`;
  };

function drawShown(shown: Exclude<Shown, { readonly kind: 'transcript' }>, scene: StateScene, isVirtual: boolean): string {
  const { paint, columns, nowMs } = scene;
  switch (shown.kind) {
    case 'state':
      return drawState(shown.executions, scene);
    case 'history':
      return drawHistory(shown.records, scene);
    case 'time': {
      const { nextMs } = shown;
      const next =
        nextMs === undefined
          ? 'nothing is due'
          : `next due ${clockText(nextMs)}, in ${durationText(nextMs - nowMs)}${isVirtual ? ' (/time next)' : ''}`;
      return `It is ${paint('bold', clockText(nowMs))}; ${next}.`;
    }
    case 'help': {
      const widest = Math.max(...commandHelp.map(([usage]) => usage.length));
      const indent = ' '.repeat(widest + 4);
      const beside = (meaning: string): string => wrapAnsi(meaning, Math.max(20, columns - indent.length)).replaceAll('\n', `\n${indent}`);
      return commandHelp.map(([usage, meaning]) => `  ${paint('cyan', usage.padEnd(widest))}  ${beside(meaning)}`).join('\n');
    }
  }
}

const Keywords = z.array(z.string()).catch([]);

/** How a user begins this canvas: what to write, or which webhook to call. */
function describeBeginning({ main: canvas, user, channel }: RunSetup): string {
  const starts = canvas.nodes.filter(({ type }) => type === 'start');
  const keywords = starts.flatMap(({ data }) => Keywords.parse(data['keywords'])).map((keyword) => `"${printable(keyword)}"`);
  const few = keywords.slice(0, 4);
  const listed = few.length > 1 ? `${few.slice(0, -1).join(', ')} or ${few.at(-1)}` : (few[0] ?? '');
  if (starts.some(({ data }) => data['fallback'] === true))
    return `Write anything to begin${listed === '' ? '' : `, ${listed} above all`}.`;
  if (listed !== '') return `Write ${listed} to begin.`;
  const call = exampleCall(canvas, { userId: user.id });
  const isSilent = canvas.kind === 'skill' && !windowIsOpen(undefined, channel, 0);
  const first = `${user.names ?? user.id} has not written yet, so that only templates go out: write anything first.\n`;
  if (call !== undefined) return `${isSilent ? first : ''}Begin with /webhook ${call}`;
  return starts.length > 0
    ? 'Other workflows call this one: begin with /start {…} and its inputs.'
    : 'Nothing can begin this canvas: its webhook takes no method.';
}
