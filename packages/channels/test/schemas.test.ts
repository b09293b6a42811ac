import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { schemaOf } from './schemas.ts';

// The schemas judge every request of the adapters: here they are held to what the providers publish.
const examples = join(import.meta.dirname, 'examples');
const bodies = (name: string, kind: string): readonly (readonly [string, unknown])[] =>
  readdirSync(join(examples, name, kind)).map(
    (file) => [file, JSON.parse(readFileSync(join(examples, name, kind, file), 'utf8'))] as const,
  );

describe.each(readdirSync(examples))('the schema %s', (name) => {
  const problemsOf = schemaOf(name);

  it.each(bodies(name, 'valid'))('takes %s', (_file, body) => expect(problemsOf(body)).toBe(''));
  it.each(bodies(name, 'broken'))('refuses %s', (_file, body) => expect(problemsOf(body)).not.toBe(''));
});
