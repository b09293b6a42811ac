import { type Canvas, isJsonObject, type Json, type OpenWait } from '@hilo/engine/contract';
import { writeInput } from '@hilo/simulator';
import { type Paint, printable } from '../paint.ts';
import { drawMessage, sentMessage } from './draw-message.ts';
import type { RunEvent } from './events.ts';
import { exampleCall } from './example-call.ts';
import { clockText, durationText } from './time.ts';

/** The parts of the conversation that drawing an event needs. */
export interface Scene {
  readonly paint: Paint;
  /** How wide a message may be. */
  readonly width: number;
  readonly mainId: string;
  readonly canvases: readonly Canvas[];
  /** Whether time moves only by `/time`. */
  readonly isVirtual: boolean;
  /** The short name of an execution: `<execution-1>` for the one that was created first. */
  readonly nameOf: (executionId: string) => string;
}

/** An event as lines of the terminal. */
export function drawEvent(event: RunEvent, scene: Scene): string {
  const { paint } = scene;
  switch (event.kind) {
    case 'effect':
      return drawEffect(event, scene);
    case 'failure':
      return drawFailure(event, scene);
    case 'waiting':
      return paint('dim', `⏳ ${whose(event.workflowId, scene)}${waitText(event.wait, event, scene)}`);
    case 'ended':
      return drawEnd(event, scene);
    case 'held':
      return paint('dim', event.isKept ? '✋ kept for the next question: the bot is busy' : '✋ discarded: the bot is busy');
    case 'unmatched':
      return paint('yellow', `∅ ${printable(`${event.reason.charAt(0).toUpperCase()}${event.reason.slice(1)}`)}`);
    case 'outcome':
      return drawOutcome(event, scene);
    case 'asks':
      return paint('dim', `  ${printable(event.nodeId)} waits for the answer: ${answerHint(event)}`);
    case 'heard':
      return paint('dim', `☏ the operator hears: ${printable(event.text)}`);
    case 'expired':
      return paint('dim', `⌛ the operator and the user were silent: ${printable(event.conversationId)} expires`);
    case 'answered':
      return drawAnswer(event, scene);
    case 'fault':
      return paint('red', `✖ a fault of the engine itself: ${printable(event.message)}`);
  }
}

const whose = (workflowId: string, { mainId }: Scene): string => (workflowId === mainId ? '' : `${workflowId} `);

/** Long values are for `/state` and `/history`. */
const shorten = (text: string, most = 300): string => (text.length <= most ? text : `${text.slice(0, most - 1)}…`);

const inline = (value: Json | undefined): string =>
  value === undefined || value === null ? '' : ` ${shorten(printable(JSON.stringify(value)))}`;

function drawEffect({ effect, request }: Extract<RunEvent, { readonly kind: 'effect' }>, { paint, width }: Scene): string {
  const fields = isJsonObject(request) ? request : {};
  const readText = (field: string): string => {
    const value = fields[field] ?? '';
    return printable(typeof value === 'object' ? JSON.stringify(value) : String(value));
  };
  switch (effect) {
    case 'message.send':
      return drawMessage(sentMessage(request), paint, width);
    case 'template.send':
      return `${paint('blue', '▣')} template ${paint('bold', readText('templateId'))}${paint('dim', inline(fields['parameters']))}`;
    case 'http.request':
      return `${paint('magenta', '→')} ${paint('bold', readText('method'))} ${shorten(readText('url'))}${paint('dim', inline(fields['body']))}`;
    case 'webhook.respond':
      return `${paint('magenta', '←')} answers the caller ${readText('status')}${paint('dim', inline(fields['body']))}`;
    case 'code.run':
      return paint('dim', `▪ code${inline(fields['input'])}`);
    case 'log.event':
      return paint('dim', `▪ log ${readText('level')}: ${readText('name')}${inline(fields['data'])}`);
    default:
      return paint('dim', `▪ ${printable(effect)}${inline(request)}`);
  }
}

/** How a call is answered: an answer that this one would take, and how it fails. */
function answerHint({ effect, example }: Extract<RunEvent, { readonly kind: 'asks' }>): string {
  if (effect === 'http.request') return '/api 200 {…}, /api 404, /api timeout or /api refused';
  const line = `/${printable(example.replace(': ', ' '))}`;
  return effect in failures ? `${line} or ${failures[effect] ?? ''}` : line;
}

const failures: { readonly [effect: string]: string } = {
  'model.ask': '/model fails timeout',
  'function.call': '/function fails threw MESSAGE',
  'mcp.call': '/mcp fails timeout',
  'database.call': '/database fails constraint',
  'soap.call': '/soap fault CODE MESSAGE or /soap timeout',
  'payment.open': '/payment refused CAUSE',
  'code.run': '/code fails broken',
};

function drawOutcome({ effect, outcome }: Extract<RunEvent, { readonly kind: 'outcome' }>, { paint }: Scene): string {
  const fields = isJsonObject(outcome) ? outcome : {};
  if (effect !== 'code.run') return paint('dim', `▪ ${printable(effect)} answered${inline(outcome)}`);
  if (fields['kind'] === 'returned') return paint('dim', `▪ code returned${inline(fields['value'])}`);
  return paint('dim', `▪ code failed${inline(outcome)}`);
}

/** A wait that is over is no surprise; everything else that keeps a node from its work is. */
function drawFailure({ nodeId, port, cause, message }: Extract<RunEvent, { readonly kind: 'failure' }>, { paint }: Scene): string {
  const way = port === '' ? '' : ` → ${printable(port)}`;
  if (cause === 'TIMEOUT' && port === 'timeout') return paint('dim', `⌛ ${printable(nodeId)} has waited long enough${way}`);
  return `${paint('yellow', `⚠ ${printable(nodeId)}: ${printable(cause)}`)}  ${paint('dim', `${printable(shorten(message))}${way}`)}`;
}

/** What is waited for, until when, and which input ends the wait. */
function waitText(
  wait: OpenWait,
  { executionId, workflowId, atMs }: { readonly executionId: string; readonly workflowId: string; readonly atMs: number },
  scene: Scene,
): string {
  const { kind, dueAtMs, onDue, correlation } = wait;
  const after =
    dueAtMs === null ? '' : `, ${onDue === 'expire' ? 'and the session ends after' : 'at most'} ${durationText(dueAtMs - atMs)}`;
  switch (kind) {
    case 'reply':
      return `waits for a reply${after}`;
    case 'timer':
    case 'retry': {
      if (dueAtMs === null) return 'waits';
      const what = kind === 'timer' ? 'waits' : 'tries again in';
      return `${what} ${durationText(dueAtMs - atMs)}, until ${clockText(dueAtMs)}${scene.isVirtual ? ': /time next goes there' : ''}`;
    }
    case 'webhook':
    case 'external':
      return `waits for a webhook call${after}${callHint(executionId, workflowId, scene)}`;
    case 'event': {
      const line = writeInput({ kind: 'signals', name: correlation?.name ?? '', correlation: correlation?.value ?? '', payload: {} });
      return `waits for a signal${after}: /${printable(line.replace(': ', ' '))}`;
    }
    case 'handoff':
      return 'waits for the operator: /operator says TEXT, /operator closes or /operator expires';
    case 'payment':
      return `waits for the payment${after}: /signal payment ${printable(correlation?.value ?? '')} {"status":"approved"}`;
    case 'child':
      return 'waits for the workflow it called';
  }
}

function callHint(executionId: string, workflowId: string, { canvases, mainId, nameOf }: Scene): string {
  const canvas = canvases.find(({ id }) => id === workflowId);
  const call = canvas === undefined ? undefined : exampleCall(canvas, { execution: nameOf(executionId) });
  if (call === undefined) return '';
  const named = call.startsWith('{') ? `POST ${call}` : call;
  return `: /webhook ${workflowId === mainId ? call : `${workflowId}: ${named}`}`;
}

function drawEnd({ workflowId, status, failure, outputs }: Extract<RunEvent, { readonly kind: 'ended' }>, scene: Scene): string {
  const { paint } = scene;
  const result = Object.keys(outputs).length === 0 ? '' : paint('dim', inline(outputs));
  const what = `${whose(workflowId, scene)}${status}`;
  if (status === 'completed') return `${paint('green', `✔ ${what}`)}${result}`;
  const at = failure?.nodeId === undefined ? '' : ` at ${printable(failure.nodeId)}`;
  const cause = failure === undefined ? '' : `${at}: ${failure.cause}  ${paint('dim', printable(shorten(failure.message)))}`;
  return `${paint(status === 'failed' ? 'red' : 'yellow', `✖ ${what}`)}${cause}${result}`;
}

function drawAnswer(
  { mode, executionId, isIgnored, error, message }: Extract<RunEvent, { readonly kind: 'answered' }>,
  { paint, nameOf }: Scene,
): string {
  if (error !== undefined) return `${paint('red', `← refused: ${error}`)}  ${paint('dim', printable(message ?? ''))}`;
  if (isIgnored === true) return paint('yellow', '← answered, and ignored: this execution was resumed before');
  if (mode === undefined) return paint('yellow', '← no answer yet: the call is queued behind unfinished work');
  return paint('green', `← ${mode === 'new' ? 'started' : 'resumed'} ${nameOf(executionId ?? '')}`);
}
