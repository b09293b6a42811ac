import { type DatabaseError, type DialerError, DriverError } from '../driver-error.ts';

/** What is wrong with the number of values that a statement was given. */
export function placesProblem(places: number, given: number): string {
  const which = given < places ? `${places - given} of them ${places - given === 1 ? 'is' : 'are'} missing` : `${given - places} too many`;
  return `The statement has places for ${places} ${places === 1 ? 'value' : 'values'}, and "parameters" has ${given}: ${which}`;
}

/** A failure to connect, in the words of a database. */
export const connectionFailure = (error: DialerError): DatabaseError => {
  const reason = error.code === 'EGRESS_REFUSED' ? 'refused' : error.code === 'TIMEOUT' ? 'timeout' : 'unreachable';
  return new DriverError(reason, `${error.message} (${error.code})`, { cause: error });
};

/** What an error of a client says, when it says anything but that the connection is gone. */
export const detailsOf = (error: unknown): { readonly code: string | undefined; readonly message: string } => {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return { code, message: error instanceof Error ? error.message.slice(0, 500) : 'The connection broke' };
};
