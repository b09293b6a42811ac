import type { Context } from 'hono';
import { html } from 'hono/html';
import type { HttpEnv } from '../platform/http/context.ts';
import { page } from '../platform/http/page.ts';
import type { Payment } from './payments.ts';

/** The checkout of a test: what is asked for, and a form of two buttons that needs no script (PAY-01). */
export const testPage = (c: Context<HttpEnv>, payment: Payment): Promise<Response> =>
  page(c, 200, 'Test payment', {
    hasSecretAddress: true,
    content: html`<p><strong>${payment.description}</strong></p>
      <p>${inWords(payment)}</p>
      ${
        payment.status === 'open'
          ? html`<p>This is a test: no money moves. Choose how it ends.</p>
              <form method="post">
                <button name="choice" value="approve">Approve</button>
                <button name="choice" value="reject">Reject</button>
              </form>`
          : html`<p role="status">${ends[payment.status]}</p>`
      }`,
  });

/** Where a provider leads people when they are done: nothing is decided by who comes here. */
export const returnedPage = (c: Context<HttpEnv>): Promise<Response> =>
  page(c, 200, 'Thank you', { hasSecretAddress: true, content: html`<p>You can close this page and go back to the conversation.</p>` });

const ends: { readonly [Status in Payment['status']]: string } = {
  requested: 'This payment is being prepared.',
  open: '',
  pending: 'This payment is under way.',
  approved: 'This payment was approved. You can close this page and go back to the conversation.',
  rejected: 'This payment was rejected. You can close this page and go back to the conversation.',
  expired: 'The time for this payment is over.',
};

/** An amount with as many decimals as its currency has. */
function inWords({ amount, currency }: Pick<Payment, 'amount' | 'currency'>): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay: 'code' });
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2));
}
