import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const instagramChannel = unserved({
  kind: 'instagram',
  channels: ['instagram'],
  config,
  secrets: ['accessToken', 'appSecret', 'verifyToken'],
  signatureHeader: 'x-hub-signature-256',
});
