// Starts the studio as an application of its own.
import { StrictMode, useCallback, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { readAddress, writeAddress } from './address.ts';
import { ApiError, createHiloClient } from './api/client.ts';
import { readAhead } from './api/read-ahead.ts';
import { HiloStudio, loadEditorAhead } from './HiloStudio.tsx';
import { Loading } from './parts/parts.tsx';
import { useLoaded } from './parts/use-loaded.ts';
import { drawnEvent, type Permission, type View } from './studio-context.ts';
import { useWords } from './words/words.tsx';
import { useActorName } from './parts/shown-name.ts';
import './style.css';
import './page.css';

/** The studio is at `<root>/studio/`; the service's own paths begin at the root. */
const studioPath = new URL(document.querySelector('meta[name="studio-root"]')?.getAttribute('content') ?? './', location.href).pathname;
const placeOf = () => readAddress(location.pathname.slice(studioPath.length), location.search);
const baseUrl = studioPath.replace(/studio\/$/, '').replace(/\/$/, '');
const provider = document.querySelector('meta[name="login-with"]')?.getAttribute('content');
const loginWith = provider ? { name: provider, url: `${baseUrl}/admin/v1/login/openid?to=studio/` } : undefined;
const forbidden = new EventTarget();
const client = readAhead(
  createHiloClient({ baseUrl, ...(loginWith && { loginWith }), onForbidden: () => forbidden.dispatchEvent(new Event('forbidden')) }),
  placeOf(),
);
if (placeOf().view.screen === 'editor') loadEditorAhead();
const permissions: readonly Permission[] = ['view', 'edit', 'test', 'publish', 'operate', 'answer', 'admin'];

/** The application that the service serves: the component, with the address bar and the companies. */
function Application() {
  const [place, setPlace] = useState(placeOf);
  const { value: me, error, reload, isSignedOut } = useLoaded('me', () => client.me());
  useEffect(() => {
    const moved = (): void => setPlace(placeOf());
    addEventListener('popstate', moved);
    return () => removeEventListener('popstate', moved);
  }, []);
  useEffect(() => {
    forbidden.addEventListener('forbidden', reload);
    return () => forbidden.removeEventListener('forbidden', reload);
  }, [reload]);
  const isUnknown = isSignedOut && me === undefined; // who is known keeps what they wrote: each screen asks for a login itself
  useEffect(() => {
    if (isUnknown) location.reload(); // the service answers with the login
  }, [isUnknown]);
  const companyId = place.companyId ?? me?.companies[0]?.id ?? '';
  const here = me?.companies.find(({ id }) => id === companyId)?.can ?? me?.can ?? [];
  const isInbox = place.view.screen === 'inbox' || (me !== undefined && !here.includes('view'));
  useEffect(() => {
    if (isInbox) void import('./inbox/inbox.css');
  }, [isInbox]);
  const isHome = place.view.screen === 'home' || place.view.screen === 'gallery';
  useEffect(() => {
    if (isHome) void import('./home/home.css');
  }, [isHome]);
  const { screen } = place.view;
  const hasLayer = place.view.screen === 'editor' && (place.view.layer ?? place.view.nodeId) !== undefined;
  useEffect(() => {
    if (screen === 'home' || isInbox || screen === 'workflows') return undefined;
    const load = (): void => {
      void import('./later.css');
      if (screen === 'settings') void import('./settings/settings.css');
    };
    if (screen !== 'editor' || hasLayer) return load();
    // The first picture of an editor does not wait for it.
    const signs = ['pointerdown', 'keydown', drawnEvent];
    for (const sign of signs) addEventListener(sign, load, { once: true });
    return () => {
      for (const sign of signs) removeEventListener(sign, load);
    };
  }, [isInbox, screen, hasLayer]);
  const [language, setLanguage] = useState(keptLanguage);
  useEffect(() => {
    document.documentElement.lang = language.startsWith('es') ? 'es' : 'en';
  }, [language]);
  const hrefOf = useCallback((view: View) => `${studioPath}${writeAddress(companyId, view)}`, [companyId]);
  const go = useCallback(
    (view: View, { replace = false }: { readonly replace?: boolean } = {}) => {
      if (replace) history.replaceState(null, '', hrefOf(view));
      else history.pushState(null, '', hrefOf(view));
      setPlace(placeOf());
    },
    [hrefOf],
  );
  if (me === undefined)
    return (
      <div className="hilo-studio">
        <Loading error={error} onRetry={reload} />
      </div>
    );
  // Who only answers users has no other screen.
  const view: View = here.includes('view') || place.view.screen === 'inbox' ? place.view : { screen: 'inbox' };
  const may = permissions.filter((permission) => here.includes(permission) || (permission === 'test' && here.includes('view')));
  return (
    <HiloStudio
      client={client}
      companyId={companyId}
      view={view}
      onNavigate={go}
      hrefOf={hrefOf}
      can={may}
      locale={language}
      hasRail={here.includes('view')}
      session={
        <Session
          language={language}
          onLanguage={(chosen) => {
            keepLanguage(chosen);
            setLanguage(chosen);
          }}
          companies={me.companies}
          companyId={companyId}
          name={me.name}
          onCompany={(id) => {
            history.pushState(null, '', `${studioPath}${writeAddress(id, { screen: 'workflows' })}`);
            setPlace(placeOf());
          }}
        />
      }
    />
  );
}

const languageKey = 'hilo-studio/language';

/** The language that this person has chosen here, or else that of the browser. */
function keptLanguage(): string {
  try {
    return localStorage.getItem(languageKey) ?? navigator.language;
  } catch {
    return navigator.language; // a browser that keeps nothing
  }
}

function keepLanguage(language: string): void {
  try {
    localStorage.setItem(languageKey, language);
  } catch {
    // It is chosen for this visit alone.
  }
}

/** Whose session it is, in which company and language, and its end. */
function Session({
  language,
  onLanguage,
  companies,
  companyId,
  name,
  onCompany,
}: {
  readonly language: string;
  readonly onLanguage: (language: string) => void;
  readonly companies: readonly { readonly id: string; readonly name: string }[];
  readonly companyId: string;
  readonly name: string;
  readonly onCompany: (id: string) => void;
}) {
  const say = useWords();
  const actorName = useActorName();
  return (
    <nav className="session" aria-label={say('session.title')}>
      {companies.length > 1 && (
        <select aria-label={say('session.company')} value={companyId} onChange={({ target }) => onCompany(target.value)}>
          {companies.map((company) => (
            <option key={company.id} value={company.id}>
              {company.name}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label={say('session.language')}
        value={language.startsWith('es') ? 'es' : 'en'}
        onChange={({ target }) => onLanguage(target.value)}
      >
        <option value="en">English</option>
        <option value="es">Español</option>
      </select>
      <span className="caption">{actorName(name)}</span>
      <button
        type="button"
        className="quiet"
        onClick={() =>
          void client
            .logout()
            .catch((error: unknown) => {
              if (!(error instanceof ApiError)) throw error;
            })
            .then(() => location.reload())
        }
      >
        {say('session.logout')}
      </button>
    </nav>
  );
}

const place = document.getElementById('studio');
if (place !== null)
  createRoot(place).render(
    <StrictMode>
      <Application />
    </StrictMode>,
  );
