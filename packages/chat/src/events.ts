/** One server-sent event. */
export interface StreamEvent {
  readonly id: string | undefined;
  readonly name: string;
  readonly data: string;
}

/**
 * Reads server-sent events. `EventSource` is not used: it cannot send the token as a header, and URLs end up in logs.
 *
 * @param onBytes - called whenever data arrives, including heartbeats
 */
export async function* readEvents(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<StreamEvent> {
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  let text = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    onBytes();
    text += value;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const fields = new Map(text.slice(0, end).split('\n').map(fieldOf));
      text = text.slice(end + 2);
      yield { id: fields.get('id'), name: fields.get('event') ?? '', data: fields.get('data') ?? '' };
    }
  }
}

function fieldOf(line: string): [string, string] {
  const colon = line.indexOf(':');
  return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, '')];
}
