import recorded from './answers.json' with { type: 'json' };

/** Answers by operation, such as `GET /v1/campaigns`, and by status. */
interface Answers {
  readonly [operation: string]: { readonly [status: string]: unknown } | undefined;
}

/** What a service with the example workspace answered; `npm run record` asks again. */
const answers: Answers = recorded;

const broken = { en: 'Some values are not valid: see validationError' };

/** Answers that any route may give and that are hard to provoke, by status. */
const usual: { readonly [status: string]: unknown } = {
  200: { success: true },
  400: { error: 'INVALID_REQUEST', message: 'The body is not a JSON object' },
  401: { error: 'UNAUTHORIZED', message: 'This is not the admin token' },
  403: { error: 'FORBIDDEN', message: 'A page of another origin sent this: only pages of this service may' },
  404: { error: 'COMPANY_NOT_FOUND', message: 'There is no company "99"' },
  405: { error: 'METHOD_NOT_ALLOWED', message: 'This webhook does not take DELETE; it takes POST, PUT, GET' },
  409: {
    error: 'EXECUTION_NOT_WAITING',
    message: 'Execution "b05270acc76e92ea42c4856289d820d5" does not wait for this request (its status is completed)',
  },
  413: { error: 'INVALID_REQUEST', message: 'The body is larger than 1 MB' },
  421: { error: 'CELL_ELSEWHERE', message: 'This is served by cell "b": send it to https://b.bots.example' },
  422: {
    message: ['limit is 1 to 200'],
    statusMessage: 'failed',
    status: 0,
    error: {
      code: 'E0422',
      key: 'VALIDATOR_ERROR',
      description: 'Some values break a rule',
      developerMessages: broken,
      clientMessages: broken,
    },
    validationError: { limit: [{ en: 'limit is 1 to 200' }] },
  },
  429: { error: 'TOO_MANY_REQUESTS', message: 'More than 20 requests a second; send this again in 1 s' },
  500: { message: ['Something went wrong on our side; please try again later'], statusMessage: 'failed', status: 0 },
  503: { error: 'UNAVAILABLE', message: 'The store did not take this now; send it again' },
};

/** Contents that are no JSON, by type. */
const texts: { readonly [type: string]: string } = {
  'text/html': '<!doctype html><html lang="en"><head><title>Hilo</title></head><body><main>…</main></body></html>',
  'text/javascript': "document.currentScript?.after(document.createElement('hilo-chat'));",
  'text/event-stream':
    'id: 42\nevent: message\ndata: {"messageId":"m-42","direction":"outbound","message":{"type":"text","text":"Hello!"}}\n\n',
  'application/x-ndjson':
    '{"at":"2031-03-03T09:00:00.000Z","actor":"operator maria","via":"http","action":"publishWorkflow","outcome":"asked"}\n',
  'text/plain': 'user: order\n  bot: Which order?\n',
  '*/*': 'What I wrote down',
};

const metrics = `# HELP hilo_executions Executions by status
# TYPE hilo_executions gauge
hilo_executions{company="1",status="waiting"} 3
`;

/** All methods of a webhook have the same answers, and so have those of a callback; these are of one that it takes. */
const webhook = 'POST /workflows/v2/webhooks/skill/{workflowId}/{channel}/{nodeId}';
const isOfWebhook = (operation: string): boolean =>
  ['/webhooks/skill/', '/v1/webhook/', '/v2/resume/'].some((part) => operation.includes(part));

/** Answers to a provider's question, by their type: the example workspace has no bot whose provider asks. */
const verified: { readonly [type: string]: unknown } = {
  'text/plain': '1158201444',
  'application/json': { response_token: 'sha256=Cd0wTFCJhCgzLaBHnQ4IyGCxqRLsWtDuVQFzmrVGTrA=' },
};

/** A message that was set aside and began its workflow: none of the example workspace was. */
const handedIn = { messageId: 'in-1', outcome: 'started' };
/** The key of a bot with forms: the provider of the example workspace has none. */
const flowKey = {
  fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  publicKey: '-----BEGIN PUBLIC KEY-----\nMIIB…\n-----END PUBLIC KEY-----\n',
  isRegistered: true,
  status: 'VALID',
};

/** The tools of a server outside, which no recording reaches. */
const listedTools = {
  tools: [
    {
      name: 'find_order',
      description: 'An order with its state and address',
      schema: { type: 'object', properties: { number: { type: 'string' } }, required: ['number'] },
      readOnly: true,
    },
  ],
};
/** A template that was submitted, and what a synchronisation found: no bot of the example workspace has a provider that manages them. */
const submittedTemplate = {
  id: 'order_shipped.en',
  botId: 'bot_wa',
  elementName: 'order_shipped',
  language: 'en',
  category: 'UTILITY',
  status: 'PENDING',
  reason: null,
  quality: null,
  notice: null,
  categoryToCome: null,
  statusAt: '2031-03-03T09:00:00.000Z',
  providerId: '1689556908129832',
  parameters: ['1'],
  body: 'Order {{1}} is on its way.',
};
const syncedTemplates = { botId: 'bot_wa', listed: 12, added: ['welcome.es'], changed: ['order_shipped.en'], missing: [], leftOut: 0 };
/** What a campaign would be: what is recorded is one that was made. */
const dryRun = { recipients: 1_200, duplicates: 3, noConsent: 17, missingParameters: [{ user: '51999000333', parameter: 'name' }] };

/** A login with a credential, and its end: the company of the example workspace logs in nowhere. */
const credentialLogin = {
  url: 'https://login.example.com/authorize?response_type=code&client_id=hilo&state=v1.0f3a&code_challenge_method=S256',
  expiresAt: '2031-03-03T09:10:00.000Z',
};
const loggedIn = { companyId: '1', credentialId: 'crm' };

/** An example of the content of an answer: the recorded one, else the usual one of its status. */
export function findAnswerExample(operation: string, status: string, type: string): unknown {
  if (operation === 'GET /metrics' && status === '200') return metrics;
  if (operation === 'GET /channels/{botId}/webhook' && status === '200') return verified[type];
  if (operation === 'POST /admin/v1/bots/{botId}/flow-key' && status === '200') return flowKey;
  if (operation === 'POST /admin/v1/bots/{botId}/messages/{messageId}/again' && status === '200') return handedIn;
  if (operation === 'POST /admin/v1/mcp/tools' && status === '200') return listedTools;
  if (/^POST \/admin\/v1\/companies\/\S+\/templates(?:\/\{id\}\/submit)?$/.test(operation) && /^20[01]$/.test(status))
    return submittedTemplate;
  if (operation === 'POST /admin/v1/bots/{botId}/templates/sync' && status === '200') return syncedTemplates;
  if (/^POST \S+\/\{credentialId\}\/login$/.test(operation) && status === '200') return credentialLogin;
  if (operation === 'POST /admin/v1/credentials/login' && status === '200') return loggedIn;
  if (/^POST \S+\/campaigns$/.test(operation) && status === '200') return dryRun;
  const text = texts[type];
  if (text !== undefined || !type.includes('json')) return text;
  const alike = isOfWebhook(operation) ? answers[webhook]?.[status] : undefined;
  return answers[operation]?.[status] ?? alike ?? usual[status];
}
