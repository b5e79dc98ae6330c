import type { proposals } from '@portal/contract/proposals/proposals';
import type { Read } from '../../platform/database/index.ts';
import { refuse } from '../../platform/failure.ts';
import type { Act } from '../../platform/http/endpoints.ts';
import { lockAccount } from '../accounts/index.ts';
import { approversOf, notifySide } from './approvers.ts';
import { proposalsTexts } from './mail-texts.ts';

/** Returns whether the account has the rule that a second corporate contact approves. */
export async function hasTwoPersonRule(read: Read, accountName: string): Promise<boolean> {
  const row = await read.selectFrom('twoPersonRule').select('since').where('accountName', '=', accountName).executeTakeFirst();
  return row !== undefined;
}

/** Switches the rule of an account. @throws Failure NO_SECOND_PERSON with fewer than two corporate contacts who have a second factor */
export async function setTwoPersonRule({
  change,
  account: { accountName },
  body: { on },
}: Act<typeof proposals.setTwoPersonRule>): Promise<{ rule: boolean }> {
  await lockAccount(change, accountName);
  const before = await hasTwoPersonRule(change, accountName);
  if (before === on) return { rule: on };
  const approvers = await approversOf(change, { accountName });
  if (on && approvers.length < 2)
    throw refuse('NO_SECOND_PERSON', {
      who: `${accountName} has ${approvers.length === 1 ? 'one corporate contact' : 'no corporate contact'} with one`,
    });
  if (on) await change.insertInto('twoPersonRule').values({ accountName, since: change.now }).execute();
  else await change.deleteFrom('twoPersonRule').where('accountName', '=', accountName).execute();
  await change.note({ before: { secondPerson: before }, after: { secondPerson: on } });
  await notifySide(
    change,
    { accountName },
    {
      text: on
        ? proposalsTexts.written('secondPersonApprovesChanges', { accountName })
        : proposalsTexts.written('secondPersonNoLongerApproves', { accountName }),
    },
    approvers,
  );
  return { rule: on };
}
