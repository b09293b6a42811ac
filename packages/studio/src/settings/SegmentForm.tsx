// A segment of the company: its condition in lines or as an expression, whom it fits now, and its removal.
import { useId, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { accessWords } from './access-words.ts';
import type { ContactField } from './contact-fields.ts';
import { ReallyDialog } from './ReallyDialog.tsx';
import { readRules, type Rules, subjectsOf, writeRules } from './segment-rules.ts';
import { segmentWords } from './segment-words.ts';
import { beginRule, SegmentRules } from './SegmentRules.tsx';
import { settingsWords } from './settings-words.ts';

type Segment = Awaited<ReturnType<Operations['getSegment']>>;

interface SegmentFormProps {
  readonly segment: Segment | undefined;
  readonly fields: readonly ContactField[];
  /** The groups that there are. */
  readonly groups: readonly string[];
  readonly onChanged: () => void;
}

export function SegmentForm({ segment, fields, groups, onChanged }: SegmentFormProps) {
  const { client, companyId, go, can } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const form = useId();
  const { isBusy, reason, act } = useAct();
  const [name, setName] = useState(segment?.name ?? '');
  const { condition, editor, matches, setMatches } = useCondition(segment?.condition, subjectsOf(fields));
  const [isRemoving, setRemoving] = useState(false);
  const back = () => go({ screen: 'settings', section: 'groups' });
  const leave = (): void => {
    onChanged();
    back();
  };
  const count = () =>
    act(async () => {
      setMatches(undefined);
      const { contacts, examples } = await (await client.operations()).previewSegment({ path: { companyId }, body: { condition } });
      setMatches({ contacts, examples: examples.map(({ names, id }) => names ?? id) });
    });
  const save = () =>
    act(async () => {
      await (await client.operations()).saveSegment({ path: { companyId, segment: name.trim() }, body: { condition } });
      leave();
    });
  const remove = () =>
    act(async () => {
      setRemoving(false);
      await (await client.operations()).removeSegment({ path: { companyId, segment: name } });
      leave();
    });
  return (
    <section aria-label={segment?.name ?? say('groups.addSegment')}>
      <button type="button" className="link" onClick={back}>
        ← {sayAll('settings.back')}
      </button>
      <h2 dir="auto">{segment?.name ?? say('groups.addSegment')}</h2>
      <form
        className="record-form form"
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        {segment === undefined && (
          <div className="field">
            <label htmlFor={`${form}-name`}>{sayAll('settings.name')}</label>
            <input id={`${form}-name`} required value={name} dir="auto" onChange={({ target }) => setName(target.value)} />
          </div>
        )}
        <ConditionEditor {...editor} groups={groups} />
        <Refused reason={reason} />
        {matches !== undefined && <Matched matches={matches} />}
        <p className="buttons">
          {can('operate') && (
            <button type="submit" className="primary" disabled={isBusy}>
              {sayAll('settings.save')}
            </button>
          )}
          <button type="button" disabled={isBusy || condition.trim() === ''} onClick={count}>
            {say('groups.count')}
          </button>
          {segment !== undefined && can('operate') && (
            <button type="button" disabled={isBusy} onClick={() => setRemoving(true)}>
              {sayAll('settings.remove')}
            </button>
          )}
        </p>
      </form>
      {isRemoving && (
        <ReallyDialog
          action={sayAll('settings.remove')}
          question={say('groups.reallyRemoveSegment', { name })}
          onDo={remove}
          onClose={() => setRemoving(false)}
        />
      )}
    </section>
  );
}

/** The people that a condition fits now. */
interface Matches {
  readonly contacts: number;
  readonly examples: readonly string[];
}

/** The condition of a segment in lines, where lines can say it, or as an expression; a change forgets whom it fitted. */
function useCondition(saved: string | undefined, subjects: ReturnType<typeof subjectsOf>) {
  const [text, setText] = useState(saved ?? '');
  const [rules, setRules] = useState<Rules | undefined>(() =>
    saved === undefined ? { join: 'all', rules: subjects.slice(0, 1).map(beginRule) } : readRules(saved, subjects),
  );
  const [matches, setMatches] = useState<Matches>();
  const condition = rules === undefined ? text : (writeRules(rules, subjects) ?? '');
  const editor = {
    text,
    rules,
    subjects,
    onText(changed: string): void {
      setMatches(undefined);
      setText(changed);
    },
    onRules(changed: Rules): void {
      setMatches(undefined);
      setRules(changed);
    },
    onAsText(): void {
      setText(condition);
      setRules(undefined);
    },
  };
  return { condition, editor, matches, setMatches };
}

type ConditionEditorProps = ReturnType<typeof useCondition>['editor'] & { readonly groups: readonly string[] };

function ConditionEditor({ text, rules, subjects, groups, onText, onRules, onAsText }: ConditionEditorProps) {
  const { can } = useStudio();
  const say = usePartWords(segmentWords);
  if (rules === undefined) return <AsText value={text} onChange={onText} asRules={readRules(text, subjects)} onRules={onRules} />;
  return (
    <>
      <SegmentRules value={rules} subjects={subjects} groups={groups} isFixed={!can('operate')} onChange={onRules} />
      <button type="button" className="link" onClick={onAsText}>
        {say('segment.asText')}
      </button>
    </>
  );
}

function Matched({ matches: { contacts, examples } }: { readonly matches: Matches }) {
  const say = usePartWords(accessWords);
  return (
    <p role="status" dir="auto">
      {say('groups.counted', { count: contacts })}
      {examples.length > 0 && <>, {say('groups.examples', { names: examples.join(', ') })}</>}.
    </p>
  );
}

interface AsTextProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The same in lines, where lines can say it. */
  readonly asRules: Rules | undefined;
  readonly onRules: (rules: Rules) => void;
}

function AsText({ value, onChange, asRules, onRules }: AsTextProps) {
  const { can } = useStudio();
  const say = usePartWords(accessWords);
  const sayOfRules = usePartWords(segmentWords);
  const form = useId();
  return (
    <>
      <div className="field">
        <label htmlFor={`${form}-condition`}>{say('groups.condition')}</label>
        <textarea
          id={`${form}-condition`}
          className="code"
          rows={3}
          required
          spellCheck={false}
          readOnly={!can('operate')}
          placeholder={'user.fields.city == "Lima" && user.lastInboundAt > now() - duration("P30D")'}
          value={value}
          aria-describedby={`${form}-help`}
          onChange={({ target }) => onChange(target.value)}
        />
        <p className="help" id={`${form}-help`}>
          {say('groups.conditionHelp')}
        </p>
      </div>
      {asRules !== undefined ? (
        <button type="button" className="link" onClick={() => onRules(asRules)}>
          {sayOfRules('segment.asRules')}
        </button>
      ) : (
        value.trim() !== '' && <p className="help">{sayOfRules('segment.onlyText')}</p>
      )}
    </>
  );
}
