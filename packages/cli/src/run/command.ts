import { isJsonObject, type Json, JsonObject, parseJsonText } from '@hilo/engine/contract';
import type { MessageOption } from '@hilo/nodes';
import { readInput, type ScriptInput } from '@hilo/simulator';

/** A parsed line of input. */
export type RunCommand =
  | { readonly kind: 'input'; readonly input: ScriptInput }
  /** The user sends a contact; their own, where there is no phone. */
  | { readonly kind: 'contact'; readonly phone: string; readonly name: string }
  | { readonly kind: 'skip' }
  | { readonly kind: 'show'; readonly what: 'time' | 'state' | 'history' | 'transcript' | 'help' }
  | { readonly kind: 'restart' }
  | { readonly kind: 'quit' }
  | { readonly kind: 'nothing' };

/** Every command, as `/help` lists them. */
export const commandHelp: readonly (readonly [usage: string, meaning: string])[] = [
  ['any text', 'the user says it; the number of an option chooses that option'],
  ['/say TEXT', 'the user says it, be it a number or a text with "/"'],
  ['/reply N TEXT', 'the user answers the Nth message they got; also: /reply 1 [payload yes] Yes'],
  ['/image URL TEXT', 'the user sends a picture, perhaps with a text'],
  ['/form {…}', 'the user sends the form that was offered last, filled in'],
  ['/location LAT LONG', 'the user sends a place: /location -12.05 -77.04'],
  ['/contact PHONE NAME', 'the user sends a contact; without anything, their own'],
  ['/send {…}', 'the user sends any message: {"type":"sticker","mediaUrl":"https://…"}'],
  ['/place {…}', 'where the user is from now on: {"timeZone":"America/Lima","locale":"es-PE"}'],
  ['/campaign ID', 'a campaign reaches the user: what they write within a day answers it'],
  ['/again', 'the last message is delivered once more, as channels do'],
  ['/webhook {…}', 'a POST to the webhook; also: /webhook GET {…}, /webhook workflow: POST {…}'],
  ['/api 200 {…}', 'answers the oldest open call; also: /api 404, /api timeout, /api refused'],
  ['/model {…}', 'answers the oldest question to a model; also: /model fails timeout'],
  ['/function …', 'what the function returns; also: /function fails threw MESSAGE'],
  ['/database …', 'rows [{…}], or how many changed: /database 1 key {"id":7}'],
  ['/soap 200 {…}', 'what the service answers; also: /soap fault CODE MESSAGE, /soap timeout'],
  ['/payment opened', 'opens the checkout; also: /payment refused CAUSE, /payment fails timeout'],
  ['/answer EFFECT …', 'the whole result of any effect: /answer lead.score {"score":7}'],
  ['/operator WHAT', 'says TEXT, closes or expires a hand-off; none: the next finds no operator'],
  ['/refused CAUSE', 'the next message is refused; also: /refused NODE CAUSE, for the next effect of a node'],
  ['/window closed', 'the next message meets a closed 24-hour window; also: /window NODE closed'],
  ['/signal NAME …', 'sends a signal to those who wait for it: /signal paid order-7 {"amount":5}'],
  ['/start {…}', 'starts the canvas as a calling workflow does, with inputs'],
  ['/cancel', 'cancels the youngest execution'],
  ['/time +2h', 'lets time pass; also: /time next advances to the next timer, /time shows the time'],
  ['/state', 'shows executions, waits and variables'],
  ['/history', 'shows what the youngest execution did, node by node'],
  ['/transcript', 'prints the conversation so far as a script for --script'],
  ['/restart', 'forgets everything and restarts'],
  ['/help', 'shows this list'],
  ['/quit', 'leaves, as Ctrl-D does'],
];

const shows: ReadonlySet<string> = new Set(['state', 'history', 'transcript', 'help']);

/**
 * Parses a line of input.
 *
 * @param choices - the options of the last message, by number
 * @throws {SyntaxError} that names the expected form
 */
export function readCommand(line: string, choices: readonly MessageOption[]): RunCommand {
  const typed = line.trim();
  if (typed === '') return { kind: 'nothing' };
  if (!typed.startsWith('/')) return { kind: 'input', input: { kind: 'says', message: saidOrChosen(typed, choices) } };
  const [, name = '', rest = ''] = /^\/([a-z]*)\s*(.*)$/s.exec(typed) ?? [];
  if (isShown(name)) return { kind: 'show', what: name };
  const read = readers.get(name);
  if (read === undefined)
    throw new SyntaxError(`There is no command /${name}. /help lists all; to say a text that begins with "/", write /say ${typed}`);
  return read(rest);
}

const isShown = (name: string): name is 'state' | 'history' | 'transcript' | 'help' => shows.has(name);

const readers: ReadonlyMap<string, (rest: string) => RunCommand> = new Map<string, (rest: string) => RunCommand>([
  ['say', (rest) => ({ kind: 'input', input: { kind: 'says', message: { type: 'text', text: rest } } })],
  [
    'send',
    (rest) => ({
      kind: 'input',
      input: { kind: 'says', message: readObject(rest, '/send {"type":"image","mediaUrl":"https://files.example/cat.jpg"}') },
    }),
  ],
  ['image', (rest) => ({ kind: 'input', input: { kind: 'says', message: readImage(rest) } })],
  ['location', (rest) => ({ kind: 'input', input: { kind: 'says', message: readLocation(rest) } })],
  ['contact', (rest) => ({ kind: 'contact', phone: rest.split(' ', 1)[0] ?? '', name: rest.split(' ').slice(1).join(' ').trim() })],
  ['form', (rest) => parseScriptLine(`form: ${rest}`)],
  ['reply', (rest) => parseScriptLine(rest.replace(/^(\S*)\s*/, 'reply $1: '))],
  ['again', () => ({ kind: 'input', input: { kind: 'repeats' } })],
  ['webhook', (rest) => parseScriptLine(`webhook${webhookLine(rest)}`)],
  ['api', (rest) => parseScriptLine(`api: ${rest}`)],
  ...['campaign', 'place', 'model', 'function', 'mcp', 'code', 'database', 'soap', 'payment', 'operator'].map(
    (verb) => [verb, (rest: string) => parseScriptLine(`${verb}: ${rest}`)] as const,
  ),
  ['answer', (rest) => parseScriptLine(rest.replace(/^(\S*)\s*/, 'answer $1: '))],
  ['signal', (rest) => parseScriptLine(`signal: ${rest}`)],
  [
    'refused',
    (rest) =>
      parseScriptLine(rest.replace(/^(?:([^A-Z\s]\S*)\s+)?/, (_all, node?: string) => `refused${node === undefined ? '' : ` ${node}`}: `)),
  ],
  [
    'window',
    (rest) => parseScriptLine(rest.replace(/^(?:(\S+)\s+)?/, (_all, node?: string) => `window${node === undefined ? '' : ` ${node}`}: `)),
  ],
  ['cancel', (rest) => parseScriptLine(rest === '' ? 'cancel' : `cancel ${rest}`)],
  [
    'start',
    (rest) => ({ kind: 'input', input: { kind: 'starts', inputs: rest === '' ? {} : readObject(rest, '/start {"country":"PE"}') } }),
  ],
  ['time', timeCommand],
  ['restart', () => ({ kind: 'restart' })],
  ['quit', () => ({ kind: 'quit' })],
  ['exit', () => ({ kind: 'quit' })],
]);

const parseScriptLine = (line: string): RunCommand => ({ kind: 'input', input: readInput(line) });

function readImage(rest: string): JsonObject {
  const [, mediaUrl, text] = /^(\S+)(?: (.+))?$/s.exec(rest) ?? [];
  if (mediaUrl === undefined || !URL.canParse(mediaUrl))
    throw new SyntaxError('A picture has an address: /image https://files.example/cat.jpg, perhaps with a text behind it');
  return { type: 'image', mediaUrl, ...(text !== undefined && { text }) };
}

function readLocation(rest: string): JsonObject {
  const [lat = Number.NaN, long = Number.NaN, ...more] = rest.split(/[\s,]+/).map((part) => (part === '' ? Number.NaN : Number(part)));
  if (!(Math.abs(lat) <= 90 && Math.abs(long) <= 180) || more.length > 0)
    throw new SyntaxError('A place is a latitude from -90 to 90 and a longitude from -180 to 180: /location -12.05 -77.04');
  return { type: 'location', coordinates: { lat, long } };
}

/** A bare body is sent by POST; a method, or a workflow and a method, may precede it. */
function webhookLine(rest: string): string {
  if (rest === '') return ': POST';
  if (/^[[{"]/.test(rest)) return `: POST ${rest}`;
  return /^[A-Za-z]+(?:\s|$)/.test(rest) ? `: ${rest.replace(/^[A-Za-z]+/, (method) => method.toUpperCase())}` : ` ${rest}`;
}

function timeCommand(rest: string): RunCommand {
  if (rest === '') return { kind: 'show', what: 'time' };
  return rest === 'next' ? { kind: 'skip' } : parseScriptLine(`time: ${rest}`);
}

/** A number is the option with that number, where there are options. */
function saidOrChosen(text: string, choices: readonly MessageOption[]): JsonObject {
  const chosen = /^\d{1,2}$/.test(text) ? choices[Number(text) - 1] : undefined;
  return chosen === undefined ? { type: 'text', text } : { type: 'button', payload: chosen.payload, text: chosen.title };
}

function readObject(text: string, example: string): JsonObject {
  const value = parseJson(text);
  if (value === undefined || !isJsonObject(value)) throw new SyntaxError(`An object in JSON is expected: ${example}`);
  return value;
}

function parseJson(text: string): Json | undefined {
  try {
    return JsonObject.parse(parseJsonText(text));
  } catch {
    return undefined;
  }
}
