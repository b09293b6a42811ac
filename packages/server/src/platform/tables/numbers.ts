// What is counted of workflows by the hour: it stays when histories are removed, and says nothing of any person.
import { defineTable, integer, key, oneOf, text } from '@hilo/stores';

/**
 * What a count is of. With a node: visits that were `entered`, `left` by a port, steps that `failed` with a cause, and executions that `ended`
 * there with a status. Without one: executions that were `entered`, and `ended`.
 */
export const countKinds = ['entered', 'left', 'ended', 'failed'] as const;

/** How many fell into each bucket of time; {@link bucketOf} says which is which. */
const buckets = {
  b00: integer(),
  b01: integer(),
  b02: integer(),
  b03: integer(),
  b04: integer(),
  b05: integer(),
  b06: integer(),
  b07: integer(),
  b08: integer(),
  b09: integer(),
  b10: integer(),
  b11: integer(),
  b12: integer(),
  b13: integer(),
  b14: integer(),
  b15: integer(),
  b16: integer(),
  b17: integer(),
  b18: integer(),
  b19: integer(),
};

/** The columns of the buckets, from the shortest time to the longest. */
export const bucketColumns = Object.keys(buckets) as readonly (keyof typeof buckets)[];

/** Counts of an hour. */
export const numbers = defineTable(
  'numbers',
  {
    companyId: key(text()),
    workflowId: key(text()),
    /** Hours since 1970. */
    hour: key(integer()),
    version: key(integer()),
    /** Empty for the execution as a whole. */
    nodeId: key(text()),
    kind: key(oneOf(countKinds)),
    /** The port, status or cause; empty where the kind has none. */
    name: key(text()),
    /** Where the user is; empty without one, and for what was counted before channels were. */
    channel: key(text()),
    count: integer(),
    /** The sum of their times, in milliseconds. */
    timeMs: integer(),
    ...buckets,
  },
  { moves: { notBecause: 'counted again from the histories that move' }, personal: 'none', indexes: { byHour: { on: ['hour'] } } },
);
