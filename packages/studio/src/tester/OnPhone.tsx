// The dialog by which a draft is tried on a phone: a code for its camera, which opens the web chat of a bot with the draft.
import { useEffect, useState } from 'react';
import { encode } from 'uqr';
import { ApiError } from '../api/client.ts';
import { Dialog } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Copied } from '../settings/Copied.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { phoneWords } from './phone-words.ts';

interface OnPhoneProps {
  readonly workflowId: string;
  /** How many errors the draft has. */
  readonly errors: number;
  readonly onClose: () => void;
}

export function OnPhone({ workflowId, errors, onClose }: OnPhoneProps) {
  const { client, companyId, go, hasScreens } = useStudio();
  const say = usePartWords(phoneWords);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const bots = (references?.bots ?? []).filter(({ channel }) => channel === 'web');
  const { reason, act } = useAct();
  const [chosen, setChosen] = useState<string>();
  const [link, setLink] = useState<{ readonly botId: string; readonly address: string }>();
  const [hasNone, setNone] = useState(false);
  useEffect(() => {
    setLink(undefined);
    act(async () => {
      const body = chosen === undefined ? {} : { botId: chosen };
      try {
        const { botId, path } = await (await client.operations()).makeDraftLink({ path: { workflowId }, query: { companyId }, body });
        setLink({ botId, address: client.serviceUrl(path) });
      } catch (error) {
        if (chosen !== undefined || !(error instanceof ApiError) || error.code !== 'PROVIDER_UNSUPPORTED') throw error;
        setNone(true);
      }
    });
  }, [chosen]);
  const address = link?.address;
  return (
    <Dialog title={say('tester.onPhone')} onClose={onClose}>
      {hasNone ? (
        <p>{say('phone.none')}</p>
      ) : (
        <>
          <p>{say('phone.about')}</p>
          {errors > 0 && <p className="field-problem error">{say('phone.errors', { count: errors })}</p>}
        </>
      )}
      {hasNone && hasScreens && (
        <p>
          <button type="button" onClick={() => go({ screen: 'settings', section: 'bots' })}>
            {say('phone.connect')}
          </button>
        </p>
      )}
      {!hasNone && bots.length > 1 && (
        <label className="field">
          {say('phone.bot')}
          <select value={chosen ?? link?.botId} onChange={({ target }) => setChosen(target.value)}>
            {bots.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <Refused reason={reason} />
      {address !== undefined && (
        <>
          {isOfThisComputer(address) && <p className="caption">{say('phone.local')}</p>}
          <Code text={address} label={say('phone.code')} />
          <Copied label={say('phone.link')} text={address} />
          <p>
            <a href={address} target="_blank" rel="noreferrer">
              {say('phone.open')}
            </a>
          </p>
        </>
      )}
    </Dialog>
  );
}

/** Dark on light in either mode, with the free border that a camera needs. */
function Code({ text, label }: { readonly text: string; readonly label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return (
    <svg className="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <path fill="#fff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000" d={path} />
    </svg>
  );
}

const isOfThisComputer = (address: string): boolean => /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(address).hostname);
