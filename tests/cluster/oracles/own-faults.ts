import { isHiloError } from '@hilo/engine/contract';
import type { Oracle } from './oracle.ts';

/** The only faults that engines have are those of their store, and they know of them (P26, P32). */
export const ownFaults: Oracle = ({ faults, unhandled }) => [
  ...faults
    .filter(({ error }) => !isHiloError(error, 'STORE_UNAVAILABLE') && !isHiloError(error, 'STORE_CONFLICT'))
    .map(({ process, error, while: doing }) => `${process} had a fault of its own while ${doing}: ${String(error)}`),
  ...unhandled.map((error) => `a rejection that nobody handles would end the process: ${String(error)}`),
];
