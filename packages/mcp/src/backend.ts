// What the tools work on: management of a service, in this process or by a socket or HTTP, or a folder of canvases that answers the
// same requests. And the one function by which a tool asks it.

/** A request of management: its path is below `/admin/v1`, with its query. */
export interface BackendRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** JSON, or the text of a transcript. */
  readonly body?: object | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The answer of management. */
export interface BackendAnswer {
  readonly status: number;
  /** Parsed where it is JSON, else the text. */
  readonly body: unknown;
  /** The ETag without its quotation marks. */
  readonly etag?: string | undefined;
}

/** Management of a service, or what answers as it does. */
export interface AuthoringBackend {
  /**
   * @param via - the name of the client that the operator works with, for `savedBy` and `publishedBy`
   */
  ask(request: BackendRequest, via: string): Promise<BackendAnswer>;
}

/** A refusal that the client can act on: what it says is meant for a model. */
export class ToolRefused extends Error {
  override readonly name = 'ToolRefused';
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: string, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** The refusal that an answer of management amounts to. */
export function refusalOf({ status, body }: BackendAnswer): ToolRefused {
  const { error, message, problems } = isRecord(body) ? body : {};
  const code = typeof error === 'string' ? error : status === 400 || status === 422 ? 'INVALID_INPUT' : `STATUS_${status}`;
  const said = [message].flat().filter((one) => typeof one === 'string');
  const sentence = said.length > 0 ? said.join('; ') : `Management answered ${status}`;
  return new ToolRefused(code, sayNext(code, sentence), Array.isArray(problems) ? { problems } : {});
}

/** What a client does next, where what management says is meant for who calls its routes. */
const nextSteps: { readonly [code: string]: string | undefined } = {
  WORKFLOW_NOT_FOUND: 'list_workflows has all of them',
  VERSION_NOT_FOUND: 'list_workflows says which version is live, and get_canvas without "version" reads the draft',
  EXECUTION_NOT_FOUND: 'search_executions finds those that there are',
  TRANSCRIPT_NOT_FOUND: 'list_transcripts has all of them',
  INVALID_CANVAS: 'validate says what is wrong with it, and apply_fix mends some of it',
  VALIDATION_FAILED: 'validate says what is wrong with it, and apply_fix mends some of it',
  INVALID_SCRIPT: 'describe_node of "testing" has every line of a script',
  INVALID_INPUT: 'correct the input, and call again; of a list, leave "cursor" out to begin with the first page',
  FORBIDDEN: 'ask the person who works with you for a token that may do it',
  UNAUTHORIZED: 'ask the person who works with you for a token that is valid',
  STATUS_429: 'wait a second, and call again',
  STATUS_500: 'the log of the service has the reason; call again, or tell the person who works with you',
  STATUS_503: 'wait a minute, and call again',
};

/** A sentence with what to do next behind it. */
export function sayNext(code: string, sentence: string): string {
  const next = nextSteps[code];
  if (next === undefined) return sentence;
  const [what = sentence] = code.endsWith('_NOT_FOUND') ? sentence.split(': ', 1) : [sentence.replace(/\.$/, '')];
  return `${what}: ${next}`;
}

/** Whether a value of an answer is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
