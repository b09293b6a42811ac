/**
 * Where a service is killed (RELIABILITY 2.2): the rows of the table that need a server, in addition to those of `tests/crash`. Each is
 * named after what is done, or about to be done, when the process dies.
 */
export type Point =
  /** Row 1: the head of a request is read, its body is not. */
  | 'request head'
  /** Row 2: a request is read and let in, nothing is stored. */
  | 'first write'
  /** Row 5: of an answer, a part is written. */
  | 'half an answer'
  /** Row 22: a campaign's status is moved, its first recipient is not reached. */
  | 'campaign status';

export const sides = ['before', 'after'] as const;

/** One death. */
export interface Death {
  readonly point: Point;
  readonly side: (typeof sides)[number];
  /** How often the place is passed before. */
  readonly passed: number;
}

/** Loads the crash points into a service, which is not aware of them. */
export const environmentOf = (death: Death): { readonly [name: string]: string } => ({
  NODE_OPTIONS: `--import=${new URL('die.ts', import.meta.url).href}`,
  HILO_TEST_DEATH: JSON.stringify(death),
});

/** The last line of a process that dies as planned. */
export const lastWords = ({ point, side }: Death): string => `died ${side} ${point}`;
