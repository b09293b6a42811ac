// `hilo contacts export` and `erase`: what is kept of a person as a file, and their erasure.
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { AskedJob, drawJob, progressLine, watchJob } from './jobs.ts';
import { painter, printable, printJson } from './paint.ts';
import { type AdminFlags, withAdmin } from './service/with-admin.ts';
import { writeStreamed } from './write-result.ts';

/** The flags that both commands have. */
export interface ContactFlags extends AdminFlags {
  readonly company: string;
  readonly json?: true;
}

const pathOf = (company: string, contact: string): string =>
  `/companies/${encodeURIComponent(company)}/contacts/${encodeURIComponent(contact)}`;

/** Writes everything that is kept of a person into a file, or to standard output. */
export async function exportContact(
  command: Command,
  contact: string,
  file: string | undefined,
  { company, json, ...flags }: ContactFlags,
): Promise<void> {
  const path = `${pathOf(company, contact)}/export`;
  await withAdmin(command, flags, 'look', async ({ ask, request }) => {
    await ask('GET', pathOf(company, contact)); // refused in words, where there is no such contact
    const answer = await request(path, { method: 'POST', headers: {} });
    if (answer.status !== 200 || answer.body === null) throw new Error(`The server answered ${answer.status}: send it again in a moment`);
    if (file === undefined) await pipeline(Readable.from(answer.body), process.stdout, { end: false });
    else await writeStreamed(file, answer.body);
  });
  if (file === undefined) return;
  if (json === true) return printJson({ file });
  process.stdout.write(`${painter(process.stdout)('green', '✔')} What is kept of ${printable(contact)} is in ${printable(file)}\n`);
}

/** Erases a person, and waits for it. The exit code is 1 where not all of it was done. */
export async function eraseContact(command: Command, contact: string, { company, json, ...flags }: ContactFlags): Promise<void> {
  const job = await withAdmin(command, flags, 'work', async (admin) => {
    const { jobId } = AskedJob.parse(await admin.ask('DELETE', pathOf(company, contact)));
    return watchJob(admin, jobId, json === true ? undefined : progressLine(undefined), company);
  });
  if (json === true) printJson(job);
  else drawJob(job);
}
