import { pages } from '@portal/contract/pages';
import type { CaseKind } from '@portal/contract/staff/cases';
import type { SecondApproval } from '@portal/contract/staff/desk';
import { type RawBuilder, sql } from 'kysely';
import type { Read } from '../../platform/database/index.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { Registry } from '../../platform/registry.ts';
import { waitingBelow } from '../proposals/index.ts';
import { keyOfCase } from '../roles/index.ts';

type Named = { kind: CaseKind; requestId: string };
const nameOf = ({ kind, requestId }: Named): string => `${keyOfCase(kind)}-${requestId}`;

/** Cases of the queue that were approved once and wait for a second person, as a reader sees them. */
export type SecondApprovals = {
  /** Returns the approval of a case that waits; null where none does. */
  of: (named: Named) => SecondApproval | null;
  /** How many of them the reader can confirm. */
  toConfirm: number;
  /** SQL: a row of the queue is one of them. */
  waits: RawBuilder<boolean>;
};

/** Reads which cases of the queue wait for a second person. */
export async function secondApprovals(
  read: Pick<Read, 'rows'>,
  reader: Pick<Caller, 'loginId' | 'staffPermissions'>,
  registry: Pick<Registry, 'now' | 'profile' | 'modules'>,
): Promise<SecondApprovals> {
  const found = new Map<string, SecondApproval>();
  for (const { link, ...approval } of await waitingBelow(read, pages.deskRequests.path, reader, registry)) {
    const [, kind, requestId] = /(?:requests\/|request=)([a-z]+)-(\d+)$/.exec(link) ?? [];
    if (kind && requestId) found.set(nameOf({ kind: kind as CaseKind, requestId }), approval);
  }
  const names = [...found.keys()];
  return {
    of: named => found.get(nameOf(named)) ?? null,
    toConfirm: [...found.values()].filter(({ mayConfirm }) => mayConfirm).length,
    waits: sql<boolean>`((case kind when 'transfers' then 'resources' else kind end) || '-' || request_id = any (${names}::text[]))`,
  };
}
