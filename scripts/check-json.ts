/**
 * Refuses `JSON.parse`, and `json()` of an answer or a request, where texts come in from outside: bodies, deliveries, answers of other
 * systems, results of databases and files. `JSON.parse` changes the digits of a number beyond 2^53, and an id of 19 digits becomes another
 * id without a word. The one door that keeps them is `parseJsonText` of `@hilo/engine/contract`.
 *
 * A file that parses nothing but what Hilo wrote itself is on the list `ownTexts`, with who wrote it; numbers in it have passed the door, or
 * were computed. A file on the list that parses nothing any more is reported, too. Packages that run in a browser or serve tests alone are
 * not looked at.
 */
import { globSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const notLookedAt = /^packages\/(?:studio|chat|client|testing|create-hilo)\//;
const door = 'packages/engine/src/contract/exact-json.ts';

/** Files that parse what Hilo itself has written, under `packages`, by who wrote it. */
const ownTexts: Readonly<Record<string, readonly string[]>> = {
  'a manifest of this repository': ['cli/src/program.ts'],
  'the process or thread that started it, or that it started': [
    'drivers/src/code/code-process.ts',
    'drivers/src/code/code-runner.ts',
    'integrations/src/database/sqlite-process.ts',
    'integrations/src/database/sqlite-runner.ts',
    'drivers/src/functions/function-process.ts',
    'drivers/src/functions/function-runner.ts',
    'sandbox/src/sandbox.ts',
    'server/src/platform/canvas-work/canvas-tasks.ts',
    'server/src/platform/logging/logger.ts',
    'simulator/src/simulation/code-driver.ts',
    'stores/src/sqlite/thread-messages.ts',
  ],
  'another process of the same service, signed or through its database': [
    'restate/src/restate-runtime.ts',
    'restate/src/seals.ts',
    'server/src/processes/forwarding.ts',
    'postgres/src/exchange.ts',
    'postgres/src/group-commits.ts',
  ],
  'the same function, which copies a value': [
    'nodes/src/payment/index.ts',
    'server/src/channels/routes.ts',
    'server/src/functions/tool-server.ts',
    'server/src/workflows/catalogue.ts',
  ],
  'the service, in a row of its database': [
    'server/src/tenants/workspace/changed-workflows.ts',
    'server/src/tenants/workspace/export-workspace.ts',
    'server/src/tenants/workspace/given-users.ts',
  ],
  'the store, in a row of its own': [
    'stores/src/canvas-store.ts',
    'stores/src/commit.ts',
    'stores/src/contacts.ts',
    'stores/src/first-format.ts',
    'stores/src/row-text.ts',
    'stores/src/rows.ts',
    'stores/src/tables/columns.ts',
    'stores/src/text-encoding.ts',
  ],
  'the service, in a file that another imports': ['server/src/tenants/moving/company-file.ts', 'server/src/tenants/moving/arrivals.ts'],
  'the service, in a cursor or a marker that has no number': [
    'restate/src/dev-server.ts',
    'server/src/platform/database/open-store.ts',
    'server/src/workflows/workflow-order.ts',
  ],
  'the operator, in a list of cells whose numbers are small': ['server/src/platform/cells.ts'],
  'the library that makes a sample of a schema': ['nodes/src/effects/schema-samples.ts'],
};

/** What has a `json()` that is no answer or request: schemas, deliveries (which use the door), and a description that is written. */
const otherJson: ReadonlySet<string> = new Set(['z', 'delivery', 'shown']);

const listed: ReadonlySet<string> = new Set(Object.values(ownTexts).flatMap((files) => files.map((file) => `packages/${file}`)));

/** The places of a file that parse JSON past the door. */
function findParses(name: string, text: string): readonly string[] {
  if (!text.includes('JSON') && !text.includes('.json(')) return [];
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    const written = passesDoor(node) ? node.getText() : undefined;
    if (written !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      places.push(
        `${name}:${line + 1}: ${written.slice(0, 60)} changes the digits of large numbers; use parseJsonText of @hilo/engine/contract`,
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return places;
}

/** `JSON.parse` in any use, also as an argument, and `json()` without an argument, which parses a body. */
function passesDoor(node: ts.Node): boolean {
  if (ts.isPropertyAccessExpression(node)) return node.name.text === 'parse' && node.expression.getText() === 'JSON';
  if (!ts.isCallExpression(node) || node.arguments.length > 0 || !ts.isPropertyAccessExpression(node.expression)) return false;
  return node.expression.name.text === 'json' && !otherJson.has(node.expression.expression.getText());
}

/** What is wrong with a file: it parses JSON past the door, or is on the list for nothing. */
export function checkJson(name: string, text: string): readonly string[] {
  if (name === door || notLookedAt.test(name)) return [];
  const places = findParses(name, text);
  if (!listed.has(name)) return places;
  return places.length > 0 ? [] : [`${name}: parses no JSON any more: take it from the list of scripts/check-json.ts`];
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const names = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/\.test(?:-d)?\.tsx?$/.test(name));
  const gone = [...listed].filter((name) => !names.includes(name)).map((name) => `${name}: is no file any more: take it from the list`);
  for (const problem of [...gone, ...names.toSorted().flatMap((name) => checkJson(name, readFileSync(`${root}${name}`, 'utf8')))]) {
    console.error(problem);
    process.exitCode = 1;
  }
}
