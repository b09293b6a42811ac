// Judges answers by the description of the interface: each is one that it declares, and none is a fault of the service.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

/** What the description says of one operation. */
export interface Operation {
  readonly security?: readonly { readonly [scheme: string]: unknown }[];
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: { readonly [status: string]: { readonly content?: { readonly [type: string]: object } } };
}

export interface Described {
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

/** An operation with its place. */
export interface DescribedOperation extends Operation {
  readonly path: string;
  readonly method: string;
}

/** Judges answers by the description. @returns what is wrong with one */
export function judgeBy(
  document: Described,
): (route: DescribedOperation, status: number, type: string, text: string) => string | undefined {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv);
  ajv.addSchema({ $id: 'interface', ...document });
  const checks = new Map<string, ValidateFunction>();
  const escaped = (step: string): string => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'));
  const checkOf = (...steps: readonly string[]): ValidateFunction => {
    const pointer = steps.map((step) => `/${escaped(step)}`).join('');
    const check = checks.get(pointer) ?? ajv.compile({ $ref: `interface#${pointer}` });
    checks.set(pointer, check);
    return check;
  };
  return ({ path, method, responses }, status, type, text) => {
    if (status >= 500) return 'is a fault of the service';
    const declared = responses[String(status)];
    if (declared === undefined) return 'has a status that is not declared';
    if (declared.content === undefined) return text === '' ? undefined : 'has a body that is not declared';
    if (declared.content[type] === undefined) return `is ${type}, which is not declared`;
    if (type !== 'application/json') return undefined;
    const check = checkOf('paths', path, method, 'responses', String(status), 'content', type, 'schema');
    return check(JSON.parse(text)) ? undefined : `is not as declared: ${ajv.errorsText(check.errors)}`;
  };
}
