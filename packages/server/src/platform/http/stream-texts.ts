// The body of an answer whose texts are made while it is sent, each when the receiver has taken the one before.

/** Ends the texts where the receiver goes away. */
export const streamTexts = (texts: AsyncIterable<string>): ReadableStream<Uint8Array<ArrayBuffer>> => ReadableStream.from(encode(texts));

async function* encode(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined> {
  const encoder = new TextEncoder();
  for await (const text of texts) yield encoder.encode(text);
}
