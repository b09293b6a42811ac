import { useEffect, useState } from 'react';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import type { TestSetting } from '../worker/protocol.ts';
import { firstSetting, settingOf } from './test-memory.ts';

/** What a test is of: its channel, its user and its company. */
interface Setting {
  readonly setting: TestSetting;
  /** Whether the settings of the company have come. */
  readonly isLoaded: boolean;
  change(changed: TestSetting): void;
}

/** @param kept - the setting of a conversation that goes on, or that an execution had; settings of the company that it has are not replaced */
export function useSetting(kept: TestSetting | undefined): Setting {
  const { client, companyId } = useStudio();
  const [setting, setSetting] = useState<TestSetting>(kept ?? firstSetting);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  useEffect(() => {
    if (references !== undefined) setSetting((before) => settingOf(references, before));
  }, [references]);
  return { setting, isLoaded: references !== undefined, change: setSetting };
}
