import { MINUTE_MS, SECOND_MS } from '@portal/contract/days';
import { errors } from 'oidc-provider';
import { addressGroup } from '../../../platform/line-server.ts';

/** Period over which sign-ins are counted: as long as a started sign-in stays valid. */
export const SIGN_IN_MINUTES = 15;

/** Too many sign-ins were started from one address: refused before a row is written. */
export class TooManyStarts extends errors.CustomOIDCProviderError {
  readonly waitSeconds: number;
  constructor(waitSeconds: number) {
    super('temporarily_unavailable', `too many sign-ins were begun from this address, try again in ${waitSeconds} seconds`);
    this.waitSeconds = waitSeconds;
    // The error is shown here, because the system behind the redirect would only ask again.
    Object.assign(this, { statusCode: 429, status: 429, expose: true, allow_redirect: false });
  }
}

export type SignInStarts = {
  /** Counts a sign-in that is begun from an address (IPv6: its /64). @throws TooManyStarts */
  begin(address: string | null): void;
};

/**
 * Counts the sign-ins begun from each address, in memory: starting one writes a row without any proof. An open session starts none. Each process
 * counts its own requests.
 * @param most in 15 minutes; 0 for no limit
 */
export function openSignInStarts(most: number, clock: () => Date): SignInStarts {
  const span = SIGN_IN_MINUTES * MINUTE_MS;
  let current = 0;
  const begun = new Map<string, number>();
  return {
    begin: address => {
      if (most === 0 || address === null) return;
      const now = clock().getTime();
      const period = Math.floor(now / span);
      if (period !== current) begun.clear();
      current = period;
      const group = addressGroup(address);
      const count = begun.get(group) ?? 0;
      if (count >= most) throw new TooManyStarts(Math.max(1, Math.ceil(((period + 1) * span - now) / SECOND_MS)));
      begun.set(group, count + 1);
    },
  };
}
