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
  const code = typeof error === 'string' ? error : `STATUS_${status}`;
  const said = [message].flat().filter((one) => typeof one === 'string');
  const sentence = said.length > 0 ? said.join('; ') : `Management answered ${status}`;
  return new ToolRefused(code, sentence, Array.isArray(problems) ? { problems } : {});
}

/** Whether a value of an answer is an object. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
