import type { Logger } from '@hilo/server';
import { printable } from '../printable.ts';

/** The log of a command whose output is its answer: what went wrong goes to standard error, the rest nowhere. */
export const quietLog: Logger = {
  info: () => {},
  warn: (_fields, message) => void process.stderr.write(`${printable(message)}\n`),
  error: (_fields, message) => void process.stderr.write(`${printable(message)}\n`),
};
