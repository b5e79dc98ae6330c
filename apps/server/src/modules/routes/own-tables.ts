import type { AnswerOf, BodyOf } from '@portal/contract';
import type { BgpTable, ownBgpTables } from '@portal/contract/routes/own-tables';
import { containsResource, parsePrefix } from '@portal/number-resources';
import { sql } from 'kysely';
import { breathing } from '../../platform/breathing.ts';
import type { Read } from '../../platform/database/index.ts';
import { refuse, refuseField } from '../../platform/failure.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { contactById } from '../accounts/index.ts';
import { holdingsOf } from '../resources/index.ts';
import { spaceOf } from './account-routes.ts';
import type { AnnouncedLine } from './announcement-lines.ts';
import type { read as readLines } from './announcement-lines-thread.ts';
import { addBgpTable } from '../bgp-tables/index.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { readApart, type ReadOf, senderOf } from '../../platform/reading-apart.ts';

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

const textApart = readApart<typeof readLines>(new URL('./announcement-lines-thread.ts', import.meta.url));

/** Reads the text of a table in the thread for texts. @throws Failure INVALID_REQUEST with `text.17` for each line that can't be read */
export const readTable = (
  act: Parameters<typeof senderOf>[0] & { body: BodyOf<typeof ownBgpTables.uploadTable> },
): Promise<ReadOf<typeof readLines>> => textApart(senderOf(act), act.body.text, 'text');

/**
 * Stores what the account's own routers announce or see, replacing its previous upload. Only announcements inside the account's space are stored, and
 * only its own pages use them. @throws Failure INVALID_REQUEST if none is
 */
export async function uploadTable(
  { change, account, body: { fileName, collectedAt } }: Act<typeof ownBgpTables.uploadTable>,
  { portions: announced, answer: { sets } }: ReadOf<typeof readLines>,
): Promise<AnswerOf<typeof ownBgpTables.uploadTable>> {
  const { accountName, contactId } = account;
  if (collectedAt !== undefined && collectedAt > change.now) throw refuseField('collectedAt', 'A table can’t be of a time to come');
  const held = (await holdingsOf(change, [accountName])).get(accountName)!;
  const inside: AnnouncedLine[] = [];
  const breathe = breathing();
  for (const line of announced.flat()) {
    if (containsResource(held, parsePrefix(line.prefix))) inside.push(line);
    await breathe();
  }
  const total = announced.reduce((sum, { length }) => sum + length, 0);
  if (inside.length === 0)
    throw refuseField(
      'text',
      total === 0
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
  const outside = total - inside.length;
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
