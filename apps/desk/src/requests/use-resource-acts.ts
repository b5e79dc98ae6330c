import { useSession } from '@portal/app-kit';
import { money } from '@portal/app-kit/words/billing-words';
import { canMove } from '@portal/contract/life';
import { type Addressee, requestDesk, type StaffResourceRequest } from '@portal/contract/requests/desk';
import { requestLife } from '@portal/contract/requests/life';
import { isUnmet } from '@portal/contract/requests/requests';
import { formatDate } from '@portal/ui';
import type { Act } from '../shell/cases/Decision.tsx';
import type { Passed } from '../shell/cases/open-case.ts';
import { type Deciding, useDecision } from './deciding.ts';
import { rejectAct, reviewedActs } from './reviewed-acts.ts';

const delegates = ({ kind }: StaffResourceRequest): boolean => kind === 'ipv4' || kind === 'ipv6' || kind === 'asn';

/** Says of a return that its traffic still flows, as the first thing to read; empty if it doesn’t. */
function announcedNow({ checks }: Pick<StaffResourceRequest, 'checks'>): string {
  const announced = checks.find(({ checkId, state }) => checkId === 'announced' && state === 'review');
  return announced ? `Still announced: ${announced.known}. ` : '';
}

/** Says what an approval does. @param block the block that staff entered; empty for the proposed one */
export function consequenceOf(request: StaffResourceRequest, block: string): string {
  const { accountName, form, kind, plan, proposed } = request;
  const resources = form.resources.join(', ');
  if (delegates(request))
    return `${block || proposed?.resource || 'A block'} is delegated to ${accountName} immediately. Whois, RDAP and RPKI follow within seconds.`;
  if (kind === 'return')
    return `${announcedNow(request)}${resources} leaves ${accountName} immediately and rests in the pool. Its whois objects and ROAs are deleted. This can’t be undone.`;
  if (kind === 'pre-approval') return `${accountName} may receive ${form.blocks} × /24 by transfer.`;
  if (form.otherRegistry !== '')
    return `Enter the approval of ${form.otherRegistry} with its reference below. ${form.incoming ? `Then ${resources} is delegated to ${accountName}` : 'Then the resources leave this registry'}, after the fee where one is due.`;
  if (plan?.fee?.amount === null) return 'The transfer has a fee, and none is announced for this year. Announce the fees first.';
  return plan?.fee
    ? `The transfer waits until ${plan.fee.payer} has paid ${money(plan.fee.currency, plan.fee.amount)}.`
    : 'The resources move immediately, with whois and ROAs.';
}

/** Returns the parties of a case that staff can write to, in words; null where it has one. */
export function addresseesOf({ accountName, recipientName }: StaffResourceRequest): { value: Addressee; label: string }[] | null {
  if (recipientName === null) return null;
  return [
    { value: 'sender', label: `${accountName}, the sender` },
    { value: 'recipient', label: `${recipientName}, the recipient` },
    { value: 'both', label: 'Both parties' },
  ];
}

/** Returns whom a question can go to now: each party has one open question at most. */
const askable = (request: StaffResourceRequest): { value: Addressee; label: string }[] | null => {
  const asked = request.questions.map(({ accountName }) => accountName);
  return (
    addresseesOf(request)?.filter(({ value }) =>
      value === 'both' ? asked.length === 0 : !asked.includes(value === 'sender' ? request.accountName : request.recipientName!),
    ) ?? null
  );
};

/** Says why a request can't be approved yet; null if it can. */
export function whyNotApproved(request: StaffResourceRequest, block: string): string | null {
  if (request.proposal) return 'An approval is waiting for a second person';
  if (request.questions.length > 0)
    return `Waiting for an answer from ${request.questions.map(({ accountName }) => accountName).join(' and ')}`;
  if (request.notBefore)
    return `It can be carried out from ${formatDate(request.notBefore, { timeZone: 'UTC', hourCycle: 'h23' }, 'date')} on`;
  const unmet = request.checks.find(isUnmet);
  if (unmet) return `${unmet.fact}: ${unmet.known}`;
  return delegates(request) && !request.proposed && block === '' ? 'No block of this size is free' : null;
}

/** Names what moves on a button: the one resource, or how many. */
const movedIn = ({ form: { resources } }: Pick<StaffResourceRequest, 'form'>): string =>
  resources.length === 0 ? '' : ` of ${resources.length === 1 ? resources[0] : `${resources.length} resources`}`;

/** Names the effect of an approval on its button: `Approve 198.51.100.0/24 for CORAL-KI`, `Approve the transfer of 198.51.100.0/24 to OTHER-SG`. @param block as in `useResourceActs` */
export function approveLabel(
  request: Pick<StaffResourceRequest, 'kind' | 'proposed' | 'recovery' | 'form' | 'accountName' | 'recipientName'>,
  block: string,
): string {
  const { kind, proposed, recovery, form, accountName, recipientName } = request;
  if (kind === 'ipv4' || kind === 'ipv6' || kind === 'asn') {
    const resource = block || proposed?.resource;
    return resource ? `Approve ${resource} for ${accountName}` : `Approve for ${accountName}`;
  }
  if (kind === 'pre-approval') return `Approve up to ${form.blocks} × /24 for ${accountName}`;
  if (kind === 'return') return `Approve the ${recovery ? 'recovery' : 'return'}${movedIn(request)}`;
  const to = recipientName ?? (form.otherRegistry === '' ? '' : form.incoming ? accountName : form.otherRegistry);
  if (kind === 'acquisition') return `Approve the merger of ${accountName}${to === '' ? '' : ` into ${to}`}`;
  return `Approve the transfer${movedIn(request)}${to === '' ? '' : ` to ${to}`}`;
}

/** Returns what registry staff can do with a request for resources, a transfer or a return. @param block the block that staff entered; empty for the proposed one */
export function useResourceActs(
  request: StaffResourceRequest,
  block: string,
  deciding: Deciding<typeof requestDesk.getStaffRequest>,
): Act[] {
  const { requestId, reference, state, version, accountName, recipientName } = request;
  const readers = recipientName === null ? `${accountName} gets` : `${accountName} and ${recipientName} get`;
  const { person } = useSession();
  const isTakenOver = state === 'in-review' && request.reviewerId !== null && request.reviewerId !== person.userId;
  const after = (words: string, passed?: Passed) => ({
    done: (row: StaffResourceRequest) => deciding.done(row, words, passed),
    failed: deciding.failed,
  });
  const review = useDecision(requestDesk.reviewRequest, {
    act: () => ({ name: isTakenOver ? `Take over ${reference}` : `Take ${reference} into review` }),
    ...after(isTakenOver ? `${reference} is with you now. ${request.reviewer} gets an e-mail.` : `${reference} is in review.`),
  });
  const ask = useDecision(requestDesk.askAboutRequest, {
    act: ({ body }) => ({ name: `Ask about ${reference}`, effect: body.question }),
    ...after(`${reference}: asked by e-mail. The clock is stopped.`, 'asked'),
  });
  const approve = useDecision(requestDesk.approveRequest, {
    act: ({ body }) => ({ name: `Approve ${reference}`, effect: consequenceOf(request, body.resource ?? '') }),
    ...after(`${reference} approved. ${readers} an e-mail.`, 'decided'),
    proposed: deciding.proposed,
  });
  const refuse = useDecision(requestDesk.refuseRequest, {
    act: ({ body }) => ({ name: `Reject ${reference}`, effect: body.reason }),
    ...after(`${reference} rejected. ${readers} an e-mail.`, 'decided'),
  });
  const complete = useDecision(requestDesk.completeTransfer, {
    act: () => ({ name: `Complete ${reference}` }),
    ...after(`${reference} completed. ${readers} an e-mail.`, 'decided'),
  });
  const refusing = {
    consequence: 'Nothing is delegated or moved. What is held for it is free again.',
    body: requestDesk.refuseRequest.body,
    busy: refuse.busy,
    send: (reason: string) => refuse.send({ requestId, body: { reason } }),
  };
  if (canMove(requestLife.complete, state))
    return [
      ...(request.due
        ? [
            {
              name: 'approve',
              label: `Complete ${reference} now`,
              variant: 'commit',
              consequence: '',
              why: request.due.paidOn === null ? 'The fee isn’t paid yet' : null,
              busy: complete.busy,
              send: () => complete.send({ requestId, body: { version } }),
            } as const,
          ]
        : []),
      rejectAct('the member', { ...refusing, consequence: 'Nothing moves. The invoice is cancelled, and a payment becomes credit.' }),
    ];
  if (!canMove(requestLife.ask, state)) return [];
  const to = askable(request);
  const isAsked = to === null ? state === 'needs-info' : to.length === 0;
  return reviewedActs({
    canAsk: !isAsked,
    canReview: canMove(requestLife.review, state),
    reader: 'the member',
    approve: {
      label: approveLabel(request, block),
      consequence: consequenceOf(request, block),
      why: whyNotApproved(request, block),
      body: requestDesk.approveRequest.body,
      rest: { version, resource: block },
      busy: approve.busy,
      send: note => approve.send({ requestId, body: { version, note, resource: block } }),
    },
    refuse: refusing,
    ask: {
      consequence: to
        ? 'The clock stops until the answer. Each party reads only what it is asked.'
        : 'The clock stops until the member answers.',
      body: requestDesk.askAboutRequest.body,
      busy: ask.busy,
      addressees: to,
      send: (question, addressee) => ask.send({ requestId, body: { question, ...(addressee && { to: addressee as Addressee }) } }),
    },
    review: { busy: review.busy, send: () => review.send({ requestId }), isTakenOver },
  });
}
