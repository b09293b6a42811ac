// Why a path is missing, where the values on its way tell: only for the message of an expression that has failed.
import type { Variables } from '../contract/variables.ts';
import type { Evaluation } from './evaluation.ts';
import { formatPath, type Path } from '../variables/path.ts';
import { isList, isObject, kindOf, TimeSpan, Timestamp, type Value } from './value.ts';

/** Why an evaluation failed, in words. */
export function explainFailure({ reason, variables }: Evaluation): string {
  if (typeof reason === 'string') return reason;
  return 'path' in reason ? explainMissing(reason.path, variables) : describePart(reason.of, reason.step);
}

const describePart = (value: Value, step: Value): string => {
  const key = typeof step === 'string' || typeof step === 'number' ? String(step).slice(0, 60) : kindOf(step);
  return messageOf(`"${key}"`, explainStep('…', value, step));
};

const messageOf = (place: string, why: string): string => `${place} is missing${why}; give a default with "??" if it may be`;

/** Why a path of the variables is missing. @param variables - as they were when it was */
export function explainMissing(path: Path, variables: Pick<Variables, 'get'>): string {
  for (let length = path.length - 1; length > 0; length -= 1) {
    const value = variables.get(path.slice(0, length));
    if (value === undefined) continue;
    return messageOf(formatPath(path), explainStep(formatPath(path.slice(0, length)), value, path[length] ?? ''));
  }
  return messageOf(formatPath(path), '');
}

/** So many keys of an object, each up to so long, are compared with one that it does not have. */
const [maxKeys, maxChars] = [500, 64];
const fold = (key: string): string =>
  key
    .normalize('NFD')
    .replaceAll(/[\p{M}_\- ]/gu, '')
    .toLowerCase();

function explainStep(name: string, value: Value, step: Value): string {
  const isCount = step === 'length' || step === 'size' || step === 'count';
  if (isList(value)) {
    if (typeof step === 'number') return step < 0 ? ': the last item is last(…)' : `: the list has ${value.length} items, counted from 0`;
    if (step === 'first' || step === 'last') return `: it is ${step}(${name})`;
    return isCount
      ? `: the size of a list is size(${name})`
      : `: a list has items, of which [0] is the first, and .map(item, item.name) gives a part of each`;
  }
  if (value === null) return name === '…' ? ' in null' : `: ${name} is null`;
  if (typeof value === 'string') {
    if (isCount) return ': the size of a text is size(…)';
    if (typeof step === 'number') return ': a character of a text is charAt(…, 0), and the last ones are slice(…, -3)';
    return /^\s{0,9}[{[]/.test(value) ? ': it stands in a text; its JSON is read by json(bytes(…))' : ': a text has no parts';
  }
  if (value instanceof Timestamp) return ': an instant has no parts, and date(), time() and their like give them';
  if (value instanceof TimeSpan) return ': a duration has no parts, and getHours(), getMinutes() and their like give them';
  if (!isObject(value)) return `: a value of the kind ${kindOf(value)} has no parts`;
  const wanted = typeof step === 'string' && step.length <= maxChars ? fold(step) : '';
  const near =
    wanted === ''
      ? undefined
      : Object.keys(value)
          .slice(0, maxKeys)
          .find((key) => key.length <= maxChars && fold(key) === wanted);
  return near === undefined ? '' : `: there is "${near}"`;
}
