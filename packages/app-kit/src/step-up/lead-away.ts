import type { Challenge, Client, StoppedCall } from '@portal/api-client';
import { people } from '@portal/contract/identity/people';
import { isOwnProvider } from '@portal/contract/shell/own-provider';
import type { Environment } from '@portal/contract/shell/shell';
import type { QueryClient } from '@tanstack/react-query';
import type { Auth } from '../auth/auth.ts';
import { purposeOf } from '../auth/step-up-purpose.ts';
import { reading } from '../calls/answer.ts';
import { dropInterruptedCall, storeInterruptedCall } from '../calls/interrupted-call.ts';
import { wordsOfAsked } from './asked-words.ts';
import { hrefOf, type Router } from '../kit/place.ts';

type From = { environment: Environment; auth: Pick<Auth, 'stepUp'>; answers: QueryClient; router: Pick<Router, 'place'>; call: Client };

/**
 * Leads to the provider for a second factor; a change is asked about when the person is back. Resolves only if they are back in this document without
 * having been there. @param isForeign a page of another origin made the call: the provider says nothing of what for, because the page could say anything
 */
export async function leadAway(
  { environment, auth, answers, router, call }: From,
  challenge: Challenge,
  { endpoint, input, act }: StoppedCall,
  isForeign = false,
): Promise<void> {
  const purpose = isForeign ? null : purposeOf(endpoint.id, input);
  // At our own provider the person has just given the password, over the page.
  const asksAnew = endpoint.method === 'GET' || !isOwnProvider(environment);
  try {
    await auth.stepUp(
      asksAnew ? challenge : { ...challenge, maxAgeSeconds: null },
      redirect => {
        dropInterruptedCall();
        // The page uses the registry's record of the person, not the claims of the token.
        const person = answers.getQueryData(reading(call, people.getMe, {}).queryKey);
        if (!person || endpoint.method === 'GET') return;
        const said = { ...(act ?? { name: 'Send what you entered' }) };
        said.effect ??= wordsOfAsked(challenge.asked) ?? undefined;
        const { userId } = person;
        storeInterruptedCall({ endpoint, input, act: said, userId, address: hrefOf(router.place()), redirect, at: Date.now() });
      },
      purpose ?? undefined,
    );
  } finally {
    dropInterruptedCall();
  }
}
