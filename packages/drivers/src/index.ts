import '@hilo/engine/require-node';
export { DatabaseCredential } from './database/database-credential.ts';
export type { DatabaseDriver, DatabaseDriverOptions } from './database/database-driver.ts';
export { createDatabaseDriver } from './database/database-driver.ts';
export { createModelDriver, type ModelDriverOptions } from './ai/model-driver.ts';
export { createCodeDriver } from './code/code-workers.ts';
export type { CodeLimits } from './code/code-limits.ts';
export type { CodeResult, CodeRun } from './code/code-process.ts';
export { type CodeWorkers, createCodeWorkers } from './code/code-workers.ts';
export type { DestinationBounds } from './dialer/bound-destinations.ts';
export { boundDestinations } from './dialer/bound-destinations.ts';
export type { ClientCertificate } from './dialer/connections.ts';
export { checkDestination, readAllowList, readUrl } from './dialer/destination.ts';
export type { Dialer, DialerOptions, DialerRequest, DialerResponse } from './dialer/dialer.ts';
export { createDialer } from './dialer/dialer.ts';
export { type DialerErrorCode, DriverError, type DriverErrorCode, isDialerError, isMessageError } from './driver-error.ts';
export { isGlobalAddress } from './dialer/global-address.ts';
export type { SocketDestination, SocketDialer, SocketDialerOptions } from './dialer/socket-dialer.ts';
export { createSocketDialer } from './dialer/socket-dialer.ts';
export type { HttpMethod } from './dialer/redirect.ts';
export { createFairWorkers, type FairLimits, type FairWorkers, type Worker } from './fair-workers.ts';
export type { DeployedFunction, FunctionCall, FunctionResult } from './functions/function-call.ts';
export { createFunctionDriver, type FunctionDriverOptions } from './functions/function-driver.ts';
export type { FunctionWorkers } from './functions/function-workers.ts';
export { createFunctionWorkers } from './functions/function-workers.ts';
export { HttpCredential } from './http/credential.ts';
export type { FindCredential } from './http/credential.ts';
export { createMcpDriver, type ListedTool, listMcpTools, type ListToolsRequest, type McpDriverOptions } from './mcp/mcp-driver.ts';
export type { AnswerFile, FileStore, HandledFile } from './http/file-store.ts';
export type { HttpDriverOptions } from './http/http-driver.ts';
export { createHttpDriver } from './http/http-driver.ts';
export { secretSpellings } from './http/withhold.ts';
export { type Amounts, createPool, type LimitReached, type OnLimit, type Pool } from './pool.ts';
export type {
  Callback,
  CallbackRequest,
  CheckoutAnswer,
  CheckoutContext,
  CheckoutRequest,
  PaymentEvent,
  PaymentProvider,
  PaymentStatus,
} from './payment/payment-provider.ts';
export { createStripeProvider } from './payment/stripe.ts';
export { createSoapDriver } from './soap/soap-driver.ts';
export { type LoggedEvent, type StandardDriverOptions, standardDrivers } from './standard-drivers.ts';
