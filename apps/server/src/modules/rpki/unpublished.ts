import type { Attention } from '@portal/contract/home/home';
import { instantBefore } from '@portal/contract/days';
import type { Unpublished } from '@portal/contract/rpki/rpki';
import { sql } from 'kysely';
import type { AttentionSubject } from '../../platform/attention.ts';
import type { Read } from '../../platform/database/index.ts';
import { lastRound } from '../../platform/periodic-work.ts';
import { PATIENCE_MS } from './authorities/due-authorities.ts';
import { type PublisherNotes, publisherRounds } from './publisher-rounds.ts';

/** Files of all accounts that the tree for rsync lacks, with why. RRDP has them. */
export async function filesLeftOutOfRsync(read: Pick<Read, 'rows'>): Promise<NonNullable<PublisherNotes['tree']>['leftOut']> {
  const round = await lastRound(read, publisherRounds);
  return (round?.noted as PublisherNotes | null | undefined)?.tree?.leftOut ?? [];
}

/** The same of one account. */
export async function filesNotInRsync(read: Pick<Read, 'rows'>, accountName: string): Promise<Unpublished['files']> {
  const files = await filesLeftOutOfRsync(read);
  return files.filter(file => file.accountName === accountName).map(({ uri, problem }) => ({ uri, problem }));
}

/** Returns what of an account is left out of publication, by the same rules as at the desk: files that rsync lacks, and changes that wait for longer than any publication takes. */
export async function unpublishedOf(read: Pick<Read, 'rows'>, accountName: string, now: Date): Promise<Unpublished> {
  const [waiting] = await read.rows<{ since: string | null }>(
    sql`select min(noticed_at) as since from rpki_due where account_name = ${accountName} having min(noticed_at) < ${instantBefore(now, PATIENCE_MS)}::timestamptz`,
  );
  return { files: await filesNotInRsync(read, accountName), waitingSince: waiting?.since ?? null };
}

/** Changes and files of the account's RPKI that are left out of publication. */
export async function unpublishedAttention({ read, account, now }: AttentionSubject): Promise<Attention[]> {
  if (account.asStaff || !account.permissions.has('rescert-view')) return [];
  const { files, waitingSince } = await unpublishedOf(read, account.accountName, now);
  const common = { due: null, action: { label: 'Open RPKI', link: '/resources/rpki/index' }, forWhom: 'account' } as const;
  const list: Attention[] = [];
  if (waitingSince !== null)
    list.push({
      ...common,
      attentionId: 'rpki-waits',
      urgency: 'urgent',
      title: 'RPKI changes are not published',
      detail: 'They wait since a publication left them out. What was published before stays, and the registry is looking into it.',
    });
  const [first] = files;
  if (first)
    list.push({
      ...common,
      attentionId: 'rpki-not-in-rsync',
      urgency: 'soon',
      title: files.length === 1 ? 'An RPKI file is not in rsync' : `${files.length} RPKI files are not in rsync`,
      detail: `${first.uri}: ${first.problem}. Validators that use RRDP have it.`,
    });
  return list;
}
