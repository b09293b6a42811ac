// The entry of @hilo/integrations: the drivers of other systems that a canvas calls by more than HTTP, and `standardDrivers`, which has them all.
import '@hilo/engine/require-node';
export { DatabaseCredential } from './database/database-credential.ts';
export type { DatabaseDriver, DatabaseDriverOptions } from './database/database-driver.ts';
export { createDatabaseDriver } from './database/database-driver.ts';
export { createModelDriver, type ModelDriverOptions } from './ai/model-driver.ts';
export { createMcpDriver, type ListedTool, listMcpTools, type ListToolsRequest, type McpDriverOptions } from './mcp/mcp-driver.ts';
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
