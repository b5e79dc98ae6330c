import type { AnswerOf } from '@portal/contract';
import type { requests } from '@portal/contract/requests/requests';
import { dayInWords } from '../../../platform/attention.ts';
import type { Read } from '../../../platform/database/index.ts';
import { type HeldBlock, heldBlocks } from '../../resources/index.ts';
import { factsOf } from '../account-facts.ts';
import type { Deps } from '../request-detail.ts';
import { accountChecks } from '../rules/account.ts';
import { purposeWords } from '../rules/parts.ts';

/** The resources of an account, with why each can or can't leave it now: by a transfer, by a merger, or back to the registry. */
export async function listMovable(read: Read, accountName: string, deps: Deps): Promise<AnswerOf<typeof requests.listMovable>> {
  const facts = await factsOf(read, accountName, { kind: 'transfer', ...deps });
  const unmet = accountChecks(facts).find(({ state, checkId }) => state === 'unmet' && checkId !== 'agreement');
  const rows = (await heldBlocks(read, accountName)).map(block => {
    const { resource, kind, size, used, holdUntil, status, ownLock } = block;
    const always = status !== 'active' ? 'A transfer or return is under way' : ownLock ? 'Locked by your account' : null;
    const merger = always ?? againstMoving(block, facts.today);
    return {
      resource,
      kind,
      size,
      used,
      holdUntil,
      against: {
        transfer: merger ?? againstSelling(block, deps.profile.requestPolicy.ipv4Smallest),
        acquisition: merger,
        return: always,
      },
      lockable: status === 'active' && !ownLock,
    };
  });
  return { rows, why: unmet ? `${unmet.fact}: ${unmet.known}` : null };
}

/** Names the reason that keeps a block from any other holder: its hold, or the one use that it is for. */
function againstMoving({ holdUntil, purpose }: HeldBlock, today: string): string | null {
  if (purpose !== null) return `It ${purposeWords[purpose]}, so it can only be returned`;
  return holdUntil !== null && holdUntil > today ? `On hold until ${dayInWords(holdUntil)}` : null;
}

/** Names the reason that keeps a block from a transfer without a merger. */
function againstSelling({ kind, size }: HeldBlock, smallest: number): string | null {
  if (kind === 'ipv6') return 'IPv6 moves with a merger or acquisition only';
  return kind === 'ipv4' && BigInt(size) < 1n << BigInt(32 - smallest) ? `Smaller than a /${smallest}` : null;
}
