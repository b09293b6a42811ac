// Looks at an input of a conversation as tests in JavaScript give it: what is of no kind, or without a field of its kind, is told in a
// sentence, where a program would fail deep in the simulator.
import { HiloError } from '@hilo/engine/contract';
import type { ScriptInput } from './script-input.ts';

/** What a field must be; `json` may be anything but missing. */
type Shape = 'text' | 'number' | 'object' | 'json';

/** The fields that an input of each kind has. */
const fieldsOf: Readonly<Record<ScriptInput['kind'], Readonly<Record<string, Shape>>>> = {
  says: { message: 'object' },
  repeats: {},
  campaign: { id: 'text' },
  places: { place: 'object' },
  webhook: { call: 'object' },
  calls: { request: 'object' },
  passes: { durationMs: 'number' },
  apiAnswers: { answer: 'json' },
  answers: { effect: 'text', answer: 'json' },
  operator: { act: 'object' },
  refuses: { cause: 'text' },
  closesWindow: {},
  starts: { inputs: 'object' },
  signals: { name: 'text', correlation: 'text', payload: 'json' },
  cancels: {},
  restarts: {},
};

const kinds: ReadonlyMap<string, Readonly<Record<string, Shape>>> = new Map(Object.entries(fieldsOf));

const refuse = (reason: string): never => {
  throw new HiloError('INVALID_SCRIPT', { reason });
};

/** @throws {HiloError} `INVALID_SCRIPT` for what is no input */
export function requireInput(input: unknown): void {
  const kind = typeof input === 'object' && input !== null ? (Reflect.get(input, 'kind') as unknown) : undefined;
  const fields = typeof kind === 'string' ? kinds.get(kind) : undefined;
  if (typeof input !== 'object' || input === null || fields === undefined)
    return refuse(`An input has a "kind", which is one of ${[...kinds.keys()].join(', ')}`);
  for (const [field, shape] of Object.entries(fields))
    if (!fits(Reflect.get(input, field), shape)) refuse(`An input of kind "${String(kind)}" has "${field}": ${shapes[shape]}`);
}

const shapes: Readonly<Record<Shape, string>> = { text: 'a text', number: 'a number from 0', object: 'an object', json: 'a value of JSON' };

function fits(value: unknown, shape: Shape): boolean {
  switch (shape) {
    case 'text':
      return typeof value === 'string';
    case 'number':
      return typeof value === 'number' && value >= 0 && Number.isFinite(value);
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value);
    case 'json':
      return value !== undefined;
  }
}
