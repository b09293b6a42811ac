// What is known of a template after its provider has said something of it. Deliveries come twice and out of order: whatever their order,
// the same is known in the end.
import type { TemplateChange } from '@hilo/channels';
import type { TemplateReport } from '../platform/tables/templates.ts';

/** So far ahead of this clock a provider's may be: an instant beyond that would outweigh all that is said later. */
const maxAheadMs = 300_000;

/** The report with a change in it; the same value where the change is older, or says nothing new. */
export function applyChange(report: TemplateReport, change: TemplateChange, nowMs: number): TemplateReport {
  const { providerId } = change;
  const known = providerId === undefined || report.providerId !== undefined ? report : { ...report, providerId };
  // Another template of the same name: one that was deleted, or of another account.
  if (providerId !== undefined && known.providerId !== providerId) return report;
  const atMs = change.atMs === 0 ? nowMs : Math.min(change.atMs, nowMs + maxAheadMs);
  switch (change.what) {
    case 'status': {
      const { status, reason } = change;
      return keepLater(known, 'status', { status, atMs, ...(reason !== undefined && { reason }) }, rankStatus);
    }
    case 'notice':
      return keepLater(known, 'notice', { reason: change.reason, atMs });
    case 'quality':
      return keepLater(known, 'quality', { quality: change.quality, atMs });
    case 'category':
      return keepLater(known, 'category', { category: change.category, atMs });
    case 'categoryToCome':
      return keepLater(known, 'categoryToCome', { category: change.category, atMs });
  }
}

type Part = 'status' | 'notice' | 'quality' | 'category' | 'categoryToCome';

/** Deliveries have whole seconds: of what is said in one of them, the higher rank counts, and then any order that is always the same. */
function keepLater<Name extends Part>(
  report: TemplateReport,
  name: Name,
  said: NonNullable<TemplateReport[Name]>,
  rank: (said: NonNullable<TemplateReport[Name]>) => number = () => 0,
): TemplateReport {
  const before = report[name];
  if (before === undefined) return { ...report, [name]: said };
  const order = (one: NonNullable<TemplateReport[Name]>): readonly [number, number, string] => {
    const { atMs, ...words } = one;
    return [Math.floor(atMs / 1_000), rank(one), JSON.stringify(words)];
  };
  const [[second, high, words], [secondBefore, highBefore, wordsBefore]] = [order(said), order(before)];
  const isLater = second !== secondBefore ? second > secondBefore : high !== highBefore ? high > highBefore : words > wordsBefore;
  return isLater ? { ...report, [name]: said } : report;
}

/** A review ends in the second in which it began; what stops a template outweighs what lets it go. */
const rankStatus = ({ status }: NonNullable<TemplateReport['status']>): number =>
  status === 'PENDING' ? 0 : status === 'APPROVED' ? 1 : 2;
