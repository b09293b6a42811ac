import { useEffect, useRef, useState } from 'react';
import type { InboxConversation, InboxMessage, InboxPage } from '../api/inbox-calls.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio, type Waiting, waitingEvent } from '../studio-context.ts';

/** Whose conversations are listed, as the address has it: `mine`, `unassigned`, `all`, `team:Support` or `operator:10`. */
export type Whose = string;

/** The query of the service for a filter. Without an operator of one's own nothing is one's own. */
export function queryOf(whose: Whose, me: number | undefined): { readonly [name: string]: string | number } | undefined {
  const [kind, ...rest] = whose.split(':');
  const named = rest.join(':');
  if (kind === 'unassigned') return { whose: 'unassigned' };
  if (kind === 'team' && named !== '') return { whose: 'team', teamName: named };
  if (kind === 'operator' && /^\d{1,15}$/.test(named)) return { whose: 'operator', operatorId: Number(named) };
  if (kind !== 'mine') return { whose: 'all' };
  return me === undefined ? undefined : { whose: 'operator', operatorId: me };
}

const pageSize = 50;

/** The conversations of a filter, as many as were asked for, and the numbers beside the filters. */
export function useInboxList(whose: Whose, search: string, me: number | undefined) {
  const { client, companyId } = useStudio();
  const [asked, setAsked] = useState({ key: '', pages: 1 });
  const query = queryOf(whose, me);
  const key = JSON.stringify([companyId, query, search]);
  const pages = asked.key === key ? asked.pages : 1;
  const loaded = useLoaded(`inbox/${key}/${pages}`, async () => {
    const results: InboxConversation[] = [];
    let page: InboxPage | undefined;
    for (let number = 0; number < pages && (number === 0 || page?.nextCursor !== null); number += 1) {
      page = await client.inbox(companyId, { ...query, q: search, limit: pageSize, cursor: page?.nextCursor ?? undefined });
      results.push(...page.results);
    }
    // What moved up while the pages were read is there once.
    const known = [...new Map(results.map((one) => [one._id, one])).values()];
    return { results: query === undefined ? [] : known, counts: page?.counts, hasMore: query !== undefined && page?.nextCursor !== null };
  });
  const last = useRef(loaded.value);
  if (loaded.value !== undefined) last.current = loaded.value;
  const counts = loaded.value?.counts;
  useEffect(() => {
    if (counts === undefined) return;
    dispatchEvent(new CustomEvent<Waiting>(waitingEvent, { detail: { companyId, count: counts.waiting } }));
  }, [companyId, counts]);
  return {
    ...loaded,
    // While further pages are read, those before stay in their place.
    value: loaded.value ?? (pages > 1 ? last.current : undefined),
    showMore: () => setAsked({ key, pages: pages + 1 }),
  };
}

/** What was said in a conversation, the oldest first. */
export function useMessages(conversationId: string) {
  const { client, companyId } = useStudio();
  const [asked, setAsked] = useState({ conversationId, pages: 1 });
  const pages = asked.conversationId === conversationId ? asked.pages : 1;
  const loaded = useLoaded(`messages/${companyId}/${conversationId}/${pages}`, async () => {
    const results: InboxMessage[] = [];
    let cursor: string | null | undefined;
    for (let number = 0; number < pages && cursor !== null; number += 1) {
      const page: { readonly results: readonly InboxMessage[]; readonly nextCursor: string | null } = await client.inboxMessages(
        companyId,
        conversationId,
        cursor,
      );
      results.push(...page.results);
      cursor = page.nextCursor;
    }
    return { messages: results.toReversed(), hasOlder: cursor !== null };
  });
  const last = useRef({ conversationId, value: loaded.value });
  if (loaded.value !== undefined) last.current = { conversationId, value: loaded.value };
  return {
    ...loaded,
    value: loaded.value ?? (last.current.conversationId === conversationId ? last.current.value : undefined),
    showOlder: () => setAsked({ conversationId, pages: pages + 1 }),
  };
}

/** Changes that come faster than this are read together; the first of them at once. */
const togetherMs = 250;

/** Calls back after each change of the inbox, at once and then at most four times a second. */
export function useInboxChanges(onChange: () => void): void {
  const { client, companyId } = useStudio();
  const latest = useRef(onChange);
  latest.current = onChange;
  useEffect(() => {
    const controller = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isDue = false;
    const changed = (): void => {
      isDue = timer !== undefined;
      if (isDue) return;
      latest.current();
      timer = setTimeout(() => {
        timer = undefined;
        if (isDue) changed();
      }, togetherMs);
    };
    void client.watchInbox(companyId, {
      signal: controller.signal,
      onEvent: (name) => name === 'inbox.changed' && changed(),
    });
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [client, companyId]);
}

/** The instant, again every half minute, so that waiting times go on. */
export function useNow(): number {
  const [nowMs, setNowMs] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  return nowMs;
}

const operatorKey = 'hilo-studio/operator';

/** Which operator answers in this browser: the one that the service knows by their name, or the one that was chosen here. */
export function useOperator(known: number | null | undefined): readonly [number | undefined, (operatorId: number | undefined) => void] {
  const { companyId } = useStudio();
  const place = `${operatorKey}/${companyId}`;
  const [chosen, setChosen] = useState(() => readChosen(place));
  const choose = (operatorId: number | undefined): void => {
    setChosen(operatorId);
    try {
      if (operatorId === undefined) localStorage.removeItem(place);
      else localStorage.setItem(place, String(operatorId));
    } catch {
      // A browser that keeps nothing asks again at the next visit.
    }
  };
  return [chosen ?? known ?? undefined, choose];
}

function readChosen(place: string): number | undefined {
  try {
    const kept = Number(localStorage.getItem(place) ?? Number.NaN);
    return Number.isSafeInteger(kept) ? kept : undefined;
  } catch {
    return undefined;
  }
}
