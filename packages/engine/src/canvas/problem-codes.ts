import { limits } from '../contract/limits.ts';
import { pointer, type Problem } from '../contract/problem.ts';

interface CodeEntry {
  readonly severity: Problem['severity'];
  /** The meaning of the code. */
  readonly meaning: string;
  /** What to do. */
  readonly hint: string;
}

/** Every code that a check can report. `docs/problems.md` is generated from this table. */
export const problemCodes = {
  NOT_JSON: {
    severity: 'error',
    meaning: 'The text is not JSON.',
    hint: 'Correct the JSON at the line and column named.',
  },
  REPEATED_KEY: {
    severity: 'error',
    meaning: 'An object has the same key twice, so that a reader sees two values and a program one.',
    hint: 'Remove one of the two, or rename it.',
  },
  CANVAS_TOO_LARGE: {
    severity: 'error',
    meaning: 'The canvas has more than 1 MB, or more than 50,000 expressions.',
    hint: 'Move a part of the canvas into a workflow of its own and call it with a workflow node.',
  },
  TOO_DEEP: {
    severity: 'error',
    meaning: 'Objects and lists are nested more than 64 levels deep.',
    hint: 'Flatten the value: a canvas has at most 64 levels.',
  },
  TOO_MANY_KEYS: {
    severity: 'error',
    meaning: 'One object has more than 10,000 keys.',
    hint: 'Split the object, or make it a list.',
  },
  FORBIDDEN_KEY: {
    severity: 'error',
    meaning: 'A key leads out of the data into JavaScript itself.',
    hint: 'Rename the key: __proto__, prototype and constructor are refused everywhere in a canvas.',
  },
  UNSUPPORTED_SCHEMA_VERSION: {
    severity: 'error',
    meaning: 'The canvas is written in a version of the format that this Hilo does not read.',
    hint: 'Set schemaVersion to 1, or update Hilo if the canvas was made by a newer release.',
  },
  INVALID_CANVAS: {
    severity: 'error',
    meaning: 'A part of the canvas is missing or has the wrong shape.',
    hint: 'Correct the place named; the JSON Schema of the format is @hilo/nodes/canvas.schema.json.',
  },
  UNKNOWN_FIELD: {
    severity: 'error',
    meaning: 'A field is not part of the format, so that a typing error cannot be published.',
    hint: 'Remove the field or correct its spelling.',
  },
  UNKNOWN_NODE_TYPE: {
    severity: 'error',
    meaning: 'There is no node of this type.',
    hint: 'Use one of the node types named.',
  },
  INVALID_CONFIG: {
    severity: 'error',
    meaning: 'A node’s data is missing something or has the wrong shape.',
    hint: 'Correct the field at the place named.',
  },
  INVALID_EXPRESSION: {
    severity: 'error',
    meaning: 'The text between {{ and }} is not an expression.',
    hint: 'Correct the expression; texts are in quotes and variables start with "$".',
  },
  DUPLICATE_NODE_ID: {
    severity: 'error',
    meaning: 'Two nodes have the same id.',
    hint: 'Give each node an id of its own.',
  },
  DUPLICATE_EDGE_ID: {
    severity: 'error',
    meaning: 'Two edges have the same id.',
    hint: 'Give each edge an id of its own, or leave it out.',
  },
  EDGE_TO_NOTHING: {
    severity: 'error',
    meaning: 'An edge begins or ends where no node is, or ends at a note.',
    hint: 'Remove the edge or connect it to a node.',
  },
  UNKNOWN_PORT: {
    severity: 'error',
    meaning: 'An edge leaves by a port that its node does not have.',
    hint: 'Use one of the ports named.',
  },
  PORT_NOT_NAMED: {
    severity: 'error',
    meaning: 'An edge does not say by which of several ports it leaves.',
    hint: 'Set sourceHandle to one of the ports named.',
  },
  SECOND_EDGE: {
    severity: 'error',
    meaning: 'A port has two edges.',
    hint: 'Keep one edge a port; to do two things, do one after the other.',
  },
  SECOND_WEBHOOK: {
    severity: 'error',
    meaning: 'The canvas has two webhook nodes.',
    hint: 'Keep one webhook node; use wait-external for further requests, or a child workflow.',
  },
  SECOND_CATCH: {
    severity: 'error',
    meaning: 'The canvas has two catch nodes.',
    hint: 'Keep one catch node.',
  },
  NO_ENTRY: {
    severity: 'error',
    meaning: 'No execution can begin: the canvas has neither a start nor a webhook node.',
    hint: 'Add a start node or a webhook node.',
  },
  PORT_WITHOUT_EDGE: {
    severity: 'error',
    meaning: 'A port that must lead somewhere has no edge.',
    hint: 'Connect the port to a node.',
  },
  UNREACHABLE_EXIT: {
    severity: 'error',
    meaning: 'Once here, an execution can never come to an end.',
    hint: 'Lead a way from one of these nodes to an end or jump node.',
  },
  BUSY_LOOP: {
    severity: 'error',
    meaning: 'A cycle could go round without ever waiting.',
    hint: 'Put a wait into the cycle (ask, delay, wait-event …), or go through a list with for-each.',
  },
  UNWRITTEN_VARIABLE: {
    severity: 'error',
    meaning: 'A variable is read that on some way to this node nothing has written.',
    hint: 'Write the variable on every way to this node, declare a default, or read it with "??".',
  },
  CHANNEL_LIMIT: {
    severity: 'error',
    meaning: 'A connected channel would not take this message, or none would.',
    hint: 'Shorten or change the message so that the channel takes it, or name the channels of the canvas in its settings.',
  },
  UNSUPPORTED_NODE: {
    severity: 'error',
    meaning: 'The node does not work in this kind of canvas, or on a connected channel.',
    hint: 'Remove the node, or use another kind of canvas or channel.',
  },
  UNRESOLVED_REFERENCE: {
    severity: 'error',
    meaning: 'A workflow, template, credential or function is named that does not exist.',
    hint: 'Create the named thing, or correct the name.',
  },
  MISSING_DRIVER: {
    severity: 'error',
    meaning: 'A node asks the world for something that nothing here performs.',
    hint: 'Add a driver for the effect: to the drivers of the engine, of openService, or of hilo.config.ts.',
  },
  REFERENCE_NOT_CHECKED: {
    severity: 'warning',
    meaning: 'A workflow, template, credential or function is named, and whether it exists cannot be checked here.',
    hint: 'Check against a company: `hilo validate --workspace FILE`, or `POST /admin/v1/validate` with its company.',
  },
  UNKNOWN_VARIABLE_FIELD: {
    severity: 'warning',
    meaning: 'A field of $user, $bot, $company or $message is read that Hilo never fills.',
    hint: 'Correct the name; what a channel of your own brings may be read with "??".',
  },
  PORT_LEADS_NOWHERE: {
    severity: 'warning',
    meaning: 'A port that this node will be left by has no edge, and there is no error port or catch node that would take it.',
    hint: 'Connect the port, or the error port, or add a catch node: else the execution fails there.',
  },
  WEBHOOK_WITHOUT_METHODS: {
    severity: 'warning',
    meaning: 'The webhook takes no method.',
    hint: 'Choose at least one method: without one every request is refused.',
  },
  LIMIT_OF_SOME_CHANNEL: {
    severity: 'warning',
    meaning: 'The provider of a channel of the canvas would not take this message; another channel of it does.',
    hint: 'Shorten or change the message so that the channel takes it, or name the channels of the canvas in its settings.',
  },
  FLOW_WITHOUT_NAME: {
    severity: 'warning',
    meaning: 'A form is to be opened that nothing names.',
    hint: 'Give the form’s flow_id or its flow_name.',
  },
  TEXT_AS_JSON: {
    severity: 'warning',
    meaning: 'A body that is to be sent as JSON is a text, so it goes out in quotes.',
    hint: 'Write the body as JSON instead of a text that holds JSON, or set bodyKind to "text".',
  },
  UNREACHABLE_NODE: {
    severity: 'warning',
    meaning: 'No way leads to the node.',
    hint: 'Connect the node or remove it.',
  },
  SAME_INTERRUPT: {
    severity: 'error',
    meaning: 'A word interrupts for two published workflows: which of them ends the conversation that is going on would be chance.',
    hint: 'Take the word out of one of the two, or leave interrupts out of one.',
  },
  SAME_KEYWORD: {
    severity: 'warning',
    meaning: 'A message begins two published workflows: only the first by its id is started.',
    hint: 'Take the keyword out of one of the two: the first workflow by its id is started.',
  },
  SAME_FALLBACK: {
    severity: 'warning',
    meaning: 'Two published workflows take every message that no keyword takes: only the first by its id is started.',
    hint: 'Leave one fallback in the company: the first workflow by its id is started.',
  },
  WAIT_LONGER_THAN_SESSION: {
    severity: 'warning',
    meaning: 'The session ends before the wait does.',
    hint: 'Shorten the wait or lengthen settings.sessionExpiry: the session ends first.',
  },
  MORE_PROBLEMS: {
    severity: 'warning',
    meaning: 'There are more problems than are listed.',
    hint: 'Correct the problems listed, then check again.',
  },
} as const satisfies { readonly [code: string]: CodeEntry };

export type ProblemCode = keyof typeof problemCodes;

/** A problem with the severity and hint of its code. */
export const problem = (code: ProblemCode, place: readonly PropertyKey[], message: string, nodeId?: string): Problem => ({
  code,
  severity: problemCodes[code].severity,
  ...(nodeId === undefined || nodeId === '' ? {} : { nodeId }),
  pointer: pointer(place),
  message: shorten(message, 500),
  hint: problemCodes[code].hint,
});

/** A problem that one node has at several places, each named once. */
export function placedProblem(code: ProblemCode, places: readonly (readonly PropertyKey[])[], message: string, nodeId: string): Problem {
  const pointers = [...new Set(places.map(pointer))];
  return { ...problem(code, places[0] ?? [], message, nodeId), ...(pointers.length > 1 && { places: pointers.slice(0, mostPlaces) }) };
}

/** Most places of a problem; further ones are left out. */
const mostPlaces = 50;

export const tooLarge = (): Problem => problem('CANVAS_TOO_LARGE', [], `The canvas has more than ${limits.bodyBytes} bytes`);

/** Quotations of a canvas may be as long as the canvas; messages may not. */
export const shorten = (text: string, maxChars: number): string => (text.length <= maxChars ? text : `${text.slice(0, maxChars - 1)}…`);

/** Names in a list, shortened to what a reader takes in. */
export function joinNames(names: readonly string[], most = 12): string {
  const shown = names.slice(0, most).map((name) => shorten(name, 64));
  return names.length > most ? `${shown.join(', ')} and ${names.length - most} more` : shown.join(', ');
}

/** Most problems of a check; further ones are left out. */
export const mostProblems = 1_000;

/** Problems as a reader wants them: errors first, then in the order of the canvas, not too many. */
export function problemList(problems: readonly Problem[]): readonly Problem[] {
  const sorted = problems
    .map((problem) => ({ problem, key: `${problem.severity === 'error' ? 0 : 1}${inCanvasOrder(problem.pointer)}` }))
    .sort((left, right) => (left.key < right.key ? -1 : left.key > right.key ? 1 : 0))
    .map(({ problem }) => problem);
  if (sorted.length <= mostProblems) return sorted;
  return [...sorted.slice(0, mostProblems - 1), problem('MORE_PROBLEMS', [], `There are more problems than these ${mostProblems - 1}`)];
}

/** A pointer as text that sorts `/nodes/2` before `/nodes/10`. */
const inCanvasOrder = (pointer: string): string => pointer.replace(/\d{1,6}(?!\d)/g, (digits) => digits.padStart(6, '0'));
