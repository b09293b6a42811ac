import type { Engine } from '@hilo/engine';
import { type Clock, isJsonObject, type Json, type OpenWait } from '@hilo/engine/contract';
import { runCode } from '@hilo/nodes/effects';
import { textToLine, writeDuration } from '../script/line-text.ts';
import { drawMessage } from './draw-message.ts';
import type { Fault, RecordedCall } from './recorded-call.ts';

/** A transcript, one line per event: inputs at the margin, their results indented by two spaces. */
export interface Transcript {
  /** A line at the margin: an input or a remark. @returns removes the line, as long as it has no result */
  line(line: string): () => void;
  /** A result of the last input. */
  output(line: string): void;
  /** Reserves a place for a line that is known only later; it is left out when never filled. */
  reserve(): (line: string) => void;
  /** A line for what the last input needs: before the remarks that follow the input. */
  need(line: string): void;
  /** @param needs - lines for what the last input still needs */
  text(needs?: readonly string[]): string;
}

/** @param named - a line with stable names in place of ids */
export function createTranscript(named: (text: string) => string): Transcript {
  const lines: { text?: string }[] = [];
  const writeOutput = (line: string): { text?: string } => ({ text: `  ${named(line)}` });
  return {
    line(line) {
      const place = { text: line };
      lines.push(place);
      return () => {
        if (lines.at(-1) === place) lines.pop();
      };
    },
    output: (line) => void lines.push(writeOutput(line)),
    reserve() {
      const place: { text?: string } = {};
      lines.push(place);
      return (line) => {
        place.text = `  ${named(line)}`;
      };
    },
    need(line) {
      lines.splice(afterInput(lines), 0, writeOutput(line));
    },
    text(needs = []) {
      const all = lines.toSpliced(afterInput(lines), 0, ...needs.map(writeOutput));
      return all.flatMap(({ text }) => (text === undefined ? [] : [text])).join('\n');
    },
  };
}

/** Where the remarks and empty lines at the end begin. */
const afterInput = (lines: readonly { readonly text?: string }[]): number =>
  lines.findLastIndex(({ text }) => text !== '' && text?.startsWith('#') !== true) + 1;

/** Writes the events of an engine into a transcript. Workflows other than the main one are named. */
export function transcribe(engine: Engine, { output }: Transcript, mainId: string, clock: Clock): void {
  const whose = ({ workflowId }: { readonly workflowId: string }): string => (workflowId === mainId ? '' : `${workflowId} `);
  engine.on('execution.waiting', (about, wait) => output(`${whose(about)}waits: ${waitText(wait, clock.now())}`));
  engine.on('execution.ended', (about, { status, failure, outputs }) => {
    // A cancelled execution shows no cause, unless a start interrupted it.
    const cause = status === 'failed' || failure?.cause === 'INTERRUPTED' ? ` ${failure?.cause ?? ''}` : '';
    output(`${whose(about)}ended: ${status}${cause}${Object.keys(outputs).length === 0 ? '' : ` ${JSON.stringify(outputs)}`}`);
  });
  engine.on('message.held', ({ kept }) => output(kept ? 'held: kept for later' : 'held: discarded'));
  engine.on('engine.fault', (fault) => output(`fault: ${textToLine(`${String(fault.error)} while ${fault.while}`)}`));
}

/** The line for an input that nothing took. @param reason - why, where something waits that it is not for */
export const unmatchedLine = (reason?: string): string => (reason === undefined ? 'unmatched' : `unmatched: ${textToLine(reason)}`);

function waitText({ kind, dueAtMs, onDue, correlation }: OpenWait, nowMs: number): string {
  const what = correlation === undefined ? kind : [kind, correlation.name, correlation.value].filter((text) => text !== '').join(' ');
  if (dueAtMs === null) return textToLine(what);
  return `${textToLine(what)} until +${writeDuration(dueAtMs - nowMs)}${onDue === 'expire' ? ', then expires' : ''}`;
}

/** The call of a driver as a line. A fault is shown in place of the result. */
export function callLine({ effect, request }: RecordedCall, fault: Fault | undefined): string {
  if (fault !== undefined) return `${effect} ${fault}`;
  const fields = request as { readonly [field: string]: Json };
  switch (effect) {
    case 'message.send':
      return `bot: ${drawMessage(fields['message'] ?? null)}`;
    case 'template.send':
      return `template: ${line(fields['templateId'])} ${JSON.stringify(fields['parameters'])}`;
    case 'http.request':
      return `call: ${line(fields['method'])} ${line(fields['url'])}${json(fields['body'])}`;
    case 'webhook.respond':
      return `respond: ${line(fields['status'])}${json(fields['body'])}`;
    case 'group.change':
      return `group: ${line(fields['action'])} ${line(fields['group'])}`;
    case 'consent.change':
      return `consent: ${line(fields['marketing'])}`;
    case 'tags.change':
      return `tags: ${line(fields['action'])}${json(fields['tags'])}`;
    case 'log.event':
      return `log: ${line(fields['name'])}${json(fields['data'])}`;
    case 'model.ask':
      return `model: ${line(fields['model'])}${json(findLast(fields['messages']))}`;
    case 'code.run':
      return `code:${json(fields['input'])}`;
    default:
      return `${effect}:${json(request)}`;
  }
}

/** The outcome of a call that no script line answered. */
export function outcomeLine({ effect }: RecordedCall, outcome: Json | Error): string {
  if (outcome instanceof Error) return `${effect} failed: ${textToLine(outcome.message)}`;
  if (effect !== runCode.type || !isJsonObject(outcome)) return `${effect} answered: ${JSON.stringify(outcome)}`;
  if (outcome['kind'] === 'returned') return `code returned: ${JSON.stringify(outcome['value'] ?? null)}`;
  const at = outcome['line'] === undefined ? '' : ` (line ${line(outcome['line'])})`;
  return `code failed: ${line(outcome['reason'])} ${line(outcome['message'])}${at}`;
}

const line = (value: Json | undefined): string => textToLine(typeof value === 'string' ? value : JSON.stringify(value ?? null));

/** The last message of a question: those before it are its instructions. */
const findLast = (messages: Json | undefined): Json | undefined => {
  const last = Array.isArray(messages) ? (messages as readonly Json[]).at(-1) : undefined;
  if (!isJsonObject(last)) return undefined;
  return last['role'] === 'tool' ? { tool: last['tool'] ?? null, output: last['output'] ?? null } : last['text'];
};

const json = (value: Json | undefined): string => (value === undefined || value === null ? '' : ` ${JSON.stringify(value)}`);
