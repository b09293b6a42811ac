// The tools above the list of workflows.
import { Archive, Plus, Search, Upload } from 'lucide-react';
import { type RefObject, useRef } from 'react';
import { useStudio } from '../studio-context.ts';
import { useNames, useWords } from '../words/words.tsx';
import { draftStateNamed } from './draft-states.ts';
import { sorts, type WorkflowFilter } from './workflow-filter.ts';

interface WorkflowToolsProps {
  readonly filter: WorkflowFilter;
  readonly folders: readonly string[];
  readonly search: RefObject<HTMLInputElement | null>;
  readonly onFilter: (changed: Partial<WorkflowFilter>) => void;
  readonly onImport: (file: File | undefined) => void;
  readonly onNew: () => void;
}

/** Finds workflows of a company, and adds one. */
export function WorkflowTools({ filter, folders, search, onFilter, onImport, onNew }: WorkflowToolsProps) {
  const { can } = useStudio();
  const say = useWords();
  const kindWord = useNames('kind');
  const file = useRef<HTMLInputElement>(null);
  return (
    <div className="page-tools" role="group" aria-label={say('workflows.actionsOfAll')}>
      <label className="search">
        <Search size={15} aria-hidden />
        <input
          ref={search}
          type="search"
          value={filter.text}
          aria-label={say('workflows.search')}
          placeholder={say('workflows.search')}
          onChange={({ target }) => onFilter({ text: target.value })}
        />
      </label>
      <select aria-label={say('workflows.kind')} value={filter.kind} onChange={({ target }) => onFilter({ kind: target.value })}>
        <option value="">{say('workflows.allKinds')}</option>
        {(['skill', 'tool'] as const).map((one) => (
          <option key={one} value={one}>
            {kindWord(one)}
          </option>
        ))}
      </select>
      {folders.length > 0 && (
        <select
          aria-label={say('workflows.folder')}
          value={filter.folder === undefined ? '' : `=${filter.folder}`}
          onChange={({ target }) => onFilter({ folder: target.value === '' ? undefined : target.value.slice(1) })}
        >
          <option value="">{say('workflows.allFolders')}</option>
          {folders.map((one) => (
            <option key={one} value={`=${one}`}>
              {one}
            </option>
          ))}
          <option value="=">{say('workflows.noFolder')}</option>
        </select>
      )}
      <select
        aria-label={say('workflows.draft')}
        value={filter.state ?? ''}
        onChange={({ target }) => onFilter({ state: draftStateNamed(target.value) })}
      >
        <option value="">{say('workflows.allStates')}</option>
        {(['never', 'published', 'changed', 'problems'] as const).map((one) => (
          <option key={one} value={one}>
            {say(`workflows.in.${one}`)}
          </option>
        ))}
      </select>
      <select
        aria-label={say('workflows.sort')}
        value={filter.sort}
        onChange={({ target }) => onFilter({ sort: sorts.find((one) => one === target.value) ?? 'name' })}
      >
        {sorts.map((one) => (
          <option key={one} value={one}>
            {say(`workflows.by.${one}`)}
          </option>
        ))}
      </select>
      <button type="button" aria-pressed={filter.isArchive} onClick={() => onFilter({ isArchive: !filter.isArchive })}>
        <Archive size={15} aria-hidden /> {say('workflows.archived')}
      </button>
      <span className="spring" />
      {can('edit') && (
        <button type="button" onClick={() => file.current?.click()}>
          <Upload size={15} aria-hidden /> {say('workflows.import')}
        </button>
      )}
      <input
        ref={file}
        type="file"
        accept="application/json,.json"
        hidden
        aria-label={say('workflows.import')}
        onChange={({ target }) => {
          onImport(target.files?.[0]);
          target.value = ''; // so that the same file, once mended, can be chosen again
        }}
      />
      {can('edit') && (
        <button type="button" className="primary" onClick={onNew}>
          <Plus size={15} aria-hidden /> {say('workflows.new')}
        </button>
      )}
    </div>
  );
}
