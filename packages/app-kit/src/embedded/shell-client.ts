import { type Client, createClient } from '@portal/api-client';
import { newTraceId } from '@portal/contract/trace';
import { fetchOrTake, takeReadAhead } from '../first/reads-ahead.ts';
import { retryNotice, retryPause } from '../calls/retry-pause.ts';
import { unsettledChanges } from '../calls/unsettled.ts';
import type { FrameMessage } from '../frame/frame-protocol.ts';
import { leftBefore } from '../step-up/left-before.ts';
import { createHeldConfirmations, type HeldConfirmation } from '../step-up/held-confirmations.ts';

export type ShellClient = {
  call: Client;
  /** Whether this document has read an address. */
  hasRead: (url: string) => boolean;
  /** Hands on the shell's answer to a call that needs a second factor, and holds what the person confirmed. */
  steppedUp: (answer: { request: string; confirmation: HeldConfirmation | null }) => void;
  /** Ends what the person confirmed: it is no one else's. */
  endConfirmations: () => void;
  /** Hands on the shell's answer to a request for renewal. */
  renewed: (answer: { request: number; renewed: boolean }) => void;
};

/** Returns the client of a framed page, which asks the shell for what only the shell can do. @param place the address of the page now */
export function createShellClient(send: (message: FrameMessage) => void, token: () => string | null, place: () => string): ShellClient {
  /** Reads of this document so far. */
  const readHere = new Set<string>();
  let requests = 0;
  const stepsUp = new Map<string, (confirmed: boolean) => void>();
  const confirmations = createHeldConfirmations();
  const renewals = new Map<number, (renewed: boolean) => void>();
  const call = createClient({
    baseUrl: '',
    token,
    fetch: (url, init) => {
      if (init.method === 'GET') readHere.add(url);
      return fetchOrTake(url, init);
    },
    answered(url, authorization) {
      const ahead = takeReadAhead(url, authorization);
      if (ahead) readHere.add(url);
      return ahead;
    },
    report: (errors, refused) => send({ type: 'report', errors, call: refused }),
    pause: retryPause(() => send({ type: 'notice', notice: { kind: 'info', text: retryNotice } })),
    ...unsettledChanges(notice => send({ type: 'notice', notice })),
    renew: () =>
      new Promise(resolve => {
        requests += 1;
        renewals.set(requests, resolve);
        send({ type: 'renew', request: requests });
      }),
    signOut: () => send({ type: 'sign-out' }),
    // The shell asks the person over the whole window. Its answer is for this document only: a later one has other requests.
    stepUp: (challenge, interrupted) =>
      new Promise(resolve => {
        if (interrupted.sentWith !== undefined) confirmations.drop(interrupted.sentWith);
        // A change of a page that was left is not asked about on the next one.
        if (interrupted.endpoint.method !== 'GET' && interrupted.from !== place()) {
          send({ type: 'notice', notice: leftBefore });
          return resolve(false);
        }
        const request = newTraceId();
        stepsUp.set(request, resolve);
        send({ type: 'step-up', request, challenge, call: interrupted });
      }),
    place,
    confirmationOf: (endpoint, input) => confirmations.of(endpoint, input)?.confirmation,
  });
  return {
    call,
    hasRead: url => readHere.has(url),
    steppedUp({ request, confirmation }) {
      if (confirmation) confirmations.hold(confirmation);
      stepsUp.get(request)?.(confirmation !== null);
      stepsUp.delete(request);
    },
    endConfirmations: () => confirmations.end(),
    renewed({ request, renewed }) {
      renewals.get(request)?.(renewed);
      renewals.delete(request);
    },
  };
}
