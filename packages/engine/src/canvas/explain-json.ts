// Why a text is not JSON, in the words of its most likely mistake: a comma too many, a comment, marks around it, quotes of another kind.

/** @param at - the offset at which a parser stopped reading. @returns `undefined` where the place alone says enough */
export function explainMistake(json: string, at: number): string | undefined {
  const before = json.slice(Math.max(0, at - 200), at).trimEnd();
  const rest = json.slice(at, at + 80);
  const [char = ''] = rest;
  if (before === '') {
    if (rest.startsWith('`')) return 'the marks of Markdown around it are no part of it';
    if (/^[A-Za-z#*-]/.test(rest)) return 'the text begins with no "{"';
  }
  if ((char === '}' || char === ']') && before.endsWith(',')) return 'the comma before it is one too many';
  if (char === ',' && /[,[{:]$/.test(before)) return 'nothing stands before this comma';
  if (rest.startsWith('//') || rest.startsWith('/*') || char === '#') return 'JSON has no comments';
  if (/^['“”‘’«»`]/.test(rest)) return 'names and texts have double quotes around them';
  if (/^(?:NaN|-?Infinity|undefined|None)/.test(rest)) return 'null stands for no value';
  if (/^(?:True|False)/.test(rest)) return 'true and false have small letters';
  if (/^[A-Za-z_$][\w$]{0,60}\s{0,9}:/.test(rest)) return 'names and texts have double quotes around them';
  if (/["\d}\]el]$/.test(before) && /^["{[\d]/.test(rest))
    return isWhole(json, at) ? 'the text goes on behind its end' : 'a comma is missing before it';
  return undefined;
}

/** Whether every bracket before an offset is closed there. */
function isWhole(json: string, at: number): boolean {
  let depth = 0;
  let inText = false;
  for (let offset = 0; offset < at; offset += 1) {
    const char = json[offset];
    if (inText) {
      if (char === '\\') offset += 1;
      else if (char === '"') inText = false;
    } else if (char === '"') inText = true;
    else if (char === '{' || char === '[') depth += 1;
    else if (char === '}' || char === ']') depth -= 1;
  }
  return depth === 0;
}
