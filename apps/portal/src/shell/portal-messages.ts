import { type FrameMessage, hrefOf, placeOf, type Session } from '@portal/app-kit';
import { leftBefore } from '@portal/app-kit/step-up/left-before';
import type { Portal } from '../portal.ts';
import type { FrameLine } from './frame-line.ts';

type StepUpMessage = Extract<FrameMessage, { type: 'step-up' }>;

const pathOf = (href: string | undefined): string => /^[^?#]*/.exec(href ?? '')![0];

/** Asks the person about a call of the frame, unless they have confirmed its kind. */
function stepUp(
  { portal, line, isForeign }: Pick<Receiver, 'portal' | 'line' | 'isForeign'>,
  { request, challenge, call }: StepUpMessage,
): void {
  // Another page of this document may have asked already, or the frame before it was loaded anew. A page of another origin only gets what was confirmed for it.
  const held = isForeign ? undefined : portal.confirmations.of(call.endpoint, call.input);
  // What the registry refused isn't handed on again.
  const good = held && held.confirmation !== call.sentWith ? held : undefined;
  const asked = good ? Promise.resolve(good) : portal.stepUp(challenge, call, isForeign);
  void asked.then(confirmation => line.send({ type: 'stepped-up', request, confirmation }));
}

type Receiver = {
  portal: Portal;
  session: Session | null;
  line: FrameLine;
  isForeign: boolean;
  isShown: boolean;
};

/** Does what a framed page asks of the portal, whatever the state of its frame. */
export function onPortalMessage({ portal, session, line, isForeign, isShown }: Receiver, message: FrameMessage): void {
  switch (message.type) {
    case 'location':
      line.noteThere(message.href);
      if (isShown) portal.router.go(message.href, { replace: message.replace });
      break;
    case 'title':
      if (isShown) portal.setTitle(message.title);
      break;
    case 'renew':
      void portal.auth.renew().then(renewed => {
        // The new token first: the call that needed it is repeated immediately.
        if (isForeign) line.sendSession();
        line.send({ type: 'renewed', request: message.request, renewed });
      });
      break;
    case 'step-up':
      if (message.call.endpoint.method === 'GET') line.askWhenShown(() => stepUp({ portal, line, isForeign }, message));
      // A question belongs to the page that is shown: a change of one that was left is given up.
      else if (isShown && pathOf(message.call.from) === portal.router.place().path) stepUp({ portal, line, isForeign }, message);
      else {
        portal.notify(leftBefore);
        line.send({ type: 'stepped-up', request: message.request, confirmation: null });
      }
      break;
    case 'navigate':
      if (hrefOf(placeOf(message.href, portal.router.place())) === hrefOf(portal.router.place())) portal.router.reload();
      else portal.router.go(message.href);
      break;
    case 'reload':
      portal.router.reload();
      break;
    case 'errors':
      portal.errors.show(message.errors);
      break;
    case 'report':
      portal.reporting.reportErrors(message.errors, message.call);
      break;
    case 'notice':
      portal.notify(message.notice);
      break;
    case 'palette':
      portal.palette.set(true);
      break;
    case 'select-account':
      session?.selectAccount(message.accountName);
      break;
    case 'activity':
      portal.auth.noteInput();
      break;
    case 'returned-ended':
      portal.returnedInFrame.set(null);
      break;
    case 'sign-out':
      void portal.auth.signOut();
      break;
  }
}
