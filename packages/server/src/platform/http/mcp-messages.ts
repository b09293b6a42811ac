// Requests and answers of the Model Context Protocol between this service and its library, which is stricter than clients are: it wants
// headers that some leave out, and may answer with a stream.
import { escapeUnseen, isJsonObject, type Json, type JsonObject, parseJsonText } from '@hilo/engine/contract';
import { invalidRequest } from './errors.ts';

/** The request with the headers that the library checks: its body is parsed already, and every client can read one form of its answers. */
export function addLibraryHeaders({ url, method, headers: given }: Request): Request {
  const headers = new Headers(given);
  headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(url, { method, headers });
}

/** Ids, names and addresses are short; the library looks for each among patterns, and repeats it in what it answers. */
const longestNameChars = 2_000;

/**
 * Refuses a message of whose parts that name something one is longer than any name: an address of 300,000 signs was a 500.
 *
 * @throws {HttpError} 400
 */
export function refuseLongNames(body: Json): void {
  const messages: readonly Json[] = Array.isArray(body) ? body : [body];
  for (const message of messages) {
    const { id, method, params } = asObject(message);
    const { name, uri, cursor } = asObject(params);
    if ([id, method, name, uri, cursor].some((text) => typeof text === 'string' && text.length > longestNameChars))
      throw invalidRequest(`The id, method, name, uri and cursor of a message have ${longestNameChars} characters at most`);
  }
}

const asObject = (value: Json | undefined): JsonObject => (value !== undefined && isJsonObject(value) ? value : {});

export const acceptsStreams = ({ headers }: Pick<Request, 'headers'>): boolean =>
  /text\/event-stream|\*\/\*/i.test(headers.get('accept') ?? '');

/** The message of a stream as JSON, for a client that takes no streams: an answer is one message. */
export async function answerWhole(answer: Response): Promise<Response> {
  if (answer.headers.get('content-type')?.startsWith('text/event-stream') !== true || answer.body === null) return answer;
  let text = '';
  for await (const chunk of answer.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    const message = /^data: (.*)\n\n/m.exec(text)?.[1];
    if (message !== undefined) return Response.json(parseJsonText(message), { status: answer.status });
  }
  return answer;
}

/** The same answer, in which what nobody sees is an escape of JSON: a client that hands messages on as they are shows its model what is in them. */
export function escapeUnseenIn(answer: Response): Response {
  if (answer.body === null) return answer;
  const escaping = new TransformStream<string, string>({ transform: (text, out) => out.enqueue(escapeUnseen(text)) });
  const body = answer.body.pipeThrough(new TextDecoderStream()).pipeThrough(escaping).pipeThrough(new TextEncoderStream());
  const headers = new Headers(answer.headers);
  headers.delete('content-length');
  return new Response(body, { status: answer.status, headers });
}
