import { createHiloClient, HiloStudio, readAddress, type StudioProps, type View, writeAddress } from '@hilo/studio';
import '@hilo/studio/style.css';
import { useEffect, useMemo, useState } from 'react';
import { Flame } from './Flame.tsx';
import type { Session } from './Login.tsx';
import { Overview } from './Overview.tsx';
import { ScoreField } from './ScoreField.tsx';

const companyId = '1';

/** Constants are outside of the component: the studio recreates its worker and its lists when they change. */
const look = {
  worker: () => new Worker(new URL('./bots-worker.ts', import.meta.url), { type: 'module' }),
  icons: { flame: Flame },
  widgets: { score: ScoreField },
  theme: { accent: '#0f766e', radius: 4, font: 'Georgia, serif', mode: 'light' },
} satisfies Partial<StudioProps>;

/** The address bar belongs to the host: here the studio's path is in the fragment. */
const viewInHash = (): View => {
  const [path = '', search = ''] = location.hash.slice(1).split('?');
  return readAddress(path, search).view;
};
const hrefOf = (view: View): string => `#${writeAddress(companyId, view)}`;

/** Bots in the product: the whole studio, and its parts on a page of the host's own. */
export function Bots({ session, onLogout }: { readonly session: Session; readonly onLogout: () => void }) {
  const [page, setPage] = useState<'studio' | 'overview'>('studio');
  const [view, setView] = useState(viewInHash);
  useEffect(() => {
    const moved = (): void => setView(viewInHash());
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);

  /** Our own authentication goes along with each call; the studio stores none of it. A session that is over leads to our login. */
  const client = useMemo(() => {
    const send: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.set('authorization', `Bearer ${session.token}`);
      const answer = await fetch(input, { ...init, headers });
      if (answer.status === 401) onLogout();
      return answer;
    };
    return createHiloClient({ fetch: send });
  }, [session.token, onLogout]);
  const studio = { ...look, client, companyId, can: session.can };

  const logOut = (): void => {
    void fetch('/session', { method: 'DELETE', headers: { authorization: `Bearer ${session.token}` } }).then(onLogout);
  };
  return (
    <div className="product">
      <header>
        <strong>Leads</strong>
        <button type="button" aria-pressed={page === 'studio'} onClick={() => setPage('studio')}>
          Bots
        </button>
        <button type="button" aria-pressed={page === 'overview'} onClick={() => setPage('overview')}>
          Overview
        </button>
        <span>{session.name}</span>
        <button type="button" onClick={logOut}>
          Log out
        </button>
      </header>
      {page === 'overview' ? (
        <Overview studio={studio} workflowId="qualify-lead" />
      ) : (
        <HiloStudio
          {...studio}
          view={view}
          hrefOf={hrefOf}
          onNavigate={(next, { replace = false } = {}) => {
            history[replace ? 'replaceState' : 'pushState'](null, '', hrefOf(next));
            setView(next);
          }}
        />
      )}
    </div>
  );
}
