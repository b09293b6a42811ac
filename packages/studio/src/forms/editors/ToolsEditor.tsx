/** What an agent may do: tools that are picked from the workflows and functions of the company, and from servers. */
import type { Json, JsonObject } from '@hilo/engine/contract';
import { X } from 'lucide-react';
import { useId, useState } from 'react';
import { isRecord, pointerTo, shownText } from '../../canvas/canvas-json.ts';
import { IconButton } from '../../parts/parts.tsx';
import { Refused, useAct } from '../../parts/use-act.tsx';
import { useStudio } from '../../studio-context.ts';
import { usePartWords } from '../../words/part.ts';
import { useWords } from '../../words/words.tsx';
import { problemsAt, useFieldText, useForm } from '../form-context.ts';
import { FieldProblems, useLeft } from '../problems.tsx';
import { withField } from '../shape.ts';
import type { EditorProps } from './editor-props.ts';
import { FieldsEditor } from './FieldsEditor.tsx';
import { editorWords } from './editor-words.ts';
import { functionTool, isTools, type ListedTool, pickFunctions, serverTool, type ToolKind, toolKinds, workflowTool } from './tools.ts';

export function ToolsEditor({ value, onChange, pointer, label, id }: EditorProps) {
  const say = usePartWords(editorWords);
  const { isReadOnly, choices } = useForm();
  const tools = isTools(value) ? (value ?? []) : [];
  const add = (tool: JsonObject): void => onChange([...tools, tool]);
  return (
    <div className="rule">
      {tools.map((tool, index) => (
        <Tool
          key={index}
          tool={tool}
          label={`${label}: ${say('made.tool', { number: index + 1 })}`}
          pointer={pointerTo(pointer, String(index))}
          id={index === 0 ? id : `${id}-${index}`}
          onChange={(changed) => onChange(tools.with(index, changed))}
          onRemove={() => onChange(tools.length === 1 ? undefined : tools.toSpliced(index, 1))}
        />
      ))}
      {!isReadOnly && (
        <>
          <Picker
            kind="workflow"
            items={choices.workflows.filter(({ kind }) => kind === undefined || kind === 'tool')}
            onPick={(item) => add(workflowTool(item, tools))}
          />
          <Picker
            kind="function"
            items={pickFunctions(choices.functions).map((item, index) => ({
              item,
              id: String(index),
              name: item.tool === undefined ? item.name : `${item.name}: ${item.tool.name}`,
            }))}
            onPick={({ item }) => add(functionTool(item, tools))}
          />
          <ServerPicker tools={tools} onPick={(server, tool) => add(serverTool(server, tool, tools))} />
        </>
      )}
      {tools.length > 0 && <p className="help">{say('made.details')}</p>}
    </div>
  );
}

interface PickerProps<Item> {
  readonly kind: Exclude<ToolKind, 'mcp'>;
  readonly items: readonly Item[];
  readonly onPick: (item: Item) => void;
}

function Picker<Item extends { readonly id: string; readonly name: string }>({ kind, items, onPick }: PickerProps<Item>) {
  const say = usePartWords(editorWords);
  const id = useId();
  if (items.length === 0) return null;
  return (
    <span className="sentence">
      <label htmlFor={id}>
        {say('made.addTool')} {say(`made.toolOf.${kind}`)}
      </label>
      <select
        id={id}
        value=""
        onChange={({ target }) => {
          const found = items.find((one) => one.id === target.value);
          if (found !== undefined) onPick(found);
        }}
      >
        <option value="">{say('made.choose')}</option>
        {items.map((one) => (
          <option key={one.id} value={one.id}>
            {one.name}
          </option>
        ))}
      </select>
    </span>
  );
}

interface ServerPickerProps {
  readonly tools: readonly JsonObject[];
  readonly onPick: (server: { readonly url: string; readonly credentialId: string }, tool: ListedTool) => void;
}

/** Lists the tools of a server, and takes those that are wanted. */
function ServerPicker({ tools, onPick }: ServerPickerProps) {
  const say = usePartWords(editorWords);
  const { client, companyId } = useStudio();
  const { choices } = useForm();
  const { isBusy, reason, act } = useAct();
  const id = useId();
  const [server, setServer] = useState({ url: '', credentialId: '' });
  const [listed, setListed] = useState<readonly ListedTool[]>();
  const list = async (): Promise<void> => {
    setListed(undefined);
    const { credentialId } = server;
    const body = { url: server.url.trim(), ...(credentialId !== '' && { credentialId }) };
    setListed((await (await client.operations()).listServerTools({ query: { companyId }, body })).tools);
  };
  const isTaken = (name: string): boolean => tools.some((tool) => tool['url'] === server.url.trim() && tool['tool'] === name);
  return (
    <details className="more">
      <summary>
        {say('made.addTool')} {say('made.toolOf.mcp')}
      </summary>
      <div className="field">
        <label htmlFor={`${id}-url`}>{say('made.server')}</label>
        <input
          id={`${id}-url`}
          type="url"
          value={server.url}
          placeholder="https://tools.example.com/mcp"
          onChange={({ target }) => setServer({ ...server, url: target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor={`${id}-credential`}>{say('made.credential')}</label>
        <select
          id={`${id}-credential`}
          value={server.credentialId}
          onChange={({ target }) => setServer({ ...server, credentialId: target.value })}
        >
          <option value="">{say('made.noCredential')}</option>
          {choices.credentials.map((one) => (
            <option key={one.id} value={one.id}>
              {one.name}
            </option>
          ))}
        </select>
      </div>
      <button type="button" disabled={isBusy || server.url.trim() === ''} onClick={() => act(list)}>
        {say('made.list')}
      </button>
      <Refused reason={reason} />
      {listed !== undefined && (
        <>
          <p role="status">{say('made.listed', { count: listed.length })}</p>
          <ul className="list">
            {listed.map((tool) => (
              <li key={tool.name}>
                <span dir="auto">
                  <b>{tool.name}</b> {tool.description}
                </span>{' '}
                <button
                  type="button"
                  className="quiet"
                  aria-label={`${say(isTaken(tool.name) ? 'made.taken' : 'made.take')}: ${tool.name}`}
                  disabled={isTaken(tool.name)}
                  onClick={() => onPick({ ...server, url: server.url.trim() }, tool)}
                >
                  {say(isTaken(tool.name) ? 'made.taken' : 'made.take')}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </details>
  );
}

interface ToolProps extends Pick<EditorProps, 'label' | 'pointer' | 'id'> {
  readonly tool: JsonObject;
  readonly onChange: (tool: JsonObject) => void;
  readonly onRemove: () => void;
}

function Tool({ tool, label, pointer, id, onChange, onRemove }: ToolProps) {
  const say = usePartWords(editorWords);
  const words = useWords();
  const textOf = useFieldText();
  const { isReadOnly, problems } = useForm();
  const { isShown, onBlur } = useLeft();
  const { name, description, confirm, risk } = tool;
  const kind = toolKinds.find((one) => one === tool['kind']) ?? 'workflow';
  const calls = tool[kind === 'workflow' ? 'workflowId' : kind === 'function' ? 'functionId' : 'tool'];
  const put = (field: string, changed: Json | undefined): void => onChange(withField(tool, field, changed));
  const question = isRecord(confirm) ? confirm['text'] : undefined;
  return (
    <div className="assignment" data-pointer={pointer} onBlur={onBlur}>
      <span className="caption" dir="auto">
        {say(`made.toolOf.${kind}`)}: {typeof calls === 'string' ? calls : ''}
      </span>
      <div className="sentence" data-pointer={pointerTo(pointer, 'name')}>
        <input
          id={id}
          type="text"
          aria-label={`${label}: ${say('made.name')}`}
          value={typeof name === 'string' ? name : ''}
          readOnly={isReadOnly}
          spellCheck={false}
          onChange={({ target }) => put('name', target.value)}
        />
        {!isReadOnly && (
          <IconButton label={`${words('form.remove')}: ${shownText(name ?? label)}`} onClick={onRemove}>
            <X size={12} aria-hidden />
          </IconButton>
        )}
      </div>
      <textarea
        rows={2}
        aria-label={`${label}: ${say('made.does')}`}
        value={typeof description === 'string' ? description : ''}
        readOnly={isReadOnly}
        maxLength={1_000}
        dir="auto"
        onChange={({ target }) => put('description', target.value)}
      />
      <label className="sentence">
        {textOf('tools.risk')?.label ?? 'risk'}
        <select
          value={typeof risk === 'string' ? risk : ''}
          disabled={isReadOnly}
          onChange={({ target }) => put('risk', target.value === '' ? undefined : target.value)}
        >
          <option value="">—</option>
          {['read', 'change', 'money'].map((one) => (
            <option key={one} value={one}>
              {textOf(`tools.risk=${one}`)?.label ?? one}
            </option>
          ))}
        </select>
      </label>
      <label>
        <input
          type="checkbox"
          checked={isRecord(confirm)}
          disabled={isReadOnly}
          onChange={({ target }) => put('confirm', target.checked ? { text: '' } : undefined)}
        />{' '}
        {say('made.confirm')}
      </label>
      {isRecord(confirm) && (
        <input
          type="text"
          aria-label={`${label}: ${say('made.question')}`}
          placeholder={say('made.question')}
          value={typeof question === 'string' ? question : ''}
          readOnly={isReadOnly}
          dir="auto"
          onChange={({ target }) => put('confirm', { ...confirm, text: target.value })}
        />
      )}
      {kind !== 'mcp' && (
        <FieldsEditor
          value={tool['inputs']}
          onChange={(inputs) => onChange({ ...tool, inputs: inputs ?? {} })}
          label={`${label}: ${say('made.inputs')}`}
          pointer={pointerTo(pointer, 'inputs')}
          id={`${id}-inputs`}
        />
      )}
      {isShown && <FieldProblems problems={problemsAt(pointer, problems, true)} />}
    </div>
  );
}
