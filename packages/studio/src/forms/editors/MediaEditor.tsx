/** The file of a message: an address, a variable, or a file of the author's own, which is uploaded to the service. */
import type { Json } from '@hilo/engine/contract';
import { Upload } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { isRecord } from '../../canvas/canvas-json.ts';
import { Refused, useAct } from '../../parts/use-act.tsx';
import { useStudio } from '../../studio-context.ts';
import { usePartWords } from '../../words/part.ts';
import { problemsAt, useForm } from '../form-context.ts';
import { ExpressionWidget } from '../widgets.tsx';
import type { EditorProps } from './editor-props.ts';
import { editorWords } from './editor-words.ts';

/** What the chooser of files offers for a type of message; everything for others. */
const taken: { readonly [type: string]: string } = { image: 'image/*', audio: 'audio/*', video: 'video/*', sticker: 'image/webp' };

/** The type of the message that a field is in. */
function typeBeside(data: Json, at: string): string {
  const message = at
    .split('.')
    .slice(0, -1)
    .reduce<Json | undefined>((value, name) => (isRecord(value) ? value[name] : undefined), data);
  return isRecord(message) && typeof message['type'] === 'string' ? message['type'] : '';
}

export function MediaEditor({ value, onChange, at, pointer, label, id, isRequired, example }: EditorProps) {
  const { choices, data, problems, isReadOnly } = useForm();
  const { client, companyId, can } = useStudio();
  const say = usePartWords(editorWords);
  const { isBusy, reason, act } = useAct();
  const chooser = useRef<HTMLInputElement>(null);
  /** As it is once the file is there: the message may have been edited meanwhile. */
  const put = useRef(onChange);
  useEffect(() => {
    put.current = onChange;
  });
  const upload = async (file: File): Promise<void> => {
    const { uploadFile } = await client.operations();
    // The service looks at the bytes; it takes no type of a page's that a form of another site could send.
    const headers = { 'x-filename': encodeURIComponent(file.name.toWellFormed()), 'content-type': 'application/octet-stream' };
    put.current((await uploadFile({ path: { companyId }, headers, body: file })).id);
  };
  return (
    <div className="media-editor">
      <ExpressionWidget
        {...{ id, label, value, isRequired, isReadOnly, pointer, choices }}
        problems={problemsAt(pointer, problems)}
        examples={example === undefined ? [] : [example]}
        onChange={(changed) => onChange(changed === '' && !isRequired ? undefined : changed)}
      />
      {!isReadOnly && can('edit') && (
        <>
          <input
            ref={chooser}
            type="file"
            hidden
            aria-label={`${say('made.upload')}: ${label}`}
            accept={taken[typeBeside(data, at)]}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file !== undefined) act(() => upload(file));
              target.value = '';
            }}
          />
          <button type="button" className="quiet" disabled={isBusy} onClick={() => chooser.current?.click()}>
            <Upload size={14} aria-hidden /> {say(isBusy ? 'made.uploading' : 'made.upload')}
          </button>
        </>
      )}
      <Refused reason={reason} />
    </div>
  );
}
