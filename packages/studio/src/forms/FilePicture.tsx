/** The picture of an uploaded file, which is read with the credential of the page: a plain address would be none for a host of its own. */
import { useState } from 'react';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';

/** Larger ones are named alone. */
const maxShownBytes = 4 * 1024 * 1024;

const readAsAddress = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(typeof reader.result === 'string' ? reader.result : ''));
    reader.addEventListener('error', () => reject(reader.error ?? new Error('The file was not read')));
    reader.readAsDataURL(blob);
  });

export default function FilePicture({ handle }: { readonly handle: string }) {
  const { client } = useStudio();
  const [isBroken, setBroken] = useState(false);
  const { value, error } = useLoaded(handle, async () => {
    const { getFile } = await client.operations();
    const response = await getFile({ path: { id: handle } });
    const encoded = /filename\*=UTF-8''(\S+)/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
    const blob = await response.blob();
    const isShown = blob.type.startsWith('image/') && blob.size <= maxShownBytes;
    return { name: decodeURIComponent(encoded), address: isShown ? await readAsAddress(blob) : undefined };
  });
  if (error !== undefined)
    return (
      <span className="caption" title={error}>
        [{handle}]
      </span>
    );
  if (value?.address === undefined || isBroken) return <span className="caption">{value?.name ?? '…'}</span>;
  return <img src={value.address} alt={value.name} onError={() => setBroken(true)} />;
}
