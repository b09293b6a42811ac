// Goes on with what ended badly, or with a copy of what stood there before a step.
import { type FormEvent, useId, useState } from 'react';
import type { Json } from '@hilo/engine/contract';
import type { Execution } from '../api/client.ts';
import { readValue } from '../change/accepted.ts';
import { changeWords } from '../change/change-words.ts';
import { textIn } from '../parts/form-text.ts';
import { Dialog } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';

interface ContinueProps {
  readonly execution: Execution;
  readonly onClose: () => void;
}

/** What a retry is made of: those that ended badly. */
export const canRetry = ({ status }: Execution): boolean => status === 'failed' || status === 'expired' || status === 'cancelled';

/** Continues a failed, expired or cancelled execution as a new one. */
export function RetryDialog({ execution, onClose }: ContinueProps) {
  const { executionId, continuedAs } = execution;
  const { client, companyId, go } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const retry = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    act(async () => {
      const { retryExecution } = await client.operations();
      const { executionId: next } = await retryExecution({
        path: { executionId },
        query: { companyId },
        body: {
          version: readVersion(form),
          effect: effects.find((one) => one === form.get('effect')) ?? 'auto',
          ...(form.has('again') && { again: true }),
          ...readSet(form),
        },
      });
      go({ screen: 'execution', executionId: next });
    });
  };
  return (
    <Dialog title={say('continue.retry')} onClose={onClose}>
      <form className="form" onSubmit={retry}>
        <p>{say('continue.retryAbout')}</p>
        <VersionField execution={execution} />
        <label className="field">
          {say('continue.effect')}{' '}
          <select name="effect">
            {effects.map((effect) => (
              <option key={effect} value={effect}>
                {say(`continue.effect.${effect}`)}
              </option>
            ))}
          </select>
        </label>
        <ValueField />
        {(continuedAs ?? null) !== null && (
          <label className="check">
            <input name="again" type="checkbox" required /> {say('continue.again')}
          </label>
        )}
        <Refused reason={reason} />
        <p>
          <button type="submit" className="primary" disabled={isBusy}>
            {say('continue.retry')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

const effects = ['auto', 'repeat', 'keep'] as const;

/** A node by its id, and what it is called. */
export interface NamedNode {
  readonly id: string;
  readonly name: string;
}

interface ForkProps extends ContinueProps {
  /** The index of the event before which the copy begins. */
  readonly before: number;
  /** The nodes of the canvas that the execution ran on. */
  readonly nodes: readonly NamedNode[];
}

/** Begins a copy of an execution as it stood before a step, or goes on with it at another node. */
export function ForkDialog({ execution, before, nodes, onClose }: ForkProps) {
  const { executionId } = execution;
  const { client, companyId, go } = useStudio();
  const say = usePartWords(changeWords);
  const { isBusy, reason, act } = useAct();
  const [ends, setEnds] = useState(false);
  const suggested = useId();
  const fork = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const enter = textIn(form, 'enter').trim();
    act(async () => {
      const { forkExecution } = await client.operations();
      const { executionId: next } = await forkExecution({
        path: { executionId },
        query: { companyId },
        body: { before, version: readVersion(form), ...(enter !== '' && { enter }), ...(ends && { ends }), ...readSet(form) },
      });
      go({ screen: 'execution', executionId: next });
    });
  };
  return (
    <Dialog title={say('continue.fork')} onClose={onClose}>
      <form className="form" onSubmit={fork}>
        <p>{say('continue.forkAbout')}</p>
        <VersionField execution={execution} />
        <label className="field">
          {say('continue.enter')} <input name="enter" dir="auto" list={suggested} placeholder={say('continue.enterNone')} />
        </label>
        <datalist id={suggested}>
          {nodes.map(({ id, name }) => (
            <option key={id} value={id} label={name} />
          ))}
        </datalist>
        <ValueField />
        <label className="check">
          <input type="checkbox" checked={ends} onChange={({ target }) => setEnds(target.checked)} /> {say('continue.ends')}
        </label>
        <Refused reason={reason} />
        <p>
          <button type="submit" className="primary" disabled={isBusy}>
            {say('continue.fork')}
          </button>
        </p>
      </form>
    </Dialog>
  );
}

function VersionField({ execution: { version } }: { readonly execution: Execution }) {
  const say = usePartWords(changeWords);
  return (
    <label className="field">
      {say('continue.version')}{' '}
      <select name="version">
        <option value="latest">{say('continue.latest')}</option>
        <option value="same">{say('continue.same', { version })}</option>
      </select>
    </label>
  );
}

const readVersion = (form: FormData): 'latest' | 'same' => (form.get('version') === 'same' ? 'same' : 'latest');

/** A value for a variable that the version reads and the execution has not. */
function ValueField() {
  const say = usePartWords(changeWords);
  return (
    <label className="field">
      {say('continue.value')} <input name="set" dir="auto" pattern="\s*[\w.$]+\s*=.+" placeholder="$context.brand = Acme" />
    </label>
  );
}

function readSet(form: FormData): { readonly set?: { readonly [path: string]: Json } } {
  const given = textIn(form, 'set');
  const [path, text] = [given.slice(0, given.indexOf('=')).trim(), given.slice(given.indexOf('=') + 1).trim()];
  if (!given.includes('=') || path === '' || text === '') return {};
  return { set: { [path.startsWith('$') ? path : `$context.${path}`]: readValue(text) } };
}
