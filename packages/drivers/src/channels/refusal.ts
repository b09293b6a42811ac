/** A message that a provider would not take, told before it is sent. */
export class UnfitMessage extends Error {
  override readonly name = 'UnfitMessage';
  override readonly cause: string;

  constructor(cause: string, message: string) {
    super(message);
    this.cause = cause;
  }
}

/** The length that providers count: code points. */
export const characters = (text: string): number => Array.from(text).length;

/** A text within the bound of a provider, in code points. @throws {UnfitMessage} `INVALID_REQUEST` that says which text is how long */
export function within(text: string, max: number, what: string): string {
  const length = characters(text);
  if (length <= max) return text;
  throw new UnfitMessage('INVALID_REQUEST', `${what} has ${length} characters, and the provider takes ${max}: shorten it`);
}
