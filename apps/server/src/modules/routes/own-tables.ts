import type { AnswerOf } from '@portal/contract';
import type { BgpTable, ownBgpTables } from '@portal/contract/routes/own-tables';
import { containsResource, parsePrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField, refuseFields } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { contactById } from '../accounts/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { spaceOf } from './account-routes.ts';
import { readAnnouncementLines } from './announcement-lines.ts';
import { addBgpTable } from '../bgp-tables/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';

/** Maximum number of lines named in a refusal. */
const NAMED = 200;

/** Returns the tables that announcements of an account's space are read from: the registry's, and the account's own. Tables of other accounts are never among them. */
export async function listTables({
  read,
  account: { accountName },
}: {
  read: Pick<Read, 'rows'>;
  account: Pick<AdmittedAccount, 'accountName'>;
}): Promise<AnswerOf<typeof ownBgpTables.listTables>> {
  const rows =
    await read.rows<BgpTable>(sql`select case when account_name is null then 'collectors' else 'own' end as source, 'ipv' || family as family,
      file_name, collected_at, imported_at, uploaded_by, announcements
    from bgp_table where state = 'current' and (account_name is null or account_name = ${accountName}) order by account_name nulls first, family`);
  return { rows, space: spaceOf((await holdingsOf(read, [accountName])).get(accountName)!) };
}

/**
 * Stores what the account's own routers announce or see, replacing its previous upload. Only announcements inside the account's space are stored, and
 * only its own pages use them. @throws Failure INVALID_REQUEST with `text.17` for each line that can't be read
 */
export async function uploadTable({
  change,
  account,
  body: { fileName, collectedAt, text },
}: Act<typeof ownBgpTables.uploadTable>): Promise<AnswerOf<typeof ownBgpTables.uploadTable>> {
  const { accountName, contactId } = account;
  if (collectedAt !== undefined && collectedAt > change.now) throw refuseField('collectedAt', 'A table can’t be of a time to come');
  const { announced, sets, problems } = readAnnouncementLines(text);
  if (problems.length > 0)
    throw refuseFields(
      problems.slice(0, NAMED).map(({ line, problem }, index) => ({
        field: `text.${line}`,
        message: `Line ${line}: ${problem}${index === NAMED - 1 && problems.length > NAMED ? `. ${problems.length - NAMED} more lines can’t be read` : ''}`,
      })),
    );
  const held = (await holdingsOf(change, [accountName])).get(accountName)!;
  const inside = announced.filter(({ prefix }) => containsResource(held, parsePrefix(prefix)));
  if (inside.length === 0)
    throw refuseField(
      'text',
      announced.length === 0
        ? 'There is no announcement in it. A line is 192.0.2.0/24 AS64500'
        : 'None of the announcements is inside your delegations',
    );
  // Serialises concurrent uploads.
  await change.rows(sql`select from account where account_name = ${accountName} for update`);
  await change.rows(sql`delete from bgp_table where account_name = ${accountName}`);
  const author = contactId === null ? null : await contactById(change, contactId);
  for (const family of [4, 6] as const)
    await addBgpTable(change, {
      family,
      fileName: fileName === '' ? 'Pasted lines' : fileName,
      collectedAt: collectedAt ?? change.now,
      announced: inside.filter(({ prefix }) => prefix.includes(':') === (family === 6)),
      owner: { accountName, uploadedBy: author?.fullName ?? 'The registry' },
    });
  const outside = announced.length - inside.length;
  await change.note({ announcements: inside.length, outside });
  return { ...(await listTables({ read: change, account })), kept: inside.length, outside, sets };
}

/** Deletes the account's upload. @throws Failure NOT_FOUND */
export async function removeTable({
  change,
  account,
}: Act<typeof ownBgpTables.removeTable>): Promise<AnswerOf<typeof ownBgpTables.removeTable>> {
  const gone = await change.rows(sql`delete from bgp_table where account_name = ${account.accountName} returning bgp_table_id`);
  if (gone.length === 0) throw refuse('NOT_FOUND', { what: 'An uploaded BGP table' });
  return listTables({ read: change, account });
}
