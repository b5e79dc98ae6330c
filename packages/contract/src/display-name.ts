/** The claims a name is taken from, in order (specification, section 3). */
export type NameClaims = { nickname?: unknown; display_name?: unknown; full_name?: unknown; name?: unknown };

/** The name shown for a signed-in person: the first non-empty of nickname, display_name, full_name, name. Empty when there is none. */
export function displayName(claims: NameClaims): string {
  for (const claim of [claims.nickname, claims.display_name, claims.full_name, claims.name]) {
    if (typeof claim === 'string' && claim.trim() !== '') return claim.trim();
  }
  return '';
}
