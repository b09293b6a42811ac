// The methods of a call; the first is that of a call which names none.
import type { Json } from '@hilo/engine/contract';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/** Whether a value is a method, or none is named. */
export const isMethod = (value: Json | undefined): boolean => value === undefined || methods.some((method) => method === value);
