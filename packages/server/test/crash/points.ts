/**
 * Where a service is killed, in addition to the points of `tests/crash`, which need no server. Each is named after what is done, or about to be done, when the process dies.
 */
export type Point =
  /** The head of a request is read, its body is not. */
  | 'request head'
  /** A request is read and admitted, nothing is stored. */
  | 'first write'
  /** A part of an answer is written. */
  | 'half an answer'
  /** A campaign's status is moved, its first recipient is not reached. */
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
