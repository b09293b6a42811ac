// Written by npm run generate: the blocks of docs/client.md as one program, for the type check. The client's test makes its calls.
// biome-ignore-all format: one call a line
import { createClient, HiloRequestError } from '@hilo/client';

const hilo = createClient({
  baseUrl: 'http://127.0.0.1:3000',
  apiKey: 'hk_acme_0123456789abcdef', // webhooks, signals and functions
  client: { id: 'acme-client', secret: 's3c:ret-of-acme' }, // the REST API
  adminToken: 'ADMIN_TOKEN', // management
});

try {
  await hilo.sendMessage({ path: { botId: 'bot_wa' }, body: { type: 'text', userId: '5215512345678', text: 'Your order is ready.' } });
} catch (error) {
  // A refusal says what it is; 429 and 503 also say when to try again.
  if (error instanceof HiloRequestError && error.code === 'OUTSIDE_SESSION_WINDOW') console.log('Only a template can be sent now');
  else throw error;
}

// Resumes the wait that the address stands for, once
await hilo.receiveCallbackWithGet({ path: { token: 'RESUME_TOKEN' } });

// Resumes the wait that the address stands for, once
await hilo.receiveCallbackWithPut({ path: { token: 'RESUME_TOKEN' }, body: { paid: true } });

// Resumes the wait that the address stands for, once
await hilo.receiveCallback({ path: { token: 'RESUME_TOKEN' }, body: { paid: true } });

// Resumes the wait that the address stands for, once
await hilo.receiveCallbackWithPatch({ path: { token: 'RESUME_TOKEN' }, body: { paid: true } });

// Resumes the wait that the address stands for, once
await hilo.receiveCallbackWithDelete({ path: { token: 'RESUME_TOKEN' }, body: { paid: true } });

// Starts or resumes an execution of the published version
await hilo.startWorkflowWithGet({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { userId: '5215512345678' } });

// Starts or resumes an execution of the published version
await hilo.startWorkflowWithPut({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the published version
await hilo.startWorkflow({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the published version
await hilo.startWorkflowWithPatch({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the published version
await hilo.startWorkflowWithDelete({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the draft
await hilo.testWorkflowWithGet({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { testUserId: '5215512345678' } });

// Starts or resumes an execution of the draft
await hilo.testWorkflowWithPut({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { testUserId: '5215512345678' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the draft
await hilo.testWorkflow({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { testUserId: '5215512345678' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the draft
await hilo.testWorkflowWithPatch({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { testUserId: '5215512345678' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution of the draft
await hilo.testWorkflowWithDelete({ path: { workflowId: 'payment-once', channel: 'whatsapp', nodeId: 'wo1' }, query: { testUserId: '5215512345678' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution by the id of a webhook on the earlier host
await hilo.startWorkflowOfWebhookWithGet({ path: { webhookId: 'LEGACY_ID' }, query: { userId: '5215512345678', channel: 'whatsapp' } });

// Starts or resumes an execution by the id of a webhook on the earlier host
await hilo.startWorkflowOfWebhookWithPut({ path: { webhookId: 'LEGACY_ID' }, query: { userId: '5215512345678', channel: 'whatsapp' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution by the id of a webhook on the earlier host
await hilo.startWorkflowOfWebhook({ path: { webhookId: 'LEGACY_ID' }, query: { userId: '5215512345678', channel: 'whatsapp' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution by the id of a webhook on the earlier host
await hilo.startWorkflowOfWebhookWithPatch({ path: { webhookId: 'LEGACY_ID' }, query: { userId: '5215512345678', channel: 'whatsapp' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Starts or resumes an execution by the id of a webhook on the earlier host
await hilo.startWorkflowOfWebhookWithDelete({ path: { webhookId: 'LEGACY_ID' }, query: { userId: '5215512345678', channel: 'whatsapp' }, body: { user: { id: '5215512345678' }, number: 'A-17', amount: '12.50', receipt: 'https://example.com/a-17.pdf' } });

// Resumes every execution that waits for an event with this name and correlation
await hilo.sendSignal({ path: { name: 'order.paid' }, body: { correlation: 'A-17', payload: { amount: 12.5 } } });

// Answers the challenge with which a provider verifies the address of a bot: Meta sends hub.challenge, X sends crc_token
await hilo.verifyProviderAddress({ path: { botId: 'bot_wa' }, query: { 'hub.mode': 'subscribe', 'hub.verify_token': 'the-token-that-meta-was-given', 'hub.challenge': '1158201444' } });

// Makes the cheapest read of a bot's provider with its credentials; sends no message
await hilo.checkBot({ path: { botId: 'bot_wa' }, query: { companyId: '1' } });

// Makes the key that a bot's forms are sealed for, and registers it at the provider
await hilo.makeFlowKey({ path: { botId: 'bot_wa' }, query: { companyId: '1' } });

// Starts or renews a session; anonymous without a token
await hilo.startChatSession({ path: { botId: 'bot_chat' } });

// Messages of the visitor as server-sent events, after Last-Event-ID
await hilo.streamChatEvents({ path: { botId: 'bot_chat' } });

// Receives a message; a repeated id is the same message
await hilo.sendChatMessage({ path: { botId: 'bot_chat' }, body: { id: 'message-1', type: 'text', text: 'Hello' } });

// Takes a file of at most 5 MB, named by X-Message-ID and X-Filename
await hilo.uploadChatFile({ path: { botId: 'bot_chat' }, headers: { 'X-Message-ID': 'message-2', 'X-Filename': 'notes.txt', 'content-type': 'text/plain' }, body: 'What I wrote down' });

// Marks messages as read
await hilo.markChatRead({ path: { botId: 'bot_chat' }, body: { upTo: 'MESSAGE_ID' } });

// A file that a visitor sent, for any holder of its address
await hilo.getChatFile({ path: { botId: 'bot_chat', fileId: 'FILE_ID' } });

// A file, for whoever was given its link
await hilo.followFileLink({ path: { token: 'FILE_TOKEN' } });

// The files that were uploaded for the canvases of a company, oldest first
await hilo.listUploadedFiles({ path: { companyId: '1' } });

// Keeps a file of up to 25 MB for the canvases of a company, named by X-Filename
await hilo.uploadFile({ path: { companyId: '1' }, headers: { 'X-Filename': 'prices.txt', 'content-type': 'text/plain' }, body: 'A cup of coffee: 3 euros' });

// Removes an uploaded file
await hilo.removeUploadedFile({ path: { companyId: '1', id: 'UPLOAD_ID' } });

// A file by its handle: what a user sent, or an answer that a canvas kept
await hilo.getFile({ path: { id: 'HANDLE_ID' } });

// Calls a deployed function with the body
await hilo.callFunction({ path: { functionId: 'fn_echo' }, body: { a: 1 } });

// The tools of a function, for clients of the Model Context Protocol (streamable HTTP)
await hilo.callFunctionTools({ path: { functionId: 'fn_echo' }, body: { jsonrpc: '2.0', id: 1, method: 'tools/list' } });

// Whether a function is deployed; needs no credential
await hilo.checkFunction({ path: { functionId: 'fn_echo' } });

// The deployed functions, of a company or of all, by id
await hilo.listFunctions({ query: { companyId: '1' } });

// The list of runtime tokens of a function, without the tokens themselves
await hilo.listFunctionTokens({ path: { functionId: 'fn_echo' }, query: { companyId: '1' } });

// Revokes a token and deploys its function again; a revoked one stays as it is
await hilo.revokeFunctionToken({ path: { functionId: 'fn_echo', tokenId: 'rt_1' }, query: { companyId: '1' } });

// The workflows of a company, by id or in another order
await hilo.listWorkflows({ query: { companyId: '1' } });

// The draft, with its problems and the addresses of its webhook
await hilo.getWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// Stores a canvas as the draft, even with problems; creates the workflow if there is none
await hilo.saveWorkflow({ path: { workflowId: 'hello' }, query: { companyId: '1' }, body: { schemaVersion: 1, id: 'hello', name: 'Hello', nodes: [{ id: 'begin', type: 'start', data: { keywords: ['hello'] } }, { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names ?? "there"}}!' } } }, { id: 'done', type: 'end' }], edges: [{ source: 'begin', target: 'greet' }, { source: 'greet', sourceHandle: 'sent', target: 'done' }] } });

// Removes a workflow: its draft, its versions and its transcripts; its executions keep their history
await hilo.deleteWorkflow({ path: { workflowId: 'sign-contract' }, query: { companyId: '1' } });

// Takes a workflow out of lists and out of publication; its executions continue
await hilo.archiveWorkflow({ path: { workflowId: 'collect-signature' }, query: { companyId: '1' } });

// Puts an archived workflow back into lists; publishing it lets it be started again
await hilo.restoreWorkflow({ path: { workflowId: 'collect-signature' }, query: { companyId: '1' } });

// Publishes the draft as the next version; a draft that equals the latest version creates none
await hilo.publishWorkflow({ path: { workflowId: 'hello' }, query: { companyId: '1' }, body: { note: 'The first version' } });

// Every published version, the first one first
await hilo.listVersions({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// One published version with its canvas
await hilo.getVersion({ path: { workflowId: 'order-status', version: '1' }, query: { companyId: '1' } });

// The number of executions in each version, by node
await hilo.getPopulation({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// The differences between two versions, except layout
await hilo.compareVersions({ path: { workflowId: 'order-status' }, query: { companyId: '1', from: '1' } });

// The transcripts that are stored with a workflow as tests, by name
await hilo.listTranscripts({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// One transcript
await hilo.getTranscript({ path: { workflowId: 'order-status', name: 'first' }, query: { companyId: '1' } });

// Stores a transcript under a name
await hilo.saveTranscript({ path: { workflowId: 'order-status', name: 'first' }, query: { companyId: '1' }, body: 'user: order' });

// Removes a transcript
await hilo.deleteTranscript({ path: { workflowId: 'order-status', name: 'first' }, query: { companyId: '1' } });

// Says that its caller has a workflow open, and who else has
await hilo.sayAuthorHere({ path: { workflowId: 'order-status', tab: 'tab-of-maria' }, query: { companyId: '1' }, body: { nodeId: null } });

// Says that its caller has closed a workflow
await hilo.sayAuthorGone({ path: { workflowId: 'order-status', tab: 'tab-of-maria' }, query: { companyId: '1' } });

// The comments on a workflow and on its nodes, oldest first
await hilo.listWorkflowComments({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// Comments on a workflow, or on one of its nodes
await hilo.addWorkflowComment({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { nodeId: 'ask', text: 'Do we say "order" or "purchase" here?' } });

// Marks a comment as done, or as open again
await hilo.markWorkflowComment({ path: { workflowId: 'order-status', commentId: 'COMMENT_ID' }, query: { companyId: '1' }, body: { isDone: true } });

// Removes a comment
await hilo.removeWorkflowComment({ path: { workflowId: 'order-status', commentId: 'COMMENT_ID' }, query: { companyId: '1' } });

// Puts a workflow into a folder of the list, or takes it out
await hilo.setWorkflowFolder({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { folder: 'Orders' } });

// Keeps a workflow for its caller: nobody else saves, publishes, archives or removes it until it is unlocked
await hilo.lockWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { tab: 'tab-of-maria' } });

// Takes the lock of a workflow away
await hilo.unlockWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// What executions did over a stretch of time, by node
await hilo.getNumbers({ path: { workflowId: 'order-status' }, query: { companyId: '1', by: 'port', version: '1', from: '2031-02-24', to: '2031-03-03' } });

// Starts an execution of the published version, without a webhook or a message
await hilo.startExecution({ path: { workflowId: 'hello' }, query: { companyId: '1' }, body: { user: { id: '5215512345678' }, botId: 'bot_wa' } });

// Makes a link by which the draft is tried in the web chat of a bot, on any device
await hilo.makeDraftLink({ path: { workflowId: 'hello' }, query: { companyId: '1' }, body: { botId: 'bot_chat' } });

// Lets nothing start a workflow until it is unpaused; what is open goes on
await hilo.pauseWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { says: 'We are mending this. Please write again in an hour.', until: '2031-03-04T09:00:00Z' } });

// Lets a paused workflow be started again, in exactly the version that was the latest
await hilo.unpauseWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// Takes a workflow out of publication: for what would start it, as if there were none; what is open goes on
await hilo.unpublishWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' } });

// Publishes the content of an earlier version as the next one: numbers only grow, and the draft stays as it is
await hilo.publishVersionAgain({ path: { workflowId: 'order-status', version: '1' }, query: { companyId: '1' }, body: { note: 'Back to the first' } });

// Replays the newest ended conversations of the published version on another content; performs and keeps nothing
await hilo.replayWorkflow({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { against: 'draft', last: 100 } });

// The operator of the request, their permissions and companies
await hilo.getOperator();

// The data that an editor shows for each node of a canvas, and its problems; stores nothing
await hilo.describeCanvas({ query: { companyId: '1' }, body: { schemaVersion: 1, id: 'hello', name: 'Hello', nodes: [{ id: 'begin', type: 'start', data: { keywords: ['hello'] } }, { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names ?? "there"}}!' } } }, { id: 'done', type: 'end' }], edges: [{ source: 'begin', target: 'greet' }, { source: 'greet', sourceHandle: 'sent', target: 'done' }] } });

// The names that canvases of a company can refer to: bots, templates, credentials, workflows …; no secrets
await hilo.listReferences({ query: { companyId: '1' } });

// Checks a canvas as publishing would, and stores nothing
await hilo.validateCanvas({ query: { companyId: '1' }, body: { schemaVersion: 1, id: 'hello', name: 'Hello', nodes: [{ id: 'begin', type: 'start', data: { keywords: ['hello'] } }, { id: 'greet', type: 'message', data: { message: { type: 'text', text: 'Hello {{$user.names ?? "there"}}!' } } }, { id: 'done', type: 'end' }], edges: [{ source: 'begin', target: 'greet' }, { source: 'greet', sourceHandle: 'sent', target: 'done' }] } });

// The catalogue: what a front end needs to draw the palette, a node and its form
await hilo.listNodes();

// The JSON Schema of a canvas, for editors
await hilo.getCanvasSchema();

// Makes the call of an API node once, outside of any conversation
await hilo.sendRequest({ query: { companyId: '1' }, body: { data: { url: 'https://shop.example.com/orders/{{$context.order}}' }, variables: { $context: { order: 'A-17' } } } });

// The tools of an MCP server, to be added to an agent
await hilo.listServerTools({ query: { companyId: '1' }, body: { url: 'https://tools.example.com/mcp' } });

// The authoring server: tools of the Model Context Protocol for coding agents
await hilo.callAuthoringServer({ query: { companyId: '1' }, body: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'validate', arguments: { workflowId: 'order-status' } } } });

// A company at a glance: what waits, its bots, and how the week went
await hilo.getOverview({ path: { companyId: '1' } });

// Statistics of the conversations that began in a range, of one operator or of all
await hilo.getStatistics({ query: { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T23:59:59Z' } });

// Executions of a company or of all, newest first; a child is a separate execution
await hilo.listExecutions({ query: { companyId: '1', workflowId: 'payment-once', limit: '10' } });

// An execution with its variables and its open wait
await hilo.getExecution({ path: { executionId: 'EXECUTION_ID' } });

// The history of an execution: visits, effects, causes and writes, in order
await hilo.getHistory({ path: { executionId: 'EXECUTION_ID' } });

// An execution as it was after a step of its history
await hilo.getStateAtStep({ path: { executionId: 'EXECUTION_ID', step: '1' } });

// Ends an execution at once, and its children with it; one that has ended stays as it is
await hilo.cancelExecution({ path: { executionId: 'EXECUTION_ID' }, body: { reason: 'Ordered twice' } });

// Resumes a quarantined execution where it stopped; any other is unchanged
await hilo.releaseExecution({ path: { executionId: 'EXECUTION_ID' } });

// Continues a failed, expired or cancelled execution as a new one: what was done is not done again
await hilo.retryExecution({ path: { executionId: 'EXECUTION_ID' }, body: { version: 'latest' } });

// Begins a copy of an execution where it stood before an event of its history
await hilo.forkExecution({ path: { executionId: 'EXECUTION_ID' }, body: { before: 1 } });

// An execution as it was, and on the draft or a version of its workflow
await hilo.replayExecution({ path: { executionId: 'EXECUTION_ID' }, query: { against: 'draft' } });

// Events of one execution, or of a workflow, as server-sent events
await hilo.streamEvents({ query: { companyId: '1', workflowId: 'order-status' } });

// Resumes every execution that waits for an event with this name and correlation
await hilo.sendSignalAsOperator({ body: { companyId: '1', name: 'order.paid', correlation: 'A-17', payload: { amount: 12.5 } } });

// Counts the executions that a filter names; changes nothing
await hilo.planBulk({ query: { companyId: '1' }, body: { filter: { workflowId: 'order-status', status: 'waiting' } } });

// Asks for a job that acts on the executions that a filter names, and on no more than were planned
await hilo.actInBulk({ query: { companyId: '1' }, body: { filter: { workflowId: 'order-status', status: 'waiting' }, action: { type: 'cancel', reason: 'The offer has ended' }, atMost: 120 } });

// The messages that a bot sent and received, oldest or newest first
await hilo.listBotMessages({ path: { botId: 'bot_wa' }, query: { companyId: '1', userId: '5215512345678', since: '2026-01-01T00:00:00Z', order: 'desc' } });

// Hands a message of a user in again that was set aside
await hilo.handInMessage({ path: { botId: 'bot_wa', messageId: 'MESSAGE_ID' }, query: { companyId: '1' } });

// Sends a message to a user of a bot
await hilo.sendMessage({ path: { botId: 'bot_wa' }, body: { type: 'text', userId: '5215512345678', text: 'Your order is ready.' } });

// The status of a sent message
await hilo.getMessageStatus({ path: { botId: 'bot_wa', messageId: 'MESSAGE_ID' } });

// Sends a template to a recipient of a campaign
await hilo.sendTemplate({ path: { botId: 'bot_wa', campaignId: 'camp_s' }, body: { type: 'template', templateId: 'tpl1', userId: '5215512345678', parameters: { name: 'Ana', code: 'A1' } } });

// What operators did, newest first: a row before each act, and one with its status after it
await hilo.listAudit({ query: { companyId: '1', actor: 'admin token', limit: '10' } });

// What a migration would do with each waiting execution; changes nothing
await hilo.planMigration({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { from: 'any', to: 1 } });

// Asks for a job that migrates the waiting executions on which the verdict is accepted; the others stay
await hilo.migrateExecutions({ path: { workflowId: 'order-status' }, query: { companyId: '1' }, body: { migration: { from: 'any', to: 1 } } });

// Jobs of a company or of all, newest first
await hilo.listJobs({ query: { companyId: '1', kind: 'migrate', limit: '10' } });

// A job, and how far it is
await hilo.getJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' } });

// Changes the rate of a job
await hilo.changeJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' }, body: { rate: 50 } });

// Lets a job act no more until it is resumed
await hilo.pauseJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' } });

// Lets a paused job go on where it stopped
await hilo.resumeJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' } });

// Ends a job where it stands
await hilo.cancelJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' } });

// Asks for a job that takes back what another has done
await hilo.undoJob({ path: { jobId: 'JOB_ID' }, query: { companyId: '1' } });

// The schedules of published workflows, and when each is due next
await hilo.listSchedules({ path: { companyId: '1' } });

// Starts that wait, were made, or were missed: the latest due time first
await hilo.listStarts({ path: { companyId: '1' }, query: { status: 'waiting' } });

// Starts an execution of a published workflow, now or at an instant
await hilo.createStart({ path: { companyId: '1' }, headers: { 'idempotency-key': 'renewal-ana' }, body: { workflowId: 'hello', user: { id: '5215512345678' }, botId: 'bot_wa' } });

// A start, and what became of it
await hilo.getStart({ path: { companyId: '1', startId: 'START_ID' } });

// Cancels a start that waits for its time, or the rest of one that is made for many
await hilo.cancelStart({ path: { companyId: '1', startId: 'START_ID' } });

// Conversations of a company, newest first
await hilo.listConversations({ query: { companyId: '1' } });

// Starts a conversation of an operator with a user
await hilo.openConversation({ query: { companyId: '1' }, body: { botId: 'bot_wa', userId: '5215512345678', operatorId: 10 } });

// A conversation in its current state
await hilo.getConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' } });

// Sends a message of the operator, in order with all other messages to the user
await hilo.sendOperatorMessage({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { type: 'text', text: 'Hello Ana, what can I do for you?' } });

// Closes a conversation
await hilo.closeConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { reason: 'Answered' } });

// Closes a conversation whose matter is settled
await hilo.resolveConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { reason: 'Answered' } });

// Hands the user over to another operator or team, in a conversation of their own
await hilo.transferConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { operatorId: 11 } });

// Lets another operator continue the same conversation
await hilo.assignConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { operatorId: 11 } });

// Keeps a file of up to 25 MB that an operator sends to the user of a conversation, named by X-Filename
await hilo.keepConversationFile({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, headers: { 'X-Filename': 'bill.txt', 'content-type': 'text/plain' }, body: 'Your bill of May: 30 euros' });

// Conversations that began in a range, newest first
await hilo.reportConversations({ query: { startAt: '2026-01-01T00:00:00Z', endAt: '2026-01-31T23:59:59Z', limit: '10' } });

// Open conversations: who has waited longest for an answer comes first
await hilo.listInbox({ query: { companyId: '1', whose: 'operator', operatorId: '10' } });

// Who answers: the operators and their teams, and the tags that conversations can have
await hilo.listInboxPeople({ query: { companyId: '1' } });

// A server-sent event whenever something in the inbox has changed
await hilo.streamInbox({ query: { companyId: '1' } });

// A conversation with what a person needs who answers it
await hilo.getInboxConversation({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' } });

// What the user and the bot have said to each other, the newest first
await hilo.listInboxMessages({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' } });

// Notes up to where the operator of the request has read a conversation
await hilo.markInboxRead({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' } });

// Replaces the tags of the room of a conversation
await hilo.setInboxTags({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { tags: [1] } });

// Sends a template in a conversation: what can be sent once the window of the channel is closed
await hilo.sendInboxTemplate({ path: { conversationId: 'CONVERSATION_ID' }, query: { companyId: '1' }, body: { templateId: 'tpl1', parameters: { name: 'Ana', code: 'A1' } } });

// Contacts of a company: users of its workspace, imported people, and everybody who wrote
await hilo.listContacts({ path: { companyId: '1' }, query: { query: 'Ana', group: 'vip' } });

// Brings contacts in from a CSV of up to 1 GB: a line with the counts after every 10,000 rows, and at the end
await hilo.importContacts({ path: { companyId: '1' }, query: { map: 'phone=phone,names=names', dryRun: 'true' }, headers: { 'content-type': 'text/csv' }, body: 'phone,names' });

// A contact, by its id, phone:DIGITS, bsuid:ID or BOT:ID
await hilo.getContact({ path: { companyId: '1', id: 'phone:5215512345678' } });

// Makes a contact, or replaces its names, fields and groups
await hilo.saveContact({ path: { companyId: '1', id: 'phone:51999000222' }, body: { names: 'Iris', groups: ['vip'] } });

// Changes what is given of a contact; fields that are left out stay
await hilo.changeContact({ path: { companyId: '1', id: 'phone:5215512345678' }, body: { names: 'Ana', groups: ['vip'] } });

// Asks for a job that erases a person: the contact, and all that is kept of them
await hilo.eraseContact({ path: { companyId: '1', id: 'phone:593987654321' } });

// The groups of a company, and how many contacts each has
await hilo.listContactGroups({ path: { companyId: '1' } });

// Adds a contact to a group; the group is made with its first contact
await hilo.addContactToGroup({ path: { companyId: '1', group: 'vip', id: 'phone:5215512345678' } });

// Takes a contact out of a group
await hilo.removeContactFromGroup({ path: { companyId: '1', group: 'vip', id: 'phone:5215512345678' } });

// Removes a group; its contacts stay
await hilo.removeContactGroup({ path: { companyId: '1', group: 'vip' } });

// The segments of a company: saved conditions over contacts
await hilo.listSegments({ path: { companyId: '1' } });

// Counts whom a condition fits, with ten examples; saves nothing
await hilo.previewSegment({ path: { companyId: '1' }, body: { condition: 'user.consent != "revoked"' } });

// A segment by its name, with its condition
await hilo.getSegment({ path: { companyId: '1', segment: 'lima' } });

// Saves a segment, or replaces its condition
await hilo.saveSegment({ path: { companyId: '1', segment: 'lima' }, body: { condition: 'user.consent != "revoked" && user.lastInboundAt > now() - duration("P30D")' } });

// Removes a segment; its contacts stay
await hilo.removeSegment({ path: { companyId: '1', segment: 'lima' } });

// Counts who is in a segment, with ten examples
await hilo.previewSavedSegment({ path: { companyId: '1', segment: 'lima' } });

// The contacts that are in a segment now
await hilo.listSegmentContacts({ path: { companyId: '1', segment: 'lima' } });

// Everything that is kept of a person, as one JSON file
await hilo.exportContact({ path: { companyId: '1', id: 'phone:5215512345678' } });

// The campaigns of a company, newest first
await hilo.listCompanyCampaigns({ path: { companyId: '1' } });

// Makes a campaign for users, a group, a segment or the rows of a CSV
await hilo.makeCompanyCampaign({ path: { companyId: '1' }, headers: { 'idempotency-key': 'spring-2' }, body: { name: 'Spring', botId: 'bot_wa', templateId: 'tpl1', audience: { users: ['5215512345678'] }, parameters: { name: '{{user.names}}', code: 'A1' }, scheduledAt: '2031-04-01T09:00:00-05:00' } });

// A campaign, with its counts as of now
await hilo.getCompanyCampaign({ path: { companyId: '1', campaignId: 'camp_s' } });

// Changes the name or the date of a campaign that is still scheduled
await hilo.changeCompanyCampaign({ path: { companyId: '1', campaignId: 'camp_s' }, body: { name: 'Spring, second try' } });

// Adds recipients to a campaign that is SCHEDULED
await hilo.addCompanyCampaignRecipients({ path: { companyId: '1', campaignId: 'camp_s' }, body: { audience: { users: ['51999000222'] }, parameters: { name: 'Iris', code: 'A2' } } });

// Pauses a campaign: nothing more of it is sent until it is resumed
await hilo.pauseCompanyCampaign({ path: { companyId: '1', campaignId: 'camp_s' } });

// Goes on with a campaign that is paused
await hilo.resumeCompanyCampaign({ path: { companyId: '1', campaignId: 'camp_s' } });

// Cancels a campaign that is still scheduled: it reaches no recipient
await hilo.cancelCompanyCampaign({ path: { companyId: '1', campaignId: 'camp_ed89c7ac739a6560fc19dcbac80e1c55' } });

// What became of each recipient, as CSV
await hilo.getCompanyCampaignResults({ path: { companyId: '1', campaignId: 'camp_s' } });

// What became of the recipients, counted
await hilo.getCompanyCampaignReport({ path: { companyId: '1', campaignId: 'camp_s' } });

// Campaigns, newest first
await hilo.listCampaigns({ query: { limit: '10', page: '1' } });

// Makes a campaign for users, a group, a segment or the rows of a CSV
await hilo.makeCampaign({ headers: { 'idempotency-key': 'spring-1' }, body: { name: 'Spring', botId: 'bot_wa', templateId: 'tpl1', audience: { users: ['5215512345678'] }, parameters: { name: '{{user.names}}', code: 'A1' }, scheduledAt: '2031-04-01T09:00:00-05:00' } });

// Adds recipients to a campaign that is SCHEDULED
await hilo.addCampaignRecipients({ path: { campaignId: 'camp_s' }, body: { audience: { users: ['51999000222'] }, parameters: { name: 'Iris', code: 'A2' } } });

// Pauses a campaign: nothing more of it is sent until it is resumed
await hilo.pauseCampaign({ path: { campaignId: 'camp_s' } });

// Goes on with a campaign that is paused
await hilo.resumeCampaign({ path: { campaignId: 'camp_s' } });

// What became of each recipient, as CSV
await hilo.getCampaignResults({ path: { campaignId: 'camp_s' } });

// What became of the recipients, counted
await hilo.getCampaignReport({ path: { campaignId: 'camp_s' } });

// Changes the name or the date of a campaign that is still scheduled
await hilo.updateCampaign({ path: { campaignId: 'camp_s' }, body: { name: 'Spring, second try' } });

// Cancels a campaign that is still scheduled: it reaches no recipient
await hilo.cancelCampaign({ path: { campaignId: 'camp_s' } });

// Who is told of what happens in a company
await hilo.listEventSubscriptions({ path: { companyId: '1' } });

// Subscribes an address to events
await hilo.addEventSubscription({ path: { companyId: '1' }, body: { url: 'https://example.com/hook', events: ['message.*', 'execution.ended'] } });

// A subscription, and how much waits for it
await hilo.getEventSubscription({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' } });

// Changes a subscription; what is left out stays
await hilo.changeEventSubscription({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' }, body: { events: ['message.*'] } });

// Removes a subscription with its secret and all that is on its way to it
await hilo.removeEventSubscription({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' } });

// Lets nothing be sent to a subscription until it is resumed
await hilo.pauseEventSubscription({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' } });

// Sends again to a paused subscription
await hilo.resumeEventSubscription({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' } });

// What was to be told to a subscription, the newest first, each with the last answer
await hilo.listEventDeliveries({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' }, query: { limit: '10' } });

// Sends what happened since an instant once more, also what was delivered or parked
await hilo.replayEvents({ path: { companyId: '1', subscriptionId: 'SUBSCRIPTION_ID' }, query: { from: '2031-03-03T09:00:00Z' } });

// The same for all subscriptions of a company
await hilo.replayAllEvents({ path: { companyId: '1' }, query: { from: '2031-03-03T09:00:00Z' } });

// The templates of a company with their status, category, quality and language
await hilo.listTemplates({ path: { companyId: '1' } });

// Adds a template and submits it to the provider of its bot
await hilo.createTemplate({ path: { companyId: '1' }, body: { botId: 'bot_wa', elementName: 'order_shipped', language: 'en', category: 'UTILITY', body: 'Order {{1}} is on its way.' } });

// Brings the templates of a bot up to date with its provider, and adds those that the company does not have
await hilo.syncTemplates({ path: { botId: 'bot_wa' }, query: { companyId: '1' } });

// Submits a template of the company to the provider of its bot
await hilo.submitTemplate({ path: { companyId: '1', id: 'tpl1' } });

// Removes a template, and deletes it at the provider of its bot
await hilo.deleteTemplate({ path: { companyId: '1', id: 'tpl2' } });

// The configuration of the companies of the operator in the format of a workspace file, without secrets
await hilo.exportWorkspace();

// Brings a workspace of up to 1 GB in, or nothing where it has a problem; twice is the same as once, and completes what was cut off
await hilo.importWorkspace({ body: { companies: [{ id: 3, name: 'New shop', plan: 'free', bots: [], workflows: [] }] } });

// What a company is, without what it has lists of, and the schema of that
await hilo.getCompany({ path: { companyId: '1' } });

// Changes what a company is, validated as in a workspace; its bots, people and workflows stay
await hilo.saveCompany({ path: { companyId: '1' }, body: { name: 'Acme', plan: 'free', kind: 'self-service', timeZone: 'America/Lima', settings: {  } } });

// All bots, templates, credentials, teams, operators or tags of a company, without secrets, and the schema of one
await hilo.listRecords({ path: { companyId: '1', kind: 'bots' } });

// Adds or replaces one bot, user, template, credential, team, operator or tag, as in a workspace; a secret that is left out stays unchanged
await hilo.saveRecord({ path: { companyId: '1', kind: 'users', id: '51999000111' }, body: { names: 'Iris', phone: '51999000111', timeZone: 'America/Lima' } });

// Removes one bot, user, template, credential, team, operator or tag; its history stays
await hilo.deleteRecord({ path: { companyId: '1', kind: 'users', id: '51999000111' } });

// Begins a login with a credential of kind oauth2: the address at which a person agrees
await hilo.beginCredentialLogin({ path: { companyId: '1', credentialId: 'crm' } });

// Ends a login with a credential: exchanges the code for a refresh token, which is kept encrypted
await hilo.finishCredentialLogin({ body: { code: 'SplxlOBeZQQYbYS6WxSbIA', state: 'v1.0f3a' } });

// Admin tokens without the tokens themselves, the oldest first
await hilo.listAdminTokens();

// Makes an admin token with a name, roles and companies
await hilo.addAdminToken({ body: { name: 'ci', roles: ['publisher'], companies: ['1'] } });

// Revokes an admin token; a revoked one stays as it is
await hilo.revokeAdminToken({ path: { adminTokenId: 'TOKEN_ID' } });

// The users of the service, who log in by a link, in the order in which they were added
await hilo.listServiceUsers();

// Adds a user of the service, or changes their roles and companies
await hilo.saveServiceUser({ path: { userName: 'maria' }, body: { roles: ['editor'], companies: ['1'] } });

// Removes a user of the service; their sessions and links end
await hilo.deleteServiceUser({ path: { userName: 'maria' } });

// Makes a link that logs a user in to the studio: once, within 24 hours
await hilo.makeLoginLink({ path: { userName: 'maria' } });

// Encrypts the secrets of all companies with another key, while the service runs
await hilo.rotateKeys();

// Payments of an execution, of a workflow or of the company, newest first
await hilo.listPayments({ query: { companyId: '1', limit: '10' } });

// A payment with all events of its provider, including those after the execution stopped waiting
await hilo.getPayment({ path: { checkoutId: 'CHECKOUT_ID' }, query: { companyId: '1' } });

// Liveness: whether the process runs
await hilo.getLiveness();

// Readiness: whether the store accepts writes and the service is not stopping
await hilo.getReadiness();

// Metrics for Prometheus
await hilo.getMetrics();

// This OpenAPI document
await hilo.getOpenApi();

// Every page of the documentation, with its first sentence
await hilo.getDocsIndex();

// The whole documentation as one text
await hilo.getDocs();

// The tags of the company, by their ids
await hilo.listTags({ path: { companyId: '1' } });

// A room: whose it is, and its tags
await hilo.getRoom({ path: { roomId: 'room_ana' } });

// Replaces all tags of a room; an empty list removes them
await hilo.setRoomTags({ path: { botId: 'bot_wa' }, body: { roomId: 'room_ana', tags: [1, 2] } });
