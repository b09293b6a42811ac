import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** What a provider says of a body by its schema; '' for one that it takes. */
export function schemaOf(name: string): (body: unknown) => string {
  const ajv = new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true, strictRequired: false, strictTypes: false });
  formats.default(ajv);
  const validate = ajv.compile(JSON.parse(readFileSync(join(import.meta.dirname, 'schemas', `${name}.schema.json`), 'utf8')) as object);
  return (body) => (validate(body) ? '' : ajv.errorsText(validate.errors));
}
