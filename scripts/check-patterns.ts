/**
 * Refuses regular expressions that a text can make slow. A backtracking pattern such as `\s*(x)?\s*` takes time quadratic in a run of blanks:
 * an anonymous message of 4 KB held a service up for seconds (P20).
 *
 * 1. In all packages that see texts of others (`ownMachine` are not): no regular expression takes more than linear time, by `scslre`. A
 *    repetition of up to 10 or more counts as one without an end.
 * 2. In the files that read what users write (`userFiles`): every repetition has an end, so that no text, however long, takes more than a
 *    constant for each of its places.
 *
 * It sees literals, and `new RegExp` of a literal text. It does not see patterns that are put together from variables (they are reported
 * in user files), attacks on which several characters must alternate (`scslre` repeats a single one), alternatives that are the same
 * (`(?:a|a)*`), nor patterns of tenants, which run in RE2.
 */
import { globSync, readFileSync } from 'node:fs';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { RegExpParser, visitRegExpAST } from '@eslint-community/regexpp';
import { analyse } from 'scslre';
import ts from 'typescript';

const root = fileURLToPath(new URL('../', import.meta.url));

/** The files that read what users write before anything has bounded it. */
const userFiles =
  /^packages\/(?:nodes\/src\/(?:ask\/|fields\/|start\.ts$|messages\/(?:digits|options)\.ts$)|engine\/src\/contract\/folded-text\.ts$)/;

/** Packages that run on the machine of the one who writes what they read: an author's editor, scripts, terminals. */
const ownMachine = /^packages\/(?:studio|cli|simulator|testing|create-hilo|picture)\//;

/** Patterns that take more than linear time, and what bounds the text that they see. */
const bounded: ReadonlyMap<string, string> = new Map([
  [String.raw`(\d*)(?:\.(\d*))?([a-zµ]+)`, 'engine/src/expressions/time.ts: the text was tested in whole, each place matches'],
  ['0+$', 'engine/src/expressions/time.ts: nine digits'],
  [
    String.raw`((?:file:\/\/)?\/[^\s()]+?):(\d+)(?::(\d+))?(?=[\s)]|$)`,
    'server/src/service/load-config.ts: the stack of an error of the own configuration',
  ],
]);

/** From here on a repetition with an end is as slow as one without. */
const manyTimes = 10;

interface Pattern {
  readonly source: string;
  readonly flags: string;
}

/** What is wrong with the regular expressions of a file; nothing, when they are linear. */
export function checkPatterns(name: string, text: string): readonly string[] {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true, name.endsWith('x') ? ts.ScriptKind.TSX : ts.ScriptKind.TS);
  const problems: string[] = [];
  const visit = (node: ts.Node): void => {
    const found = readPattern(node);
    if (found !== undefined) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      const problem = found === 'computed' ? computedProblem(name) : describe(found, userFiles.test(name));
      if (problem !== undefined) problems.push(`${name}:${line + 1}: ${node.getText().slice(0, 120)} ${problem}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return problems;
}

/** The pattern of a literal, or of a `RegExp` that is made from one. */
function readPattern(node: ts.Node): Pattern | 'computed' | undefined {
  if (ts.isRegularExpressionLiteral(node)) {
    const end = node.text.lastIndexOf('/');
    return { source: node.text.slice(1, end), flags: node.text.slice(end + 1) };
  }
  if (!(ts.isNewExpression(node) || ts.isCallExpression(node)) || node.expression.getText() !== 'RegExp') return undefined;
  const [source, flags] = node.arguments ?? [];
  if (source === undefined || !ts.isStringLiteralLike(source)) return 'computed';
  return { source: source.text, flags: flags !== undefined && ts.isStringLiteralLike(flags) ? flags.text : '' };
}

const computedProblem = (name: string): string | undefined =>
  userFiles.test(name) ? 'is made from a variable, where users write the text: compare without a pattern' : undefined;

function describe({ source, flags }: Pattern, isOfUsers: boolean): string | undefined {
  const ast = new RegExpParser().parsePattern(source, 0, source.length, { unicode: flags.includes('u'), unicodeSets: flags.includes('v') });
  /** The bounds of repetitions, to be widened: where each begins and ends, and the wide one. */
  const bounds: (readonly [from: number, to: number, wide: string])[] = [];
  let isEndless = false;
  visitRegExpAST(ast, {
    onQuantifierEnter({ min, max, greedy, element, end }) {
      if (max === Number.POSITIVE_INFINITY) isEndless = true;
      else if (max >= manyTimes && max > min) bounds.push([element.end, end, `{${min},}${greedy ? '' : '?'}`]);
    },
  });
  if (isOfUsers && isEndless) return 'repeats without an end, where users write the text: write {0,40} for *, {1,40} for +';
  let wide = source;
  for (const [from, to, bound] of bounds.toSorted(([one], [other]) => other - one)) wide = wide.slice(0, from) + bound + wide.slice(to);
  if (bounded.has(source)) return undefined;
  const [report] = analyse({ source: wide, flags }, { maxReports: 1 }).reports;
  if (report === undefined) return undefined;
  const [time, why] = [report.exponential ? 'exponential' : 'quadratic', reasons[report.type]];
  return `takes ${time} time in ${JSON.stringify(`${report.character.pick}`)} repeated: ${why}`;
}

const reasons = {
  Trade: 'two repetitions can share the same characters; separate them by a character that neither takes',
  Self: 'a repetition repeats itself; take the inner or the outer one away',
  Move: 'it is tried from each place of a run; tie its beginning, for example by a lookbehind',
} as const;

if (argv[1] === fileURLToPath(import.meta.url)) {
  const names = globSync('packages/*/src/**/*.{ts,tsx}', { cwd: root })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !/\.test(?:-d)?\.tsx?$/.test(name) && !ownMachine.test(name));
  for (const name of names.toSorted()) {
    for (const problem of checkPatterns(name, readFileSync(`${root}${name}`, 'utf8'))) {
      console.error(problem);
      process.exitCode = 1;
    }
  }
}
