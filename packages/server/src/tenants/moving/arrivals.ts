// How a company comes into a store from its file: staged first, then written in one transaction.
import { invalidRequest } from '../../platform/http/errors.ts';
import { type FileRow, readCompanyFile } from './company-file.ts';
import { conflict, nameStage, newId } from './move-records.ts';
import { companyExists, dropStage, dropStages, stageLines } from './move-sql.ts';
import type { MovingParts } from './moving-parts.ts';
import { openCompany } from './open-company.ts';

/** What became of an import. */
export interface Arrival {
  readonly companyId: string;
  readonly moveId: string;
  readonly rows: number;
  /** True where it had been imported before: nothing changed. */
  readonly wasHere: boolean;
}

/** Brings companies in. */
export interface Arrivals {
  /**
   * Brings a company in from its file: nothing of it is visible until all of it is.
   *
   * @throws {HttpError} 400 for a file that is cut, changed or of another release; 409 where the company, or what is its own, is here already
   */
  arrive(bytes: AsyncIterable<Uint8Array>): Promise<Arrival>;
  /** Reads a file to its end, and writes nothing. @throws {HttpError} 400 as `arrive` */
  check(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

/** The most of a file that is staged in one write. */
const maxStaged = { rows: 200, chars: 1_000_000 };

export function createArrivals(parts: MovingParts): Arrivals {
  const { store, records, rows, random, refuseMoves, fileKey, tables } = parts;
  const { runner } = store;
  return {
    async check(bytes) {
      await readToEnd(readCompanyFile(bytes, fileKey, tables));
    },
    async arrive(bytes) {
      refuseMoves();
      const reading = readCompanyFile(bytes, fileKey, tables);
      const first = await reading.next();
      const header = first.value;
      if (first.done === true || !('moveId' in header)) throw invalidRequest('The file has no header');
      const { companyId, moveId, number } = header;
      const known = await records.find(companyId);
      if (known === undefined || known.state === 'here') {
        if (known?.moveId === moveId) return { companyId, moveId, rows: await readToEnd(reading), wasHere: true };
        if ((await runner.readOne(companyExists({ companyId }))) !== undefined)
          throw conflict('COMPANY_EXISTS', `Company ${companyId} is here already: nothing was imported`);
      } else if (known.state !== 'left' && known.state !== 'gone')
        throw conflict('MOVE_REFUSED', `Company ${companyId} is about to leave from here: cancel that first`);
      if (known !== undefined && (known.number > number || (known.number === number && known.state === 'gone')))
        throw conflict('MOVE_REFUSED', `The file is of an earlier move of company ${companyId}: it would bring old data back`);

      const stage = newId(random);
      const given = { companyId, stage };
      await runner.write([dropStages({ companyId, but: known?.state === 'left' ? nameStage(known.moveId) : '' })]);
      try {
        const count = await stageAll(parts, reading, given);
        for (const clash of (await runner.readEach(rows.clashes(given))).flat())
          throw conflict('MOVE_REFUSED', `Another company has "${clash.value}" in ${clash.kind}: nothing was imported`);
        const opening = openCompany(parts, header, { stage, count, fromState: known?.state ?? 'here' });
        const isOpen = await opening.catch(async (error: unknown) => {
          if (await records.isHere(header)) return false; // by another import of the same file, which was faster
          throw error;
        });
        if (isOpen) return { companyId, moveId, rows: count, wasHere: false };
        if (await records.isHere(header)) return { companyId, moveId, rows: count, wasHere: true };
        throw conflict('MOVE_REFUSED', `Company ${companyId} was moved meanwhile: look at it, and repeat the import`);
      } catch (error) {
        // Rows that a crash leaves are removed by the next import.
        await runner.write([dropStage({ stage })]).catch(() => undefined);
        throw error;
      }
    },
  };
}

/** Stages all rows of a file, some at a time. @returns how many */
async function stageAll(
  { store: { runner }, vault }: Pick<MovingParts, 'store' | 'vault'>,
  reading: ReturnType<typeof readCompanyFile>,
  given: { readonly companyId: string; readonly stage: string },
): Promise<number> {
  let some: FileRow[] = [];
  let chars = 0;
  const write = async (): Promise<void> => {
    if (some.length > 0) await runner.write([stageLines(given, some)]);
    [some, chars] = [[], 0];
  };
  for (;;) {
    const next = await reading.next();
    if (next.done === true) {
      await write();
      return next.value.rows;
    }
    if ('moveId' in next.value) throw invalidRequest('The file has two headers');
    checkSecret(vault, given.companyId, next.value);
    some.push(next.value);
    chars += next.value[2].length;
    if (some.length >= maxStaged.rows || chars >= maxStaged.chars) await write();
  }
}

/** @throws {HttpError} where this service could not read a secret of the company */
function checkSecret(vault: MovingParts['vault'], companyId: string, [table, , line]: FileRow): void {
  if (table !== 'secrets') return;
  const [secretId, sealed] = JSON.parse(line) as readonly string[];
  try {
    vault.open(companyId, secretId ?? '', sealed ?? '');
  } catch {
    throw conflict(
      'MOVE_REFUSED',
      `Secret "${secretId}" of company ${companyId} was encrypted with another key: run both services with the same HILO_SECRET_KEY`,
    );
  }
}

async function readToEnd(reading: ReturnType<typeof readCompanyFile>): Promise<number> {
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return next.value.rows;
  }
}
