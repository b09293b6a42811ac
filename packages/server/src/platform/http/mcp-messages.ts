// Requests and answers of the Model Context Protocol between this service and its library, which is stricter than clients are: it wants
// headers that some leave out, and may answer with a stream.
import { parseJsonText } from '@hilo/engine/contract';

/** The request with the headers that the library checks: its body is parsed already, and every client can read one form of its answers. */
export function addLibraryHeaders({ url, method, headers: given }: Request): Request {
  const headers = new Headers(given);
  headers.set('content-type', 'application/json');
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(url, { method, headers });
}

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
