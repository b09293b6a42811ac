// Which variable an author means who writes into a field for one what is no place to write: `name`, `{{$context.name}}`, `Full name`.
import { VariableName, VariablePath } from '../contract/variables.ts';

/** Longer texts are no names: nothing is offered for them. */
const longest = 200;

/** @returns the place as it is written in a canvas; nothing where no name can be made of the text */
export function findMeantPlace(text: string): string | undefined {
  if (text.length > longest || VariablePath.safeParse(text).success) return undefined;
  const bare = text
    .replace(/^\s*\{\{/, '')
    .replace(/\}\}\s*$/, '')
    .trim();
  const [, scope = 'context', rest = ''] = /^\$?(context|memory|user\.fields)\.(.*)$/s.exec(bare) ?? [
    undefined,
    undefined,
    bare.replace(/^\$?(?:user\.)?/, ''),
  ];
  const [first = '', ...others] = rest
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .split(/[^A-Za-z0-9_]+/)
    .filter((word) => word !== '');
  const name = [first, ...others.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)].join('');
  if (/^(?:\d|(?:context|memory|user)$)/.test(name)) return undefined; // a name begins with a letter, and a scope alone names nothing
  const begun = name.charAt(0).toLowerCase() + name.slice(1);
  const place = `$${scope}.${begun}`;
  return VariableName.safeParse(begun).success && VariablePath.safeParse(place).success ? place : undefined;
}
