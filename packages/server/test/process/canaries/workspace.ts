// A workspace whose every secret is a canary: a text that must be found nowhere else.
import type { Json, JsonObject } from '@hilo/engine/contract';
import { flowKey, secrets } from './secrets.ts';

const bot = (id: string, channel: string, provider: JsonObject): JsonObject => ({
  id,
  name: id,
  channel,
  connectedAt: '2026-01-01T00:00:00Z',
  provider,
});

const calls = ['basic', 'bearer', 'header', 'query', 'certificate'] as const;

/** Calls a URL once with each credential, then a function; the answers stay in the execution. */
const callingCanvas: JsonObject = {
  schemaVersion: 1,
  id: 'calling',
  name: 'Calling',
  nodes: [
    { id: 'hook', type: 'webhook', data: { variableName: 'call', methods: ['POST'], userIdPath: 'user' } },
    ...calls.map((id) => ({
      id,
      type: 'api',
      data: {
        method: 'POST',
        url: '{{$webhook.call.body.url}}',
        body: { from: id },
        saveAs: `$context.${id}`,
        timeout: 'PT2S',
        ...(id === 'certificate' ? { clientCertificate: { credentialId: id } } : { auth: { credentialId: id } }),
      },
    })),
    { id: 'fails', type: 'function', data: { functionId: 'fn_fails', body: '{{$webhook.call.body}}', saveAs: '$context.function' } },
    { id: 'noted', type: 'log', data: { name: 'Called', data: '{{$context}}' } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'hook', sourceHandle: 'new', target: 'basic' },
    ...[...calls, 'fails'].flatMap((source, index) =>
      ['success', 'error'].map((sourceHandle) => ({ source, sourceHandle, target: [...calls, 'fails', 'noted'][index + 1] ?? 'done' })),
    ),
    { source: 'noted', sourceHandle: 'next', target: 'done' },
  ],
};

/** How those answer that are called: the first parts of their paths. */
export const otherSides = ['ok', 'refused', 'broken', 'cut', 'away', 'echo'] as const;

/** An agent that is signed in at its model and at its server. */
const thinkingCanvas = (side: string, base: string): JsonObject => ({
  schemaVersion: 1,
  id: `think-${side}`,
  name: `Thinks: ${side}`,
  nodes: [
    { id: 'begin', type: 'start', data: { keywords: [`think ${side}`] } },
    {
      id: 'talk',
      type: 'agent',
      data: {
        model: { baseUrl: `${base}/${side}/v1`, name: 'small', auth: { credentialId: 'bearer' } },
        instructions: 'Help.',
        tools: otherSides.map((name) => ({
          kind: 'mcp',
          name,
          description: 'Finds it',
          url: `${base}/${name}/mcp`,
          auth: { credentialId: 'header' },
          tool: 'find',
          schema: { type: 'object', properties: { about: { type: 'string' } } },
          readOnly: true,
        })),
        exits: [{ name: 'done', when: 'They are content.', fields: { text: { type: 'text' } } }],
        saveAs: '$context.exit',
        transcriptAs: '$context.talk',
      },
    },
    { id: 'noted', type: 'log', data: { name: 'Thought', data: '{{$context}}' } },
    { id: 'tell', type: 'message', data: { message: { type: 'text', text: 'It says {{$context.exit.text ?? "nothing"}}' } } },
    { id: 'done', type: 'end', data: {} },
  ],
  edges: [
    { source: 'begin', target: 'talk' },
    ...['done', 'limit', 'timeout', 'error'].map((sourceHandle) => ({ source: 'talk', sourceHandle, target: 'noted' })),
    { source: 'noted', target: 'tell' },
    ...['sent', 'error'].map((sourceHandle) => ({ source: 'tell', sourceHandle, target: 'done' })),
  ],
});

const fails = `export default async function (...given) {
  console.log(given, process.env);
  throw new Error(JSON.stringify([given, process.env]));
}`;

/** A company with a secret in every possible place. @param customUrl - where its custom bot sends messages */
export const canaryWorkspace = (customUrl: string): JsonObject => ({
  companies: [
    {
      id: 1,
      name: 'Canaries',
      kind: 'enterprise',
      plan: 'enterprise',
      clients: [{ clientId: 'client', clientSecret: secrets.client }],
      apiKeys: [
        { id: 'key', key: secrets.apiKey },
        { id: 'revoked', key: secrets.otherKey, revokedAt: '2026-01-01T00:00:00Z' },
      ],
      bots: [
        bot('bot_log', 'slack', { kind: 'log', appSecret: secrets.log }),
        bot('bot_custom', 'custom', { kind: 'custom', url: customUrl, appSecret: secrets.custom }),
        bot('bot_wa', 'whatsapp', {
          kind: 'whatsapp-cloud',
          phoneNumberId: '1',
          accessToken: secrets.accessToken,
          appSecret: secrets.appSecret,
          verifyToken: secrets.verifyToken,
          flowKey: flowKey.kept,
          baseUrl: new URL(customUrl).origin,
        }),
        bot('bot_fb', 'facebook', {
          kind: 'messenger',
          pageId: '1',
          accessToken: secrets.messengerToken,
          appSecret: secrets.appSecret,
          verifyToken: secrets.verifyToken,
        }),
        bot('bot_slack', 'slack', { kind: 'slack', botToken: secrets.botToken, signingSecret: secrets.signingSecret }),
        bot('bot_teams', 'teams', { kind: 'teams', appId: 'app', appPassword: secrets.appPassword }),
        bot('bot_x', 'twitter', {
          kind: 'x',
          consumerKey: secrets.consumerKey,
          consumerSecret: secrets.consumerSecret,
          accessToken: secrets.accessToken,
        }),
      ],
      functions: [
        {
          id: 'fn_fails',
          name: 'fails',
          source: fails,
          runtimeTokens: [{ id: 'rt', name: 'older', token: secrets.runtimeToken, createdAt: '2025-01-01T00:00:00Z' }],
        },
      ],
      credentials: [
        { id: 'basic', kind: 'basic', username: 'hilo', password: secrets.password },
        { id: 'bearer', kind: 'bearer', token: secrets.bearer },
        { id: 'header', kind: 'api-key', in: 'header', name: 'x-key', value: secrets.value },
        { id: 'query', kind: 'api-key', in: 'query', name: 'key', value: secrets.query },
        { id: 'certificate', kind: 'client-certificate', cert: 'no certificate', key: secrets.privateKey, passphrase: secrets.passphrase },
      ] satisfies Json,
      workflows: [callingCanvas, ...otherSides.map((side) => thinkingCanvas(side, new URL(customUrl).origin))].map((canvas) => ({
        publish: true,
        canvas,
      })),
    },
  ],
});
