import { createHash, createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveFileKey, type FileRow, readCompanyFile, writeCompanyFile } from './company-file.ts';
import { listColumns, movedTables } from './moved-tables.ts';

const key = deriveFileKey(new Uint8Array(32).fill(7));
const header = { companyId: '1', moveId: '0'.repeat(32), number: 1 };

async function* pageOf(rows: readonly FileRow[]): AsyncGenerator<readonly FileRow[]> {
  yield rows;
}

const write = async (rows: readonly FileRow[], by = key): Promise<string> =>
  (await collect(writeCompanyFile(header, pageOf(rows), by))).join('');

async function collect<Item>(items: AsyncIterable<Item>): Promise<readonly Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** In chunks of this many bytes. */
async function* chunksOf(text: string, bytes = 65_536): AsyncGenerator<Uint8Array> {
  const all = new TextEncoder().encode(text);
  for (let at = 0; at < all.length; at += bytes) yield all.subarray(at, at + bytes);
}

const read = (text: string, by = key, bytes?: number) => collect(readCompanyFile(chunksOf(text, bytes), by));

/** A row with these columns; the others are empty. */
function row(kind: string, cells: { readonly [column: string]: string | number }): FileRow {
  const table = movedTables.find(({ name }) => name === kind);
  if (table === undefined) throw new Error(`There is no table ${kind}`);
  const values = listColumns(table).map((column, index) => cells[column] ?? (index < table.texts.length ? '' : 0));
  return [kind, table.number === undefined ? null : 1, JSON.stringify(values)];
}

/** The state of an execution of a company, as a store may have it. */
function stateOf(companyId: string): string {
  return JSON.stringify({ status: 'waiting', origin: { companyId, route: 'production' } });
}

const own = [
  row('seen', { key: '1:webhook:echo:in:production:order-4711', answer: '{}' }),
  row('seen', { key: '1:#0123', answer: '{}' }),
  row('seen', { key: '"1:webhook:\\u0000"', answer: '{}' }),
  row('take_ups', { lane: '1/user/b_log/7', count: 1 }),
  row('queue', { lane: '1/user/b_log/7', accepted: '{}' }),
  row('set_aside', { lane: '1/execution/a', accepted: '{}' }),
  row('executions', { lane: '1/user/b_log/7' }),
  row('tags', { name: '2/not a lane' }),
  row('executions', { lane: '1/user/b_log/7', execution_id: 'e1', state: stateOf('1') }),
  row('executions', { lane: '1/user/b_log/7', execution_id: 'e1', status: 'quarantined', state: 'what no release can read' }),
];

describe('the file of a company', () => {
  it('is read as it was written, however it is cut into chunks', async () => {
    const text = await write(own);
    for (const bytes of [1, 7, 65_536]) expect(await read(text, key, bytes)).toEqual([header, ...own]);
  });

  it.each([
    ['a key', row('seen', { key: '2:webhook:echo:in:production:order-4711', answer: '{}' })],
    ['a key of a company that begins like it', row('seen', { key: '12:webhook:echo', answer: '{}' })],
    ['a key that is a digest of nobody', row('seen', { key: '"#0123', answer: '{}' })],
    ['a key that is written in JSON', row('seen', { key: '"2:webhook:\\u0000"', answer: '{}' })],
    ['a key with nothing', row('seen', { key: '', answer: '{}' })],
    ['a count of a lane', row('take_ups', { lane: '2/user/b_log/7', count: 99 })],
    ['a count of a lane that begins like it', row('take_ups', { lane: '12/user/b_log/7', count: 99 })],
    ['a queue', row('queue', { lane: '2/user/b_log/7', accepted: '{}' })],
    ['a queue in JSON', row('queue', { lane: '"2/user/b_log/\\u0000"', accepted: '{}' })],
    ['what was set aside', row('set_aside', { lane: '2/user/b_log/7', accepted: '{}' })],
    ['an execution', row('executions', { lane: '2/user/b_log/7' })],
    ['a state', row('executions', { lane: '1/user/b_log/7', execution_id: 'e1', state: stateOf('2') })],
    [
      'a state after its history',
      row('executions', { lane: '1/user/b_log/7', execution_id: 'e1', begun: '[0]', state: `+${stateOf('2')}` }),
    ],
    ['a state of a company that begins like it', row('executions', { lane: '1/user/b_log/7', execution_id: 'e1', state: stateOf('12') })],
  ])('is refused with %s of another company', async (_what, foreign) => {
    await expect(read(await write([...own, foreign]))).rejects.toThrow(`Line ${own.length + 2} is of another company`);
  });

  it('is refused where a line was changed, whatever checksum anybody gives it, and with another key', async () => {
    const text = await write(own);
    const [last = ''] = text.trimEnd().split('\n').slice(-1);
    const changed = text.slice(0, -last.length - 1).replace('order-4711', 'order-4712');
    const checksums = [createHash('sha256').update(changed), createHmac('sha256', '').update(changed)].map((one) => one.digest('hex'));
    for (const hmac of [...checksums, '', 'x', (JSON.parse(last) as { hmac: string }).hmac])
      await expect(read(`${changed}${JSON.stringify({ rows: own.length, hmac })}\n`)).rejects.toThrow('has another checksum');
    await expect(read(text, deriveFileKey(new Uint8Array(32).fill(8)))).rejects.toThrow('with another HILO_SECRET_KEY');
    await expect(read(text.replace('"hmac"', '"sha256"'))).rejects.toThrow('as an earlier build wrote it');
  });

  it('is refused with any character changed, left out or added', async () => {
    const text = await write(own);
    const endAt = text.trimEnd().lastIndexOf('\n') + 1;
    const put = fc.constantFrom('', ' ', '\n', '\r', '\t', '0', '7', 'A', 'e', 'x', '"', '\\', ',', ':', '[', ']', '{', '}', '\0', 'é');
    const refused = async (at: number, taken: number, given: string): Promise<void> => {
      const changed = text.slice(0, at) + given + text.slice(at + taken);
      fc.pre(changed !== text);
      await expect(read(changed), `${JSON.stringify(given)} for ${taken} at ${at}`).rejects.toMatchObject({
        name: 'HttpError',
        status: 400,
      });
    };
    // The end stands outside of its own checksum: half of the places are there.
    const place = fc.oneof(fc.nat({ max: text.length - 1 }), fc.integer({ min: endAt, max: text.length - 1 }));
    await fc.assert(fc.asyncProperty(place, fc.constantFrom(0, 1), put, refused), { numRuns: 600 });
    const [last = ''] = text.trimEnd().split('\n').slice(-1);
    const { rows, hmac } = JSON.parse(last) as { readonly rows: number; readonly hmac: string };
    for (const end of [
      { hmac, rows },
      { rows, hmac, more: 1 },
    ])
      await expect(read(`${text.slice(0, endAt)}${JSON.stringify(end)}\n`)).rejects.toThrow('is another end than was written');
  });

  it('is read with the format of an earlier release, and refused with that of a later one', async () => {
    const text = await write(own);
    const inFormat = (format: number): string => {
      const [last = ''] = text.trimEnd().split('\n').slice(-1);
      const rest = text.slice(0, -last.length - 1).replace('"format":2', `"format":${format}`);
      return `${rest}${JSON.stringify({ rows: own.length, hmac: createHmac('sha256', key).update(rest).digest('hex') })}\n`;
    };
    expect(await read(inFormat(1))).toEqual([header, ...own]);
    expect(await read(inFormat(2))).toEqual([header, ...own]);
    await expect(read(inFormat(3))).rejects.toThrow(
      'is of another format than 2, which this release reads: use the same release on both sides',
    );
  });

  it('may have a long line in many chunks: each byte is read once', async () => {
    const long = row('seen', { key: '1:long', answer: 'x'.repeat(4_000_000) });
    expect((await read(await write([long]), key, 64)).length).toBe(2); // 62,500 chunks: joined anew for each, they would be 125 GB
  });

  it('is refused with a line of more than 64 MB as soon as that has come', async () => {
    let taken = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      for (const chunk = new Uint8Array(1_000_000).fill(65); ; taken += 1) yield chunk;
    }
    await expect(collect(readCompanyFile(endless(), key))).rejects.toThrow('a line of more than 64 MB');
    expect(taken).toBe(64);
  });

  it.each([
    ['no text', Buffer.from([0xff, 0x0a]), 'no text in UTF-8'],
    ['nothing', Buffer.from(''), 'The file is empty'],
    ['half a line', Buffer.from('{"hilo"'), 'cut within its last line'],
  ])('is refused as %s', async (_what, bytes, message) => {
    async function* given(): AsyncGenerator<Uint8Array> {
      yield bytes;
    }
    await expect(collect(readCompanyFile(given(), key))).rejects.toThrow(message);
  });
});
