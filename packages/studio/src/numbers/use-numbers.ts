// The numbers of a workflow in a period, and those that they are compared with, read from the service.
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { type Numbers, type Period, periods, stretchOf } from './numbers.ts';

export type Channel = Numbers['channels'][number];

/** What is compared with: the time before, a version, or nothing. */
export type Against = 'before' | 'nothing' | number;

interface Choice {
  /** Since an instant, when undefined. */
  readonly period: Period | undefined;
  /** All versions, and all channels, when undefined. */
  readonly version: number | undefined;
  readonly channel: Channel | undefined;
  readonly against: Against;
}

/** @param from - the instant that is counted from where no period is chosen; all that is kept when left out */
export function useNumbers(workflowId: string, from: string | undefined, { period, version, channel, against }: Choice) {
  const { client, companyId } = useStudio();
  const key = JSON.stringify(['numbers', workflowId, period, version, channel, against]);
  return useLoaded(key, async () => {
    const { getNumbers } = await client.operations();
    const read = (time: { readonly from?: string; readonly to?: string }, of = version) =>
      getNumbers({
        path: { workflowId: workflowId },
        query: { companyId, by: 'port', ...(of !== undefined && { version: of }), ...(channel !== undefined && { channel }), ...time },
      });
    if (period === undefined) {
      const time = from === undefined ? {} : { from: from };
      return { now: await read(time), before: typeof against === 'number' ? await read(time, against) : undefined };
    }
    const nowMs = Date.parse((await read({})).to) - 1; // by the clock of the service, which may be another one
    const time = stretchOf(periods[period], nowMs);
    const [now, before] = await Promise.all([
      read(time),
      against === 'before'
        ? read(stretchOf(periods[period], nowMs, 1))
        : typeof against === 'number'
          ? read(time, against)
          : Promise.resolve(undefined),
    ]);
    return { now, before };
  });
}
