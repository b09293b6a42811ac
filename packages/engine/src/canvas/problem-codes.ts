import { limits } from '../contract/limits.ts';
import { pointer, type Problem } from '../contract/problem.ts';

/** The documentation of a code. */
interface CodeEntry {
  readonly severity: Problem['severity'];
  /** The meaning of the code. */
  readonly meaning: string;
  /** What to do. */
  readonly hint: string;
}

const error = (meaning: string, hint: string): CodeEntry => ({ severity: 'error', meaning, hint });
const warning = (meaning: string, hint: string): CodeEntry => ({ severity: 'warning', meaning, hint });

/** Every code that a check can report, its meaning, and what to do. `docs/problems.md` is generated from this table. */
export const problemCodes = {
  NOT_JSON: error('The text is not JSON.', 'Correct the JSON at the line and column named; JSON has no comments.'),
  REPEATED_KEY: error(
    'An object has the same key twice, so that a reader sees two values and a program one.',
    'Remove one of the two, or rename it.',
  ),
  CANVAS_TOO_LARGE: error(
    'The canvas has more than 1 MB, or more than 50,000 expressions.',
    'Move a part of the canvas into a workflow of its own and call it with a workflow node.',
  ),
  TOO_DEEP: error('Objects and lists are nested more than 64 levels deep.', 'Flatten the value: a canvas has at most 64 levels.'),
  TOO_MANY_KEYS: error('One object has more than 10,000 keys.', 'Split the object, or make it a list.'),
  FORBIDDEN_KEY: error(
    'A key leads out of the data into JavaScript itself.',
    'Rename the key: __proto__, prototype and constructor are refused everywhere in a canvas.',
  ),
  UNSUPPORTED_SCHEMA_VERSION: error(
    'The canvas is written in a version of the format that this Hilo does not read.',
    'Set schemaVersion to 1, or update Hilo if the canvas was made by a newer release.',
  ),
  INVALID_CANVAS: error(
    'A part of the canvas is missing or has the wrong shape.',
    'Correct the place named; the JSON Schema of the format is @hilo/nodes/canvas.schema.json.',
  ),
  UNKNOWN_FIELD: error(
    'A field is not part of the format, so that a typing error cannot be published.',
    'Remove the field or correct its spelling.',
  ),
  UNKNOWN_NODE_TYPE: error('There is no node of this type.', 'Use one of the node types named.'),
  INVALID_CONFIG: error('A node’s data is missing something or has the wrong shape.', 'Correct the field at the place named.'),
  INVALID_EXPRESSION: error(
    'The text between {{ and }} is not an expression.',
    'Correct the expression; texts are in quotes and variables start with "$".',
  ),
  DUPLICATE_NODE_ID: error('Two nodes have the same id.', 'Give each node an id of its own.'),
  DUPLICATE_EDGE_ID: error('Two edges have the same id.', 'Give each edge an id of its own, or leave it out.'),
  EDGE_TO_NOTHING: error('An edge begins or ends where no node is, or ends at a note.', 'Remove the edge or connect it to a node.'),
  UNKNOWN_PORT: error('An edge leaves by a port that its node does not have.', 'Use one of the ports named.'),
  PORT_NOT_NAMED: error('An edge does not say by which of several ports it leaves.', 'Set sourceHandle to one of the ports named.'),
  SECOND_EDGE: error('A port has two edges.', 'Keep one edge a port; to do two things, do one after the other.'),
  SECOND_WEBHOOK: error(
    'The canvas has two webhook nodes.',
    'Keep one webhook node; use wait-external for further requests, or a child workflow.',
  ),
  SECOND_CATCH: error('The canvas has two catch nodes.', 'Keep one catch node.'),
  NO_ENTRY: error('No execution can begin: the canvas has neither a start nor a webhook node.', 'Add a start node or a webhook node.'),
  PORT_WITHOUT_EDGE: error('A port that must lead somewhere has no edge.', 'Connect the port to a node.'),
  UNREACHABLE_EXIT: error(
    'Once here, an execution can never come to an end.',
    'Lead a way from one of these nodes to an end or jump node.',
  ),
  BUSY_LOOP: error(
    'A cycle could go round without ever waiting.',
    'Put a wait into the cycle (ask, delay, wait-event …), or go through a list with for-each.',
  ),
  UNWRITTEN_VARIABLE: error(
    'A variable is read that on some way to this node nothing has written.',
    'Write the variable on every way to this node, declare a default, or read it with "??".',
  ),
  CHANNEL_LIMIT: error(
    'A connected channel would not take this message, or none would.',
    'Shorten or change the message so that the channel takes it, or name the channels of the canvas in its settings.',
  ),
  UNSUPPORTED_NODE: error(
    'The node does not work in this kind of canvas, or on a connected channel.',
    'Remove the node, or use another kind of canvas or channel.',
  ),
  UNRESOLVED_REFERENCE: error(
    'A workflow, template, credential or function is named that does not exist.',
    'Create the named thing, or correct the name.',
  ),
  MISSING_DRIVER: error(
    'A node asks the world for something that nothing here performs.',
    'Add a driver for the effect: to the drivers of the engine, of openService, or of hilo.config.ts.',
  ),
  REFERENCE_NOT_CHECKED: warning(
    'A workflow, template, credential or function is named, and whether it exists cannot be checked here.',
    'Check against a company: `hilo validate --workspace FILE`, or `POST /admin/v1/validate` with its company.',
  ),
  UNKNOWN_VARIABLE_FIELD: warning(
    'A field of $user, $bot, $company or $message is read that Hilo never fills.',
    'Correct the name; what a channel of your own brings may be read with "??".',
  ),
  PORT_LEADS_NOWHERE: warning(
    'A port that this node will be left by has no edge, and there is no error port or catch node that would take it.',
    'Connect the port, or the error port, or add a catch node: else the execution fails there.',
  ),
  WEBHOOK_WITHOUT_METHODS: warning('The webhook takes no method.', 'Choose at least one method: without one every request is refused.'),
  LIMIT_OF_SOME_CHANNEL: warning(
    'The provider of a channel of the canvas would not take this message; another channel of it does.',
    'Shorten or change the message so that the channel takes it, or name the channels of the canvas in its settings.',
  ),
  FLOW_WITHOUT_NAME: warning('A form is to be opened that nothing names.', 'Give the form’s flow_id or its flow_name.'),
  TEXT_AS_JSON: warning(
    'A body that is to be sent as JSON is a text, so it goes out in quotes.',
    'Write the body as JSON instead of a text that holds JSON, or set bodyKind to "text".',
  ),
  UNREACHABLE_NODE: warning('No way leads to the node.', 'Connect the node or remove it.'),
  SAME_INTERRUPT: error(
    'A word interrupts for two published workflows: which of them ends the conversation that is going on would be chance.',
    'Take the word out of one of the two, or leave interrupts out of one.',
  ),
  SAME_KEYWORD: warning(
    'A message begins two published workflows: only the first by its id is started.',
    'Take the keyword out of one of the two: the first workflow by its id is started.',
  ),
  SAME_FALLBACK: warning(
    'Two published workflows take every message that no keyword takes: only the first by its id is started.',
    'Leave one fallback in the company: the first workflow by its id is started.',
  ),
  WAIT_LONGER_THAN_SESSION: warning(
    'The session ends before the wait does.',
    'Shorten the wait or lengthen settings.sessionExpiry: the session ends first.',
  ),
  MORE_PROBLEMS: warning('There are more problems than are listed.', 'Correct the problems listed, then check again.'),
} satisfies { readonly [code: string]: CodeEntry };

/** A code of a problem. */
export type ProblemCode = keyof typeof problemCodes;

/** Creates a problem with the severity and hint of its code. An empty `nodeId`, which is that of an unreadable node, is left out. */
export const problem = (code: ProblemCode, place: readonly PropertyKey[], message: string, nodeId?: string): Problem => ({
  code,
  severity: problemCodes[code].severity,
  ...(nodeId === undefined || nodeId === '' ? {} : { nodeId }),
  pointer: pointer(place),
  message: shorten(message, 500),
  hint: problemCodes[code].hint,
});

/** Creates a problem that one node has at several places; duplicates of a place are dropped. */
export function placedProblem(code: ProblemCode, places: readonly (readonly PropertyKey[])[], message: string, nodeId: string): Problem {
  const pointers = [...new Set(places.map(pointer))];
  return { ...problem(code, places[0] ?? [], message, nodeId), ...(pointers.length > 1 && { places: pointers.slice(0, maxPlaces) }) };
}

/** The number of places that a problem lists; further ones are left out. */
const maxPlaces = 50;

/** The problem of a canvas over the limit of bytes. */
export const tooLarge = (): Problem => problem('CANVAS_TOO_LARGE', [], `The canvas has more than ${limits.bodyBytes} bytes`);

/** Cuts a quotation, which may be as long as the canvas, to a length that a message may have. */
export const shorten = (text: string, maxChars: number): string => (text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`);

/** Names with commas between them: the first `maxNames`, each cut to 64 characters, and the number of the others. */
export function joinNames(names: readonly string[], maxNames = 12): string {
  const shown = names.slice(0, maxNames).map((name) => shorten(name, 64));
  return names.length > maxNames ? `${shown.join(', ')} and ${names.length - maxNames} more` : shown.join(', ');
}

/** The number of problems that a check returns; further ones are left out. */
export const maxProblems = 1_000;

/** Sorts problems: errors first, then by their place in the canvas. At most {@link maxProblems} are kept. */
export function sortProblems(problems: readonly Problem[]): readonly Problem[] {
  const sorted = problems
    .map((problem) => ({ problem, key: `${problem.severity === 'error' ? 0 : 1}${padNumbers(problem.pointer)}` }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ problem }) => problem);
  if (sorted.length <= maxProblems) return sorted;
  return [...sorted.slice(0, maxProblems - 1), problem('MORE_PROBLEMS', [], `There are more problems than these ${maxProblems - 1}`)];
}

/** A pointer as text that sorts `/nodes/2` before `/nodes/10`. */
const padNumbers = (pointer: string): string => pointer.replace(/\d{1,6}(?!\d)/g, (digits) => digits.padStart(6, '0'));
