// Which cell of several a process is of.
import { readFile } from 'node:fs/promises';
import { type Cell, type OtherCell, slotCount } from '@hilo/engine';
import { typeWords } from '@hilo/engine/contract';
import { z } from 'zod';
import { readTrouble } from './file-trouble.ts';

const Cells = z.object({
  cells: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'is 1 to 63 small letters, digits and "-"'),
        slots: z.string().regex(/^\d{1,4}-\d{1,4}(?:,\d{1,4}-\d{1,4})*$/, 'is a range such as 0-2047, or several with commas'),
        url: z.string().regex(/^https?:\/\/[^\s?#]+$/, 'is an address such as https://a.bots.example'),
      }),
    )
    .min(1, 'lists no cell'),
});

/**
 * Reads which slots each cell serves, the same file for all of them: every slot is one cell's.
 *
 * @param name - the cell that this process is of
 * @throws {Error} one sentence that says what is wrong with the file
 */
export async function readCell(name: string, file: string): Promise<Cell> {
  const { cells } = await readCells(file);
  const owners: (OtherCell | undefined)[] = Array.from({ length: slotCount }, () => undefined);
  const names = cells.map((cell) => cell.name);
  const twice = names.find((cell, index) => names.indexOf(cell) !== index);
  if (twice !== undefined)
    throw new Error(`${file}: two cells are "${twice}": write one, with all its ranges (0-1023,3072-4095) and its address`);
  for (const { name: cell, slots, url } of cells)
    for (const [first, last] of parseRanges(slots)) {
      if (first > last || last >= slotCount)
        throw new Error(`${file}: cell "${cell}" has the range ${first}-${last}: slots go from 0 to ${slotCount - 1}, the lower first`);
      for (let slot = first; slot <= last; slot += 1) {
        const other = owners[slot];
        if (other !== undefined) throw new Error(`${file}: slot ${slot} is in "${other.cell}" and in "${cell}": each is one cell's`);
        owners[slot] = { cell, url };
      }
    }
  const missing = owners.indexOf(undefined);
  if (missing >= 0) throw new Error(`${file}: slot ${missing} is in no cell: together they have 0 to ${slotCount - 1}`);
  const own = owners.flatMap((owner, slot) => (owner?.cell === name ? [slot] : []));
  if (own.length === 0)
    throw new Error(`--cell (HILO_CELL): ${file} has no cell "${name}"; it has ${cells.map((cell) => `"${cell.name}"`).join(', ')}`);
  return {
    elsewhere(slot) {
      const owner = owners[slot];
      return owner?.cell === name ? undefined : owner;
    },
    slotAt: (draw) => own[Math.floor(draw * own.length)] ?? 0,
  };
}

const parseRanges = (slots: string): readonly (readonly [first: number, last: number])[] =>
  slots.split(',').map((range) => {
    const [first = '', last = ''] = range.split('-');
    return [Number(first), Number(last)];
  });

async function readCells(file: string): Promise<z.output<typeof Cells>> {
  try {
    const { data, error } = Cells.safeParse(JSON.parse(await readFile(file, 'utf8')), { error: describeType });
    if (data !== undefined) return data;
    const [issue] = error.issues;
    throw new Error(`${issue === undefined || issue.path.length === 0 ? 'it' : `/${issue.path.join('/')}`} ${issue?.message ?? ''}`);
  } catch (cause) {
    if (isMissing(cause))
      throw new Error(`--cells (HILO_CELLS): there is no file ${file}: write one that lists every cell, ${form}`, { cause });
    throw new Error(`The file of --cells (HILO_CELLS), ${file}, cannot be used: ${readTrouble(cause)}; write it like ${form}`, { cause });
  }
}

const describeType: z.core.$ZodErrorMap = (issue) => {
  if (issue.code !== 'invalid_type') return undefined;
  return issue.input === undefined ? 'is missing' : `must be ${typeWords[issue.expected] ?? issue.expected}`;
};

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT';

const form = `{ "cells": [{ "name": "a", "slots": "0-${slotCount - 1}", "url": "https://a.bots.example" }] }`;
