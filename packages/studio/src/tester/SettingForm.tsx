import type { Json } from '@hilo/engine/contract';
import { useState } from 'react';
import { isRecord } from '../canvas/canvas-json.ts';
import type { TestSetting } from '../worker/protocol.ts';
import { useNames, useWords } from '../words/words.tsx';
import { allChannels, channelNamed } from './channel-named.ts';

/** The simulated user and company of a test. */
export function SettingForm({ setting, onChange }: { readonly setting: TestSetting; readonly onChange: (setting: TestSetting) => void }) {
  const say = useWords();
  const channelWord = useNames('channel');
  const [company, setCompany] = useState(() => JSON.stringify(setting.company ?? {}));
  const [isWrong, setWrong] = useState(false);
  return (
    <details>
      <summary>{say('tester.settings')}</summary>
      <label className="field">
        {say('tester.channel')}
        <select value={setting.channel} onChange={({ target }) => onChange({ ...setting, channel: channelNamed(target.value) })}>
          {allChannels.map((channel) => (
            <option key={channel} value={channel}>
              {channelWord(channel)}
            </option>
          ))}
        </select>
      </label>
      <label className="field">
        {say('tester.user')}
        <input
          value={setting.user.id}
          maxLength={128}
          onChange={({ target }) => onChange({ ...setting, user: { ...setting.user, id: target.value } })}
        />
      </label>
      <label className="field">
        {say('tester.company')}
        <textarea
          className="mono"
          rows={2}
          value={company}
          aria-invalid={isWrong}
          spellCheck={false}
          onChange={({ target }) => {
            setCompany(target.value);
            try {
              const value = JSON.parse(target.value) as Json;
              setWrong(!isRecord(value));
              if (isRecord(value)) onChange({ ...setting, company: value });
            } catch {
              setWrong(true);
            }
          }}
        />
      </label>
    </details>
  );
}
