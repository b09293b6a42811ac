import { expect, it } from 'vitest';
import { createApp } from '../../src/service/app.ts';
import { describeInterface } from '../../src/operations/openapi.ts';
import { withPlace } from '../data/open-for-test.ts';

interface Part {
  readonly name?: unknown;
  readonly in?: unknown;
  readonly description?: unknown;
  readonly [key: string]: unknown;
}

const isPart = (part: unknown): part is Part => typeof part === 'object' && part !== null;

/** The places in a document at which nothing says what a parameter or a field is for, and how many of them there are. */
function lookFor(document: object): { readonly silent: readonly string[]; readonly all: number } {
  const silent: string[] = [];
  let all = 0;
  const judge = (part: unknown, place: string): void => {
    all += 1;
    if (!isPart(part) || typeof part.description !== 'string' || part.description.length < 5) silent.push(place);
  };
  const walk = (part: unknown, place: string, key: string): void => {
    if (!isPart(part) || key === 'example' || key === 'examples' || key === 'default') return;
    if (typeof part.name === 'string' && typeof part.in === 'string' && 'schema' in part) judge(part, `${place}: ${part.name}`);
    for (const [name, inner] of Object.entries(part)) {
      if (key === 'properties') judge(inner, `${place}.${name}`);
      walk(inner, `${place}/${name}`, key === 'properties' ? '' : name);
    }
  };
  walk(document, '', '');
  return { silent, all };
}

it(
  'the description of the interface says of each parameter and field what it is for',
  withPlace(async ({ open }) => {
    const { silent, all } = lookFor(await describeInterface(createApp(await open())));
    expect(silent).toEqual([]);
    expect(all).toBeGreaterThan(900);
  }),
  120_000,
);

it(
  'a parameter of the path is said to be left out nowhere',
  withPlace(async ({ open }) => {
    const { paths = {} } = await describeInterface(createApp(await open()));
    const inPaths = Object.values(paths).flatMap((item) =>
      [item.get, item.put, item.post, item.patch, item.delete].flatMap((operation) =>
        (operation?.parameters ?? []).flatMap((parameter) => ('in' in parameter && parameter.in === 'path' ? [parameter] : [])),
      ),
    );
    expect(inPaths.some(({ name }) => name === 'companyId')).toBe(true);
    expect(inPaths.filter(({ description = '' }) => /left out/.test(description))).toEqual([]);
  }),
);
