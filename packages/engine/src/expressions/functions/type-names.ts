/** The names of types as CEL has them: values of an expression, for the comparison with what `type` gives. */
import { type Kind, TypeName } from '../value.ts';

/** What each name stands for. There is one type of number. */
const kinds: { readonly [name: string]: Kind | undefined } = {
  int: 'number',
  uint: 'number',
  double: 'number',
  string: 'text',
  bool: 'bool',
  bytes: 'bytes',
  list: 'list',
  map: 'object',
  null_type: 'null',
  type: 'type',
  optional_type: 'optional',
  'google.protobuf.Timestamp': 'timestamp',
  'google.protobuf.Duration': 'duration',
};

/** The type that the steps of a path name, such as `int` or `google.protobuf.Timestamp`; `undefined` when they name none. */
export function findType(path: readonly (string | number)[]): TypeName | undefined {
  const name = path.join('.');
  const kind = Object.hasOwn(kinds, name) ? kinds[name] : undefined;
  return kind === undefined ? undefined : new TypeName(kind);
}

/** The name of a type; of numbers `double`, since those of JSON are. */
export const typeNameOf = (kind: Kind): string =>
  kind === 'number' ? 'double' : (Object.keys(kinds).find((name) => kinds[name] === kind) ?? kind);
