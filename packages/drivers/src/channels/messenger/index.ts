import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const messengerChannel = unserved({
  kind: 'messenger',
  channels: ['facebook'],
  config,
  secrets: ['accessToken', 'appSecret', 'verifyToken'],
  signatureHeader: 'x-hub-signature-256',
});
