import { isRowId } from '@portal/contract/row-ids';
import type { AnswerOf } from '@portal/contract';
import { DAY_MS, instantAfter } from '@portal/contract/days';
import type { Checklist, rpkiChecklists } from '@portal/contract/rpki/checklists';
import {
  containsSet,
  listResources,
  type NumberResource,
  parseResource,
  printResource,
  ResourceSyntaxError,
  resourceSetOf,
} from '@portal/number-resources';
import { checklistProblem, parseHex } from '@portal/rpki-objects';
import { sql } from 'kysely';
import type { Read } from '../../../platform/database/index.ts';
import { refuse, refuseField, refuseFields } from '../../../platform/failure.ts';
import { lockAuthority } from '../authorities/authorities.ts';
import { announceChecklist } from '../change-notices.ts';
import { certifiableOf } from '../roas.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { requireOpen } from '../../accounts/index.ts';

/** Maximum number of checklists in an answer, newest first. */
const MAX_LISTED = 500;

type Row = {
  checklistId: string;
  resources: string[];
  fileNames: string[];
  fileHashes: string[];
  comment: string;
  createdAt: string;
  endsAt: string;
  revokedAt: string | null;
  content: Buffer | null;
  keyState: string | null;
  /** Resources of the certificate of the signing key; empty without one. */
  keyResources: string[] | null;
};

const rowsOf = (read: Pick<Read, 'rows'>, accountName: string, checklistId?: string): Promise<Row[]> =>
  read.rows<Row>(sql`select c.checklist_id::text, c.resources, c.file_names, c.file_hashes, c.comment, c.created_at, c.ends_at, c.revoked_at, c.content,
      k.state as key_state, k.resources as key_resources
    from rpki_checklist c left join rpki_key k using (key_id)
    where c.account_name = ${accountName} and ${checklistId === undefined ? sql`true` : sql`c.checklist_id = ${checklistId}::bigint`}
    order by c.checklist_id desc limit ${MAX_LISTED}`);

function stateOf({ revokedAt, content, endsAt, keyState, keyResources, resources }: Row, now: Date): Checklist['state'] {
  if (revokedAt !== null) return 'revoked';
  if (Date.parse(endsAt) <= now.getTime()) return 'expired';
  if (content === null) return 'signing';
  if (keyState === 'destroyed') return 'key-gone';
  const certified = resourceSetOf((keyResources ?? []).map(parseResource));
  return containsSet(certified, resourceSetOf(resources.map(parseResource))) ? 'valid' : 'not-held';
}

const shown = (row: Row, now: Date): Checklist => ({
  checklistId: row.checklistId,
  state: stateOf(row, now),
  resources: row.resources,
  files: row.fileNames.map((name, index) => ({ name: name === '' ? null : name, sha256: row.fileHashes[index]! })),
  comment: row.comment,
  createdAt: row.createdAt,
  endsAt: row.endsAt,
  revokedAt: row.revokedAt,
});

/** The signed checklists of an account, the last first. */
export async function listChecklists({
  read,
  account: { accountName },
  registry: { now },
}: Act<typeof rpkiChecklists.listChecklists>): Promise<AnswerOf<typeof rpkiChecklists.listChecklists>> {
  return { rows: (await rowsOf(read, accountName)).map(row => shown(row, now)) };
}

/** One of them. @throws Failure NOT_FOUND */
async function findChecklist(read: Pick<Read, 'rows'>, accountName: string, checklistId: string): Promise<Row> {
  const [row] = isRowId(checklistId) ? await rowsOf(read, accountName, checklistId) : [];
  if (!row) throw refuse('NOT_FOUND', { what: 'This checklist' });
  return row;
}

/** A checklist with its object. @throws Failure NOT_FOUND */
export async function getChecklist({
  read,
  account: { accountName },
  params: { checklistId },
  registry: { now },
}: Act<typeof rpkiChecklists.getChecklist>): Promise<AnswerOf<typeof rpkiChecklists.getChecklist>> {
  const row = await findChecklist(read, accountName, checklistId);
  return { ...shown(row, now), object: row.content?.toString('base64') ?? null };
}

/**
 * Stores a checklist to sign; the publisher signs it within seconds. The browser hashes the files, which are never sent. @throws Failure
 * RPKI_NOT_ENABLED, ACCOUNT_SUSPENDED, INVALID_REQUEST with `resources.2` for uncertified resources and `files` for invalid ones
 */
export async function signChecklist({
  change,
  account,
  body: { resources, files, days, comment },
}: Act<typeof rpkiChecklists.signChecklist>): Promise<Checklist> {
  const { accountName, accountStatus } = account;
  requireOpen({ accountName, accountStatus });
  await lockAuthority(change, accountName);
  const certifiable = await certifiableOf(change, accountName);
  const problems: { field: string; message: string }[] = [];
  const chosen = resources.flatMap((text, index): NumberResource[] => {
    const field = `resources.${index}`;
    try {
      const resource = parseResource(text);
      if (containsSet(certifiable, resourceSetOf([resource]))) return [resource];
      problems.push({ field, message: `${printResource(resource)} is not inside a delegation of this account` });
    } catch (error) {
      if (!(error instanceof ResourceSyntaxError)) throw error;
      problems.push({ field, message: error.message });
    }
    return [];
  });
  if (problems.length > 0) throw refuseFields(problems);
  const problem = checklistProblem(files.map(({ name, sha256 }) => ({ name, sha256: parseHex(sha256) })));
  if (problem !== null) throw refuseField('files', problem);
  const printed = listResources(resourceSetOf(chosen)).map(printResource);
  const now = new Date(change.now);
  const [added] = await change.rows<{ checklistId: string }>(sql`
    insert into rpki_checklist (account_name, resources, file_names, file_hashes, comment, created_at, ends_at)
    values (${accountName}, ${printed}::text[], ${files.map(({ name }) => name ?? '')}::text[], ${files.map(({ sha256 }) => sha256)}::text[], ${comment},
      ${change.now}::timestamptz, ${instantAfter(now, days * DAY_MS)}::timestamptz) returning checklist_id::text`);
  const named = files.map(({ name, sha256 }) => name ?? sha256);
  await change.note({ resources: printed, files: named });
  await announceChecklist(change, account, { act: 'signed', resources: printed, files: named });
  return shown(await findChecklist(change, accountName, added!.checklistId), now);
}

/** Revokes a checklist: its certificate is on the next CRL. @throws Failure NOT_FOUND, NOTHING_TO_DO, RPKI_NOT_ENABLED */
export async function revokeChecklist({
  change,
  account,
  params: { checklistId },
}: Act<typeof rpkiChecklists.revokeChecklist>): Promise<Checklist> {
  const { accountName } = account;
  await lockAuthority(change, accountName);
  const now = new Date(change.now);
  const row = await findChecklist(change, accountName, checklistId);
  const state = stateOf(row, now);
  if (state === 'revoked' || state === 'expired') throw refuse('NOTHING_TO_DO', { why: `the checklist is ${state} already` });
  await change.rows(sql`update rpki_checklist set revoked_at = ${change.now}::timestamptz where checklist_id = ${checklistId}::bigint`);
  const named = row.fileNames.map((name, index) => name || row.fileHashes[index]!);
  await change.note({ resources: row.resources, files: named });
  await announceChecklist(change, account, { act: 'revoked', resources: row.resources, files: named });
  return shown({ ...row, revokedAt: change.now }, now);
}
