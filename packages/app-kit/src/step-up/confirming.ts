import { newTraceparent } from '@portal/contract/trace';
import {
  type Confirmation,
  type ConfirmationBegun,
  confirmationPaths,
  type ConfirmationRefusal,
  type GivenFactor,
} from '@portal/contract/shell/confirmation';
import { copiedToken } from '../auth/stored-user.ts';

/** The answer of the provider, or why there is none. */
export type Confirmed<T> = { data: T; refused?: undefined } | { data?: undefined; refused: ConfirmationRefusal };

const unreachable = 'The registry can’t be reached. Check the connection and try again.';
const sessionOver = 'Your session is over. Log in again, then make the change once more.';

/** The provider's answers about changes that wait to be confirmed, as the registry signed them. @param renew one silent renewal, for a token that has just expired */
export function confirmingOf(acts: readonly string[], { renew, send = fetch }: { renew: () => Promise<boolean>; send?: typeof fetch }) {
  async function ask<T>(address: string, given: object = {}, again = true): Promise<Confirmed<T>> {
    const refused = (why: ConfirmationRefusal['why'], message: string): Confirmed<T> => ({ refused: { why, field: null, message } });
    try {
      const answer = await send(address, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${copiedToken() ?? ''}`, traceparent: newTraceparent() },
        body: JSON.stringify({ acts, ...given }),
      });
      const text = await answer.text();
      if (answer.ok) return { data: (text === '' ? undefined : JSON.parse(text)) as T };
      const body = JSON.parse(text) as Partial<ConfirmationRefusal> & { errors?: { message: string }[] };
      if (body.why && body.message) return { refused: { why: body.why, field: body.field ?? null, message: body.message } };
      if (answer.status === 401) return again && (await renew()) ? await ask(address, given, false) : refused('session', sessionOver);
      return refused('malformed', body.errors?.[0]?.message ?? unreachable);
    } catch {
      return refused('malformed', unreachable);
    }
  }
  return {
    begin: () => ask<ConfirmationBegun>(confirmationPaths.begin),
    passkeyOptions: () => ask<unknown>(confirmationPaths.passkey),
    confirm: (given: GivenFactor) => ask<Confirmation>(confirmationPaths.confirm, given),
    givePassword: (password: string) => ask<undefined>(confirmationPaths.password, { password }),
  };
}

export type Confirming = ReturnType<typeof confirmingOf>;

type PasskeyApi = typeof PublicKeyCredential & { parseRequestOptionsFromJSON(options: unknown): PublicKeyCredentialRequestOptions };

/** Returns whether this browser can prove passkeys. */
export const canUsePasskeys = (): boolean => 'PublicKeyCredential' in window && 'parseRequestOptionsFromJSON' in PublicKeyCredential;

/** Proves a passkey of the device; its answer is JSON. @throws DOMException as `navigator.credentials.get` does */
export async function provePasskey(options: unknown, signal: AbortSignal): Promise<string> {
  const publicKey = (PublicKeyCredential as PasskeyApi).parseRequestOptionsFromJSON(options);
  return JSON.stringify(await navigator.credentials.get({ publicKey, signal }));
}
