// Search over a canvas and everything that can be done to it.
import type { Problem } from '@hilo/engine/contract';
import { type KeyboardEvent, useId, useMemo, useState } from 'react';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { Dialog } from '../parts/parts.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { useProblemText } from '../words/problem-words.ts';
import { useLanguage } from '../words/words.tsx';
import type { Panel } from './editor-store.ts';
import { textsOf, variablesIn } from './search-canvas.ts';

/** What choosing a result does. */
export interface SearchActs {
  readonly onNode: (nodeId: string) => void;
  readonly onProblem: (problem: Problem) => void;
  readonly onAdd: (type: string) => void;
  readonly onTidy: () => void;
  readonly onPublish: () => void;
  readonly onPanel: (panel: Panel) => void;
}

interface Result {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
  readonly about: string;
  readonly choose: () => void;
}

const maxShown = 30;

interface SearchDialogProps {
  readonly canvas: CanvasJson;
  readonly problems: readonly Problem[];
  /** What was typed before it was there. */
  readonly typed: { readonly current: string };
  readonly acts: SearchActs;
  readonly onClose: () => void;
}

/** Everything by one search: commands, nodes and their texts, variables, problems, other workflows. */
export function SearchDialog({ canvas, problems, typed, acts, onClose }: SearchDialogProps) {
  const textOf = useProblemText();
  const nameOf = useNodeName(canvas);
  const { client, companyId, catalogue, go, can } = useStudio();
  const { say, own } = useLanguage();
  const list = useId();
  const [text, setText] = useState(typed.current);
  const [at, setAt] = useState(0);
  const { value: workflows } = useLoaded(`workflows/${companyId}`, () => client.workflows(companyId));
  const all = useMemo((): readonly Result[] => {
    const result = (kind: string, key: string, shown: string, about: string, choose: () => void): Result => ({
      key: `${kind}/${key}`,
      kind,
      text: shown,
      about,
      choose,
    });
    const command = (key: string, shown: string, choose: () => void): Result => result(say('search.command'), key, shown, '', choose);
    return [
      ...(can('test') ? [command('test', say('editor.test'), () => acts.onPanel('test'))] : []),
      ...(can('publish') ? [command('publish', say('editor.publish'), acts.onPublish)] : []),
      ...(can('edit') ? [command('tidy', say('editor.tidy'), acts.onTidy)] : []),
      command('outline', say('editor.outline'), () => acts.onPanel('outline')),
      command('settings', say('editor.settings'), () => acts.onPanel('settings')),
      command('executions', say('editor.executions'), () => go({ screen: 'executions', workflowId: canvas.id })),
      command('versions', say('editor.versions'), () => go({ screen: 'versions', workflowId: canvas.id })),
      ...problems.map((problem, index) =>
        result(
          say('problems.title'),
          String(index),
          textOf(problem).message,
          problem.nodeId === undefined ? '' : nameOf(problem.nodeId),
          () => acts.onProblem(problem),
        ),
      ),
      ...canvas.nodes.map((node) => {
        const name = nameOf(node.id);
        return result(say('search.node'), node.id, name, [...textsOf(node.data), node.id].join(' · '), () => acts.onNode(node.id));
      }),
      ...variablesIn(canvas).map(({ path, writtenAt, readAt }) =>
        result(say('search.variable'), path, path, say('search.places', { writes: writtenAt.length, reads: readAt.length }), () =>
          acts.onNode(writtenAt[0] ?? readAt[0] ?? ''),
        ),
      ),
      ...(workflows?.results ?? []).map(({ workflowId, name }) =>
        result(say('executions.workflow'), workflowId, name, workflowId, () => go({ screen: 'editor', workflowId })),
      ),
      ...(can('edit')
        ? [...catalogue.values()].map((entry) => {
            const name = own(`node.${entry.type}`, entry.label);
            return result(say('form.add'), entry.type, say('search.add', { name }), own(`about.${entry.type}`, entry.description), () =>
              acts.onAdd(entry.type),
            );
          })
        : []),
    ];
  }, [canvas, problems, catalogue, workflows]);
  const wanted = text.trim().toLowerCase().split(/\s+/);
  const found = all.filter((result) =>
    wanted.every((word) => `${result.kind} ${result.text} ${result.about}`.toLowerCase().includes(word)),
  );
  const shown = found.slice(0, maxShown);
  const choose = (result: Result | undefined): void => {
    if (result === undefined) return;
    onClose();
    result.choose();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const moves = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (moves !== undefined) setAt((Math.min(at, shown.length - 1) + moves + shown.length) % Math.max(1, shown.length));
    else if (event.key === 'Enter') choose(shown[at]);
    else if (event.key === 'Escape')
      onClose(); // a field for searches would take the first one for itself
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={say('search.title')} onClose={onClose} wide>
      <input
        type="search"
        role="combobox"
        autoFocus
        aria-label={say('search.title')}
        aria-expanded
        aria-controls={list}
        {...(shown[at] !== undefined && { 'aria-activedescendant': `${list}-${at}` })}
        placeholder={say('search.hint')}
        value={text}
        onKeyDown={onKeyDown}
        onChange={({ target }) => {
          setText(target.value);
          setAt(0);
        }}
      />
      <ul className="found" role="listbox" id={list} aria-label={say('search.title')}>
        {shown.map((result, index) => (
          <li key={result.key} id={`${list}-${index}`} role="option" aria-selected={index === at} onClick={() => choose(result)}>
            <span className="caption">{result.kind}</span> <b dir="auto">{result.text}</b>{' '}
            <span className="caption" dir="auto">
              {result.about.slice(0, 120)}
            </span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="quiet-text">{say('search.none')}</p>}
    </Dialog>
  );
}
