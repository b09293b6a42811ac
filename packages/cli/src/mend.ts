// `hilo validate --fix`: changes of a canvas by which its problems are gone, as far as there is one way to do it.
import { applyPatch } from '@hilo/engine/authoring';
import { type Fix, parseJsonText, type Problem } from '@hilo/engine/contract';
import type { CanvasFile } from './canvas-file.ts';

/** A file that was mended. */
export interface Mended {
  readonly read: CanvasFile;
  /** What was done, in order. */
  readonly done: readonly string[];
}

/** More changes than this are the work of a person. */
const maxChanges = 200;

/** Numbers of so many digits are texts once they are read. */
const longNumber = /[:[,]\s{0,100}-?\d{16}/;

/**
 * Takes the fixes of a file, one after the other, until no problem has one that is sure.
 *
 * @param check - the problems of the file with another text
 */
export async function mend(read: CanvasFile, check: (read: CanvasFile) => Promise<readonly Problem[]>): Promise<Mended> {
  if (read.kind !== 'text' || longNumber.test(read.text)) return { read, done: [] };
  const done: string[] = [];
  let mended = read;
  let problems = await check(read);
  while (done.length < maxChanges) {
    const next = findStep(mended.text, problems);
    if (next === undefined) break;
    const changed = { ...mended, text: next.text };
    const left = await check(changed);
    if (isStill(next.problem, left)) break;
    done.push(`${next.problem.pointer}: ${next.fix.label}`);
    [mended, problems] = [changed, left];
  }
  return { read: mended, done };
}

/** The first fix that is sure and fits, with the text that it makes. */
function findStep(
  text: string,
  problems: readonly Problem[],
): { readonly problem: Problem; readonly fix: Fix; readonly text: string } | undefined {
  if (problems.some(({ code }) => code === 'NOT_JSON' || code === 'REPEATED_KEY')) return undefined;
  for (const problem of problems) {
    const [fix, ...others] = (problem.fixes ?? []).filter(isSure);
    if (fix === undefined || others.length > 0 || fix.label.includes(' ?? ""')) continue; // nobody is sure that a text may be empty
    const value = applyPatch(parseJsonText(text.replace(/^\ufeff/, '')), fix.patch);
    if (value !== undefined) return { problem, fix, text: `${JSON.stringify(value, null, 2)}\n` };
  }
  return undefined;
}

/** Whether a fix says the same in another way: it removes nothing without putting it elsewhere, and adds no node and no way. */
const isSure = ({ patch }: Fix): boolean =>
  patch.some(({ op }) => op !== 'remove') &&
  (patch.some(({ op }) => op === 'remove') ||
    !patch.some(({ op, path }) => op === 'add' && /^\/(?:nodes|edges)(?:\/(?:-|\d+))?$/.test(path)));

const isStill = ({ code, pointer, message }: Problem, problems: readonly Problem[]): boolean =>
  problems.some((one) => one.code === code && one.pointer === pointer && one.message === message);
