// Brings contacts in from a CSV: its columns are given a meaning, it is counted, and then imported.
import { useId, useState } from 'react';
import { readLines } from '../api/operations.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { Loading } from '../parts/parts.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { type ContactField, readContactFields } from './contact-fields.ts';
import { guessColumns, headChars, isMappable, ownColumns, readHeader, saysWho, writeMap } from './import-columns.ts';
import { importWords } from './import-words.ts';
import { settingsWords } from './settings-words.ts';

/** What an import is, or would be. */
interface Outcome {
  readonly isDryRun: boolean;
  readonly created: number;
  readonly changed: number;
  readonly unchanged: number;
  readonly duplicates: number;
  readonly refused: number;
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}

/** Problems that are shown. */
const maxShown = 20;

export function ImportContacts({ onBack }: { readonly onBack: () => void }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(importWords);
  const sayAll = usePartWords(settingsWords);
  const id = useId();
  const { isBusy, reason, act } = useAct();
  const [file, setFile] = useState<File>();
  const [header, setHeader] = useState<readonly string[]>([]);
  const [meanings, setMeanings] = useState<readonly string[]>([]);
  const [rows, setRows] = useState<number>();
  const [outcome, setOutcome] = useState<Outcome>();
  const { value, error, reload } = useLoaded(`contact-fields/${companyId}`, async () =>
    readContactFields((await (await client.operations()).getCompany({ path: { companyId } })).company),
  );
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  const choose = (chosen: File | undefined) =>
    act(async () => {
      setOutcome(undefined);
      setFile(chosen);
      const names = chosen === undefined ? [] : readHeader(await chosen.slice(0, headChars).text());
      setHeader(names);
      setMeanings(guessColumns(names, value));
    });
  const send = (isDryRun: boolean) =>
    act(async () => {
      setRows(undefined);
      setOutcome(undefined);
      const response = await (await client.operations()).importContacts({
        path: { companyId },
        query: { map: writeMap(header, meanings), dryRun: isDryRun ? 'true' : 'false' },
        body: (await file?.text()) ?? '',
      });
      setOutcome(await readLines<Outcome>(response, (line) => setRows(Number(line['rows']))));
      setRows(undefined);
    });
  const isReady = file !== undefined && saysWho(meanings);
  return (
    <section aria-label={say('import.title')}>
      <button type="button" className="link" onClick={onBack}>
        ← {sayAll('settings.back')}
      </button>
      <h2>{say('import.title')}</h2>
      <form
        className="record-form form"
        onSubmit={(event) => {
          event.preventDefault();
          send(outcome?.isDryRun !== true);
        }}
      >
        <div className="field">
          <label htmlFor={`${id}-file`}>{say('import.file')}</label>
          <input id={`${id}-file`} type="file" accept=".csv,.txt,text/csv" required onChange={({ target }) => choose(target.files?.[0])} />
          <p className="help">{say('import.help')}</p>
        </div>
        {header.length > 0 && (
          <Columns
            header={header}
            meanings={meanings}
            fields={value}
            onChange={(changed) => {
              setOutcome(undefined);
              setMeanings(changed);
            }}
          />
        )}
        {file !== undefined && !isReady && <p className="warn">{say('import.who')}</p>}
        <button type="submit" className="primary" disabled={isBusy || !isReady || outcome?.isDryRun === false}>
          {say(outcome === undefined ? 'import.count' : 'import.begin')}
        </button>
        {rows !== undefined && <p role="status">{say('import.rows', { count: rows })}</p>}
        <Refused reason={reason} />
        {outcome !== undefined && <Told outcome={outcome} />}
      </form>
    </section>
  );
}

interface ColumnsProps {
  readonly header: readonly string[];
  readonly meanings: readonly string[];
  readonly fields: readonly ContactField[];
  readonly onChange: (meanings: readonly string[]) => void;
}

function Columns({ header, meanings, fields, onChange }: ColumnsProps) {
  const say = usePartWords(importWords);
  const id = useId();
  const put = (place: number, meaning: string): void =>
    onChange(meanings.map((one, at) => (at === place ? meaning : one === meaning ? '' : one)));
  return (
    <fieldset>
      <legend>{say('import.columns')}</legend>
      {header.map((name, place) => (
        // Two columns may have one name.
        <div key={`${place} ${name}`} className="field">
          <label htmlFor={`${id}-${place}`} dir="auto">
            {say('import.column', { name })}
          </label>
          <select
            id={`${id}-${place}`}
            value={meanings[place] ?? ''}
            disabled={!isMappable(name)}
            onChange={({ target }) => put(place, target.value)}
          >
            <option value="">{say(isMappable(name) ? 'import.leftOut' : 'import.unmappable')}</option>
            {ownColumns.map((own) => (
              <option key={own} value={own}>
                {say(`import.${own}`)}
              </option>
            ))}
            {fields.map(({ key, label }) => (
              <option key={key} value={key}>
                {label ?? key}
              </option>
            ))}
          </select>
        </div>
      ))}
    </fieldset>
  );
}

function Told({ outcome }: { readonly outcome: Outcome }) {
  const say = usePartWords(importWords);
  const { isDryRun, created, changed, unchanged, duplicates, refused, problems } = outcome;
  return (
    <div role="status">
      <p>{say(isDryRun ? 'import.would' : 'import.done', { created, changed, unchanged, duplicates, refused })}</p>
      {problems.length > 0 && (
        <ul className="warn">
          {problems.slice(0, maxShown).map(({ line, problem }) => (
            <li key={`${line} ${problem}`} dir="auto">
              {say('import.line', { line, problem })}
            </li>
          ))}
          {problems.length > maxShown && <li>{say('import.moreProblems')}</li>}
        </ul>
      )}
    </div>
  );
}
