import { defineConfig } from '@hilo/server';
import { smsChannel } from './sms-channel.ts';

export default defineConfig({ channels: [smsChannel] });
