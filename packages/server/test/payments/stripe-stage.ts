import type { ServerResponse } from 'node:http';
import type { JsonObject } from '@hilo/engine/contract';
import { type FakeStripe, startStripe } from '../../../integrations/test/fake-stripe.ts';
import type { Received } from '../../../drivers/test/local-servers.ts';
import { type Place } from '../data/open-for-test.ts';
import { accountWith, openShop, payCanvas, type Shop, shopWorkspace, withStripe } from './payments-stage.ts';

/** A shop whose node has an account with a Stripe double, and that double. */
export interface Stage {
  readonly shop: Shop;
  readonly stripe: FakeStripe;
  readonly place: Place;
  /** The session of the last requested payment. */
  session(): Promise<JsonObject>;
}

export type Instead = (request: Received, response: ServerResponse) => boolean | Promise<boolean>;

export const withShop =
  (
    test: (stage: Stage) => Promise<void>,
    { canvas = payCanvas(withStripe), instead }: { readonly canvas?: JsonObject; readonly instead?: Instead } = {},
  ) =>
  async (place: Place): Promise<void> => {
    const stripe = await startStripe(instead);
    try {
      const workspace = await shopWorkspace(canvas, { '/companies/0/credentials/-': accountWith(stripe) });
      const shop = await openShop(place, workspace, stripe);
      const session = async () => stripe.sessionOf((await shop.payments())[0]?.checkoutId ?? '');
      await test({ shop, stripe, place, session });
    } finally {
      await stripe.close();
    }
  };

export const success = { status: 200, body: { success: true } };
export const answered = ({ status, text }: { readonly status: number; readonly text: string }) => ({
  status,
  body: JSON.parse(text) as unknown,
});
