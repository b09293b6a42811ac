// Searching a text in a text takes time in proportion to the product of their lengths when both are periodic: one request of 720 KB
// blocked a process for 42 s (P20). In the engine and in the nodes only text-search.ts does so; all other code searches for literal
// texts. The compiler's types tell which is which.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));
const places = ['packages/engine/src/', 'packages/nodes/src/'];
const allowed = 'packages/engine/src/expressions/text-search.ts';
const searches: ReadonlySet<string> = new Set([
  'includes',
  'indexOf',
  'lastIndexOf',
  'split',
  'replaceAll',
  'replace',
  'search',
  'match',
  'matchAll',
]);

const read: { readonly config?: unknown } = ts.parseConfigFileTextToJson('tsconfig.json', readFileSync(`${root}tsconfig.json`, 'utf8'));
const { fileNames, options } = ts.parseJsonConfigFileContent(read.config, ts.sys, root);
const ours = fileNames.filter((file) => isOurs(nameOf(file)));
const program = ts.createProgram(ours, { ...options, noEmit: true });
const checker = program.getTypeChecker();

for (const file of program.getSourceFiles()) if (isOurs(nameOf(file.fileName))) visit(file, file);

function visit(node: ts.Node, file: ts.SourceFile): void {
  if (ts.isCallExpression(node) && isUnsafe(node)) {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart());
    console.error(
      `${nameOf(file.fileName)}:${line + 1}: ${node.expression.getText()}() looks for a text of unknown length; use ${allowed}`,
    );
    process.exitCode = 1;
  }
  ts.forEachChild(node, (child) => visit(child, file));
}

/** Whether a call searches a text for one that is no literal. */
function isUnsafe({ expression, arguments: [sought] }: ts.CallExpression): boolean {
  if (sought === undefined || !ts.isPropertyAccessExpression(expression) || !searches.has(expression.name.text)) return false;
  const searched = checker.getTypeAtLocation(expression.expression);
  return isText(searched) && !isFixed(searched) && isText(checker.getTypeAtLocation(sought)) && !isFixed(checker.getTypeAtLocation(sought));
}

/** Whether a value may be a text; regular expressions and lists are searched in other ways. */
function isText(type: ts.Type): boolean {
  return type.isUnion()
    ? type.types.some(isText)
    : (type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.Any | ts.TypeFlags.Unknown)) !== 0;
}

/** Whether a value is a literal text. */
function isFixed(type: ts.Type): boolean {
  return type.isUnion() ? type.types.every((one) => !isText(one) || isFixed(one)) : type.isStringLiteral();
}

function isOurs(name: string): boolean {
  return places.some((place) => name.startsWith(place)) && !/\.test(-d)?\.ts$/.test(name) && name !== allowed;
}

function nameOf(file: string): string {
  return relative(root, file).replaceAll('\\', '/');
}
