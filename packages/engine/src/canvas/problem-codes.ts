import { limits } from '../contract/limits.ts';
import { pointer, type Problem } from '../contract/problem.ts';

/** The documentation of a code. */
interface CodeEntry {
  readonly severity: Problem['severity'];
  /** The cases in which it has the other severity, in words; left out where there is none. */
  readonly otherwise?: string;
  /** The meaning of the code. */
  readonly meaning: string;
  /** What to do. */
  readonly hint: string;
}

const error = (meaning: string, hint: string, otherwise?: string): CodeEntry => ({
  severity: 'error',
  ...(otherwise !== undefined && { otherwise }),
  meaning,
  hint,
});
const warning = (meaning: string, hint: string): CodeEntry => ({ severity: 'warning', meaning, hint });

/** Every code that a check can report, its meaning, and what to do. `docs/problems.md` is generated from this table. */
export const problemCodes = {
  NOT_JSON: error('The text is not JSON.', 'Correct the JSON at the given line and column; JSON has no comments.'),
  REPEATED_KEY: error(
    'An object has the same key twice; a program would use only one of the two values.',
    'Remove one of the two, or rename it.',
  ),
  CANVAS_TOO_LARGE: error(
    'The canvas has more than 1 MB, or more than 50,000 expressions.',
    'Move a part of the canvas into a separate workflow and call it with a workflow node.',
  ),
  TOO_DEEP: error('Objects and lists are nested more than 64 levels deep.', 'Flatten the value: a canvas has at most 64 levels.'),
  TOO_MANY_KEYS: error('One object has more than 10,000 keys.', 'Split the object, or make it a list.'),
  FORBIDDEN_KEY: error(
    'A key would reach the prototype of a JavaScript object.',
    'Rename the key: __proto__, prototype and constructor are refused everywhere in a canvas.',
  ),
  UNSUPPORTED_SCHEMA_VERSION: error(
    'This release of Hilo does not support the version of the canvas format.',
    'Set schemaVersion to 1, or update Hilo if the canvas was made by a newer release.',
  ),
  INVALID_CANVAS: error(
    'A part of the canvas is missing or has the wrong shape.',
    'Correct the value at the given location; the JSON Schema of the format is @hilo/nodes/canvas.schema.json.',
  ),
  UNKNOWN_FIELD: error('A field is not part of the format; it may be a typo.', 'Remove the field or correct its spelling.'),
  UNKNOWN_NODE_TYPE: error(
    'There is no node of this type.',
    'Use one of the listed node types, or pass the definition of your own (nodes, hilo.config.ts).',
  ),
  INVALID_CONFIG: error('A node’s data is missing something or has the wrong shape.', 'Correct the field at the given location.'),
  INVALID_EXPRESSION: error(
    'An expression in {{…}} is not valid.',
    'Correct the expression; texts are in quotes and variables start with "$".',
  ),
  DUPLICATE_NODE_ID: error('Two nodes have the same id.', 'Give each node a unique id.'),
  DUPLICATE_EDGE_ID: error('Two edges have the same id.', 'Give each edge a unique id, or omit the id.'),
  EDGE_TO_NOTHING: error(
    'An edge starts or ends at a node that does not exist, or ends at a note.',
    'Remove the edge or connect it to a node.',
  ),
  UNKNOWN_PORT: error('An edge starts at a port that its node does not have.', 'Use one of the listed ports.'),
  PORT_NOT_NAMED: error('An edge does not name its port, and its node has several.', 'Set sourceHandle to one of the listed ports.'),
  SECOND_EDGE: error('A port has two edges.', 'Keep one edge for each port; to do two things, do one after the other.'),
  SECOND_WEBHOOK: error(
    'The canvas has two webhook nodes.',
    'Keep one webhook node; use wait-external for further requests, or a child workflow.',
  ),
  SECOND_CATCH: error('The canvas has two catch nodes.', 'Keep one catch node.'),
  NO_ENTRY: error('No execution can start: the canvas has neither a start nor a webhook node.', 'Add a start node or a webhook node.'),
  PORT_WITHOUT_EDGE: error('A required port has no edge.', 'Connect the port to a node.'),
  UNREACHABLE_EXIT: error(
    'An execution that reaches these nodes can never end.',
    'Connect one of these nodes, directly or through others, to an end or jump node.',
  ),
  BUSY_LOOP: error(
    'A cycle can repeat forever without a wait.',
    'Add a wait to the cycle (ask, delay, wait-event …), or iterate over a list with for-each.',
  ),
  UNWRITTEN_VARIABLE: error(
    'A variable is read that is not set on every path to this node.',
    'Set the variable on every path to this node, declare a default, read it with "??", or test for it first with has() or the rule "exists" of a condition.',
    'a warning for a field of $message, which depends on what the user sends, and for the zone and the locale of $user, which not everybody has',
  ),
  CHANNEL_LIMIT: error(
    'A connected channel does not accept this message, or no channel does.',
    'Shorten or change the message so that the channel accepts it, or list the channels of the canvas in its settings.',
  ),
  UNSUPPORTED_NODE: error(
    'The node does not work in this kind of canvas, or on a connected channel.',
    'Remove the node, or use another kind of canvas or channel.',
  ),
  UNRESOLVED_REFERENCE: error(
    'The canvas refers to a workflow, template, credential or function that does not exist.',
    'Create it, or correct the reference.',
    'a warning for a group or a segment, which may come later, and for a credential of a kind that does not suit',
  ),
  TOOL_MISMATCH: error(
    'What a model calls as a tool is none, takes other inputs, or is a workflow that waits for time, events or calls.',
    'Take the inputs that it has, or name a workflow of the kind "tool" that ends without a wait, or a tool that the function has.',
  ),
  UNCONFIRMED_TOOL: error(
    'A model may call a tool that moves money without the agreement of the user; a warning for one that changes something else.',
    'Give the tool a "confirm", or another "risk".',
  ),
  MISSING_DRIVER: error(
    'A node requests an effect that has no driver.',
    'Add a driver for the effect: to the drivers of the engine, of openService, or of hilo.config.ts.',
  ),
  TEMPLATE_NOT_APPROVED: warning(
    'A template that the canvas sends is not approved by its provider: until it is, nothing is sent with it.',
    'Submit it and wait for its approval, mend what its provider names, or send another template; `hilo templates list` shows each status.',
  ),
  REFERENCE_NOT_CHECKED: warning(
    'The canvas refers to a workflow, template, credential or function, and this check cannot know whether it exists.',
    'Check against a company: `hilo validate --workspace FILE`, or `POST /admin/v1/validate` with the company.',
  ),
  UNKNOWN_VARIABLE_FIELD: warning(
    'A field of $user, $bot, $company or $message is read that Hilo never sets, a field of contacts that the company does not declare, or a name of an object that the node which writes it never sets.',
    'Correct the name, or declare the field of contacts; read fields of your own channels with "??".',
  ),
  PORT_LEADS_NOWHERE: warning(
    'The node may leave by a port without an edge, and there is no error port or catch node to fall back to.',
    'Connect the port or the error port, or add a catch node; otherwise the execution fails there.',
  ),
  WEBHOOK_WITHOUT_METHODS: warning(
    'The webhook accepts no HTTP method.',
    'Choose at least one method; otherwise every request is refused.',
  ),
  LIMIT_OF_SOME_CHANNEL: warning(
    'The provider of one channel of the canvas does not accept this message; another channel does.',
    'Shorten or change the message so that the channel accepts it, or list the channels of the canvas in its settings.',
  ),
  FLOW_WITHOUT_NAME: warning('A message opens a form without naming it.', 'Set flow_id or flow_name.'),
  TEXT_AS_JSON: warning(
    'The body is sent as JSON but is a text, so it is sent in quotes.',
    'Write the body as JSON instead of a text that contains JSON, or set bodyKind to "text".',
  ),
  RAW_IN_ADDRESS: warning(
    'raw() puts a value into an address that a user may have written.',
    'Leave raw() out, so that the value is percent-encoded; keep it only where the value cannot come from a user.',
  ),
  MISREAD_EXPRESSION: warning(
    'An expression does something else than it seems to say, such as a comparison that never holds.',
    'Write it as the message says.',
  ),
  CALLBACK_WITHOUT_WAIT: error(
    'resumeUrl() gives the address of a node that waits for no call, or to which no way leads any more.',
    'Name a wait-external, or a webhook that another node leads to, behind the text with the address or at it.',
  ),
  PATH_AS_TEXT: warning(
    'A text has the name of a variable without the braces that would read it, or in those of another product, such as {name} or [[name]].',
    'Put the variable in braces, {{$context.name}}, to use its value; leave a text that is meant as it stands.',
  ),
  OTHER_TYPE: warning(
    'A rule or an expression uses a variable as if it were of another type: it never holds, or the execution fails there.',
    'Use a value of the type of the variable, or convert the variable before.',
  ),
  WINDOW_SURELY_CLOSED: error(
    'A message can only be sent when the user has been silent for 24 hours, which the channel refuses: it is never sent.',
    'Send a template in its place or before it, or connect the port windowClosed.',
  ),
  WINDOW_MAYBE_CLOSED: warning(
    'A message may be sent when the user has been silent for 24 hours, which WhatsApp, Messenger and Instagram refuse.',
    'Send a template on this way, or connect the port windowClosed; or let the wait before it be shorter.',
  ),
  UNREACHABLE_NODE: warning('No path leads to the node.', 'Connect the node or remove it.'),
  SAME_INTERRUPT: error(
    'The same keyword, payload or reference interrupts for two published workflows, so it is undefined which of them starts.',
    'Remove the keyword, payload or reference from one of the two, or interrupts from one.',
  ),
  SAME_KEYWORD: warning(
    'A message matches two published workflows; only the first by id is started.',
    'Remove the keyword, payload or reference from one of the two; otherwise the first workflow by id is started.',
  ),
  SAME_FALLBACK: warning(
    'Two published workflows have a fallback; only the first by id is started.',
    'Keep one fallback in the company; otherwise the first workflow by id is started.',
  ),
  WAIT_LONGER_THAN_SESSION: warning('The session ends before the wait does.', 'Shorten the wait, or extend settings.sessionExpiry.'),
  MORE_PROBLEMS: warning('There are more problems than the list shows.', 'Correct the listed problems, then check again.'),
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
