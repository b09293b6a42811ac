// The panel beside the canvas: form, test, problems, versions and numbers.
import type { Json, JsonObject, Problem } from '@hilo/engine/contract';
import { lazy, type RefObject, Suspense, useState } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { useStore } from 'zustand';
import type { Overlay } from '../board/overlay.ts';
import type { PortRef } from '../canvas/commands.ts';
import { renamePort, setData, setField } from '../canvas/commands.ts';
import type { Flow } from '../canvas/flow.ts';
import { useNodeNames } from '../canvas/node-name.ts';
import { useFieldPath } from '../forms/field-path.ts';
import { type NumbersView, useStudio } from '../studio-context.ts';
import { calledBy } from '../tester/called-canvases.ts';
import { OpenTester } from '../tester/OpenTester.tsx';
import { firstSetting, settingOf, type TestMemory } from '../tester/test-memory.ts';
import { useEngine } from '../worker/engine-client.ts';
import { later } from '../parts/later.tsx';
import { useFixText } from '../words/problem-words.ts';
import { useWords } from '../words/words.tsx';
import type { EditorStore } from './editor-store.ts';
import { focusPlace } from './editor-keys.ts';
import { NodePanel } from './NodePanel.tsx';
import { fieldOf, fixCommand } from './problem-parts.ts';
import { SidePanel } from './SidePanel.tsx';
import type { Editing } from './editing.ts';
import type { Places } from './use-places.ts';

const { Part: Outline, load: loadOutline } = later(() => import('./Outline.tsx').then((module) => module.Outline));
const { Part: ProblemsPanel, load: loadProblems } = later(() => import('./ProblemsPanel.tsx').then((module) => module.ProblemsPanel));
const { Part: CanvasSettings, load: loadSettings } = later(() => import('./CanvasSettings.tsx').then((module) => module.CanvasSettings));
/** Loads the panels that an author may open next. */
export const loadPanels = (): Promise<unknown> => Promise.all([loadOutline(), loadProblems(), loadSettings()]);
const ProofPanel = lazy(() => loadPart(() => import('../proof/ProofPanel.tsx').then((module) => ({ default: module.ProofPanel }))));
const NumbersPanel = lazy(() => loadPart(() => import('../numbers/NumbersPanel.tsx').then((module) => ({ default: module.NumbersPanel }))));
const ChangesPanel = lazy(() => loadPart(() => import('../proof/ChangesPanel.tsx').then((module) => ({ default: module.ChangesPanel }))));

interface EditorPanelProps {
  readonly store: EditorStore;
  readonly editing: Editing;
  readonly places: Places;
  readonly flow: Flow;
  readonly problems: readonly Problem[];
  /** Where the conversation of the tester is kept while its panel is closed. */
  readonly conversation: RefObject<TestMemory | undefined>;
  readonly publishedVersion: number | null;
  /** Which numbers are looked at first. */
  readonly numbers: NumbersView;
  readonly onTest: (overlay: Overlay | undefined) => void;
  readonly onConnect: (from: PortRef, inserts: boolean) => void;
}

const linesOf = (script: string): readonly string[] => script.trim().split('\n');

/** The panel of an editor: the form of a node, the settings of the workflow, the outline, the problems, or the tester. */
export function EditorPanel({
  store,
  editing,
  places,
  flow,
  problems,
  conversation,
  publishedVersion,
  numbers,
  onTest,
  onConnect,
}: EditorPanelProps) {
  const { can, worker, client, companyId } = useStudio();
  const say = useWords();
  const fixText = useFixText();
  const fieldPath = useFieldPath();
  const nameOf = useNodeNames();
  const testEngine = useEngine(worker);
  const [variables, setVariables] = useState<JsonObject>({});
  const { history, panel, selected, described, shown, run, select, show, open } = useStore(store);
  const { canvas } = history;
  /** Opens a conversation in the tester. @param steps - the first is played at once, the others one by one */
  const play = (steps: readonly string[]): void => {
    const setting = conversation.current?.setting ?? firstSetting;
    conversation.current = { script: steps[0] ?? '', steps, setting, answers: new Map() };
    open('test');
  };
  /** Plays a conversation that takes a port, or leads to a problem, in the tester, where one is found. */
  const talk = async (goal: string | Pick<Problem, 'way'>): Promise<boolean> => {
    const kept = conversation.current?.setting;
    const setting = await client.references(companyId).then(
      (known) => settingOf(known, kept),
      () => kept ?? firstSetting, // it is looked for all the same
    );
    const canvases = [canvas, ...(await calledBy(canvas, (id) => client.draft(companyId, id)))];
    const script = await testEngine.findConversation(canvases, goal, setting).catch(() => undefined);
    if (script === undefined) return false;
    // To a port it is played at once; to a problem, step by step.
    play(typeof goal === 'string' ? [script] : linesOf(script));
    return true;
  };
  const renameLater = async (before: string, after: string): Promise<void> => {
    const { renameVariable } = await import('../canvas/rename-variable.ts');
    run(say('step.renamedOption', { before }), renameVariable(before, after));
  };
  const node = selected.size === 1 ? canvas.nodes.find(({ id }) => selected.has(id)) : undefined;
  if (panel === undefined || (panel === 'form' && node === undefined)) return null; // it may have been undone
  return (
    <SidePanel
      label={say(panelTitles[panel])}
      onClose={places.closePanel}
      onBack={panel === 'form' && places.isByOutline ? places.backToOutline : undefined}
    >
      {panel === 'form' && node !== undefined && (
        <NodePanel
          key={node.id}
          node={node}
          canvas={canvas}
          described={described.get(node.id)}
          problems={problems.filter((problem) => problem.nodeId === node.id || fieldOf(problem, canvas)?.nodeId === node.id)}
          onData={(data, field) => {
            const changed = say('step.changedOf', { field: fieldPath(node.type, field.split('.')), node: nameOf(canvas, node.id) });
            run(changed, setData(node.id, data), `${node.id}/${field}`);
          }}
          onRename={(data, field, { from, to }) =>
            run(
              say('step.renamedOption', { before: from }),
              (whole) => setData(node.id, data)(renamePort(node.id, from, to)(whole)),
              `${node.id}/${field}`,
            )
          }
          variables={variables}
          onAnswer={(path, answer) => setVariables(withAnswer(variables, path, answer))}
          onDelete={editing.deleteSelected}
          onDuplicate={() => editing.duplicate(new Set([node.id]))}
          onPin={() => editing.pin(new Set([node.id]))}
        />
      )}
      {panel === 'settings' && (
        <CanvasSettings
          of={{
            canvas,
            isReadOnly: !can('edit'),
            onChange: (field, value: Json | undefined) => run(say('step.changed', { field }), setField(field, value), field),
            onRename: (before, after) => void renameLater(before, after),
            onOpen: places.openNode,
          }}
        />
      )}
      {panel === 'outline' && (
        <Outline
          of={{ flow, selected, editing: can('edit') ? editing : undefined, onSelect: select, onOpen: places.openFromOutline, onConnect }}
          onLate={focusOutline}
        />
      )}
      {panel === 'problems' && (
        <>
          <h2>{say('problems.title')}</h2>
          <ProblemsPanel
            of={{
              canvas,
              problems,
              shown,
              onOpen: places.openProblem,
              onShow: show,
              onFix: (fix) => run(say('step.fixed', { what: fixText(fix.label) }), fixCommand(fix)),
              onTalk: ({ way }) => talk({ ...(way !== undefined && { way }) }),
            }}
          />
        </>
      )}
      <Suspense fallback={null}>
        {panel === 'numbers' && (
          <NumbersPanel canvas={canvas} selected={selected} first={numbers} onOverlay={onTest} onOpen={places.setInView} />
        )}
        {panel === 'proof' && (
          <ProofPanel engine={testEngine} canvas={canvas} onOverlay={onTest} onPort={talk} onScript={(script) => play(linesOf(script))} />
        )}
        {panel === 'changes' && (
          <ChangesPanel engine={testEngine} canvas={canvas} version={publishedVersion} onOverlay={onTest} onOpen={places.setInView} />
        )}
        {panel === 'test' && (
          <OpenTester
            engine={testEngine}
            canvas={canvas}
            onOverlay={onTest}
            onFollow={places.setInView}
            onVariables={setVariables}
            onShow={places.openNode}
            onFix={(fix) => run(say('step.fixed', { what: fixText(fix.label) }), fixCommand(fix))}
            memory={conversation}
            saved={{ errors: problems.filter(({ severity }) => severity === 'error'), onShow: places.openProblem }}
          />
        )}
      </Suspense>
    </SidePanel>
  );
}

/** Variables with what a call answered, where its node keeps it. */
function withAnswer(variables: JsonObject, path: string, answer: JsonObject): JsonObject {
  const [scope, name, ...deeper] = path.split('.');
  return scope === '$context' && name !== undefined && deeper.length === 0 ? { ...variables, [name]: answer } : variables;
}

/** The outline was opened by its key before its code was there: the focus waits on the canvas, and not in a field or on a button. */
function focusOutline(): void {
  const { activeElement: focused } = document;
  if (focused instanceof HTMLElement && !focused.matches('button, input, textarea, select, a, [contenteditable]'))
    focusPlace(focused, undefined);
}

const panelTitles = {
  form: 'editor.form',
  problems: 'problems.title',
  test: 'tester.title',
  outline: 'editor.outline',
  settings: 'editor.settings',
  numbers: 'layers.numbers',
  proof: 'layers.proof',
  changes: 'layers.changes',
} as const;
