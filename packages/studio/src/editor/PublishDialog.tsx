// Publishing: what changes, and what is in the way.
import type { Problem } from '@hilo/engine/contract';
import { useId, useState } from 'react';
import type { Version } from '../api/client.ts';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { countChanges } from '../canvas/diff.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { changeWords } from '../change/change-words.ts';
import { JobView } from '../change/JobView.tsx';
import { MigrationPlan } from '../change/MigrationPlan.tsx';
import { ReplayReport } from '../change/ReplayReport.tsx';
import { TestsReport } from '../change/TestsReport.tsx';
import { type Migrating, useMigration } from '../change/use-migration.ts';
import { Dialog, Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { ChangesList } from '../versions/ChangesList.tsx';
import type { EngineClient } from '../worker/engine-client.ts';
import { usePartWords } from '../words/part.ts';
import { useProblemText } from '../words/problem-words.ts';
import { useWords } from '../words/words.tsx';
import { Published } from './Published.tsx';
import { takeoversOf } from './rivals.ts';
import { TakeoverList } from './TakeoverList.tsx';

interface PublishDialogProps {
  readonly canvas: CanvasJson;
  readonly revision: number | undefined;
  readonly problems: readonly Problem[];
  readonly engine: EngineClient;
  readonly onPublished: (version: number) => void;
  readonly onClose: () => void;
}

/** The version that is live, and what the draft changes of it. */
interface Live {
  /** 0 before the first one. */
  readonly version: number;
  readonly before?: CanvasJson;
  readonly changes?: Awaited<ReturnType<EngineClient['diff']>>;
}

/** The effect of publishing, in advance; then what can be done with what is live. */
export function PublishDialog(props: PublishDialogProps) {
  const { client, companyId } = useStudio();
  const say = usePartWords(changeWords);
  const { canvas, engine, onClose } = props;
  const {
    value: live,
    error,
    reload,
  } = useLoaded(`live/${canvas.id}`, async (): Promise<Live> => {
    const { results } = await client.versions(companyId, canvas.id);
    const version = results.at(-1)?.version;
    if (version === undefined) return { version: 0 };
    const before = await client.version(companyId, canvas.id, version);
    return { version, before, changes: await engine.diff(before, canvas) };
  });
  if (live !== undefined) return <Publishing {...props} live={live} />;
  return (
    <Dialog title={say('publish.title')} onClose={onClose} wide>
      <Loading error={error} onRetry={reload} />
    </Dialog>
  );
}

function Publishing({ canvas, revision, problems, engine, onPublished, onClose, live }: PublishDialogProps & { readonly live: Live }) {
  const { client, companyId, can } = useStudio();
  const say = useWords();
  const change = usePartWords(changeWords);
  const noteId = useId();
  const nodes = [...canvas.nodes, ...(live.before?.nodes ?? [])]; // what is removed has its name in the old one
  const nameOf = useNodeName({ nodes });
  const [note, setNote] = useState('');
  const { isBusy, reason, act } = useAct();
  const [done, setDone] = useState<Version>();
  const [jobId, setJobId] = useState<string>();
  const [webhooks, setWebhooks] = useState<{ readonly [channel: string]: string }>({});
  const isSame = live.changes !== undefined && countChanges(live.changes) === 0;
  const version = isSame ? live.version : live.version + 1;
  const { value: companyProblems } = useLoaded(`takeovers/${canvas.id}`, () => client.validate(companyId, canvas).catch(() => []));
  const errors = problems.filter(({ severity }) => severity === 'error');
  // What waits is judged for the draft before that is published.
  const isPlanned = live.version > 0 && errors.length === 0;
  const migrating = useMigration(canvas.id, version, { key: String(revision), isPlanned });
  const warnings = problems.filter(({ severity, code }) => severity === 'warning' && !code.startsWith('SAME_')); // listed apart
  const brings = can('operate') ? migrating.count : 0;

  const published = async (made: Version): Promise<void> => {
    setDone(made);
    onPublished(made.version);
    setWebhooks((await client.draft(companyId, canvas.id)).webhooks);
  };
  const publish = async (): Promise<void> => {
    const { publishWorkflow } = await client.operations();
    const made = await publishWorkflow({
      path: { workflowId: canvas.id },
      query: { companyId },
      body: { ...(note !== '' && { note }), ...(revision !== undefined && { revision }) },
    });
    if ('jobId' in made) return;
    await published(made);
    if (brings > 0 && made.version === version) setJobId(await migrating.ask());
  };
  /** The content of the version before becomes the next version. */
  const publishAgain = async (before: number): Promise<void> => {
    const { publishVersionAgain } = await client.operations();
    await published(await publishVersionAgain({ path: { workflowId: canvas.id, version: String(before) }, query: { companyId } }));
  };

  if (done !== undefined)
    return (
      <Dialog title={change('publish.title')} onClose={onClose} wide>
        <Published workflowId={canvas.id} version={done.version} webhooks={webhooks} />
        {jobId !== undefined && <JobView jobId={jobId} {...(migrating.plan !== undefined && { total: migrating.plan.read })} />}
        {live.version > 0 && live.version !== done.version && (
          <p>
            <button type="button" disabled={isBusy} onClick={() => act(() => publishAgain(live.version))}>
              {change('publish.undo', { version: live.version })}
            </button>
          </p>
        )}
        <Refused reason={reason} />
        <p className="buttons">
          <button type="button" className="primary" onClick={onClose}>
            {say('app.close')}
          </button>
        </p>
      </Dialog>
    );
  return (
    <Dialog title={change('publish.title')} onClose={onClose} wide>
      <div className="field">
        <label htmlFor={noteId}>{change('publish.note')}</label>
        <textarea id={noteId} rows={2} maxLength={1_000} value={note} onChange={({ target }) => setNote(target.value)} />
      </div>
      {live.version === 0 && <p>{change('publish.first')}</p>}
      {isSame && <p>{change('publish.same', { version: live.version })}</p>}
      {live.changes !== undefined && !isSame && <h3>{change('publish.changes', { version: live.version })}</h3>}
      {live.changes !== undefined && <ChangesList changes={live.changes} nodes={nodes} />}
      <Findings title={change('publish.errors', { count: errors.length })} problems={errors} isBad />
      <Findings title={change('publish.warnings', { count: warnings.length })} problems={warnings} />
      <TakeoverList takeovers={takeoversOf(canvas.id, companyProblems ?? [])} />
      <TestsReport canvas={canvas} engine={engine} />
      {isPlanned && !isSame && <ReplayReport workflowId={canvas.id} nameOf={nameOf} />}
      {isPlanned && <Waiting canvas={canvas} before={live.before} migrating={migrating} />}
      <Refused reason={reason} />
      <p className="buttons">
        <button type="button" onClick={onClose}>
          {say('app.cancel')}
        </button>
        <button type="button" className="primary" disabled={errors.length > 0 || isBusy} onClick={() => act(publish)}>
          {brings > 0 ? change('plan.publish', { version, count: brings }) : change(isSame ? 'publish.again' : 'publish.do', { version })}
        </button>
      </p>
    </Dialog>
  );
}

/** The executions in other versions: what becomes of them. */
function Waiting({
  canvas,
  before,
  migrating,
}: {
  readonly canvas: CanvasJson;
  readonly before: CanvasJson | undefined;
  readonly migrating: Migrating;
}) {
  const change = usePartWords(changeWords);
  return (
    <section className="change-part">
      <h3>{change('plan.title')}</h3>
      <MigrationPlan migrating={migrating} canvas={canvas} before={before} />
      {(migrating.plan?.read ?? 0) > 0 && (
        <p className="help">
          {migrating.count > 0 && change('plan.after')} {change('plan.others')}
        </p>
      )}
    </section>
  );
}

/** The first problems of a severity. */
function Findings({
  title,
  problems,
  isBad = false,
}: {
  readonly title: string;
  readonly problems: readonly Problem[];
  readonly isBad?: boolean;
}) {
  const textOf = useProblemText();
  if (problems.length === 0) return null;
  return (
    <>
      <h3 className={isBad ? 'bad' : ''}>{title}</h3>
      <ul>
        {problems.slice(0, 10).map((problem, index) => (
          <li key={index} dir="auto">
            {textOf(problem).message}
          </li>
        ))}
      </ul>
    </>
  );
}
