// The dialog by which a draft is tried on a phone: a code for its camera, which opens the web chat of a bot with the draft.
import type { Problem } from '@hilo/engine/contract';
import { useEffect, useState } from 'react';
import { encode } from 'uqr';
import type { CanvasJson } from '../canvas/canvas-json.ts';
import { useNodeName } from '../canvas/node-name.ts';
import { ApiError } from '../api/client.ts';
import { Dialog } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Copied } from '../settings/Copied.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useProblemText } from '../words/problem-words.ts';
import { phoneWords } from './phone-words.ts';

interface OnPhoneProps {
  readonly canvas: CanvasJson;
  /** What keeps the draft from running: a link to it would lead to a chat that is silent. */
  readonly errors: readonly Problem[];
  /** Opens the field of a problem. */
  readonly onShow: (problem: Problem) => void;
  readonly onClose: () => void;
}

export function OnPhone({ canvas, errors, onShow, onClose }: OnPhoneProps) {
  const say = usePartWords(phoneWords);
  return (
    <Dialog title={say('tester.onPhone')} onClose={onClose}>
      {errors.length > 0 ? <InTheWay {...{ canvas, errors, onShow }} /> : <Link workflowId={canvas.id} />}
    </Dialog>
  );
}

/** So many problems are listed: the panel of problems has them all. */
const maxListed = 10;

/** What is to be mended first, each with the way to its field. */
function InTheWay({ canvas, errors, onShow }: Omit<OnPhoneProps, 'onClose'>) {
  const say = usePartWords(phoneWords);
  const textOf = useProblemText();
  const nameOf = useNodeName(canvas);
  return (
    <>
      <p>{say('phone.errors', { count: errors.length })}</p>
      <ul className="problems">
        {errors.slice(0, maxListed).map((problem, index) => (
          <li key={index} className="error">
            <p dir="auto">{textOf(problem).message}</p>
            <p className="places">
              <button type="button" className="link" onClick={() => onShow(problem)}>
                {problem.nodeId === undefined ? say('phone.show') : nameOf(problem.nodeId)}
              </button>
            </p>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The link to the draft as it is saved, as a code; or why there is none. */
function Link({ workflowId }: { readonly workflowId: string }) {
  const { client, companyId, go, hasScreens } = useStudio();
  const say = usePartWords(phoneWords);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  const bots = (references?.bots ?? []).filter(({ channel }) => channel === 'web');
  const { reason, act } = useAct();
  const [chosen, setChosen] = useState<string>();
  const [link, setLink] = useState<{ readonly botId: string; readonly address: string }>();
  const [without, setWithout] = useState<'bot' | 'page'>();
  useEffect(() => {
    setLink(undefined);
    act(async () => {
      const body = chosen === undefined ? {} : { botId: chosen };
      try {
        const { botId, path } = await (await client.operations()).makeDraftLink({ path: { workflowId }, query: { companyId }, body });
        const address = client.serviceUrl(path);
        if (await isMissing(address)) setWithout('page');
        else setLink({ botId, address });
      } catch (error) {
        if (chosen !== undefined || !(error instanceof ApiError) || error.code !== 'PROVIDER_UNSUPPORTED') throw error;
        setWithout('bot');
      }
    });
  }, [chosen]);
  const address = link?.address;
  if (without === 'page') return <p>{say('phone.noPage')}</p>;
  if (without === 'bot')
    return (
      <>
        <p>{say('phone.none')}</p>
        {hasScreens && (
          <p>
            <button type="button" onClick={() => go({ screen: 'settings', section: 'bots' })}>
              {say('phone.connect')}
            </button>
          </p>
        )}
      </>
    );
  return (
    <>
      <p>{say('phone.about')}</p>
      {bots.length > 1 && (
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
    </>
  );
}

/** Whether the service has no page of its chat, as one that was installed without it; one that cannot be asked from here may have it. */
const isMissing = (address: string): Promise<boolean> =>
  fetch(address).then(
    ({ status }) => status === 404,
    () => false,
  );

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
