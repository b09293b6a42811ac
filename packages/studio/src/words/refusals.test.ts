// Refusals of the service in Spanish: each code that it answers with has its sentence in the one table, and so has each law of agents.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../api/api-error.ts';
import { en } from './en.ts';
import { detailInSpanish } from './problem-details-es.ts';
import { isKnownRefusal, refusalInSpanish } from './refusals-es.ts';

const packages = join(import.meta.dirname, '..', '..', '..');
const textOf = (path: string): string => readFileSync(join(packages, path), 'utf8');

/** Codes that say nothing but the status, and those that no screen of the studio meets. */
const unsaid = [
  'INVALID_REQUEST',
  'E0422',
  'EXPRESSION',
  'INVALID_DURATION',
  'INVALID_OPTIONS',
  'INVALID_CONFIG',
  'INVALID_SCRIPT',
  'SECRET_KEY_REFUSED',
  'ELSEWHERE',
];

/** Codes of the sources of the service, and those of the engine's errors. */
function listCodes(): ReadonlySet<string> {
  const files = globSync('server/src/**/*.ts', { cwd: packages }).filter((file) => !file.endsWith('.test.ts'));
  const thrown = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:new HttpError\(\s*\d+,\s*|notFound\(\s*)'([A-Z_0-9]+)'/g)].map(([, code = '']) => code),
  );
  const [, details = ''] = /export interface ErrorDetails \{([^]*?)\n\}/.exec(textOf('engine/src/contract/errors.ts')) ?? [];
  return new Set([...thrown, ...[...details.matchAll(/^ {2}([A-Z_]+): \{/gm)].map(([, code = '']) => code)]);
}

describe('a refusal', () => {
  it('has a sentence in Spanish for each code that the service answers with', () => {
    const codes = listCodes();
    expect(codes.size).toBeGreaterThan(90);
    expect([...codes].filter((code) => !isKnownRefusal(code) && !unsaid.includes(code))).toEqual([]);
  });

  it('keeps the name that the service says, and says what it knows of a field', () => {
    for (const [status, code, message, said] of [
      [404, 'BOT_NOT_FOUND', 'There is no bot "bot_chat"', 'No hay ningún bot "bot_chat"'],
      [404, 'BOT_NOT_FOUND', 'There is no chat at this address', 'No hay ningún bot'],
      [404, 'WORKFLOW_NOT_FOUND', 'There is no workflow "$&" to run', 'No hay ningún flujo "$&"'],
      [0, 'NOT_REACHED', 'The service was not reached', 'No se pudo llegar al servicio'],
      [422, 'E0422', 'name: "name" must not be empty', 'name: "name" no puede estar vacío'],
      [422, 'E0422', 'names: nobody has said this in Spanish', 'El servicio no lo aceptó: names: nobody has said this in Spanish'],
      [400, 'INVALID_REQUEST', '"name" must not be empty', '"name" no puede estar vacío'],
      [500, 'HTTP_500', 'Something broke', 'El servicio falló: Something broke'],
      [418, 'HTTP_418', '', 'El servicio no lo aceptó'],
      [418, 'constructor', 'Odd', 'El servicio no lo aceptó: Odd'],
    ] as const)
      expect(refusalInSpanish(new ApiError(status, code, message))).toBe(said);
    expect(refusalInSpanish(new Error('a number'))).toBe('a number');
    expect(refusalInSpanish('text')).toBe('text');
  });
});

it('what is in the way of an execution that comes to another version is told in Spanish', () => {
  for (const message of [
    '"message" of node "red" differs in version 12 (menu → red)',
    'Node "red" is not in version 2',
    'Port "sent" of node "red" leads elsewhere in version 2 (menu → red)',
    'Node "menu", where it waits, is not in version 2. Rename it (nodes), or choose (at): {"menu": {"enter": "…"}}',
    'Version 2 reads $context.name and 1 more on the way a → b, and this execution has none. Give a value: "set": {"$context.name": "…"}',
    'At "menu" version 2 would not wait as this execution does: it leaves by "sent". Choose (at): {"menu": {"enter": "…"}}',
  ])
    expect(detailInSpanish(message) ?? '').toMatch(/(?:^| )la versión (?:2|12)\b/i);
});

it('a failure of a step is told in words, whatever its cause', () => {
  const places = ['nodes/src', 'engine/src/machine', 'engine/src/lane', 'drivers/src', 'integrations/src', 'server/src/payments'];
  const files = places.flatMap((place) => globSync(`${place}/**/*.ts`, { cwd: packages })).filter((file) => !file.endsWith('.test.ts'));
  const causes = files.flatMap((file) =>
    [...textOf(file).matchAll(/(?:\bcause: |DriverError\(\s*)'([A-Z_]{3,})'/g)].map(([, cause = '']) => cause),
  );
  expect(causes.length).toBeGreaterThan(60);
  expect([...new Set(causes)].filter((cause) => !Object.hasOwn(en, `cause.${cause}`)).toSorted()).toEqual([]);
});

it('a law of agents that does not hold is told in Spanish', () => {
  const laws = [...textOf('simulator/src/agents/explore-agent.ts').matchAll(/#breach\((['`])(.*?)\1/g)].map(([, , law = '']) =>
    law.replace('"${tool.name}"', '"pay"').replaceAll(/\$\{[^}]*\}/g, 'x'),
  );
  expect(laws.length).toBeGreaterThan(10);
  expect(laws.filter((law) => detailInSpanish(law) === undefined)).toEqual([]);
});
