// Moves of companies between databases, step by step.
import type { Clock, Random } from '@hilo/engine/contract';
import { call, condition, decodeText, type DurableStore, type Runner } from '@hilo/stores';
import { HttpError, invalidRequest, notFound } from '../../platform/http/errors.ts';
import { growRevision } from '../../platform/database/revision.ts';
import type { Vault } from '../../platform/secrets/vault.ts';
import { type FileHeader, type FileRow, readCompanyFile, writeCompanyFile } from './company-file.ts';
import { createFence } from './fence.ts';
import {
  beginMove,
  companyExists,
  countLines,
  countMoved,
  createRowMoves,
  draftIds,
  dropStage,
  dropStages,
  inHand,
  linesAfter,
  selectMoves,
  redirectMove,
  stageHas,
  stageLines,
  stepMove,
} from './move-sql.ts';
import type { MovedTable } from './moved-tables.ts';
import { pause } from '../../platform/waiting.ts';

/** A move of a company, as management shows it. */
export interface Move {
  readonly companyId: string;
  readonly moveId: string;
  /** `closing` and `fenced`: it is leaving. `left`: it can be exported. `here`: it is served here. `gone`: its rows were removed. */
  readonly state: 'closing' | 'fenced' | 'left' | 'here' | 'gone';
  /** Once it has left: how many rows it has. */
  readonly rows: number | null;
  /** Where its callers are sent. */
  readonly url: string | null;
}

/** What became of an import. */
export interface Arrival {
  readonly companyId: string;
  readonly moveId: string;
  readonly rows: number;
  /** True where it had been imported before: nothing changed. */
  readonly wasHere: boolean;
}

/** Moves companies between stores, each while both services run. */
export interface CompanyMoves {
  list(): Promise<readonly Move[]>;
  /**
   * Takes a company out of service: closes it, waits for work in progress, and moves its rows to where they are exported from. Repeated, it
   * continues where it was interrupted.
   *
   * @throws {HttpError} 404 for an unknown company, 409 where it cannot leave
   */
  leave(companyId: string): Promise<Move>;
  /** The lines of its file; the same each time. @throws {HttpError} 409 where it has not left */
  file(companyId: string): Promise<AsyncIterable<string>>;
  /** Sends its callers elsewhere (421) from now on. @throws {HttpError} 409 where it has not left */
  redirect(companyId: string, to: { readonly cell: string; readonly url: string }): Promise<Move>;
  /** Takes it back into service, where its callers have not been sent elsewhere. @throws {HttpError} 409 */
  cancel(companyId: string): Promise<Move>;
  /** Removes what is left of it. @throws {HttpError} 409 where it has not left */
  forget(companyId: string): Promise<Move>;
  /**
   * Brings a company in from its file: nothing of it is visible until all of it is.
   *
   * @throws {HttpError} 400 for a file that is cut, changed or of another release; 409 where the company, or what is its own, is here already
   */
  arrive(bytes: AsyncIterable<Uint8Array>): Promise<Arrival>;
  /** Reads a file to its end, and writes nothing. @throws {HttpError} 400 as `arrive` */
  check(bytes: AsyncIterable<Uint8Array>): Promise<void>;
}

interface MoveParts {
  readonly store: Pick<DurableStore, 'runner' | 'durability' | 'canvases'>;
  readonly vault: Pick<Vault, 'open'>;
  /** What the files of companies are authenticated with: see `deriveFileKey`. */
  readonly fileKey: Uint8Array;
  readonly clock: Clock;
  readonly random: Random;
  /** Reads companies again. */
  readonly refresh: () => Promise<void>;
  /** The tables that move. */
  readonly tables: readonly MovedTable[];
  /** Why no company can leave or arrive; `undefined` where it can. */
  readonly refusal: string | undefined;
}

/** How long work in progress may take to end, before it is interrupted as by a crash. */
const drainMs = 10_000;
/** How often the store is asked whether work in progress has ended. */
const lookMs = 100;
/** Within this time every process has read that a company is closed. */
const toldMs = 2_000;
/** The most of a file that is staged in one write. */
const maxStaged = { rows: 200, chars: 1_000_000 };

type Row = FileHeader & { readonly state: Move['state']; readonly rows: number | null; readonly url: string | null };

/** Moves over one store. Each step is one transaction, so that an interrupted move continues when its command is repeated. */
export function createMoves({ store, vault, fileKey, clock, random, refresh, tables, refusal }: MoveParts): CompanyMoves {
  const { runner } = store;
  const kind = store.durability.database;
  const fence = createFence(kind, tables);
  const { pack, removeStaying, unpack, clashes } = createRowMoves(kind, tables);

  const refuseHere = (): void => {
    if (refusal !== undefined) throw conflict('MOVE_REFUSED', refusal);
  };

  const rows = async (): Promise<readonly Row[]> =>
    (await runner.read(call(selectMoves, {}))).map(({ company_id, move_id, number, state, rows_moved, url }) => ({
      companyId: company_id,
      moveId: move_id,
      number,
      state: state as Row['state'],
      rows: rows_moved,
      url,
    }));
  const find = async (companyId: string): Promise<Row | undefined> => (await rows()).find((row) => row.companyId === companyId);
  const show = ({ companyId, moveId, state, rows: moved, url }: Row): Move => ({ companyId, moveId, state, rows: moved, url });
  const showMove = async (companyId: string): Promise<Move> => {
    const row = await find(companyId);
    if (row === undefined) throw notLeft(companyId);
    return show(row);
  };
  const isHere = async ({ companyId, moveId }: FileHeader): Promise<boolean> => {
    const row = await find(companyId);
    return row?.state === 'here' && row.moveId === moveId;
  };
  const requireLeft = async (companyId: string): Promise<Row> => {
    const row = await find(companyId);
    if (row?.state !== 'left') throw notLeft(companyId);
    return row;
  };

  /** Waits until no work of the company is in progress, or until `drainMs` have passed. */
  const drain = async (companyId: string): Promise<void> => {
    if (kind === 'postgres') await pause(clock, toldMs);
    for (let waitedMs = 0; waitedMs < drainMs; waitedMs += lookMs) {
      const [row] = await runner.read(call(inHand, { companyId, nowMs: clock.now() }));
      if (!row?.is_in_hand) return;
      await pause(clock, lookMs);
    }
  };

  /** Closes the company; nothing where it is closed already. */
  const close = async (companyId: string): Promise<Row> => {
    const row = await find(companyId);
    if (row !== undefined && row.state !== 'here') return row;
    if ((await runner.readOne(call(companyExists, { companyId }))) === undefined)
      throw notFound('COMPANY_NOT_FOUND', `There is no company ${companyId}`);
    const closing = { companyId, moveId: newId(random), number: (row?.number ?? 0) + 1, state: 'closing', rows: null, fromState: 'here' };
    await runner.write([condition(beginMove, closing), growRevision()]);
    const begun = await find(companyId);
    if (begun === undefined) throw conflict('MOVE_REFUSED', `Company ${companyId} was moved meanwhile: look at it, and repeat the command`);
    return begun;
  };

  /** Writes what is staged into the tables, and ends the move: all in one transaction. */
  const open = async ({ companyId, moveId, number }: FileHeader, stage: string, count: number, fromState: string): Promise<boolean> => {
    const returns = fromState !== 'here';
    const given = { companyId, stage };
    const { failed } = await runner.write([
      condition(beginMove, { companyId, moveId, number, state: 'packing', rows: null, fromState }),
      stageHas(stage, count),
      ...(returns ? removeStaying(companyId) : []),
      ...unpack(given),
      condition(stepMove, { companyId, moveId, before: 'packing', state: 'here' }),
      call(dropStages, { companyId, but: '' }),
      growRevision(),
    ]);
    if (failed !== undefined) return false;
    const ids = await runner.read(call(draftIds, { companyId }));
    for (const { workflow_id } of ids) store.canvases.forget(companyId, decodeText(workflow_id)); // it may have been here before
    await refresh();
    return true;
  };

  return {
    list: async () => (await rows()).map(show),
    async leave(companyId) {
      refuseHere();
      const { moveId, state } = await close(companyId);
      await refresh();
      if (state === 'left') return showMove(companyId);
      if (state === 'gone') throw notFound('COMPANY_NOT_FOUND', `Company ${companyId} has left, and was forgotten`);
      const step = (before: string, next: string) => condition(stepMove, { companyId, moveId, before, state: next });
      if (state === 'closing') {
        await drain(companyId);
        await runner.write([step('closing', 'fenced'), ...fence.raise]);
      }
      const stage = nameStage(moveId);
      await runner.write([
        step('fenced', 'packing'),
        call(dropStages, { companyId, but: '' }),
        ...pack({ companyId, stage }),
        call(countMoved, { companyId, stage }),
        step('packing', 'left'),
        growRevision(),
      ]);
      await refresh();
      return showMove(companyId);
    },
    async file(companyId) {
      const { moveId, number } = await requireLeft(companyId);
      return writeCompanyFile({ companyId, moveId, number }, readPages(runner, nameStage(moveId)), fileKey, tables);
    },
    async redirect(companyId, { cell, url }) {
      await requireLeft(companyId);
      await runner.write([condition(redirectMove, { companyId, cell, url }), growRevision()]);
      await refresh();
      return showMove(companyId);
    },
    async cancel(companyId) {
      const row = await find(companyId);
      if (row?.state === 'left') {
        if (row.url !== null) throw conflict('MOVE_REFUSED', `Company ${companyId} is at ${row.url}: move it back from there`);
        const counts = await runner.read(call(countLines, { stage: nameStage(row.moveId) }));
        await open(
          row,
          nameStage(row.moveId),
          counts.reduce((sum, { count }) => sum + count, 0),
          'left',
        );
      } else if (row?.state === 'closing' || row?.state === 'fenced') {
        await runner.write([condition(stepMove, { companyId, moveId: row.moveId, before: row.state, state: 'here' }), growRevision()]);
        await refresh();
      } else if (row?.state !== 'here') throw notLeft(companyId);
      return showMove(companyId);
    },
    async forget(companyId) {
      const { moveId } = await requireLeft(companyId);
      const step = (before: string, next: string) => condition(stepMove, { companyId, moveId, before, state: next });
      await runner.write([
        step('left', 'packing'),
        ...removeStaying(companyId),
        call(dropStages, { companyId, but: '' }),
        step('packing', 'gone'),
        growRevision(),
      ]);
      if ((await rows()).every(({ state }) => state !== 'left' && state !== 'fenced')) await runner.write(fence.remove);
      await refresh();
      return showMove(companyId);
    },
    async check(bytes) {
      await readToEnd(readCompanyFile(bytes, fileKey, tables));
    },
    async arrive(bytes) {
      refuseHere();
      const reading = readCompanyFile(bytes, fileKey, tables);
      const first = await reading.next();
      const header = first.value;
      if (first.done === true || !('moveId' in header)) throw invalidRequest('The file has no header');
      const { companyId, moveId, number } = header;
      const known = await find(companyId);
      if (known === undefined || known.state === 'here') {
        if (known?.moveId === moveId) return { companyId, moveId, rows: await readToEnd(reading), wasHere: true };
        if ((await runner.readOne(call(companyExists, { companyId }))) !== undefined)
          throw conflict('COMPANY_EXISTS', `Company ${companyId} is here already: nothing was imported`);
      } else if (known.state !== 'left' && known.state !== 'gone')
        throw conflict('MOVE_REFUSED', `Company ${companyId} is about to leave from here: cancel that first`);
      if (known !== undefined && (known.number > number || (known.number === number && known.state === 'gone')))
        throw conflict('MOVE_REFUSED', `The file is of an earlier move of company ${companyId}: it would bring old data back`);

      const stage = newId(random);
      const given = { companyId, stage };
      await runner.write([call(dropStages, { companyId, but: known?.state === 'left' ? nameStage(known.moveId) : '' })]);
      try {
        const count = await stageAll(reading, given);
        for (const clash of (await runner.readEach(clashes(given))).flat())
          throw conflict('MOVE_REFUSED', `Another company has "${clash.value}" in ${clash.kind}: nothing was imported`);
        const opening = open(header, stage, count, known?.state ?? 'here');
        const isOpen = await opening.catch(async (error: unknown) => {
          if (await isHere(header)) return false; // by another import of the same file, which was faster
          throw error;
        });
        if (isOpen) return { companyId, moveId, rows: count, wasHere: false };
        if (await isHere(header)) return { companyId, moveId, rows: count, wasHere: true };
        throw conflict('MOVE_REFUSED', `Company ${companyId} was moved meanwhile: look at it, and repeat the import`);
      } catch (error) {
        // Rows that a crash leaves are removed by the next import.
        await runner.write([call(dropStage, { stage })]).catch(() => undefined);
        throw error;
      }
    },
  };

  /** Stages all rows of a file, some at a time. @returns how many */
  async function stageAll(reading: ReturnType<typeof readCompanyFile>, given: { readonly companyId: string; readonly stage: string }) {
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
      checkSecret(given.companyId, next.value);
      some.push(next.value);
      chars += next.value[2].length;
      if (some.length >= maxStaged.rows || chars >= maxStaged.chars) await write();
    }
  }

  /** @throws {HttpError} where this service could not read a secret of the company */
  function checkSecret(companyId: string, [table, , line]: FileRow): void {
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
}

async function* readPages(runner: Pick<Runner, 'read'>, stage: string): AsyncGenerator<readonly FileRow[]> {
  for (let after = 0; ; ) {
    const page = await runner.read(call(linesAfter, { stage, after }));
    const last = page.at(-1);
    if (last === undefined) return;
    yield page.map(({ kind, number, line }) => [kind, number, line] as const);
    after = last.id;
  }
}

async function readToEnd(reading: ReturnType<typeof readCompanyFile>): Promise<number> {
  for (;;) {
    const next = await reading.next();
    if (next.done === true) return next.value.rows;
  }
}

/** The rows that wait here to be exported. */
const nameStage = (moveId: string): string => `left:${moveId}`;

const newId = (random: Random): string => Buffer.from(random.bytes(16)).toString('hex');

const conflict = (code: string, message: string): HttpError => new HttpError(409, code, message);

const notLeft = (companyId: string): HttpError =>
  conflict('MOVE_REFUSED', `Company ${companyId} has not left from here: "hilo move list" shows the state of each company`);
