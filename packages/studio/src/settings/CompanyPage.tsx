// What the company is: its name, plan, time zone, fields of contacts, consent, limits and retention.
import type { JsonObject, Problem } from '@hilo/engine/contract';
import { useState } from 'react';
import type { JsonSchema } from '../canvas/canvas-json.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { formValue } from './kinds.ts';
import { problemsOf, RecordForm } from './RecordForm.tsx';
import { settingsWords } from './settings-words.ts';

export function CompanyPage() {
  const { client, companyId } = useStudio();
  const { value, error, reload, isSignedOut } = useLoaded(`company/${companyId}`, async () =>
    (await client.operations()).getCompany({ path: { companyId } }),
  );
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return <CompanyForm company={value.company as JsonObject} schema={value.schema as JsonSchema} />;
}

function CompanyForm({ company, schema }: { readonly company: JsonObject; readonly schema: JsonSchema }) {
  const { client, companyId, can } = useStudio();
  const say = usePartWords(settingsWords);
  const { isBusy, reason, act } = useAct();
  const [value, setValue] = useState(() => formValue(company));
  const [problems, setProblems] = useState<readonly Problem[]>([]);
  const [isSaved, setSaved] = useState(false);
  const save = async (): Promise<void> => {
    setProblems([]);
    setSaved(false);
    try {
      await (await client.operations()).saveCompany({ path: { companyId }, body: value as never });
      setSaved(true);
    } catch (error) {
      setProblems(problemsOf(error));
      throw error;
    }
  };
  return (
    <section aria-label={say('settings.company')}>
      <h2>{say('settings.company')}</h2>
      <form
        className="record-form"
        noValidate // the service says what is missing, in words and at its field
        onSubmit={(event) => {
          event.preventDefault();
          act(save);
        }}
      >
        <RecordForm kind="company" schema={schema} value={value} onChange={setValue} problems={problems} />
        {can('operate') && (
          <button type="submit" className="primary" disabled={isBusy}>
            {say('settings.save')}
          </button>
        )}
        <Refused reason={reason} />
        {isSaved && <p role="status">{say('settings.saved')}</p>}
      </form>
    </section>
  );
}
