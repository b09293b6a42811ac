import { useEffect, useState } from 'react';
import { useStudio } from '../studio-context.ts';
import { useReason } from '../words/reason.ts';
import { useWords } from '../words/words.tsx';

/** Logs in again without leaving the page, so that nothing on it is lost. */
export function LoginForm({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const { client } = useStudio();
  const say = useWords();
  const reasonOf = useReason();
  const [token, setToken] = useState('');
  const [reason, setReason] = useState<string>();
  // A login in another tab is a login of this one.
  useEffect(() => {
    const look = (): void => void client.me().then(onSignedIn, () => undefined);
    addEventListener('focus', look);
    return () => removeEventListener('focus', look);
  }, [client, onSignedIn]);
  return (
    <form
      className="form"
      onSubmit={(event) => {
        event.preventDefault();
        client.login(token).then(
          () => {
            setToken('');
            onSignedIn();
          },
          (error: unknown) => setReason(reasonOf(error)),
        );
      }}
    >
      <p>{say('login.text')}</p>
      {client.loginWith !== undefined && (
        <p>
          <a href={client.loginWith.url} target="_blank" rel="noopener">
            {say('login.with', { name: client.loginWith.name })}
          </a>
        </p>
      )}
      <label>
        {say('login.token')}{' '}
        <input type="password" autoComplete="current-password" required value={token} onChange={({ target }) => setToken(target.value)} />
      </label>
      {reason !== undefined && (
        <p role="alert" className="field-problem error">
          {reason}
        </p>
      )}
      <p>
        <button type="submit" className="primary">
          {say('login.do')}
        </button>
      </p>
    </form>
  );
}

/** A screen whose reading was refused: what it needs is a login. */
export function SignedOut({ onSignedIn }: { readonly onSignedIn: () => void }) {
  const say = useWords();
  return (
    <main className="page">
      <h1>{say('login.title')}</h1>
      <LoginForm onSignedIn={onSignedIn} />
    </main>
  );
}
