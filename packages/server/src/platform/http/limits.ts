import { limits } from '@hilo/engine/contract';

/** Every bound of a request, in one table (P22, P33). */
export const httpLimits = {
  bodyBytes: limits.bodyBytes,
  depth: limits.depth,
  keys: limits.keys,
  /** Keys in one delivery of a provider: Meta puts up to 1,000 events into one, each with some 20 keys. */
  deliveryKeys: 40_000,
  headBytes: 16 * 1024,
  urlBytes: 8 * 1024,
  headMs: 10_000,
  bodyMs: 30_000,
  /** A body that is read as it comes, such as a CSV of contacts, while its caller does not keep us waiting for `bodyMs`. */
  streamMs: 86_400_000,
  /** How long a caller may read nothing of an answer, beside what its pieces take at the slowest rate (reading-deadlines.ts). */
  unreadMs: 30_000,
  /** Bytes of all answers that wait for their callers to read them. */
  unreadBytes: 128 * 1024 * 1024,
  /** Concurrent connections, provided the process may open twice as many files. */
  connections: 10_000,
  connectionShare: 0.25,
  /** Requests that are read or committed at once. */
  requestsInProgress: 1_000,
  /** Their bodies together. */
  bytesInProgress: 64 * 1024 * 1024,
  /** The share of both that is kept for resumes and for users' messages. */
  reservedShare: 0.25,
  /** What one company may have of them however little is left (P23). */
  holderShare: 0.25,
  /** Requests without a credential, and of visitors, that are read at once, beside the others, and their bodies: a share holds a file. */
  anonymousRequests: 250,
  anonymousBytes: 32 * 1024 * 1024,
  /** A body of this size is counted when it is announced: the number of requests bounds it. */
  smallBodyBytes: 16 * 1024,
  /** Requests that wait for the end of an execution they started. */
  requestsAwaitingFinish: 5_000,
  /** Lanes of the engine in which something is at work: over it, nothing new is started. */
  lanesAtWork: 10_000,
  /** How client secrets are hashed, some 50 ms each. At once: half of Node's threads, since others look up names and read files. */
  secretsJudged: { atOnce: 2, waiting: 128, share: 0.25, freeFailures: 10, pauseStepMs: 50, longestPauseMs: 500 },
  visitorRequestsASecond: 5,
  /** Of all anonymous visitors of one network. */
  networkVisitorRequestsASecond: 250,
  /** Messages and files of theirs, unless it is set: each may begin an execution. Behind a proxy that is not trusted they are everybody's. */
  networkVisitorMessagesADay: 20_000,
  apiKeyChars: 512,
  /** A sentence of an error may repeat what the caller sent: up to here. */
  messageChars: 1_000,
} as const;
