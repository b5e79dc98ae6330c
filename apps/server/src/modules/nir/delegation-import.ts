import type { AnswerOf } from '@portal/contract';
import type { LongText } from '@portal/contract/long-text';
import type { nirDelegations, RowFix } from '@portal/contract/nir/delegations';
import { printResource } from '@portal/number-resources';
import type { Change } from '../../platform/database/index.ts';
import { Failure } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart } from '../../platform/reading-apart.ts';
import { keptIf } from '../../platform/rehearsal.ts';
import { type FileRow, registerRows } from '../customers/index.ts';
import { type DelegationLine, delegationLine } from './delegation-line.ts';
import type { read } from './delegation-csv-thread.ts';
import { refuseBeyondLimits } from './delegation-limits.ts';
import { assignmentOf, delegateAsNumbers, readDelegable, recordDelegation, refuseWithoutName } from './delegations.ts';
import { fixesOf } from './import-fixes.ts';
import { type SubaccountRow, subaccountsNamed } from './subaccounts.ts';

/** Reads a file of delegations in the thread for texts. */
export const delegationLinesApart = readApart<typeof read>(new URL('./delegation-csv-thread.ts', import.meta.url));

/** Reads the file of an import, before its change. @throws Failure INVALID_REQUEST, TOO_MANY_REQUESTS */
export const readDelegationFile = async ({
  account: { accountName },
  body: { csv },
}: {
  account: { accountName: string };
  body: { csv: LongText };
}): Promise<DelegationLine[]> => (await delegationLinesApart(accountName, csv, 'csv')).portions.flat();

/** Delegates the rows of a file, all or none; every row is checked as if the previous ones were done, and each wrong one gets its reason. */
export async function importNirDelegations(
  { change, account, body: { dryRun, reuse }, registry }: Act<typeof nirDelegations.importNirDelegations>,
  lines: DelegationLine[],
): Promise<AnswerOf<typeof nirDelegations.importNirDelegations>> {
  const options = { reuse, registry };
  const stored = await keptIf(change, async () => {
    await delegateLines(change, account, lines, { ...options, dryRun });
    return !dryRun && lines.every(({ problem }) => problem === null);
  });
  const fixes = await triedFixes(change, account, lines, options);
  await change.note({ rows: lines.length, stored });
  return {
    stored,
    rows: lines.map(({ line, given, resource, problem }) => ({
      line,
      subaccount: nameOf(given),
      resource: resource ? printResource(resource) : (given['resource'] ?? ''),
      netname: given['netname'] ?? '',
      problem: problem === null ? null : withMeantName(problem, fixes.get(line)),
      fix: rightFixIn(fixes.get(line)),
    })),
  };
}

type Options = { reuse: boolean; registry: Act<typeof nirDelegations.importNirDelegations>['registry'] };
type Account = Act<typeof nirDelegations.importNirDelegations>['account'];

/** Delegates what is right of some lines, and writes the problem of each other one into it. */
async function delegateLines(
  change: Change,
  account: Account,
  lines: DelegationLine[],
  { dryRun, reuse, registry }: Options & { dryRun: boolean },
): Promise<void> {
  const { accountName } = account;
  const subaccounts = await subaccountsNamed(
    change,
    accountName,
    lines.map(({ given }) => nameOf(given)),
  );
  for (const each of lines) checkLine(each, subaccounts);
  for (const each of lines) {
    if (each.facts === null || each.resource?.family !== 'asn') continue;
    const { resource, facts } = each;
    each.problem = await problemOf(() =>
      change.attempt(async () => {
        await refuseBeyondLimits(change, { ...facts, resource }, registry.profile);
        return delegateAsNumbers(change, accountName, resource, facts.subaccountId);
      }),
    );
  }
  const addresses = lines.filter(({ resource, facts }) => facts !== null && resource !== null && resource.family !== 'asn');
  const rows = addresses.map(({ line, facts, given }): FileRow => {
    const {
      adminC: _adminC,
      techC: _techC,
      irt: _irt,
      maintainer: _maintainer,
      ...registered
    } = assignmentOf(facts!, subaccounts.get(nameOf(given))!);
    return { line, read: registered, problem: null };
  });
  const others = lines.some(({ problem }) => problem !== null);
  const { problems } = await registerRows(
    change,
    account,
    rows,
    { registry, portable: true, dryRun: dryRun || others, reuse },
    async (place, assignmentId) => {
      const { facts, resource } = addresses[place]!;
      const { subaccountId, type, netname } = facts!;
      await refuseBeyondLimits(change, { resource: resource!, type, subaccountId }, registry.profile);
      await recordDelegation(change, accountName, resource!, { subaccountId, pool: 'nir', type, netname, assignmentId });
    },
  );
  for (const [place, problem] of problems.entries()) addresses[place]!.problem ??= problem;
}

/** A value in place of a wrong one, and what is wrong with its line still once it is taken; null if nothing is. */
type TriedFix = { fix: RowFix; problem: string | null };

/** Only a value with which its line is right is offered. */
const rightFixIn = (tried: TriedFix | undefined): RowFix | null => (tried?.problem === null ? tried.fix : null);

/** Returns the problem of a line with the sub-account that was probably meant, also where another thing is wrong with the line as well. */
function withMeantName(problem: string, tried: TriedFix | undefined): string {
  if (tried?.fix.column !== 'subaccount') return problem;
  const rest = tried.problem === null ? '' : ` With it: ${tried.problem}`;
  return `${problem}. Did you mean ${tried.fix.value}?${rest}`;
}

/** Tries values in place of wrong ones, each together with the others, so that none is offered that the next dry run refuses. Returns them by line. */
async function triedFixes(
  change: Change,
  account: Account,
  lines: readonly DelegationLine[],
  options: Options,
): Promise<ReadonlyMap<number, TriedFix>> {
  const fixes = await fixesOf(change, account.accountName, lines);
  if (fixes.size === 0) return new Map();
  const tried = lines.flatMap((each): DelegationLine[] => {
    const fix = fixes.get(each.line);
    if (fix) return [delegationLine(each.line, { ...each.given, [fix.column]: fix.value })];
    return each.problem === null ? [{ ...each }] : [];
  });
  await keptIf(change, async () => {
    await delegateLines(change, account, tried, { ...options, dryRun: true });
    return false;
  });
  const problems = new Map(tried.map(({ line, problem }) => [line, problem]));
  return new Map([...fixes].map(([line, fix]) => [line, { fix, problem: problems.get(line) ?? null }]));
}

const nameOf = (given: Record<string, string>): string => (given['subaccount'] ?? '').toUpperCase();

async function problemOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.words;
    throw error;
  }
}

/** Fills in the sub-account; reports problems of the line alone. */
function checkLine(each: DelegationLine, subaccounts: ReadonlyMap<string, SubaccountRow>): void {
  if (each.problem !== null || each.facts === null) return;
  const name = nameOf(each.given);
  const subaccount = subaccounts.get(name);
  const fail = (problem: string): void => {
    each.problem = problem;
    each.facts = null;
  };
  if (!subaccount) return fail(name === '' ? 'Enter the name of a sub-account' : `There is no sub-account ${name}`);
  if (subaccount.status === 'closed') return fail(`The sub-account ${name} is closed`);
  try {
    each.facts = { ...each.facts, subaccountId: subaccount.subaccountId };
    each.resource = readDelegable(each.facts.resource);
    if (each.resource.family !== 'asn') refuseWithoutName(each.facts);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    fail(error.words);
  }
}
