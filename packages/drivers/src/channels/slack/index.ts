import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const slackChannel = unserved({
  kind: 'slack',
  channels: ['slack'],
  config,
  secrets: ['botToken', 'signingSecret'],
  signatureHeader: 'x-slack-signature',
});
