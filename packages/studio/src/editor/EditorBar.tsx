// The bar above the editor.
import {
  Activity,
  ArrowLeft,
  Check,
  CircleAlert,
  CircleQuestionMark,
  Ellipsis,
  FlaskConical,
  History as HistoryIcon,
  LayoutGrid,
  ListTree,
  type LucideIcon,
  Redo2,
  Search,
  Settings2,
  Undo2,
} from 'lucide-react';
import type { Problem } from '@hilo/engine/contract';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import type { Gate } from '../api/client.ts';
import { setField } from '../canvas/commands.ts';
import { ModeButton } from '../parts/ModeButton.tsx';
import { IconButton, Menu } from '../parts/parts.tsx';
import { layers, useStudio, type View } from '../studio-context.ts';
import { useWords } from '../words/words.tsx';
import type { EditorStore, Panel } from './editor-store.ts';
import { SavingSign } from './SavingDialogs.tsx';
import type { LiveVersion } from './use-live-version.ts';
import type { Saving } from './use-saving.ts';

interface EditorBarProps {
  readonly store: EditorStore;
  readonly saving: Saving;
  readonly live: LiveVersion | undefined;
  /** What keeps the published version from being started. */
  readonly gate: Gate | null;
  readonly problems: readonly Problem[];
  /** How many cards stand over another one. */
  readonly overlapping: number;
  readonly onTidy: () => void;
  readonly onPublish: () => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
  /** Who else is here, and comments. */
  readonly together: ReactNode;
}

/** What is behind one button where the bar has no room for it. */
interface Tool {
  readonly icon: LucideIcon;
  readonly label: string;
  readonly onClick: () => void;
  readonly pressed?: boolean;
  readonly word?: string;
}

/** What is drawn over the canvas: as buttons, and on a phone as a list, which leaves the bar two rows. */
function LayerChoice({ panel, onOpen }: { readonly panel: Panel; readonly onOpen: (layer: Panel) => void }) {
  const { isNarrow } = useStudio();
  const say = useWords();
  const shown = layers.find((layer) => layer === panel);
  const all = [undefined, ...layers].map((layer) => ({ layer, name: layer ?? 'edit', word: say(`layers.${layer ?? 'edit'}`) }));
  if (isNarrow)
    return (
      <select
        aria-label={say('layers.title')}
        value={shown ?? 'edit'}
        onChange={({ target }) => onOpen(all.find(({ name }) => name === target.value)?.layer)}
      >
        {all.map(({ name, word }) => (
          <option key={name} value={name}>
            {word}
          </option>
        ))}
      </select>
    );
  return (
    <span role="group" className="layers" aria-label={say('layers.title')}>
      {all.map(({ layer, name, word }) => (
        <button key={name} type="button" aria-pressed={layer === shown} onClick={() => onOpen(layer)}>
          {word}
        </button>
      ))}
    </span>
  );
}

/** The bar above a canvas: its name, the state of its draft, and the actions on the whole canvas. */
export function EditorBar({
  store,
  saving,
  live,
  gate,
  problems,
  overlapping,
  onTidy,
  onPublish,
  onSearch,
  onHelp,
  together,
}: EditorBarProps) {
  const { go, can, isNarrow } = useStudio();
  const say = useWords();
  const { history, panel, isChecked, run, open } = useStore(store);
  const { canvas } = history;
  const isEditable = can('edit');
  const toggle = (name: NonNullable<Panel>): void => open(panel === name ? undefined : name);
  /** Edits are saved before leaving. */
  const leave = (view: View): void => {
    void saving.settled();
    go(view);
  };
  const outline = say('editor.outline');
  const versions = say('editor.versions');
  const executions = say('editor.executions');
  const tools: readonly Tool[] = [
    { icon: Search, label: say('search.title'), onClick: onSearch, word: say('search.title').split(' ', 1)[0] ?? '' },
    { icon: ListTree, label: outline, pressed: panel === 'outline', onClick: () => toggle('outline'), word: outline },
    {
      icon: Settings2,
      label: say('editor.settings'),
      pressed: panel === 'settings',
      onClick: () => toggle('settings'),
      word: say('app.settings'),
    },
    { icon: HistoryIcon, label: versions, onClick: () => leave({ screen: 'versions', workflowId: canvas.id }), word: versions },
    { icon: Activity, label: executions, onClick: () => leave({ screen: 'executions', workflowId: canvas.id }), word: executions },
    { icon: CircleQuestionMark, label: say('keys.title'), onClick: onHelp },
  ];
  return (
    <section className="top-bar" aria-label={say('editor.bar')}>
      <IconButton label={say('editor.back')} onClick={() => leave({ screen: 'workflows' })}>
        <ArrowLeft size={18} aria-hidden />
      </IconButton>
      <h1 className="visually-hidden">{canvas.name}</h1>
      <div className="bar-name">
        <input
          className="name"
          aria-label={say('editor.name')}
          value={canvas.name}
          readOnly={!isEditable}
          maxLength={200}
          dir="auto"
          onChange={({ target }) => run(say('step.renamed'), setField('name', target.value), 'name')}
        />
        <div>
          <SavingSign saving={saving} />
          {live !== undefined && (
            <span className="quiet-text live">
              {say('editor.live', { version: live.version })}
              {live.changes !== undefined && live.changes > 0 && ` · ${say('editor.changes', { count: live.changes })}`}
            </span>
          )}
          {gate !== null && (
            <button type="button" className="link" onClick={() => leave({ screen: 'versions', workflowId: canvas.id })}>
              {say(gate.state === 'paused' ? 'workflows.paused' : 'workflows.unpublished')}
            </button>
          )}
        </div>
      </div>
      <span className="spring" />
      {together}
      {isEditable && <EditTools store={store} overlapping={overlapping} onTidy={onTidy} />}
      {isNarrow ? (
        <Menu label={say('tester.more')} sign={<Ellipsis size={18} aria-hidden />}>
          {tools.map(({ icon: Icon, label, onClick, pressed }) => (
            <button key={label} type="button" aria-pressed={pressed} onClick={onClick}>
              <Icon size={18} aria-hidden /> {label}
            </button>
          ))}
        </Menu>
      ) : (
        tools.map(({ icon: Icon, ...tool }) => (
          <IconButton key={tool.label} {...tool}>
            <Icon size={18} aria-hidden />
          </IconButton>
        ))
      )}
      <ModeButton />
      <span className="bar-acts">
        <ProblemCount problems={problems} isChecked={isChecked} isOpen={panel === 'problems'} onClick={() => toggle('problems')} />
        <LayerChoice panel={panel} onOpen={open} />
        {can('test') && (
          <button type="button" aria-pressed={panel === 'test'} onClick={() => toggle('test')}>
            <FlaskConical size={15} aria-hidden /> {say('editor.test')}
          </button>
        )}
        {can('publish') && (
          <button type="button" className="primary" onClick={onPublish}>
            {say('editor.publish')}
          </button>
        )}
      </span>
    </section>
  );
}

/** One step back, one step forth, and a tidy canvas. */
function EditTools({ store, overlapping, onTidy }: Pick<EditorBarProps, 'store' | 'overlapping' | 'onTidy'>) {
  const say = useWords();
  const { history, undo, redo } = useStore(store);
  const { past, future } = history;
  return (
    <span className="edit-tools">
      <IconButton
        label={past.length === 0 ? say('editor.undo') : say('editor.undoStep', { step: past.at(-1)?.name ?? '' })}
        onClick={undo}
        word={say('editor.undo')}
        disabled={past.length === 0}
      >
        <Undo2 size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={future.length === 0 ? say('editor.redo') : say('editor.redoStep', { step: future[0]?.name ?? '' })}
        onClick={redo}
        word={say('editor.redo')}
        disabled={future.length === 0}
      >
        <Redo2 size={18} aria-hidden />
      </IconButton>
      <IconButton
        label={overlapping === 0 ? say('editor.tidy') : say('editor.tidyOverlaps', { count: overlapping })}
        onClick={onTidy}
        word={say('editor.tidy')}
      >
        <LayoutGrid size={18} className={overlapping === 0 ? '' : 'warn'} aria-hidden />
      </IconButton>
    </span>
  );
}

interface ProblemCountProps extends Pick<EditorBarProps, 'problems'> {
  readonly isChecked: boolean;
  readonly isOpen: boolean;
  readonly onClick: () => void;
}

/** How many problems there are, and the button that lists them. */
function ProblemCount({ problems, isChecked, isOpen, onClick }: ProblemCountProps) {
  const say = useWords();
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  return (
    <button
      type="button"
      className={`problem-count ${errors > 0 ? 'bad' : problems.length > 0 ? 'warn' : isChecked ? 'good' : ''}`}
      aria-pressed={isOpen}
      onClick={onClick}
    >
      {problems.length > 0 ? <CircleAlert size={15} aria-hidden /> : isChecked && <Check size={15} aria-hidden />}
      {problems.length === 0
        ? say(isChecked ? 'editor.noProblems' : 'editor.checking')
        : say('editor.problems', { count: problems.length })}
    </button>
  );
}
