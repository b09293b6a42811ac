/** What a question could call its answer, and say to one that it does not take. */
import type { Json } from '@hilo/engine/contract';
import { isRecord } from '../../canvas/canvas-json.ts';

/** What the answer of each kind of question could be called. */
const names = {
  text: 'answer',
  number: 'number',
  email: 'email',
  phone: 'phone',
  date: 'day',
  time: 'time',
  location: 'place',
  contact: 'contact',
  media: 'file',
} as const;
export type AskedKind = keyof typeof names;

const isAskedKind = (kind: Json | undefined): kind is AskedKind => typeof kind === 'string' && Object.hasOwn(names, kind);

/** The kind of answer that the data of a question asks for; `undefined` where nothing is suggested for it. */
export function kindOf(data: Json): AskedKind | undefined {
  const input = isRecord(data) ? data['input'] : undefined;
  const kind = isRecord(input) ? input['kind'] : undefined;
  return isAskedKind(kind) ? kind : undefined;
}

/** A name for a variable: of the label of its node, where a variable may be called so, or else of the kind of answer. */
export function nameFor(data: Json): string | undefined {
  const label = isRecord(data) ? data['label'] : undefined;
  const words = (typeof label === 'string' ? label : '')
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '');
  const name = words
    .map((word, index) => (index === 0 ? word.toLowerCase() : `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}`))
    .join('')
    .replace(/^\d+/, '')
    .slice(0, 40);
  const kind = kindOf(data);
  return name !== '' && !/^(?:constructor|prototype)$/.test(name) ? name : kind === undefined ? undefined : names[kind];
}
