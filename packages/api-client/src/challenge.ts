/** The authentication that the server demands before it answers (RFC 9470). */
export type Challenge = {
  acrValues: string | null;
  maxAgeSeconds: number | null;
  /** The refused change, in the words of the activity log: "Invite a contact". Null for a read. */
  act: string | null;
  /** The same with its object, as the registry signed it for the question; null for a read. */
  asked: string | null;
};

/** The step-up challenge of a `WWW-Authenticate` header; null when it is none (a plain 401). */
export function challengeOf(header: string | null): Challenge | null {
  if (!header || !/^\s*bearer\b/i.test(header) || parameter(header, 'error') !== 'insufficient_user_authentication') return null;
  const maxAge = parameter(header, 'max_age');
  return {
    acrValues: parameter(header, 'acr_values'),
    maxAgeSeconds: maxAge && /^\d+$/.test(maxAge) ? Number(maxAge) : null,
    act: decoded(parameter(header, 'act')),
    asked: parameter(header, 'asked_act'),
  };
}

/** A header takes no other letters than those of ASCII. */
function decoded(words: string | null): string | null {
  try {
    return words && decodeURIComponent(words);
  } catch {
    return null;
  }
}

function parameter(header: string, name: string): string | null {
  const match = new RegExp(`[\\s,]${name}=(?:"([^"]*)"|([^\\s,]+))`, 'i').exec(header);
  return match ? (match[1] ?? match[2] ?? null) : null;
}
