import { unserved } from '../unserved.ts';
import { config } from './config.ts';

export const teamsChannel = unserved({
  kind: 'teams',
  channels: ['teams'],
  config,
  secrets: ['appPassword'],
  signatureHeader: 'authorization',
});
