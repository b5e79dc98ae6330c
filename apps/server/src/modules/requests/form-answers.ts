import { problemsOfForm } from '@portal/contract/requests/form-problems';
import { type FormProblem, regionalRegistries, type RequestForm } from '@portal/contract/requests/request-form';
import { problemsOfWhoisNames, receivesNumbers } from '@portal/contract/requests/whois-names';
import type { Read } from '../../platform/database/index.ts';
import { refuseFields } from '../../platform/failure.ts';
import type { Profile } from '../../profile.ts';
import { problemsOfAsked } from '../whois/index.ts';
import { factsOf } from './account-facts.ts';
import { askedOf } from './asked-names.ts';
import type { Row } from './request-row.ts';
import { problemsOfNetworks } from './rules/networks.ts';

/**
 * Lists what is missing or wrong in the answers of a case: the general rules of its kind, and those of this registry. It can't be the "other
 * registry", and named networks must not be the account's own.
 */
export async function problemsOfAnswers(
  read: Read,
  { accountName, kind, form, subaccountId, direct }: Pick<Row, 'accountName' | 'kind' | 'form' | 'subaccountId' | 'direct'>,
  { profile, now }: { profile: Profile; now: Date | string },
): Promise<FormProblem[]> {
  // Direct delegations need no plan.
  if (direct)
    return [...problemsOfWhoisNames(form, { asNumbers: kind === 'asn' }), ...(await problemsOfNames(read, accountName, form, profile))];
  const problems = problemsOfForm(kind, form);
  const own = profile.transferLogRegistry;
  if (form.otherRegistry.trim() === own)
    problems.push({
      field: 'otherRegistry',
      message: `${own} is this registry. Choose another one: ${regionalRegistries.filter(name => name !== own).join(', ')}`,
    });
  if (receivesNumbers(kind, form)) problems.push(...(await problemsOfNames(read, accountName, form, profile)));
  if (kind === 'asn' || kind === 'ipv4') {
    const facts = await factsOf(read, accountName, { kind, subaccountId, profile, now });
    problems.push(...problemsOfNetworks(form, facts).map((message): FormProblem => ({ field: 'neighbours', message })));
    if (kind === 'asn' && form.path === '' && facts.asns >= (facts.freeAsns ?? 0) && form.reason.trim() === '')
      problems.push({ field: 'reason', message: `The account holds ${facts.asns} AS numbers. Enter why another one is needed` });
  }
  return problems;
}

/** Lists names in a form that the account can't use: contacts and maintainers of others, and the registry's mailbox. */
export async function problemsOfNames(
  read: Pick<Read, 'rows'>,
  accountName: string,
  form: RequestForm,
  profile: Profile,
): Promise<FormProblem[]> {
  const fields = {
    netname: 'netname',
    adminC: 'adminContact',
    techC: 'techContact',
    maintainer: 'maintainer',
    abuseMailbox: 'abuseMailbox',
  } as const;
  return (await problemsOfAsked(read, accountName, askedOf(form), profile)).map(({ part, message }) => ({ field: fields[part], message }));
}

/** Refuses incomplete or wrong answers. @throws Failure INVALID_REQUEST with every field concerned */
export async function refuseLacking(
  read: Read,
  row: Pick<Row, 'accountName' | 'kind' | 'form' | 'subaccountId' | 'direct'>,
  registry: { profile: Profile; now: Date | string },
): Promise<void> {
  const problems = await problemsOfAnswers(read, row, registry);
  if (problems.length > 0) throw refuseFields(problems);
}
