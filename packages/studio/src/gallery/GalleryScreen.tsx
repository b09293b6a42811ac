// The examples: each is drawn and tried before it is chosen, and saved with its tests.
import { ArrowLeft } from 'lucide-react';
import { useMemo, useState } from 'react';
import { CanvasView } from '../components/CanvasView.tsx';
import { Go } from '../parts/Go.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton } from '../parts/parts.tsx';
import { type Studio, StudioContext, useStudio } from '../studio-context.ts';
import { TesterPanel } from '../tester/TesterPanel.tsx';
import { useEngine } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { homeWords } from '../home/home-words.ts';
import { useReason } from '../words/reason.ts';
import { useLanguage } from '../words/words.tsx';
import { galleryEs } from './gallery-es.ts';
import { gallery, type GalleryExample } from './gallery.ts';

const nothing = (): void => undefined;

/** Tested examples: each can be seen and tried before it is chosen, and is chosen with its tests. */
export function GalleryScreen({ exampleId }: { readonly exampleId?: string }) {
  const { go, can } = useStudio();
  const say = usePartWords(homeWords);
  const aboutOf = useAbout();
  const chosen = gallery.find(({ canvas }) => canvas.id === exampleId) ?? gallery[0];
  return (
    <main className="gallery">
      <header className="top-bar">
        <IconButton label={say('home.back')} onClick={() => go({ screen: 'home' })}>
          <ArrowLeft size={18} aria-hidden />
        </IconButton>
        <h1>{say('gallery.title')}</h1>
        <span className="spring" />
        <ModeButton />
      </header>
      <nav className="gallery-list" aria-label={say('gallery.list')}>
        <ul>
          {gallery.map(({ canvas, description, tests }) => (
            <li key={canvas.id}>
              <Go view={{ screen: 'gallery', exampleId: canvas.id }} replaces aria-current={canvas === chosen?.canvas ? 'true' : undefined}>
                <b>{aboutOf({ canvas, description }).name}</b>
                <span>{aboutOf({ canvas, description }).description}</span>
                <span className="caption">{say('gallery.size', { nodes: canvas.nodes.length, tests: tests.length })}</span>
              </Go>
            </li>
          ))}
        </ul>
      </nav>
      {chosen !== undefined && <Example key={chosen.canvas.id} example={chosen} isOffered={can('edit')} />}
    </main>
  );
}

/** What an example is called and is for, in the language of the reader. */
function useAbout(): (example: Pick<GalleryExample, 'canvas' | 'description'>) => { readonly name: string; readonly description: string } {
  const { locale } = useLanguage();
  return ({ canvas: { id, name }, description }) => (locale.startsWith('es') ? galleryEs[id] : undefined) ?? { name, description };
}

/** The picture of an example, a phone to try it on, and the button that makes it one's own. */
function Example({
  example: { canvas, description, tests },
  isOffered,
}: {
  readonly example: GalleryExample;
  readonly isOffered: boolean;
}) {
  const studio = useStudio();
  const { client, companyId, go, worker } = studio;
  // The tests are those of the example: the service has no such workflow yet, and keeps nothing of it.
  const tried = useMemo(
    (): Studio => ({
      ...studio,
      client: { ...studio.client, transcripts: async () => tests },
      can: (permission) => permission !== 'edit' && studio.can(permission),
    }),
    [studio, tests],
  );
  const say = usePartWords(homeWords);
  const engine = useEngine(worker);
  const [reason, setReason] = useState<string>();
  const reasonOf = useReason();
  const aboutOf = useAbout();
  const [isSaving, setSaving] = useState(false);
  const choose = async (): Promise<void> => {
    setSaving(true);
    try {
      const { results } = await client.workflows(companyId, { q: canvas.id });
      const archived = await client.workflows(companyId, { q: canvas.id, archived: true });
      const id = freeId(canvas.id, new Set([...results, ...archived.results].map(({ workflowId }) => workflowId)));
      const saved = await client.save(companyId, { ...canvas, id }, undefined, true);
      if (saved.kind !== 'saved') throw saved.kind === 'refused' ? saved.error : new Error(saved.kind);
      for (const { name, text } of tests) await client.putTranscript(companyId, id, name, text);
      go({ screen: 'editor', workflowId: id });
    } catch (error) {
      setReason(reasonOf(error));
      setSaving(false);
    }
  };
  return (
    <>
      <section className="gallery-picture" aria-label={canvas.name}>
        <CanvasView canvas={canvas} />
        <div className="gallery-choose">
          {reason !== undefined && (
            <p role="alert" className="field-problem error">
              {reason}
            </p>
          )}
          {isOffered && (
            <button type="button" className="primary" disabled={isSaving} onClick={() => void choose()}>
              {say('gallery.use', { name: aboutOf({ canvas, description }).name })}
            </button>
          )}
        </div>
      </section>
      <aside className="side" aria-label={say('gallery.try')}>
        <StudioContext value={tried}>
          <TesterPanel engine={engine} canvas={canvas} onOverlay={nothing} onFollow={nothing} />
        </StudioContext>
      </aside>
    </>
  );
}

/** The first id that is not taken: `booking`, `booking-2`, … */
export function freeId(wanted: string, taken: ReadonlySet<string>): string {
  let id = wanted;
  for (let number = 2; taken.has(id); number += 1) id = `${wanted}-${number}`;
  return id;
}
