import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const whatsappChannel = unserved({
  kind: 'whatsapp-cloud',
  channels: ['whatsapp'],
  config,
  secrets: ['accessToken', 'appSecret', 'verifyToken'],
  signatureHeader: 'x-hub-signature-256',
});
