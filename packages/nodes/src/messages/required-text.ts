// The letters that a text must have for a pattern to match it: most texts are told apart by them, many times faster than by the pattern.

/** Letters and signs that a pattern means as they are. K and S have other forms (the sign of Kelvin, the long s), which a pattern matches too. */
const plain = /^[a-jl-rt-z0-9 ,:;!#%&@_="'<>~/-]$/i;
/** Escapes of one sign, after which the pattern goes on: others, such as those with a number, are left to the pattern. */
const shortEscape = /^[dwsDWSbBAz.*+?()[\]{}^$\\ -]$/;

/**
 * The longest text in lower case that is in the lower case of every text which the pattern matches in any case; empty where none is known.
 *
 * @param pattern - in the syntax of RE2; every match of it is looked for, of a malformed one too
 */
export function requiredText(pattern: string): string {
  if (/[|]|\(\?/.test(pattern)) return ''; // one of several, or other rules for a part
  let longest = '';
  let run = '';
  let depth = 0;
  const endRun = (): void => {
    if (run.length > longest.length) longest = run;
    run = '';
  };
  for (let at = 0; at < pattern.length; at += 1) {
    const sign = pattern.charAt(at);
    if (depth === 0 && plain.test(sign)) {
      run += sign.toLowerCase();
      continue;
    }
    if (sign === '*' || sign === '?' || sign === '{') run = run.slice(0, -1); // what is before it may be missing
    endRun();
    if (sign === '(') depth += 1;
    if (sign === ')') depth -= 1;
    if (sign === '\\' && !shortEscape.test(pattern.charAt(at + 1))) return '';
    const end = sign === '\\' ? at + 1 : sign === '{' ? pattern.indexOf('}', at) : sign === '[' ? endOfClass(pattern, at) : at;
    if (end === -1) return '';
    at = end;
  }
  endRun();
  return longest;
}

/** Where a class of characters ends; -1 where it has classes inside of it, or no end. */
function endOfClass(pattern: string, start: number): number {
  let at = start + 1;
  if (pattern[at] === '^') at += 1;
  if (pattern[at] === ']') at += 1; // the first one is a member
  for (; at < pattern.length; at += 1) {
    if (pattern[at] === ']') return at;
    if (pattern[at] === '[') return -1;
    if (pattern[at] === '\\') at += 1;
  }
  return -1;
}
