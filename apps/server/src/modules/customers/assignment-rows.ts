import { NewCustomerAssignment } from '@portal/contract/customers/customers';
import type { Change } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { Failure } from '../../platform/failure.ts';
import type { PolicyAndSettings } from '../../platform/registry.ts';
import { keptIf } from '../../platform/rehearsal.ts';
import { type Assignment, listRestingSpace, readAssignment } from '../resources/index.ts';
import { errorsOf, lockWhois, submitForAccount, type WhoisUpdate, writingRights } from '../whois/index.ts';
import { type Facts, objectTextOf } from './assignment-object.ts';
import { registerAssignment } from './new-assignment.ts';

/** One parsed row of a file: its facts, or why it can't be read. */
export type FileRow = { line: number; read: NewCustomerAssignment | null; problem: string | null };

/**
 * Registers assignments, all or none. Returns the problems of each. @param onRegistered further steps of a registration, by row index; its Failure is
 * a problem of the row
 */
export async function registerRows(
  change: Change,
  account: AdmittedAccount,
  rows: readonly FileRow[],
  {
    dryRun,
    reuse,
    portable,
    registry: { profile, config: limits },
  }: { dryRun: boolean; reuse: boolean; portable?: boolean; registry: PolicyAndSettings },
  onRegistered: (place: number, assignmentId: string) => Promise<void> = async () => {},
): Promise<{ stored: boolean; problems: (string | null)[] }> {
  const problems = rows.map(({ problem }) => problem);
  if (rows.some(({ read: facts }) => facts?.visibility === 'public')) await lockWhois(change);
  const resting = reuse ? [] : await listRestingSpace(change, account.accountName);
  const attempt = async (): Promise<boolean> => {
    const publics: { place: number; assignment: Assignment; facts: Facts }[] = [];
    for (const [place, { read: facts }] of rows.entries()) {
      if (facts === null) continue;
      try {
        const id = await change.attempt(async () => {
          const assignmentId = await registerAssignment(change, account, facts, resting, portable);
          await onRegistered(place, assignmentId);
          return assignmentId;
        });
        if (facts.visibility === 'public')
          publics.push({ place, assignment: await readAssignment(change, account.accountName, id), facts });
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        problems[place] = error.words;
      }
    }
    if (publics.length > 0) {
      const credentials = await writingRights(change, account);
      const updates: WhoisUpdate[] = [];
      for (const { assignment, facts } of publics)
        updates.push({ operation: 'create', text: await objectTextOf(change, account, assignment, facts, credentials, profile) });
      const outcomes = await submitForAccount(change, account, updates, {
        profile,
        limits,
        credentials,
        mode: 'best-effort',
        dryRun,
        exception: 'registered',
      });
      for (const [index, outcome] of outcomes.entries())
        if (outcome.state === 'failed') problems[publics[index]!.place] ??= errorsOf(outcome);
    }
    return !dryRun && problems.every(problem => problem === null);
  };
  return { stored: await keptIf(change, attempt), problems };
}
