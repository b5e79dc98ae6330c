import type { AnswerOf } from '@portal/contract';
import type { whoisMaintainerUsers } from '@portal/contract/whois/maintainer-users';
import type { Act } from '../../../platform/http/endpoints.ts';
import { keepLastUsers } from './last-users.ts';
import { listMaintainers } from './maintainers.ts';

/** Keeps the last users of a maintainer, and returns all maintainers. @throws Failure as `keepLastUsers` */
export async function keepMaintainerUsers({
  change,
  account,
  params: { maintainer },
  body: { code },
}: Act<typeof whoisMaintainerUsers.keepMaintainerUsers>): Promise<AnswerOf<typeof whoisMaintainerUsers.keepMaintainerUsers>> {
  return { ...(await keepLastUsers(change, account, maintainer, code)), ...(await listMaintainers({ read: change, account })) };
}
