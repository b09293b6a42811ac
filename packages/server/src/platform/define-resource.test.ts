// What a resource says that cannot be is refused where it is defined, or where it meets Hilo's own, with its place.
import { defineEffect } from '@hilo/engine/node-kit';
import { defineTable, key, text } from '@hilo/stores';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completeParts } from '../service/host-parts.ts';
import { defineResource, driveResource, type ResourceDefinition } from './define-resource.ts';
import { defineRoute } from './http/define-route.ts';
import { defineJob } from './jobs/define-job.ts';

const columns = { companyId: key(text()), id: key(text()) };
const notes = defineTable('notes', columns, { moves: 'copied', personal: 'none' });
const route = (path: `/${string}`, more: object = {}) =>
  defineRoute({
    get: path,
    operationId: 'listNotes',
    tags: ['Notes'],
    auth: 'operator',
    permission: 'view',
    summary: 'Lists notes',
    description: '',
    params: z.object(Object.fromEntries([...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => [name, z.string()]))),
    refusals: {},
    example: { path: { companyId: '1' } },
    handle: () => new Response(),
    ...more,
  });
const listNotes = route('/admin/v1/companies/{companyId}/notes');
const job = defineJob({ kind: 'notes', spec: z.object({}), page: async () => ({ next: null }) });
const effect = defineEffect('notes.add', { request: z.object({}), result: z.object({}) });
const driver = driveResource(effect, () => ({}));

describe('a resource is refused', () => {
  it.each<[what: string, definition: ResourceDefinition<never>, sentence: string]>([
    ['without a name', { name: '' }, 'its name is 1 to 40 lower-case letters'],
    ['with a name that the store cannot keep', { name: 'my-notes' }, 'its name is 1 to 40 lower-case letters'],
    ['with the name of ours', { name: 'service' }, 'not "service"'],
    ['with tables that nothing makes', { name: 'notes', tables: [notes], migrations: [] }, 'no migration that makes them'],
    [
      'with a table that says nothing of persons',
      { name: 'notes', tables: [defineTable('notes', columns, { moves: 'copied' })] },
      'The resource "notes", table "notes": say what of its rows is of a person',
    ],
    [
      'with a list of a workspace',
      { name: 'notes', tables: [defineTable('notes', columns, { moves: 'copied', personal: 'none', workspace: 'notes' })] },
      'leave workspace out',
    ],
    [
      'with a route that is of no company',
      { name: 'notes', routes: [route('/admin/v1/notes')] },
      'The resource "notes", route listNotes (GET /admin/v1/notes): what is of one company is below /admin/v1/companies/{companyId}/',
    ],
    ['with a route of visitors', { name: 'notes', routes: [{ ...listNotes, auth: 'visitor' }] }, 'its auth is "operator" or "basic"'],
    ['with one table twice', { name: 'notes', tables: [notes, notes] }, ', tables: "notes" is there twice'],
    ['with one name of routes twice', { name: 'notes', routes: [listNotes, listNotes] }, ', routes: "listNotes" is there twice'],
    ['with one kind of jobs twice', { name: 'notes', jobs: [job, job] }, ', jobs: "notes" is there twice'],
    ['with two drivers of one effect', { name: 'notes', drivers: [driver, driver] }, ', drivers: "notes.add" is there twice'],
  ])('%s', (_what, definition, sentence) => {
    expect(() => defineResource(definition)).toThrow(sentence);
  });

  const [one, other] = [defineResource({ name: 'notes', tables: [notes] }), defineResource({ name: 'letters', tables: [notes] })];
  const messages = defineTable('messages', columns, { moves: 'copied', personal: 'none' });
  const audit = defineTable('audit', columns, { moves: 'copied', personal: 'none' });
  it.each([
    ['beside one of its name', [one, one], 'resources[1] ("notes"): there is a resource of that name already'],
    ['beside one with its table', [one, other], 'resources[1] ("letters"): the resource "notes" has a table "notes" already'],
    ['with a table of ours', [defineResource({ name: 'notes', tables: [messages] })], 'Hilo has a table "messages" already'],
    ['with a table of ours that does not move', [defineResource({ name: 'notes', tables: [audit] })], 'Hilo has a table "audit" already'],
  ])('%s', (_what, resources, sentence) => {
    expect(() => completeParts({ resources })).toThrow(sentence);
  });
});

it('of a complete host is complete', () => {
  const resources = [defineResource({ name: 'notes', tables: [notes], jobs: [job] })];
  const complete = completeParts({ resources, jobs: [job] });
  expect(completeParts(complete)).toEqual(complete);
  expect(complete.jobs).toEqual([job]);
});
