/** Why an answer is no envelope that Hilo reads. */
export type InvalidReason = 'not-xml' | 'malformed' | 'dtd' | 'too-deep' | 'too-many' | 'too-large' | 'no-envelope' | 'other-version';

export class InvalidEnvelope extends Error {
  override readonly name = 'InvalidEnvelope';
  readonly reason: InvalidReason;

  constructor(reason: InvalidReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
