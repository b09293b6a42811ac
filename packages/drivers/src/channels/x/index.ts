import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const xChannel = unserved({
  kind: 'x',
  channels: ['twitter'],
  config,
  secrets: ['consumerKey', 'consumerSecret', 'accessToken'],
  signatureHeader: 'x-twitter-webhooks-signature',
});
