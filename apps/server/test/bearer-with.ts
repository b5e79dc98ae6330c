import { importJWK, SignJWT } from 'jose';
import { signingKeys } from '../src/modules/identity/sessions/signing-keys.ts';
import { openSecretBox } from '../src/platform/secret-box.ts';
import type { TestPortal } from './portal.ts';

/** Returns the bearer of a demo person with some claims set or, by undefined, left out. */
export async function bearerWith(portal: TestPortal, name: string, changed: Record<string, unknown>): Promise<string> {
  const claims = JSON.parse(Buffer.from((await portal.tokenOf(name)).split('.')[1]!, 'base64url').toString()) as object;
  const key = (await signingKeys(portal.db.read, openSecretBox(portal.config))).find(({ alg }) => alg === 'RS256')!;
  return new SignJWT({ ...claims, ...changed })
    .setProtectedHeader({ alg: 'RS256', kid: key.kid, typ: 'JWT' })
    .sign(await importJWK(key.privateJwk, 'RS256'));
}

/** The claims of a session whose second factor was given six minutes ago, which is too long for any change of the registry (S24). */
export const ofSixMinutesAgo = (): { auth_time: number } => ({ auth_time: Math.floor(Date.now() / 1000) - 360 });
