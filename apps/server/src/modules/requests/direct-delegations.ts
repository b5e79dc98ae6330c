import type { AnswerOf, BodyOf } from '@portal/contract';
import type { directDelegations } from '@portal/contract/requests/direct-delegations';
import { emptyForm, type FormProblem, type RequestForm } from '@portal/contract/requests/request-form';
import { problemOfGrounds } from '@portal/contract/requests/request-grounds';
import { problemsOfWhoisNames } from '@portal/contract/requests/whois-names';
import { containsResource, type NumberResource, prefixOfRange, printResource } from '@portal/number-resources';
import type { Change, Read } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseFields } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import type { Registry } from '../../platform/registry.ts';
import { findAccount, lockAccount, refuseOwnAccount, refuseClosedAccount } from '../accounts/index.ts';
import { freeSpace, gateObstacle, holdForRequest, lockLedger } from '../resources/index.ts';
import { objectDefaultsOf } from '../whois/index.ts';
import { checkRequest } from './account-facts.ts';
import { problemsOfNames } from './form-answers.ts';
import { readResource } from './open-request.ts';
import { notifyParty } from './request-notices.ts';
import { recordEvent, referenceOf, requestById } from './request-row.ts';
import { blocks } from './rules/check.ts';
import { choose, purposeOf, typeOf } from './transfers/chosen-resource.ts';
import { requestsTexts } from './mail-texts.ts';

type Body = BodyOf<typeof directDelegations.openDirectDelegation>;

/** Returns how numbers of an account appear in whois unless staff choose otherwise. @throws Failure NOT_FOUND */
export async function getDirectDefaults({
  read,
  params: { accountName },
  registry: { profile },
}: Act<typeof directDelegations.getDirectDefaults>): Promise<AnswerOf<typeof directDelegations.getDirectDefaults>> {
  if (!(await findAccount(read, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  return { whois: await objectDefaultsOf(read, accountName, profile) };
}

/**
 * Opens a direct delegation: a request that the registry sends itself, in review with the person who opened it. Its numbers are held, the account is
 * informed and can decline, and two people approve it. They may overrule the policy’s checks, except for an open account, an abuse mailbox and the ledger’s gate.
 * @throws Failure NOT_FOUND, OWN_REQUEST, ACCOUNT_CLOSED, INVALID_REQUEST with every invalid field, REQUEST_NOT_ALLOWED
 */
export async function openDirectDelegation({
  change,
  caller,
  params: { accountName },
  body,
  registry,
}: Act<typeof directDelegations.openDirectDelegation>): Promise<AnswerOf<typeof directDelegations.openDirectDelegation>> {
  const { profile } = registry;
  if (!(await findAccount(change, accountName))) throw refuse('NOT_FOUND', { what: 'The account' });
  const { accountStatus } = await lockAccount(change, accountName);
  refuseClosedAccount({ accountName, accountStatus });
  await refuseOwnAccount(change, accountName, caller);
  const named = readNamed(body);
  const form = formOf(body, named);
  const problems = await problemsOf(change, accountName, { kind: body.kind, form }, registry);
  if (problems.length > 0) throw refuseFields(problems);
  await lockLedger(change);
  const chosen = named ?? (await chosenFor(change, accountName, body, form));
  if (!containsResource(await freeSpace(change, body.kind), chosen))
    throw refuseField('resource', `${printResource(chosen)} isn’t free in the pool. Enter free numbers, or none so that the pool chooses`);
  const numbers = { type: typeOf(body.kind, form, profile), purpose: purposeOf(body.kind, form), whole: true, rest: [], historical: false };
  const obstacle = gateObstacle('delegated', { resource: chosen, ...numbers }, profile);
  if (obstacle) throw refuseField(named ? 'resource' : 'length', `${obstacle.resource} ${obstacle.words}`);
  const against = blocks(await checkRequest(change, { accountName, kind: body.kind, form, direct: true }, registry));
  if (against) throw refuse('REQUEST_NOT_ALLOWED', { why: `${against.fact}: ${against.known} (${against.policy})` });
  const { resourceRequestId: id } = await change
    .insertInto('resourceRequest')
    .values({
      accountName,
      kind: body.kind,
      state: 'in-review',
      form: JSON.stringify(form),
      requestedBy: caller.loginId,
      reviewer: caller.loginId,
      startedAt: change.now,
      submittedAt: change.now,
      since: change.now,
      direct: true,
    })
    .returning('resourceRequestId')
    .executeTakeFirstOrThrow();
  const [reference, resource] = [referenceOf(id), printResource(chosen)];
  await holdForRequest(change, chosen, reference);
  await recordEvent(change, id, 'submitted', { by: caller.loginId, byStaff: true, words: body.reason });
  await recordEvent(change, id, 'reserved', { byStaff: true, internal: true, words: resource });
  await change.concerns(accountName);
  await change.note({ request: reference, resource, reason: body.reason });
  const row = (await requestById(change, id))!;
  await notifyParty(change, row, accountName, {
    text: requestsTexts.written('registryWantsDelegateYou', { resource, accountName, reason: body.reason }),
    act: 'Read and decline',
  });
  return { requestId: String(id), reference, resource };
}

/** Parses the numbers chosen by staff: one prefix or AS number of the kind; null if none. @throws Failure INVALID_REQUEST */
function readNamed({ kind, resource: text }: Body): NumberResource | null {
  if (text === '') return null;
  const resource = readResource(text, 'resource');
  const isOne = resource.family === 'asn' ? resource.first === resource.last : prefixOfRange(resource) !== undefined;
  if (resource.family === kind && isOne) return resource;
  throw refuseField('resource', `Enter ${exampleOf[kind]}, or none so that the pool chooses`);
}
const exampleOf = {
  ipv4: 'one IPv4 prefix, such as 198.51.100.0/24',
  ipv6: 'one IPv6 prefix, such as 2001:db8::/32',
  asn: 'one AS number, such as AS64496',
} as const;

/** The form of a request for the same numbers. Numbers chosen by staff have their own size. */
const formOf = (
  { kind, reason, path, length, netname, adminContact, techContact, maintainer, abuseMailbox }: Body,
  named: NumberResource | null,
): RequestForm => ({
  ...emptyForm,
  netname,
  adminContact,
  techContact,
  maintainer,
  abuseMailbox,
  path,
  reason,
  length: kind === 'asn' ? 0 : named && named.family !== 'asn' ? prefixOfRange(named)!.length : length,
  resources: named ? [printResource(named)] : [],
});

async function problemsOf(
  read: Pick<Read, 'rows'>,
  accountName: string,
  { kind, form }: { kind: Body['kind']; form: RequestForm },
  { profile }: Pick<Registry, 'profile'>,
): Promise<FormProblem[]> {
  const grounds = problemOfGrounds(kind, form.path);
  const most = kind === 'ipv4' ? 32 : 128;
  return [
    ...(grounds ? [grounds] : []),
    ...(kind !== 'asn' && (form.length < 1 || form.length > most)
      ? [
          {
            field: 'length',
            message: `Enter a prefix length of 1 to ${most}, such as ${kind === 'ipv4' ? 24 : 32}, or the numbers themselves`,
          } as const,
        ]
      : []),
    ...problemsOfWhoisNames(form, { asNumbers: kind === 'asn' }),
    ...(await problemsOfNames(read, accountName, form, profile)),
  ];
}

/** Chooses numbers from the pool as for a request. @throws Failure INVALID_REQUEST if none of the size are free */
async function chosenFor(change: Change, accountName: string, { kind }: Body, form: RequestForm): Promise<NumberResource> {
  const chosen = await choose(change, kind, form, { accountName, subaccountId: null });
  if (chosen) return chosen.resource;
  throw kind === 'asn'
    ? refuseField('kind', 'No AS number is free in the pool')
    : refuseField('length', `No /${form.length} is free in the pool. Enter a longer prefix length, or release or recover numbers first`);
}
