import type { Clock, Random } from '@hilo/engine/contract';

/** Codes that log one browser in, once: a link holds a code and not the admin token, which then is in no history and no log. */
export interface LoginCodes {
  issue(): string;
  /** Whether the code may log somebody in now. The same code never may again. */
  redeem(code: string): boolean;
}

/** How long a code is good for. */
export const loginCodeMs = 3_600_000;

/** Kept by this process alone: what it issued ends with it. */
export function createLoginCodes({ clock, random }: { readonly clock: Pick<Clock, 'now'>; readonly random: Random }): LoginCodes {
  const untilMs = new Map<string, number>();
  return {
    issue() {
      const code = Buffer.from(random.bytes(24)).toString('base64url');
      untilMs.set(code, clock.now() + loginCodeMs);
      return code;
    },
    redeem(code) {
      const end = untilMs.get(code);
      untilMs.delete(code);
      return end !== undefined && clock.now() < end;
    },
  };
}
