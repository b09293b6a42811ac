// Who may log in to the service, and the tokens of programs: each with its roles and companies.
import { Plus } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import type { Operations } from '../api/operations.ts';
import { SignedOut } from '../parts/LoginForm.tsx';
import { Loading } from '../parts/parts.tsx';
import { type Act, Refused, useAct } from '../parts/use-act.tsx';
import { useLoaded } from '../parts/use-loaded.ts';
import { useStudio } from '../studio-context.ts';
import { usePartWords } from '../words/part.ts';
import { useMoment } from '../words/moment.ts';
import { accessWords } from './access-words.ts';
import { Copied } from './Copied.tsx';
import { ReallyDialog } from './ReallyDialog.tsx';
import { settingsWords } from './settings-words.ts';

type User = Awaited<ReturnType<Operations['listServiceUsers']>>['results'][number];
type Token = Awaited<ReturnType<Operations['listAdminTokens']>>['results'][number];
type Role = User['roles'][number];
/** What somebody may do, and where. */
type Rights = Pick<User, 'roles' | 'companies'>;
type Company = { readonly id: string; readonly name: string };

const roles = ['viewer', 'editor', 'publisher', 'operator', 'answerer', 'admin'] as const satisfies readonly Role[];

/** What is changed below the lists; `undefined` while nothing is. */
type Changing = { readonly kind: 'user'; readonly user?: User } | { readonly kind: 'token' };

export function AccessPage() {
  const { client } = useStudio();
  const { value, error, reload, isSignedOut } = useLoaded('access', async () => {
    const { listServiceUsers, listAdminTokens } = await client.operations();
    const [users, tokens, { companies }] = await Promise.all([listServiceUsers(), listAdminTokens(), client.me()]);
    return { users: users.results, tokens: tokens.results.filter(({ revokedAt }) => revokedAt === null), companies };
  });
  if (isSignedOut) return <SignedOut onSignedIn={reload} />;
  if (value === undefined) return <Loading error={error} onRetry={reload} />;
  return <Accounts {...value} onChanged={reload} />;
}

interface AccountsProps {
  readonly users: readonly User[];
  readonly tokens: readonly Token[];
  readonly companies: readonly Company[];
  readonly onChanged: () => void;
}

function Accounts({ users, tokens, companies, onChanged }: AccountsProps) {
  const { client } = useStudio();
  const say = usePartWords(accessWords);
  const instant = useMoment();
  const doing = useAct();
  const [changing, setChanging] = useState<Changing>();
  const [given, setGiven] = useState<{ readonly label: string; readonly text: string }>();
  const change = (next: Changing | undefined): void => {
    setGiven(undefined);
    setChanging(next);
  };
  const link = (name: string) =>
    doing.act(async () => {
      const { url, expiresAt } = await (await client.operations()).makeLoginLink({ path: { userName: name } });
      setGiven({ label: say('access.linkIs', { name, until: instant(expiresAt) }), text: url });
    });
  const save = (name: string, rights: Rights) =>
    doing.act(async () => {
      const isNew = users.every((user) => user.name !== name);
      await (await client.operations()).saveServiceUser({ path: { userName: name }, body: rights });
      change(undefined);
      onChanged();
      if (isNew) link(name);
    });
  const make = (name: string, rights: Rights) =>
    doing.act(async () => {
      const { token } = await (await client.operations()).addAdminToken({ body: { name, ...rights } });
      change(undefined);
      setGiven({ label: say('access.tokenIs'), text: token });
      onChanged();
    });
  return (
    <section aria-label={say('access.users')}>
      <header className="page-head">
        <h2>{say('access.users')}</h2>
        <span className="spring" />
        <button type="button" className="primary" onClick={() => change({ kind: 'user' })}>
          <Plus size={14} aria-hidden /> {say('access.addUser')}
        </button>
      </header>
      <Refused reason={changing === undefined ? doing.reason : undefined} />
      {given !== undefined && (
        <div role="status">
          <Copied {...given} />
        </div>
      )}
      {changing !== undefined && (
        <RightsForm
          key={changing.kind === 'user' ? changing.user?.name : ''}
          companies={companies}
          doing={doing}
          onClose={() => change(undefined)}
          {...(changing.kind === 'user'
            ? { title: say('access.addUser'), onSave: save, ...(changing.user !== undefined && { user: changing.user }) }
            : { title: say('access.addToken'), onSave: make })}
        />
      )}
      <UserTable {...{ users, companies, doing, onChanged }} onLink={link} onChange={(user) => change({ kind: 'user', user })} />
      <header className="page-head">
        <h2>{say('access.tokens')}</h2>
        <span className="spring" />
        <button type="button" onClick={() => change({ kind: 'token' })}>
          <Plus size={14} aria-hidden /> {say('access.addToken')}
        </button>
      </header>
      <TokenTable {...{ tokens, companies, doing, onChanged }} />
    </section>
  );
}

/** What somebody may do, in words: once for each set of companies with the same roles. */
function useRightsWords(companies: readonly Company[]): (rights: Rights & Pick<User, 'grants'>) => string {
  const say = usePartWords(accessWords);
  const nameOf = (id: string): string => companies.find((company) => company.id === id)?.name ?? id;
  const words = ({ roles: own, companies: where }: Rights): string =>
    say('access.in', {
      roles: own.map((role) => say(`access.role.${role}`)).join(', '),
      companies: where === 'all' ? say('access.all') : where.map(nameOf).join(', '),
    });
  return ({ grants = [], ...rights }) => (grants.length > 0 ? grants : [rights]).map(words).join(' · ');
}

interface TableProps extends Pick<AccountsProps, 'companies' | 'onChanged'> {
  readonly doing: Act;
}

/** Who has access, and how: their rows under one head. */
function AccessTable({ children }: { readonly children: ReactNode }) {
  const say = usePartWords(accessWords);
  return (
    <table className="access">
      <thead>
        <tr>
          <th>{say('access.name')}</th>
          <th>{say('access.roles')}</th>
          <th>{say('access.used')}</th>
          <td />
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  );
}

function UserTable({
  users,
  companies,
  doing: { isBusy, act },
  onChanged,
  onLink,
  onChange,
}: TableProps & { readonly users: readonly User[]; readonly onLink: (name: string) => void; readonly onChange: (user: User) => void }) {
  const { client } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const instant = useMoment();
  const rightsWords = useRightsWords(companies);
  const [removing, setRemoving] = useState<string>();
  if (users.length === 0) return <p className="quiet-text">{say('access.noUsers')}</p>;
  return (
    <>
      <AccessTable>
        {users.map((user) => (
          <tr key={user.name}>
            <td dir="auto">{user.name}</td>
            <td>{rightsWords(user)}</td>
            <td data-label={say('access.used')}>{user.lastUsedAt === null ? say('access.never') : instant(user.lastUsedAt)}</td>
            <td className="buttons">
              <button type="button" aria-label={`${say('access.change')}: ${user.name}`} onClick={() => onChange(user)}>
                {say('access.change')}
              </button>
              <button type="button" disabled={isBusy} aria-label={`${say('access.link')}: ${user.name}`} onClick={() => onLink(user.name)}>
                {say('access.link')}
              </button>
              <button type="button" aria-label={`${sayAll('settings.remove')}: ${user.name}`} onClick={() => setRemoving(user.name)}>
                {sayAll('settings.remove')}
              </button>
            </td>
          </tr>
        ))}
      </AccessTable>
      {removing !== undefined && (
        <ReallyDialog
          action={sayAll('settings.remove')}
          question={say('access.reallyRemove', { name: removing })}
          onDo={() => {
            setRemoving(undefined);
            act(async () => {
              await (await client.operations()).deleteServiceUser({ path: { userName: removing } });
              onChanged();
            });
          }}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </>
  );
}

function TokenTable({ tokens, companies, doing: { act }, onChanged }: TableProps & { readonly tokens: readonly Token[] }) {
  const { client } = useStudio();
  const say = usePartWords(accessWords);
  const instant = useMoment();
  const rightsWords = useRightsWords(companies);
  const [revoking, setRevoking] = useState<Token>();
  if (tokens.length === 0) return <p className="quiet-text">{say('access.noTokens')}</p>;
  return (
    <>
      <AccessTable>
        {tokens.map((token) => (
          <tr key={token.id}>
            <td>
              <span dir="auto">{token.name}</span> <code>{token.prefix}…</code>
            </td>
            <td>{rightsWords(token)}</td>
            <td data-label={say('access.used')}>{token.lastUsedAt === null ? say('access.never') : instant(token.lastUsedAt)}</td>
            <td className="buttons">
              <button type="button" aria-label={`${say('access.revoke')}: ${token.name}`} onClick={() => setRevoking(token)}>
                {say('access.revoke')}
              </button>
            </td>
          </tr>
        ))}
      </AccessTable>
      {revoking !== undefined && (
        <ReallyDialog
          action={say('access.revoke')}
          question={say('access.reallyRevoke', { name: revoking.name })}
          onDo={() => {
            setRevoking(undefined);
            act(async () => {
              await (await client.operations()).revokeAdminToken({ path: { adminTokenId: revoking.id } });
              onChanged();
            });
          }}
          onClose={() => setRevoking(undefined)}
        />
      )}
    </>
  );
}

interface RightsFormProps {
  readonly title: string;
  readonly companies: readonly Company[];
  /** `undefined` for a new one. */
  readonly user?: User;
  readonly doing: Act;
  readonly onSave: (name: string, rights: Rights) => void;
  readonly onClose: () => void;
}

/** Name, roles and companies of a person or a program. */
function RightsForm({ title, companies, user, doing: { isBusy, reason }, onSave, onClose }: RightsFormProps) {
  const { companyId } = useStudio();
  const say = usePartWords(accessWords);
  const sayAll = usePartWords(settingsWords);
  const form = useId();
  const [name, setName] = useState(user?.name ?? '');
  const [own, setOwn] = useState<readonly Role[]>(user?.roles ?? ['viewer']);
  const [where, setWhere] = useState<Rights['companies']>(user?.companies ?? [companyId]);
  const isIn = (id: string): boolean => where !== 'all' && where.includes(id);
  return (
    <form
      className="record-form form"
      onSubmit={(event) => {
        event.preventDefault();
        onSave(name.trim(), { roles: own, companies: where });
      }}
    >
      <h3 dir="auto">{user?.name ?? title}</h3>
      {(user?.grants ?? []).length > 0 && <p className="help">{say('access.fromDirectory')}</p>}
      {user === undefined && (
        <div className="field">
          <label htmlFor={`${form}-name`}>{say('access.name')}</label>
          <input
            id={`${form}-name`}
            autoFocus
            required
            maxLength={128}
            value={name}
            dir="auto"
            aria-describedby={`${form}-help`}
            onChange={({ target }) => setName(target.value)}
          />
          <p className="help" id={`${form}-help`}>
            {say('access.nameHelp')}
          </p>
        </div>
      )}
      <fieldset>
        <legend>{say('access.roles')}</legend>
        {roles.map((role) => (
          <label key={role}>
            <input
              type="checkbox"
              checked={own.includes(role)}
              onChange={({ target }) => setOwn(target.checked ? [...own, role] : own.filter((one) => one !== role))}
            />
            <b>{say(`access.roleName.${role}`)}</b> <span className="caption">{say(`access.role.${role}`)}</span>
          </label>
        ))}
      </fieldset>
      <fieldset>
        <legend>{say('access.companies')}</legend>
        <label>
          <input type="checkbox" checked={where === 'all'} onChange={({ target }) => setWhere(target.checked ? 'all' : [companyId])} />
          {say('access.all')}
        </label>
        {where !== 'all' &&
          companies.map((company) => (
            <label key={company.id} dir="auto">
              <input
                type="checkbox"
                checked={isIn(company.id)}
                onChange={({ target }) => setWhere(target.checked ? [...where, company.id] : where.filter((id) => id !== company.id))}
              />
              {company.name}
            </label>
          ))}
      </fieldset>
      <Refused reason={reason} />
      <p className="buttons">
        <button type="submit" className="primary" disabled={isBusy || own.length === 0 || where.length === 0}>
          {sayAll('settings.save')}
        </button>
        <button type="button" onClick={onClose}>
          {sayAll('settings.cancel')}
        </button>
      </p>
    </form>
  );
}
