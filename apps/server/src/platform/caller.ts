/** The person behind a bearer, as the identity module judged it. */
export type Caller = {
  loginId: string;
  issuer: string;
  subject: string;
  name: string;
  email: string;
  sid: string | null;
  amr: readonly string[];
  acr: string | null;
  /** Seconds since 1970 of the last sign-in with all factors; null when the provider does not say. */
  authTime: number | null;
  /** Seconds since 1970 at which the bearer's life is over. */
  expiresAt: number;
  /** The session was opened with a second factor. */
  mfa: boolean;
  /** Registry staff. */
  staff: boolean;
};
