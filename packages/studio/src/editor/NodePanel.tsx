// The form of a node, and the settings of the canvas.
import type { FieldChoices } from '../expressions/completions.ts';
import type { DescribedNode } from '@hilo/engine/authoring';
import type { Json, JsonObject, Problem } from '@hilo/engine/contract';
import { Copy, Pin, Trash2 } from 'lucide-react';
import { lazy, Suspense, useEffect, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { type CanvasJson, isPinned, isRecord, type NodeJson } from '../canvas/canvas-json.ts';
import { hintsOf } from '../forms/editors/index.ts';
import { Form } from '../forms/Form.tsx';
import { JsonField } from '../forms/JsonField.tsx';
import { FieldProblems } from '../forms/problems.tsx';
import { DurationWidget } from '../forms/widgets.tsx';
import { NodeIcon } from '../parts/icons.tsx';
import { IconButton } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useLanguage, useWords } from '../words/words.tsx';
import { editedOption, followOption, type HeldEdge, optionTitles } from './option-titles.ts';

const SendNow = lazy(() => import('./SendNow.tsx').then((module) => ({ default: module.SendNow })));

interface NodePanelProps {
  readonly node: NodeJson;
  readonly canvas: CanvasJson;
  readonly described: DescribedNode | undefined;
  readonly problems: readonly Problem[];
  readonly onData: (data: JsonObject, field: string) => void;
  /** The title of an option was edited: its edge is to leave by the port of the new title. */
  readonly onRename: (data: JsonObject, field: string, port: { readonly from: string; readonly to: string }) => void;
  readonly onDelete: () => void;
  readonly onDuplicate: () => void;
  readonly onPin: () => void;
  /** What its expressions were worth in the last test. */
  readonly variables: JsonObject;
  /** The answer of a real call, by the path where the node keeps it. */
  readonly onAnswer: (path: string, answer: JsonObject) => void;
}

/** The form of the selected node. */
export function NodePanel({
  node,
  canvas,
  described,
  problems,
  onData,
  onRename,
  onDelete,
  onDuplicate,
  onPin,
  variables,
  onAnswer,
}: NodePanelProps) {
  const { catalogue, can, widgets, client, companyId } = useStudio();
  const { say, own } = useLanguage();
  const id = useId();
  const entry = catalogue.get(node.type);
  const index = canvas.nodes.indexOf(node);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const hints = useMemo(() => hintsOf(node.type, entry?.formHints ?? {}), [node.type, entry]);
  const asksPeople = Object.values(hints).some((hint) => hint === 'operator' || hint === 'team') && can('answer');
  const { value: people } = useLoaded(asksPeople ? `people/${companyId}` : 'no people', async () =>
    asksPeople ? client.inboxPeople(companyId) : undefined,
  );
  const choices: FieldChoices = useMemo(
    () => ({
      variables: variablesFor(canvas, described),
      workflows: references?.workflows ?? [],
      functions: references?.functions ?? [],
      credentials: references?.credentials ?? [],
      templates: references?.templates ?? [],
      operators: people?.operators.map((one) => ({ id: one.id, name: one.names })) ?? [],
      teams: people?.teams ?? [],
      channels: [...new Set(references?.bots.map(({ channel }) => channel))],
      valueOf: (path) => valueAt(variables, path),
      fieldsOf: (path) => (isAnswer(canvas, path) ? answerFields : []),
    }),
    [canvas, described, references, people, variables],
  );
  const isReadOnly = !can('edit');
  const data = node.data ?? {};
  /** Data that names a template has exactly its parameters. */
  const withParameters = (changed: JsonObject): JsonObject => {
    const template = choices.templates.find(({ id, name }) => id === changed['templateId'] || name === changed['templateId']);
    return template === undefined ? changed : { ...changed, parameters: parametersOf(template.body, changed['parameters']) };
  };
  /** The form begins at its first field, wherever the one before had been left. */
  const top = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    top.current?.closest('.side')?.scrollTo(0, 0);
  }, []);
  const heldEdge = useRef<HeldEdge>(undefined);
  const chosenBefore = useRef<Json>(undefined);
  useEffect(() => {
    // A template was named before those of the company were known.
    const isStill = references !== undefined && chosenBefore.current !== undefined && chosenBefore.current === data['templateId'];
    if (isStill) onData(withParameters(data), 'templateId');
    chosenBefore.current = undefined;
  }, [references]);
  const change = (changed: Json, field: string): void => {
    if (!isRecord(changed)) return;
    const isChosen = changed['templateId'] !== data['templateId'];
    if (isChosen && references === undefined) chosenBefore.current = changed['templateId'];
    const after: JsonObject = isChosen ? withParameters(changed) : changed;
    const titles = optionTitles(after);
    const edited = editedOption(optionTitles(data), titles);
    if (edited === undefined) return onData(after, field);
    const ports = new Set(canvas.edges.flatMap(({ source, sourceHandle }) => (source === node.id ? [sourceHandle ?? ''] : [])));
    const { renamed, held } = followOption(edited, new Set(titles.toSpliced(edited.index, 1)), ports, heldEdge.current);
    heldEdge.current = held;
    if (renamed === undefined) return onData(after, field);
    onRename(after, field, renamed);
  };
  return (
    <section ref={top} className="node-panel" data-group={entry?.category ?? 'unknown'}>
      <header>
        <span className="tile">
          <NodeIcon name={entry?.icon} />
        </span>
        <div>
          <h2>{own(`node.${node.type}`, entry?.label ?? node.type)}</h2>
          <p className="caption">{node.id}</p>
        </div>
        {!isReadOnly && (
          <IconButton label={say('node.pin')} pressed={isPinned(node)} onClick={onPin}>
            <Pin size={15} aria-hidden />
          </IconButton>
        )}
        {!isReadOnly && (
          <IconButton label={say('node.duplicate')} onClick={onDuplicate}>
            <Copy size={15} aria-hidden />
          </IconButton>
        )}
        {!isReadOnly && (
          <IconButton label={say('node.delete')} onClick={onDelete}>
            <Trash2 size={15} aria-hidden />
          </IconButton>
        )}
      </header>
      {entry === undefined ? (
        <>
          <p className="quiet-text">{say('node.unknown')}</p>
          <FieldProblems problems={problems} />
          <label htmlFor={id}>{say('form.json')}</label>
          <JsonField id={id} value={data} isReadOnly={isReadOnly} onChange={(value) => change(value, 'data')} />
        </>
      ) : (
        <>
          <p className="help">{own(`about.${node.type}`, entry.description)}</p>
          <FieldProblems problems={problems.filter(({ pointer }) => !pointer.startsWith(`/nodes/${index}/data/`))} />
          <Form
            schema={entry.schema}
            value={data}
            onChange={change}
            pointer={`/nodes/${index}/data`}
            hints={hints}
            texts={entry.fields ?? noTexts}
            problems={problems}
            choices={choices}
            widgets={widgets}
            isReadOnly={isReadOnly}
          />
          {node.type === 'api' && can('operate') && (
            <Suspense fallback={null}>
              <SendNow
                data={data}
                variables={variables}
                onAnswer={(answer) => typeof data['saveAs'] === 'string' && onAnswer(data['saveAs'], answer)}
              />
            </Suspense>
          )}
        </>
      )}
    </section>
  );
}

/** No texts: a service of an earlier release sends none. */
const noTexts = {};

/** Exactly the parameters of a template, with the values that were there already. */
function parametersOf(body: string | null | undefined, before: Json | undefined): JsonObject {
  const names = [...(body ?? '').matchAll(/\{\{\s*([^{}]+?)\s*\}\}/g)].map(([, name = '']) => name);
  const known: JsonObject = isRecord(before) ? before : {};
  return Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
}

/** What stands at a path such as `$context.order.id`. */
function valueAt(variables: JsonObject, path: string): Json | undefined {
  const [scope = '', ...steps] = path.slice(1).split('.');
  let value: Json | undefined = scope === 'context' ? variables : undefined;
  for (const step of steps) value = isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

/** What the answer of a call holds, always. */
const answerFields = ['body', 'status', 'headers'];

const isAnswer = ({ nodes }: CanvasJson, path: string): boolean =>
  nodes.some(({ type, data }) => type === 'api' && data?.['saveAs'] === path);

/** What can be read at a node: by the engine's account of the ways to it, or else all that the canvas writes anywhere. */
function variablesFor(canvas: CanvasJson, described: DescribedNode | undefined): FieldChoices['variables'] {
  const { always = [], sometimes = [] } = described ?? {};
  if (always.length + sometimes.length > 0)
    return [
      ...always.map((path) => ({ path, where: 'always' as const })),
      ...sometimes.map((path) => ({ path, where: 'sometimes' as const })),
    ];
  const written = new Set<string>(Object.keys(canvas.variables ?? {}).map((name) => `$context.${name}`));
  const look = (value: unknown, field: string): void => {
    if (typeof value === 'string' && writingFields.has(field) && /^\$(?:context|memory)\.[\w.]+$/.test(value)) written.add(value);
    else if (Array.isArray(value)) for (const item of value) look(item, field);
    else if (isRecord(value)) for (const [name, item] of Object.entries(value)) look(item, name);
  };
  for (const { data, type } of canvas.nodes) {
    look(data, '');
    if (type === 'webhook' && typeof data?.['variableName'] === 'string') written.add(`$webhook.${data['variableName']}.body`);
  }
  return [...written].map((path) => ({ path, where: 'canvas' as const }));
}
const writingFields: ReadonlySet<string> = new Set(['saveAs', 'path']);

/** The settings of the whole workflow. */
export function CanvasSettings({
  canvas,
  onChange,
  isReadOnly,
}: {
  readonly canvas: CanvasJson;
  readonly onChange: (field: 'description' | 'settings' | 'variables', value: Json | undefined) => void;
  readonly isReadOnly: boolean;
}) {
  const say = useWords();
  const id = useId();
  const settings = canvas.settings ?? {};
  const expiry = settings['sessionExpiry'];
  const description = canvas['description'];
  return (
    <section className="node-panel form">
      <h2>{say('editor.settings')}</h2>
      <div className="field">
        <label htmlFor={`${id}-description`}>{say('settings.description')}</label>
        <textarea
          id={`${id}-description`}
          rows={3}
          maxLength={2_000}
          dir="auto"
          readOnly={isReadOnly}
          value={typeof description === 'string' ? description : ''}
          onChange={({ target }) => onChange('description', target.value === '' ? undefined : target.value)}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-expiry`}>{say('settings.sessionExpiry')}</label>
        <DurationWidget
          id={`${id}-expiry`}
          label={say('settings.sessionExpiry')}
          value={expiry}
          isRequired={false}
          isReadOnly={isReadOnly}
          pointer="/settings/sessionExpiry"
          problems={[]}
          examples={['PT24H']}
          onChange={(value) => {
            const { sessionExpiry: _before, ...others } = settings;
            onChange('settings', value === undefined ? others : { ...others, sessionExpiry: value });
          }}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-variables`}>{say('settings.variables')}</label>
        <JsonField
          id={`${id}-variables`}
          value={canvas.variables ?? {}}
          isReadOnly={isReadOnly}
          onChange={(value) => isRecord(value) && onChange('variables', value)}
        />
      </div>
    </section>
  );
}
