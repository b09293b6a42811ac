import { useEffect, useState } from 'react';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import type { TestSetting } from '../worker/protocol.ts';
import { firstSetting } from './test-memory.ts';

/** What a test is of: its channel, its user and its company. */
interface Setting {
  readonly setting: TestSetting;
  /** Whether the settings of the company have come. */
  readonly isLoaded: boolean;
  change(changed: TestSetting): void;
}

/** @param kept - the setting of a conversation that goes on, or that an execution had; its settings of the company are not replaced */
export function useSetting(kept: TestSetting | undefined): Setting {
  const { client, companyId } = useStudio();
  const [setting, setSetting] = useState<TestSetting>(kept ?? firstSetting);
  const { value: references } = useLoaded(`references/${companyId}`, () => client.references(companyId));
  /** Whether the settings are the company's own still: what an author wrote is not replaced. */
  const [isCompanys, setCompanys] = useState(kept === undefined);
  useEffect(() => {
    const settings = references?.settings ?? undefined;
    const facts = references?.company;
    if (facts !== undefined) setSetting((before) => ({ ...before, facts }));
    if (isCompanys && settings !== undefined) setSetting((before) => ({ ...before, company: settings }));
  }, [references]);
  return {
    setting,
    isLoaded: references !== undefined,
    change(changed) {
      setCompanys(isCompanys && changed.company === setting.company);
      setSetting(changed);
    },
  };
}
