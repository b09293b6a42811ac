// A file that a user sent, for whoever answers. Where its provider has it, only the bot may look: the service fetches it by its handle.
import type { JsonObject } from '@hilo/engine/contract';
import { useEffect, useState } from 'react';
import { saveFile } from '../parts/save-file.ts';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

interface UserFileProps {
  readonly handle: string;
  /** What it is called where it is opened. */
  readonly name: string;
  /** Pictures are shown at once, and are read out as this text. */
  readonly picture: { readonly text: string } | undefined;
}

/** The handle of the file that a user's message came with, if it came with one. */
export const fileHandleOf = ({ file }: JsonObject): string | undefined =>
  typeof file === 'string' && file.startsWith('file_') ? file : undefined;

/** The name that the service gives a file: the header is percent-encoded UTF-8, as of RFC 8187. */
export function nameInDisposition(disposition: string | null, otherwise: string): string {
  try {
    return decodeURIComponent(/filename\*=UTF-8''([^;]*)/.exec(disposition ?? '')?.[1] ?? '') || otherwise;
  } catch {
    return otherwise;
  }
}

/** The file as something to save, and a picture also as one to look at. Reasons why it is not to be had are told beside it. */
export function UserFile({ handle, name, picture }: UserFileProps) {
  const { client } = useStudio();
  const [reason, setReason] = useState<string>();
  const fetchFile = async (): Promise<Response> => (await client.operations()).getFile({ path: { id: handle } });
  const save = async (): Promise<void> => {
    setReason(undefined);
    try {
      const answer = await fetchFile();
      saveFile(nameInDisposition(answer.headers.get('content-disposition'), name), await answer.blob());
    } catch (error) {
      setReason(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      {picture !== undefined && <UserPicture handle={handle} text={picture.text} read={async () => (await fetchFile()).blob()} />}
      <span className="text">
        <button type="button" className="link" onClick={() => void save()}>
          <span dir="auto">{name}</span>
        </button>
        {reason !== undefined && (
          <span className="caption" role="status">
            {' '}
            {reason}
          </span>
        )}
      </span>
    </>
  );
}

/** A picture, or nothing while it is not there: whoever opens the file is told why. */
function UserPicture({ handle, text, read }: { readonly handle: string; readonly text: string; readonly read: () => Promise<Blob> }) {
  const { value: content } = useLoaded(handle, read);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (content === undefined) return;
    const made = URL.createObjectURL(content);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [content]);
  return address === undefined ? null : <img src={address} alt={text} />;
}
