import type { Callback, CheckoutAnswer, CheckoutContext, CheckoutRequest, PaymentProvider } from '@hilo/drivers';
import type { Clock } from '@hilo/engine/contract';
import type { Companies } from '../tenants/companies.ts';
import type { PublicUrl } from '../platform/public-url.ts';

/** Who takes the money of a checkout: an account of the company with a provider, or nobody, in test mode. */
export interface Account {
  readonly kind: 'account';
  /** `test`, or the kind of the credential. */
  readonly provider: string;
  createCheckout(request: CheckoutRequest, call: Omit<CheckoutContext, 'credential'>): Promise<CheckoutAnswer>;
  /** Judges a callback for this account. Nobody but this service ends a test. */
  verifyCallback(callback: { readonly headers: Headers; readonly body: Uint8Array }): Callback;
}

/** Why there is none; the cause is what the node's `error` says. */
type NoAccount = { readonly kind: 'refused'; readonly cause: 'CREDENTIAL_MISSING' | 'CREDENTIAL_INVALID'; readonly message: string };

interface AccountsParts {
  readonly companies: Pick<Companies, 'credential'>;
  /** By the kind of credential that is an account with them. */
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  readonly publicUrl: Pick<PublicUrl, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Finds accounts of companies; without a credential it is the test mode (PAY-01). */
export type FindAccount = (companyId: string, credentialId: string | undefined) => Promise<Account | NoAccount>;

export const findAccounts = ({ companies, providers, publicUrl, clock }: AccountsParts): FindAccount => {
  const test: Account = {
    kind: 'account',
    provider: 'test',
    createCheckout: async ({ checkoutId }) => ({
      kind: 'created',
      reference: checkoutId,
      url: `${publicUrl.get()}/payments/test/${checkoutId}`,
    }),
    verifyCallback: () => ({ kind: 'forged' }),
  };
  return async (companyId, credentialId) => {
    if (credentialId === undefined) return test;
    const credential = await companies.credential(companyId, credentialId);
    if (credential === undefined)
      return refused('CREDENTIAL_MISSING', `There is no credential "${credentialId}": create it, or name another`);
    const { kind } = credential;
    const provider = typeof kind === 'string' ? providers.get(kind) : undefined;
    if (typeof kind !== 'string' || provider === undefined)
      return refused('CREDENTIAL_INVALID', `The credential "${credentialId}" is no account with a payment provider`);
    return {
      kind: 'account',
      provider: kind,
      createCheckout: (request, call) => provider.createCheckout(request, { ...call, credential }),
      verifyCallback: ({ headers, body }) =>
        provider.verifyCallback({ signature: headers.get(provider.signatureHeader) ?? '', body, credential, nowMs: clock.now() }),
    };
  };
};

const refused = (cause: NoAccount['cause'], message: string): NoAccount => ({ kind: 'refused', cause, message });
