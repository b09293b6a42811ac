// How much of an answer a driver gives to an execution, of systems that answer with values of any size.
import { limits } from '@hilo/engine/contract';

/** The size limit of an answer: that of a stored value, minus its wrapping. */
export const maxAnswerBytes = limits.valueBytes - 1_024;
