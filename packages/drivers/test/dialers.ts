// Dialers and local servers for one test, and the errors of calls.
import { afterEach } from 'vitest';
import { createDialer, type Dialer, type DialerErrorCode, type DialerOptions, type DriverError, isDialerError } from '../src/index.ts';
import type { LocalServer } from './local-servers.ts';

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((opened) => opened.close()));
});

/** Closes a server when the test is over. */
export async function during<Opened extends LocalServer>(starting: Promise<Opened>): Promise<Opened> {
  const opened = await starting;
  open.push(opened);
  return opened;
}

/** A dialer for one test, to which every name is this machine. */
export function dialer(options: DialerOptions): Dialer {
  const created = createDialer({ resolve: () => Promise.resolve(['127.0.0.1']), ...options });
  open.unshift(created); // before the servers: it lets go of its connections
  return created;
}

/** The error of a call. */
export async function failureOf(call: Promise<unknown>): Promise<DriverError<DialerErrorCode>> {
  const error = await call.then(
    () => new Error('The call was answered'),
    (reason: unknown) => reason,
  );
  if (isDialerError(error)) return error;
  throw error;
}

/** What an error says to the one who must act: its code, and whether anything was sent. */
export const codeOf = async (call: Promise<unknown>): Promise<readonly [string, boolean]> => {
  const { code, wasSent } = await failureOf(call);
  return [code, wasSent];
};

export const timeoutMs = 20_000;
