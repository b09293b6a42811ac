// The settings of a company: what it has lists of, contacts and their groups, campaigns, events, who may log in, and the company itself.
import type { ReactNode } from 'react';
import { Go } from '../parts/Go.tsx';
import { ModeButton } from '../parts/ModeButton.tsx';
import { type SettingsSection, settingsSections, useStudio } from '../studio-context.ts';
import { OtherScreens } from '../workflows/OtherScreens.tsx';
import { usePartWords } from '../words/part.ts';
import { AccessPage } from './AccessPage.tsx';
import { CampaignsPage } from './CampaignsPage.tsx';
import { CompanyPage } from './CompanyPage.tsx';
import { ContactsPage } from './ContactsPage.tsx';
import { EventsPage } from './EventsPage.tsx';
import { GroupsPage } from './GroupsPage.tsx';
import { isListed } from './kinds.ts';
import { RecordsPage } from './RecordsPage.tsx';
import { settingsWords } from './settings-words.ts';
import { useUnsent } from './use-unsent.ts';

interface SettingsScreenProps {
  readonly section: SettingsSection;
  /** One of the section, or `+` for a new one. */
  readonly recordId?: string;
  readonly session?: ReactNode;
}

export function SettingsScreen({ section, recordId, session }: SettingsScreenProps) {
  const { can } = useStudio();
  const say = usePartWords(settingsWords);
  const unsent = useUnsent();
  return (
    <main className="page settings">
      <header className="page-head">
        <h1>{say('settings.title')}</h1>
        <OtherScreens />
        <span className="spring" />
        <ModeButton />
        {session}
      </header>
      <div className="settings-body">
        <nav aria-label={say('settings.sections')}>
          {settingsSections
            .filter((one) => one !== 'access' || can('admin'))
            .map((one) => (
              <Go key={one} view={{ screen: 'settings', section: one }} {...(one === section && { 'aria-current': 'page' as const })}>
                {say(`settings.${one}`)}
              </Go>
            ))}
        </nav>
        <div className="settings-part" {...unsent}>
          {isListed(section) && <RecordsPage key={`${section} ${recordId}`} kind={section} recordId={recordId} />}
          {section === 'company' && <CompanyPage />}
          {section === 'contacts' && <ContactsPage key={recordId} recordId={recordId} />}
          {section === 'groups' && <GroupsPage recordId={recordId} />}
          {section === 'events' && <EventsPage recordId={recordId} />}
          {section === 'access' && can('admin') && <AccessPage />}
          {section === 'campaigns' && <CampaignsPage recordId={recordId} />}
        </div>
      </div>
    </main>
  );
}
