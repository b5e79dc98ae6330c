/** Claims that the signature protects. */
export type TokenClaims = {
  issuer: string;
  subject: string;
  sid: string | null;
  amr: readonly string[];
  acr: string | null;
  authTime: number | null;
  mfa: boolean;
  /** Seconds since 1970. */
  issuedAt: number;
  /** Seconds since 1970. */
  expiresAt: number;
  /** The provider's claims about the person, under the names of CLAIM_NAMES. */
  profile: {
    nickname: string | null;
    displayName: string | null;
    fullName: string | null;
    name: string | null;
    email: string | null;
    emailVerified: boolean;
  };
  /** The groups of the person at the provider; none where it names none. */
  groups: readonly string[];
};
