import { z } from '@hono/zod-openapi';
import { ZonedInstant } from './instants.ts';

/** Why a parameter of a query is no text: it is missing, or given several times, which makes it a list. */
export const explainNotOnce =
  (name: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    input === undefined ? `${name} is missing` : `${name} may be in the query once`;

/** A parameter of a query that is given once and not empty, with at most `longest` characters. */
export const QueryText = (name: string, longest: number) =>
  z
    .string({ error: explainNotOnce(name) })
    .min(1, `${name} is empty`)
    .max(longest, `${name} is longer than ${longest} characters`);

/** Why a parameter is not what it should be, in these words; or that it is given several times. */
const explainUnlessTwice =
  (name: string, words: string) =>
  ({ input }: { readonly input?: unknown }): string =>
    Array.isArray(input) ? `${name} may be in the query once` : words;

/** A parameter of a query that is one of some words. */
export const QueryChoice = <const Words extends readonly [string, ...string[]]>(name: string, words: Words) =>
  z.enum(words, { error: explainUnlessTwice(name, `${name} is ${words.join(', ')}`) });

/** A parameter of a query that is an instant with its zone. */
export const QueryInstant = (name: string) => ZonedInstant(instantWords(name), explainUnlessTwice(name, instantWords(name)));

const instantWords = (name: string): string => `${name} is an instant in ISO 8601 with a zone, such as 2026-01-31T23:59:59Z`;
