import { limits } from '@hilo/engine/contract';

/** What a server may send in one call, its schema counted: more is not read (P16). */
export const maxWireBytes = 4 * 1024 * 1024;

/** What of it is kept: the result of an effect is one value, and has something around it. */
export const maxResultBytes = limits.valueBytes - 1024;
