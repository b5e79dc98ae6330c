/** A key of the provider's key set (RFC 7517). */
type Key = JsonWebKey & { kid?: string };

export type TokenCheck = {
  issuer: string;
  clientId: string;
  /** The provider's keys; `again` if a token names an unknown one. Rejects if they can't be fetched. */
  keys: (again: boolean) => Promise<readonly Key[]>;
  /** Seconds since 1970 by this browser's clock. */
  now: () => number;
  /** Returns the registry's time, requested when a token seems to have expired on arrival; null if unavailable. */
  registryNow: () => Promise<number | null>;
};

/** An invalid identity token. The message says which rule it breaks and contains nothing of the token. */
class WrongIdentityToken extends Error {
  override readonly name = 'WrongIdentityToken';
}

/** Allowed difference between the clocks of two machines. */
const toleranceSeconds = 300;

const textOf = (part: string): string =>
  new TextDecoder().decode(Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0)));
const bytesOf = (part: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(part.replaceAll('-', '+').replaceAll('_', '/')), c => c.charCodeAt(0));

/**
 * Checks a new identity token as OpenID Connect Core 3.1.3.7 asks of a client, which the sign-in library leaves out: three parts, issuer,
 * audience, authorised party, end, and a signature by a key of the provider. Where the keys cannot be fetched the TLS connection it came
 * over vouches for it (ibid., 6); the registry checks the signature at every call in any case.
 * @throws WrongIdentityToken
 */
export async function checkIdentityToken(token: string, { issuer, clientId, keys, now, registryNow }: TokenCheck): Promise<void> {
  const wrong = (rule: string) => new WrongIdentityToken(`Identity token refused: ${rule}`);
  const parts = token.split('.');
  if (parts.length !== 3) throw wrong('it does not have three parts');
  let header: { alg?: unknown; kid?: unknown };
  let claims: Record<string, unknown>;
  try {
    header = JSON.parse(textOf(parts[0]!)) as typeof header;
    claims = JSON.parse(textOf(parts[1]!)) as typeof claims;
  } catch {
    throw wrong('its parts cannot be read');
  }
  const { iss, aud, azp, exp } = claims;
  if (iss !== issuer) throw wrong('it was issued by another provider');
  const audiences: unknown[] = Array.isArray(aud) ? aud : [aud];
  if (!audiences.includes(clientId)) throw wrong('it is meant for another client');
  if (azp === undefined ? audiences.length > 1 : azp !== clientId) throw wrong('azp names another client');
  if (typeof exp !== 'number') throw wrong('it does not say when it ends');
  // The clock of this device may be wrong; use the registry's then.
  if (exp + toleranceSeconds < now() && exp + toleranceSeconds < ((await registryNow()) ?? now())) throw wrong('it had expired on arrival');

  const { alg } = header;
  if (typeof alg !== 'string' || alg === 'none' || alg.startsWith('HS')) throw wrong('it is not signed with a key of the provider');
  const known = algorithmOf(alg);
  // An unsupported public key algorithm: the registry knows which it accepts.
  if (!known || !globalThis.crypto?.subtle) return;
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  const signature = bytesOf(parts[2]!);
  const verifies = async (again: boolean): Promise<boolean> => {
    const candidates = (await keys(again)).filter(key => key.kty === known.kty && (header.kid === undefined || key.kid === header.kid));
    for (const key of candidates) {
      const { kty, n, e, crv, x, y } = key;
      const jwk = known.kty === 'RSA' ? { kty, n, e } : { kty, crv, x, y };
      try {
        const imported = await crypto.subtle.importKey('jwk', jwk as JsonWebKey, known.use, false, ['verify']);
        if (await crypto.subtle.verify(known.use, imported, signature, signed)) return true;
      } catch {
        // A key with another curve or a damaged one verifies nothing.
      }
    }
    return false;
  };
  let verified: boolean;
  try {
    verified = (await verifies(false)) || (await verifies(true));
  } catch {
    return;
  }
  if (!verified) throw wrong('its signature is not the provider’s');
}

type Use = { name: string; hash: string; saltLength?: number; namedCurve?: string };

/** Returns the WebCrypto parameters of an algorithm of RFC 7518 section 3; null for unsupported ones. */
function algorithmOf(alg: string): { kty: 'RSA' | 'EC'; use: Use } | null {
  const [, kind, bits] = /^(RS|PS|ES)(256|384|512)$/.exec(alg) ?? [];
  if (!kind || !bits) return null;
  const hash = `SHA-${bits}`;
  if (kind === 'RS') return { kty: 'RSA', use: { name: 'RSASSA-PKCS1-v1_5', hash } };
  if (kind === 'PS') return { kty: 'RSA', use: { name: 'RSA-PSS', hash, saltLength: Number(bits) / 8 } };
  return { kty: 'EC', use: { name: 'ECDSA', hash, namedCurve: bits === '512' ? 'P-521' : `P-${bits}` } };
}
