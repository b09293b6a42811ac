/**
 * Turns Hilo's expression source into CEL's: `$name` becomes `hilo_name` (CEL has no `$` in names), and `left ?? right`
 * becomes `coalesce(left, right)`. `??` binds weakest of all operators but `? :`, and chains to the right.
 * A step called like one of CEL's keywords (`$webhook.in`), or with a `$` (`$context.schema.$ref`), is read by its name. Text inside quotes is left as it is.
 *
 * @throws {SyntaxError} for a `??` with nothing on one of its sides, and for a name that begins as a scope's does in CEL
 */
export function toCel(source: string): string {
  return rewrite(tokens(source)).text;
}

/** Replaces `$` inside CEL. */
export const scopePrefix = 'hilo_';

type Token = string;

/** Quoted texts, names with `$`, `??`, brackets, separators; everything else character by character. */
const tokenPattern =
  /[rR]?(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*')|\$[A-Za-z_]\w*|\?\?|\.\?|\[\?|[\w]+|[\s\S]/g;

const tokens = (source: string): readonly Token[] => source.match(tokenPattern) ?? [];

const closers: ReadonlySet<string> = new Set([')', ']', '}']);
const openers: ReadonlySet<string> = new Set(['(', '[', '[?', '{']);
const separators: ReadonlySet<string> = new Set([',', '?', ':']);

/** Words that CEL reserves even after a dot. */
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

/** Whether a step is no name in CEL: a keyword, or a key with a `$`, such as `$ref`. */
const isQuotedStep = (step: string): boolean => keywords.has(step) || step.startsWith('$');

/** Rewrites from a position up to the bracket that closes it. */
function rewrite(all: readonly Token[], from = 0): { readonly text: string; readonly end: number } {
  const done: string[] = []; // finished segments with their separators
  let operands: string[] = ['']; // the operands of `??` in the segment at hand
  const flush = (separator: string) => {
    done.push(coalesced(operands), separator);
    operands = [''];
  };
  let index = from;
  for (; index < all.length; index += 1) {
    const token = all[index] ?? '';
    if (closers.has(token)) break;
    if (token === '??') operands.push('');
    else if (separators.has(token)) flush(token);
    else if (openers.has(token)) {
      const inner = rewrite(all, index + 1);
      operands.push(`${operands.pop() ?? ''}${token}${inner.text}${all[inner.end] ?? ''}`);
      index = inner.end;
    } else if ((token === '.' || token === '.?') && isQuotedStep(all[index + 1] ?? '')) {
      operands.push(`${operands.pop() ?? ''}[${token === '.?' ? '?' : ''}"${all[index + 1]}"]`);
      index += 1;
    } else operands.push(`${operands.pop() ?? ''}${renamed(all, index)}`);
  }
  flush('');
  // A closer without an opener is kept, so that CEL's own parser names the mistake.
  if (from === 0 && index < all.length) return { text: done.join('') + all.slice(index).join(''), end: all.length };
  return { text: done.join(''), end: index };
}

/** A name as CEL needs it. `has` is replaced by Hilo's own, which accepts any missing step. */
function renamed(all: readonly Token[], index: number): string {
  const token = all[index] ?? '';
  if (token.startsWith('$')) return scopePrefix + token.slice(1);
  if (token.startsWith(scopePrefix) && !isStep(all, index)) throw new SyntaxError('variables are written with "$"');
  return token === 'has' && !isStep(all, index) ? 'isThere' : token;
}

/** Whether a token is a step of a path; blanks may precede it. */
const isStep = (all: readonly Token[], index: number): boolean =>
  ['.', '.?'].includes(all.slice(0, index).findLast((token) => token.trim() !== '') ?? '');

/** `a ?? b ?? c` as nested calls. */
function coalesced(operands: readonly string[]): string {
  if (operands.length < 2) return operands[0] ?? '';
  if (operands.some((operand) => operand.trim() === '')) throw new SyntaxError('"??" needs a value on its left and one on its right');
  return operands.reduceRight((right, left) => `coalesce(${left}, ${right})`);
}
