// The verbs of a host as hosts in JavaScript call them: an argument that is not of its kind is told in a sentence, where a program would fail
// deep in the engine or in a store, with an error about neither.
import type { Company } from './company.ts';
import { HiloError } from './contract/errors.ts';
import { readFields, readJson } from './host-input.ts';

/** Looks at one argument. @throws {HiloError} `INVALID_REQUEST` */
type Look = (value: unknown) => void;

const refuse = (reason: string): never => {
  throw new HiloError('INVALID_REQUEST', { reason });
};

/** A text, which may be the name of nothing. */
const text =
  (name: string): Look =>
  (value) => {
    if (typeof value !== 'string') refuse(`"${name}" must be a text`);
  };

/** As `look`, of what may be left out. */
const optional =
  (look: Look): Look =>
  (value) => {
    if (value !== undefined) look(value);
  };

/** @param fields - of those that are there */
const object =
  (name: string, fields: { readonly [field: string]: Look } = {}): Look =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${name} must be an object`);
    for (const [field, look] of Object.entries(fields)) optional(look)(readField(name, value, field));
    readField(name, value, undefined);
  };

/** A field of an object of a host, or all of them: a proxy or a getter may throw. */
function readField(name: string, value: object, field: string | undefined): unknown {
  try {
    return field === undefined ? { ...value } : Reflect.get(value, field);
  } catch (cause) {
    throw new HiloError('INVALID_REQUEST', { reason: `${name} cannot be read: it throws when it is looked at` }, { cause });
  }
}

/** What is read where it is used, which a hostile object must not stop. */
const readable =
  (name: string): Look =>
  (value) => {
    if (typeof value === 'object' && value !== null) readField(name, value, undefined);
  };

const list =
  (name: string): Look =>
  (value) => {
    if (!Array.isArray(value)) refuse(`"${name}" must be a list`);
  };

const id =
  (whose: string): Look =>
  (value) => {
    if (typeof value !== 'string') refuse(`${whose} has an id: a text that is not empty`);
  };

const workflowId = id('A workflow');
const executionId = id('An execution');
const options = optional(object('The options'));
const connections = optional(object('The connections', { channels: list('channels'), published: list('published'), resolve: isFunction }));
const replaying = optional(object('The options', { ignore: list('ignore') }));
const starting = optional(object('The options', { user: readable('"user"') }));
const pausing = optional(object('The options', { says: (value) => void (typeof value === 'string' || readFields('"says"', value)) }));
const migration: Look = (value) => void (typeof value === 'object' && readJson('The migration', value));
const version: Look = (value) => {
  if (typeof value !== 'string' && !Number.isInteger(value)) refuse('A version is a whole number from 1, or "draft"');
};

function isFunction(value: unknown): void {
  if (typeof value !== 'function') refuse('"resolve" must be a function');
}

/** A verb whose arguments are looked at first. It answers no turn later than by itself: what is told in between keeps its order. */
export const guard =
  <Given extends readonly unknown[], Answer>(
    verb: (...given: Given) => Promise<Answer>,
    ...looks: readonly Look[]
  ): ((...given: Given) => Promise<Answer>) =>
  (...given) => {
    try {
      for (const [index, look] of looks.entries()) look(given[index]);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
    return verb(...given);
  };

/** The same for one that answers at once. */
const guardNow =
  <Given extends readonly unknown[], Answer>(verb: (...given: Given) => Answer, ...looks: readonly Look[]): ((...given: Given) => Answer) =>
  (...given) => {
    for (const [index, look] of looks.entries()) look(given[index]);
    return verb(...given);
  };

/** The verbs of a company, whose arguments are looked at. */
export const guardCompany = (company: Company): Company => ({
  ...company,
  publish: guard(company.publish, readable('The canvas'), connections),
  validate: guard(company.validate, readable('The canvas'), connections),
  saveDraft: guard(company.saveDraft, readable('The canvas'), connections),
  webhook: guard(company.webhook, workflowId, readable('The request'), options),
  message: guard(company.message, readable('A delivery')),
  start: guard(company.start, workflowId, starting),
  test: guard(company.test, workflowId, starting),
  signal: guard(company.signal, text('name'), options),
  pause: guard(company.pause, workflowId, pausing, connections),
  unpause: guard(company.unpause, workflowId),
  unpublish: guard(company.unpublish, workflowId, options),
  versions: guard(company.versions, workflowId),
  diff: guard(company.diff, workflowId, version, optional(version)),
  population: guard(company.population, workflowId),
  executions: guard(company.executions, readable('The filters of executions')),
  on: guardNow(company.on, text('name')),
  execution: guard(company.execution, executionId),
  history: guard(company.history, executionId),
  cancel: guard(company.cancel, executionId, optional(text('reason')), options),
  migrate: guard(company.migrate, executionId, migration, options),
  retry: guard(company.retry, executionId, options),
  fork: guard(company.fork, executionId, object('The options')),
  replay: guard(company.replay, workflowId, replaying),
  replayExecution: guard(company.replayExecution, executionId, replaying),
  release: guard(company.release, executionId, options),
  migrations: guardMigrations(company.migrations),
  bulk: guardBulk(company.bulk),
});

const guardMigrations = (migrations: Company['migrations']): Company['migrations'] => ({
  plan: guard(migrations.plan, migration, options),
  apply: guard(migrations.apply, migration, options),
  undo: guard(migrations.undo, workflowId, text('job'), options),
  check: guard(migrations.check, migration, optional(text('planId'))),
  applyPart: guard(migrations.applyPart, migration, object('The options')),
  undoPart: guard(migrations.undoPart, workflowId, text('job'), object('The options')),
});

const guardBulk = (bulk: Company['bulk']): Company['bulk'] => ({
  plan: guard(bulk.plan, object('The filter'), options),
  check: guard(bulk.check, object('The filter'), object('The action')),
  apply: guard(bulk.apply, object('The filter'), object('The action'), object('The options')),
  part: guard(bulk.part, object('The filter'), object('The action'), object('The options')),
});

/** An object that a verb reads by itself, with these texts. It is looked at no deeper than that, since some of these verbs are called often. */
const given =
  (name: string, texts: readonly string[], parts: Readonly<Record<string, readonly string[]>> = {}): Look =>
  (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(`${name} must be an object`);
    for (const field of texts) if (typeof readField(name, value, field) !== 'string') refuse(`"${field}" of ${name} must be a text`);
    for (const [field, more] of Object.entries(parts)) given(`"${field}" of ${name}`, more)(readField(name, value, field));
    readField(name, value, undefined);
  };

const objects =
  (name: string): Look =>
  (value) => {
    const isOne = (item: unknown): boolean => typeof item === 'object' && item !== null && !Array.isArray(item);
    if (!Array.isArray(value) || !value.every(isOne)) refuse(`${name} must be a list of objects`);
  };

/** The canvas as `parseCanvas` reads it: a text is none, and neither is what has no lists of nodes and edges. */
const canvas: Look = (value) => {
  given('the canvas', ['id'])(value);
  readJson('The canvas', value);
  if (typeof value !== 'object' || value === null) return;
  for (const field of ['nodes', 'edges']) objects(`"${field}" of the canvas`)(readField('The canvas', value, field));
};

/** What the verbs of an engine below those of a company look for. */
export const engineLooks = {
  canvas,
  companyId: text('companyId'),
  connections,
  executionId,
  given,
  job: text('undoes'),
  migration,
  options,
  reason: optional(text('reason')),
  required: object('The options'),
};

/** @throws {HiloError} `INVALID_REQUEST` */
export function requireCompanyId(companyId: unknown): void {
  if (typeof companyId !== 'string' || companyId === '') refuse('A company has an id: a text that is not empty');
}

/** What the engine publishes is a draft that was saved. @throws {HiloError} `INVALID_REQUEST` */
export function requireWorkflowId(value: unknown): void {
  if (typeof value !== 'string')
    refuse(
      '"workflowId" must be a text: the draft of that workflow is published. A canvas is published by engine.company(companyId).publish(canvas)',
    );
}
