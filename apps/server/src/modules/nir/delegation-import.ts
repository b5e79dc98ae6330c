import type { AnswerOf, BodyOf } from '@portal/contract';
import { maxImportedDelegations, NewNirDelegation, nirDelegationColumns, type nirDelegations } from '@portal/contract/nir/delegations';
import { type NumberResource, printResource } from '@portal/number-resources';
import { cellsOf } from '../../platform/csv-cells.ts';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { Failure, refuse } from '../../platform/failure.ts';
import { type FileRow, registerRows } from '../customers/index.ts';
import { assignmentOf, delegateAsNumbers, readDelegable, recordDelegation, refuseWithoutName, type Writing } from './delegations.ts';
import { refuseBeyondLimits } from './delegation-limits.ts';
import { type SubaccountRow, subaccountsNamed } from './subaccounts.ts';

type Line = {
  line: number;
  given: Record<string, string>;
  facts: NewNirDelegation | null;
  resource: NumberResource | null;
  problem: string | null;
};

class Trial extends Error {}

/** Delegates what a file lists, all or none; every row is checked as if those before it were done, and each wrong one says why. */
export async function importNirDelegations(
  change: Change,
  account: AdmittedAccount,
  { csv, dryRun, reuse }: BodyOf<typeof nirDelegations.importNirDelegations>,
  writing: Writing,
): Promise<AnswerOf<typeof nirDelegations.importNirDelegations>> {
  const { accountName } = account;
  const lines = readLines(csv);
  const subaccounts = await subaccountsNamed(
    change,
    accountName,
    lines.map(({ given }) => nameOf(given)),
  );
  for (const each of lines) checkLine(each, subaccounts);
  const attempt = async (): Promise<void> => {
    for (const each of lines) {
      if (each.facts === null || each.resource?.family !== 'asn') continue;
      const { resource, facts } = each;
      each.problem = await problemOf(() =>
        change.attempt(async () => {
          await refuseBeyondLimits(change, { ...facts, resource }, writing.profile);
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
      { ...writing, portable: true, dryRun: dryRun || others, reuse },
      async (place, assignmentId) => {
        const { facts, resource } = addresses[place]!;
        const { subaccountId, type, netname } = facts!;
        await refuseBeyondLimits(change, { resource: resource!, type, subaccountId }, writing.profile);
        await recordDelegation(change, accountName, resource!, { subaccountId, pool: 'nir', type, netname, assignmentId });
      },
    );
    for (const [place, problem] of problems.entries()) addresses[place]!.problem ??= problem;
    if (dryRun || lines.some(({ problem }) => problem !== null)) throw new Trial();
  };
  const stored = await change
    .attempt(attempt)
    .then(() => true)
    .catch((error: unknown) => {
      if (error instanceof Trial) return false;
      throw error;
    });
  await change.note({ rows: lines.length, stored });
  return {
    stored,
    rows: lines.map(({ line, given, resource, problem }) => ({
      line,
      subaccount: nameOf(given),
      resource: resource ? printResource(resource) : (given['resource'] ?? ''),
      netname: given['netname'] ?? '',
      problem,
    })),
  };
}

const nameOf = (given: Record<string, string>): string => (given['subaccount'] ?? '').toUpperCase();

async function problemOf(act: () => Promise<unknown>): Promise<string | null> {
  try {
    await act();
    return null;
  } catch (error) {
    if (error instanceof Failure) return error.message;
    throw error;
  }
}

/** Puts the sub-account in; says what is wrong with the line on its own. */
function checkLine(each: Line, subaccounts: ReadonlyMap<string, SubaccountRow>): void {
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
    fail(error.problems.map(({ message }) => message).join('; '));
  }
}

/** @throws Failure INVALID_REQUEST when the file has no rows, too many, or a header that is not ours */
function readLines(csv: string): Line[] {
  const { rows, problem } = cellsOf(csv);
  if (problem !== null) throw refuse('INVALID_REQUEST', { detail: problem });
  const [head, ...lines] = rows;
  const names = (head?.cells ?? []).map(cell => cell.trim().toLowerCase());
  const missing = ['subaccount', 'resource'].filter(name => !names.includes(name));
  const unknown = names.filter(name => !(nirDelegationColumns as readonly string[]).includes(name));
  if (missing.length > 0 || unknown.length > 0)
    throw refuse('INVALID_REQUEST', {
      detail: `the first line must list the columns ${nirDelegationColumns.join(', ')}${unknown.length > 0 ? `. Found: ${unknown.join(', ')}` : `; ${missing.join(' and ')} is missing`}`,
    });
  if (lines.length === 0) throw refuse('INVALID_REQUEST', { detail: 'there are no rows below the header' });
  if (lines.length > maxImportedDelegations)
    throw refuse('INVALID_REQUEST', { detail: `there are ${lines.length} rows. Send at most ${maxImportedDelegations} at a time` });
  return lines.map(({ cells, line }): Line => {
    const given = Object.fromEntries(names.map((name, place) => [name, (cells[place] ?? '').trim().replace(/^'(?=[=+@-])/, '')]));
    const { subaccount: _subaccount, kind, ...rest } = given;
    const parsed = NewNirDelegation.safeParse({ ...rest, type: (kind || 'assigned').toLowerCase(), subaccountId: '0' });
    return parsed.success
      ? { line, given, facts: parsed.data, resource: null, problem: null }
      : {
          line,
          given,
          facts: null,
          resource: null,
          problem: parsed.error.issues
            .map(issue => `${issue.path.join('.') === 'type' ? 'kind' : issue.path.join('.')}: ${issue.message}`)
            .join('; '),
        };
  });
}
