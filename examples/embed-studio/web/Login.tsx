import { type FormEvent, useState } from 'react';
import type { Permission } from '@hilo/studio';

/** The user of the product: the token is kept in memory only. */
export interface Session {
  readonly token: string;
  readonly name: string;
  readonly can: readonly Permission[];
}

/** The product's own login, independent of bots. */
export function Login({ onLogin }: { readonly onLogin: (session: Session) => void }) {
  const [complaint, setComplaint] = useState('');
  const logIn = async (event: FormEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const body = JSON.stringify(Object.fromEntries(new FormData(event.currentTarget)));
    const answer = await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    if (answer.ok) onLogin((await answer.json()) as Session);
    else setComplaint('The name or the password is wrong.');
  };
  return (
    <main className="login">
      <h1>Leads</h1>
      <form onSubmit={(event) => void logIn(event)}>
        <label>
          Name <input name="name" required autoComplete="username" />
        </label>
        <label>
          Password <input name="password" type="password" required autoComplete="current-password" />
        </label>
        <p role="alert">{complaint}</p>
        <button type="submit">Log in</button>
      </form>
    </main>
  );
}
