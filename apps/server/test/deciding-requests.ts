import { api } from '@portal/contract/api';
import { dayIn } from '@portal/contract/days';
import type { StaffResourceRequest } from '@portal/contract/requests/desk';
import { emptyForm, type RequestForm, type RequestKind } from '@portal/contract/requests/request-form';
import type { ResourceRequestDetail } from '@portal/contract/requests/requests';
import { issueTransferFees } from '../src/modules/billing/index.ts';
import { fileStorage } from '../src/modules/documents/index.ts';
import { completePaidTransfers } from '../src/modules/requests/completion.ts';
import type { TestPortal } from './portal.ts';

const read = async (portal: TestPortal, requestId: string): Promise<StaffResourceRequest> =>
  (await (await portal.as('stella'))(api.requestDesk.getStaffRequest, { requestId })).data!;

/** Sends a request as people do: started, filled in, sent. @throws Error naming the refusal */
export async function sendRequest(
  person: Awaited<ReturnType<TestPortal['as']>>,
  account: string,
  kind: RequestKind,
  form: Partial<RequestForm>,
  documentIds: string[] = [],
): Promise<ResourceRequestDetail> {
  const { incoming = false } = form;
  const { requestId, version } = (await person(api.requests.startRequest, { account, body: { kind, incoming } })).data!;
  const saved = await person(api.requests.saveRequest, {
    account,
    requestId,
    body: { version, form: { ...emptyForm, ...form }, documentIds },
  });
  const sent = await person(api.requests.submitRequest, { account, requestId, body: { version: saved.data!.version, truthful: true } });
  if (sent.errors) throw new Error(`Not sent: ${JSON.stringify(sent.errors)}`);
  return sent.data!;
}

/** Approves a request as registry staff do: Stella approves the version that she reads. The answer is that of her call. */
export async function approveAlone(portal: TestPortal, requestId: string, { note = '', resource = '' } = {}) {
  const { version } = await read(portal, requestId);
  return (await portal.as('stella'))(api.requestDesk.approveRequest, { requestId, body: { version, note, resource } });
}

/** Confirms the last proposal of registry staff, as Stan. */
export async function confirmLast(portal: TestPortal, as = 'stan') {
  const person = await portal.as(as);
  const { proposalId, fingerprint } = (await person(api.proposals.listStaffProposals, {})).data!.waiting.at(-1)!;
  return person(api.proposals.approveStaffProposal, { proposalId, body: { fingerprint } });
}

/** Approves a change of holder: Stella proposes, Stan confirms. @throws Error naming the refusal */
export async function approveByTwo(portal: TestPortal, requestId: string, note = ''): Promise<StaffResourceRequest> {
  const proposed = await approveAlone(portal, requestId, { note });
  if (proposed.errors?.[0]?.code !== 'SECOND_PERSON') throw new Error(`Not proposed: ${JSON.stringify(proposed.errors)}`);
  const confirmed = await confirmLast(portal);
  if (confirmed.errors) throw new Error(`Not confirmed: ${JSON.stringify(confirmed.errors)}`);
  return read(portal, requestId);
}

/** Issues the invoices of charged fees, as the worker does each minute. */
export const issueFees = (portal: TestPortal): Promise<void> =>
  issueTransferFees(portal.db, {
    now: new Date(),
    profile: portal.context.profile,
    store: portal.context.outside(fileStorage),
    fonts: portal.config.certificateFonts,
  });

/** Completes the transfers whose fee is paid, as the worker does each minute. */
export const completePaid = (portal: TestPortal): Promise<void> => completePaidTransfers(portal.db, new Date(), portal.context.profile);

/** Records the full payment of the fee that a case waits for, without completing it. */
export async function payFee(portal: TestPortal, requestId: string): Promise<void> {
  await issueFees(portal);
  const { number, total } = (await read(portal, requestId)).due!.invoice!;
  const paid = await (await portal.as('stella'))(api.billing.recordPayment, {
    invoiceNumber: number,
    body: { amount: total, receivedOn: dayIn(portal.context.profile.timeZone, new Date()), reference: `TT ${number}` },
  });
  if (paid.errors) throw new Error(`Not paid: ${JSON.stringify(paid.errors)}`);
}
