// The form of a node.
import type { DescribedNode } from '@hilo/engine/authoring';
import type { JsonObject, Problem } from '@hilo/engine/contract';
import { Copy, Pin, Trash2 } from 'lucide-react';
import { lazy, Suspense, useId, useLayoutEffect, useMemo, useRef } from 'react';
import { loadPart } from '../parts/load-part.ts';
import { type CanvasJson, isPinned, type NodeJson } from '../canvas/canvas-json.ts';
import { hintsOf } from '../forms/editors/index.ts';
import { Form } from '../forms/Form.tsx';
import { JsonField } from '../forms/JsonField.tsx';
import { FieldProblems } from '../forms/problems.tsx';
import { NodeIcon } from '../parts/icons.tsx';
import { IconButton } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import { useLanguage } from '../words/words.tsx';
import { type DataActs, useDataChange } from './use-data-change.ts';
import { useFieldChoices } from './use-field-choices.ts';

const SendNow = lazy(() => loadPart(() => import('./SendNow.tsx').then((module) => ({ default: module.SendNow }))));

interface NodePanelProps extends DataActs {
  readonly node: NodeJson;
  readonly canvas: CanvasJson;
  readonly described: DescribedNode | undefined;
  readonly problems: readonly Problem[];
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
  const { catalogue, can, widgets } = useStudio();
  const { say, own } = useLanguage();
  const id = useId();
  const entry = catalogue.get(node.type);
  const index = canvas.nodes.indexOf(node);
  const hints = useMemo(() => hintsOf(node.type, entry?.formHints ?? {}), [node.type, entry]);
  const { choices, references } = useFieldChoices({ canvas, described, hints, variables });
  const isReadOnly = !can('edit');
  const data = node.data ?? {};
  const change = useDataChange({ node, canvas, choices, isLoaded: references !== undefined, onData, onRename });
  /** The form begins at its first field, wherever the one before had been left. */
  const top = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    top.current?.closest('.side')?.scrollTo(0, 0);
  }, []);
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
        {!isReadOnly && <NodeButtons isPinned={isPinned(node)} {...{ onPin, onDuplicate, onDelete }} />}
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

function NodeButtons({
  isPinned: isFixed,
  onPin,
  onDuplicate,
  onDelete,
}: Pick<NodePanelProps, 'onPin' | 'onDuplicate' | 'onDelete'> & { readonly isPinned: boolean }) {
  const { say } = useLanguage();
  return (
    <>
      <IconButton label={say('node.pin')} pressed={isFixed} onClick={onPin}>
        <Pin size={15} aria-hidden />
      </IconButton>
      <IconButton label={say('node.duplicate')} onClick={onDuplicate}>
        <Copy size={15} aria-hidden />
      </IconButton>
      <IconButton label={say('node.delete')} onClick={onDelete}>
        <Trash2 size={15} aria-hidden />
      </IconButton>
    </>
  );
}

/** No texts: a service of an earlier release sends none. */
const noTexts = {};
