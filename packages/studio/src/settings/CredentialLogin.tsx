// A person logs in for a credential of kind `oauth2`: the button that leads to its server, and the address that is registered there.
import type { JsonObject } from '@hilo/engine/contract';
import { useState } from 'react';
import { Refused, useAct } from '../parts/use-act.tsx';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { accessWords } from './access-words.ts';
import { Copied } from './Copied.tsx';

/** Whether a person logs in with it: without an address for that its client signs in by itself. */
export const isLoggedInWith = (credential: JsonObject): boolean =>
  credential['kind'] === 'oauth2' && typeof credential['authorizationUrl'] === 'string' && credential['authorizationUrl'] !== '';

export function CredentialLogin({ credentialId }: { readonly credentialId: string }) {
  const { client, companyId } = useStudio();
  const say = usePartWords(accessWords);
  const { isBusy, reason, act } = useAct();
  const [blocked, setBlocked] = useState<string>();
  const [isOpened, setOpened] = useState(false);
  const begin = (): void => {
    // A page may be opened while the click lasts, and not after an answer has come.
    const page = window.open('', '_blank');
    act(async () => {
      try {
        const { beginCredentialLogin } = await client.operations();
        const { url } = await beginCredentialLogin({ path: { companyId, credentialId } });
        if (page === null) return setBlocked(url);
        page.opener = null; // the server of the credential has nothing to do with this page
        page.location.href = url;
        return setOpened(true);
      } catch (error) {
        page?.close();
        throw error;
      }
    });
  };
  return (
    <section className="bot-links">
      <Copied label={say('login.address')} text={client.serviceUrl('/admin/v1/credentials/login')} />
      <button type="button" disabled={isBusy} onClick={begin}>
        {say('login.button')}
      </button>
      <Refused reason={reason} />
      {isOpened && <p role="status">{say('login.goes')}</p>}
      {blocked !== undefined && (
        <p role="alert">
          {say('login.blocked')}{' '}
          <a href={blocked} target="_blank" rel="noreferrer">
            {say('login.open')}
          </a>
        </p>
      )}
    </section>
  );
}
