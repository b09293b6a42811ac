// The lines of a segment: something of a contact, how it compares, and with what.
import { Plus, X } from 'lucide-react';
import { useId } from 'react';
import { usePartWords } from '../words/part.ts';
import { isWithoutValue, type Rule, type Rules, type Subject, testsFor, usualValue } from './segment-rules.ts';
import { segmentWords, type SegmentWord } from './segment-words.ts';
import { settingsWords } from './settings-words.ts';

interface SegmentRulesProps {
  readonly value: Rules;
  readonly subjects: readonly Subject[];
  /** The groups that there are. */
  readonly groups: readonly string[];
  readonly isFixed: boolean;
  readonly onChange: (value: Rules) => void;
}

/** A rule that is about this, with the first comparison of its kind. */
export function beginRule({ path, kind }: Subject): Rule {
  return { path, test: testsFor(kind)[0] ?? 'is', value: usualValue(kind) };
}

export function SegmentRules({ value: { join, rules }, subjects, groups, isFixed, onChange }: SegmentRulesProps) {
  const say = usePartWords(segmentWords);
  const id = useId();
  const [first] = subjects;
  const put = (index: number, changed: Rule): void =>
    onChange({ join, rules: rules.map((rule, place) => (place === index ? changed : rule)) });
  return (
    <fieldset className="segment-rules" disabled={isFixed}>
      <legend>
        <label htmlFor={`${id}-join`}>{say('segment.fit')}</label>{' '}
        <select id={`${id}-join`} value={join} onChange={({ target }) => onChange({ join: target.value === 'any' ? 'any' : 'all', rules })}>
          <option value="all">{say('segment.all')}</option>
          <option value="any">{say('segment.any')}</option>
        </select>
      </legend>
      {rules.map((rule, index) => (
        <Line
          // Rules have no name of their own, and are not moved.
          key={`${index} of ${rules.length}`}
          number={index + 1}
          rule={rule}
          subjects={subjects}
          groups={groups}
          onChange={(changed) => put(index, changed)}
          {...(rules.length > 1 && { onRemove: () => onChange({ join, rules: rules.filter((_rule, place) => place !== index) }) })}
        />
      ))}
      {first !== undefined && (
        <button type="button" onClick={() => onChange({ join, rules: [...rules, beginRule(first)] })}>
          <Plus size={14} aria-hidden /> {say('segment.addRule')}
        </button>
      )}
    </fieldset>
  );
}

/** The words for what every contact has. */
const isWord = (word: string): word is SegmentWord => Object.hasOwn(segmentWords.en, word);

interface LineProps {
  readonly number: number;
  readonly rule: Rule;
  readonly subjects: readonly Subject[];
  readonly groups: readonly string[];
  readonly onChange: (rule: Rule) => void;
  readonly onRemove?: () => void;
}

function Line({ number, rule, subjects, groups, onChange, onRemove }: LineProps) {
  const say = usePartWords(segmentWords);
  const subject = subjects.find(({ path }) => path === rule.path);
  const nameOf = ({ path, kind, label }: Subject): string => {
    const word = kind === 'half' ? 'segment.half' : `segment.${path}`;
    return label ?? (isWord(word) ? say(word) : path.slice('user.fields.'.length));
  };
  return (
    <div className="segment-rule" role="group" aria-label={say('segment.rule', { number })}>
      <select
        aria-label={say('segment.what')}
        value={rule.path}
        onChange={({ target }) => {
          const chosen = subjects.find(({ path }) => path === target.value);
          if (chosen !== undefined) onChange(beginRule(chosen));
        }}
      >
        {subjects.map((one) => (
          <option key={one.path} value={one.path}>
            {nameOf(one)}
          </option>
        ))}
      </select>
      <select
        aria-label={say('segment.how')}
        value={rule.test}
        onChange={({ target }) => {
          const test = testsFor(subject?.kind ?? 'text').find((one) => one === target.value);
          if (test !== undefined) onChange({ ...rule, test });
        }}
      >
        {testsFor(subject?.kind ?? 'text').map((test) => (
          <option key={test} value={test}>
            {say(`segment.test.${test}`)}
          </option>
        ))}
      </select>
      {!isWithoutValue(rule.test) && (
        <Value rule={rule} kind={subject?.kind ?? 'text'} groups={groups} onChange={(value) => onChange({ ...rule, value })} />
      )}
      {onRemove !== undefined && (
        <button type="button" className="icon" aria-label={say('segment.removeRule', { number })} onClick={onRemove}>
          <X size={14} aria-hidden />
        </button>
      )}
    </div>
  );
}

interface ValueProps {
  readonly rule: Rule;
  readonly kind: Subject['kind'];
  readonly groups: readonly string[];
  readonly onChange: (value: string) => void;
}

function Value({ rule: { path, value }, kind, groups, onChange }: ValueProps) {
  const say = usePartWords(segmentWords);
  const sayAll = usePartWords(settingsWords);
  const id = useId();
  const choices: { readonly [kind in Subject['kind']]?: readonly (readonly [string, string])[] } = {
    bool: [
      ['true', say('segment.yes')],
      ['false', say('segment.no')],
    ],
    half: [
      ['0', say('segment.half.0')],
      ['1', say('segment.half.1')],
    ],
    consent: (['granted', 'revoked', 'unknown'] as const).map((one) => [one, sayAll(`settings.consent.${one}`)] as const),
  };
  const options = choices[kind];
  if (options !== undefined)
    return (
      <select aria-label={say('segment.with')} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([one, text]) => (
          <option key={one} value={one}>
            {text}
          </option>
        ))}
      </select>
    );
  const isNumber = kind === 'number' || kind === 'instant';
  const known =
    path === 'user.groups'
      ? groups
      : kind === 'zone'
        ? Intl.supportedValuesOf('timeZone')
        : kind === 'language'
          ? ['es', 'en', 'pt', 'fr', 'de', 'hi', 'ar', 'id']
          : [];
  return (
    <>
      <input
        aria-label={say('segment.with')}
        required
        type={isNumber ? 'number' : kind === 'date' ? 'date' : 'text'}
        {...(kind === 'instant' && { min: 0, max: 9_999 })}
        step={kind === 'number' ? 'any' : undefined}
        dir="auto"
        value={value}
        onChange={({ target }) => onChange(target.value)}
        {...(known.length > 0 && { list: `${id}-known` })}
      />
      {known.length > 0 && (
        <datalist id={`${id}-known`}>
          {known.map((one) => (
            <option key={one} value={one} />
          ))}
        </datalist>
      )}
    </>
  );
}
