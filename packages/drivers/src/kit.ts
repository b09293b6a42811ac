// For authors of drivers that call other systems, such as those of @hilo/integrations: signing a call by a credential, withholding secrets of
// answers, the reasons of failures, sockets, and processes that end with this one.
import '@hilo/engine/require-node';
export { createBreaker } from './dialer/breaker.ts';
export { createQueue } from './dialer/queue.ts';
export { type Identity, secureSocket } from './dialer/secure-socket.ts';
export {
  connectionFailure,
  type DatabaseError,
  type DatabaseErrorCode,
  describeError,
  type DialerError,
  isDatabaseError,
  isEnvelopeError,
  placesProblem,
} from './driver-error.ts';
export { type Addressed, parseCredential, readCertificate, readCredential, signIn, withHeader } from './http/credential.ts';
export { unreachable, withDefaults } from './http/http-driver.ts';
export { mayFit, parseJson } from './http/json-bounds.ts';
export { type Withhold, withholding, withholdingSecrets } from './http/withhold.ts';
export { lowerPriority, type ProcessUsage, readUsage } from './processes/child-process.ts';
export { createProcessGuard, type ProcessGuard } from './processes/process-guard.ts';
