// The field for the folder of a workflow, with the folders that there are.
import { useId } from 'react';
import { useWords } from '../words/words.tsx';

interface FolderFormProps {
  readonly folder: string;
  readonly folders: readonly string[];
  readonly onMove: (folder: string) => void;
}

export function FolderForm({ folder, folders, onMove }: FolderFormProps) {
  const say = useWords();
  const id = useId();
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        const given = new FormData(event.currentTarget).get('folder');
        onMove(typeof given === 'string' ? given.trim() : '');
      }}
    >
      <div className="field">
        <label htmlFor={id}>{say('workflows.folder')}</label>
        <input id={id} name="folder" type="text" list={`${id}-known`} defaultValue={folder} maxLength={100} dir="auto" autoComplete="off" />
        <datalist id={`${id}-known`}>
          {folders.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
        <p className="help">{say('workflows.folderHelp')}</p>
      </div>
      <button type="submit" className="primary">
        {say('workflows.move')}
      </button>
    </form>
  );
}
