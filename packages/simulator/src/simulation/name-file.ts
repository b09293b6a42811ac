// Gives a file of a simulation its handle, as the service does: readable, and taken wherever a handle is.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { isFileHandle } from '@hilo/nodes/effects';

const handleChars = 32;

const handleOf = (name: string): string => `file_${`${name}-`.padEnd(handleChars, '0')}`;

/** A message with the handle of its file; as it is where it has none, or names one itself. @param number - which message of the user it is */
export function nameFile(message: JsonObject, number: number): JsonObject {
  const { mediaUrl, mediaId, mediaError, file } = message;
  const hasFile = typeof mediaUrl === 'string' || (typeof mediaId === 'string' && mediaError === undefined);
  return hasFile && file === undefined ? { ...message, file: handleOf(`user-message-${number}`) } : message;
}

/** An answer whose body, a text that is no JSON, was kept as a file; as it is where it has none. @param number - which call it answers */
export function keepAsFile<Answer>(answer: Answer, number: number): Answer {
  const { response } = answer as { readonly response?: { readonly status: number; readonly body: Json } };
  if (response === undefined || typeof response.body !== 'string' || isFileHandle(response.body)) return answer;
  if (response.status < 200 || response.status >= 300) return answer;
  return { ...answer, response: { ...response, body: handleOf(`answer-${number}`) } };
}
