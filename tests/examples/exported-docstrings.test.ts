// Whatever a package exports says in its docstring what it is: an editor shows it where a host writes the name.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** The statements of a file that declare each name, and where the others come from. */
interface Module {
  readonly declared: ReadonlyMap<string, readonly ts.Node[]>;
  /** The file and the name there, by the name here. */
  readonly from: ReadonlyMap<string, readonly [file: string, name: string]>;
  readonly all: readonly string[];
}

const modules = new Map<string, Module>();

function read(file: string): Module {
  const known = modules.get(file);
  if (known !== undefined) return known;
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.ESNext, true);
  const declared = new Map<string, ts.Node[]>();
  const from = new Map<string, readonly [string, string]>();
  const all: string[] = [];
  const declare = (name: string, node: ts.Node) => declared.set(name, [...(declared.get(name) ?? []), node]);
  for (const statement of source.statements) {
    if (ts.isExportDeclaration(statement)) {
      const specifier = statement.moduleSpecifier;
      const target = specifier !== undefined && ts.isStringLiteral(specifier) ? specifier.text : '';
      if (!target.startsWith('.')) continue; // another package says what it exports
      const path = resolve(dirname(file), target);
      if (statement.exportClause === undefined) all.push(path);
      else if (ts.isNamedExports(statement.exportClause))
        for (const { name, propertyName } of statement.exportClause.elements) from.set(name.text, [path, (propertyName ?? name).text]);
    } else if (ts.isVariableStatement(statement)) {
      for (const { name } of statement.declarationList.declarations) if (ts.isIdentifier(name)) declare(name.text, statement);
    } else if (
      ts.isFunctionDeclaration(statement) ||
      ts.isClassDeclaration(statement) ||
      ts.isInterfaceDeclaration(statement) ||
      ts.isTypeAliasDeclaration(statement)
    )
      if (statement.name !== undefined) declare(statement.name.text, statement);
  }
  const module = { declared, from, all };
  modules.set(file, module);
  return module;
}

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true;

/** Every name that a file exports, with the statements that declare it. */
function exportsOf(file: string): readonly (readonly [name: string, nodes: readonly ts.Node[]])[] {
  const { declared, from, all } = read(file);
  return [
    ...[...declared].filter(([, nodes]) => nodes.some(isExported)),
    ...[...from].map(([name, [path, there]]) => [name, find(path, there)] as const),
    ...all.flatMap((path) => exportsOf(path)),
  ];
}

function find(file: string, name: string): readonly ts.Node[] {
  const { declared, from } = read(file);
  const [path, there] = from.get(name) ?? [];
  return declared.get(name) ?? (path === undefined || there === undefined ? [] : find(path, there));
}

const isDescribed = (node: ts.Node): boolean =>
  ts.getJSDocCommentsAndTags(node).some((doc) => ts.isJSDoc(doc) && (ts.getTextOfJSDocComment(doc.comment) ?? '').trim() !== '');

/** What only the packages of Hilo import of one another. */
const internal = /\/(?:kit|sql-kit)\.ts$/;

const entries = globSync('packages/*/package.json', { cwd: root }).flatMap((path) => {
  const { exports = {} } = JSON.parse(readFileSync(join(root, path), 'utf8')) as {
    readonly exports?: { readonly [name: string]: unknown };
  };
  return Object.values(exports)
    .filter((target): target is string => typeof target === 'string' && !internal.test(target))
    .filter((target) => /\.tsx?$/.test(target) && existsSync(join(root, dirname(path), target)))
    .map((target) => join(dirname(path), target));
});

describe('what packages export', () => {
  it('is found', () => {
    expect(entries.length).toBeGreaterThanOrEqual(25);
    expect(exportsOf(join(root, 'packages/engine/src/index.ts')).length).toBeGreaterThanOrEqual(40);
  });

  it.each(entries)('says what it is: %s', (entry) => {
    const silent = exportsOf(join(root, entry))
      .filter(([, nodes]) => nodes.length > 0 && !nodes.some(isDescribed))
      .map(([name, [node]]) => `${name} in ${node?.getSourceFile().fileName.replace(`${root}/`, '')}`);
    expect(silent).toEqual([]);
  });
});
