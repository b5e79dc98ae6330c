import type { AnswerOf } from '@portal/contract';
import type { requests } from '@portal/contract/requests/requests';
import { dayInWords } from '../../platform/attention.ts';
import type { Read } from '../../platform/database/index.ts';
import { heldBlocks } from '../resources/index.ts';
import { factsOf } from './account-facts.ts';
import type { Deps } from './request-detail.ts';
import { standingChecks } from './request-rules.ts';

/** The resources of an account, with why each can or can't be handed over now. */
export async function listMovable(read: Read, accountName: string, deps: Deps): Promise<AnswerOf<typeof requests.listMovable>> {
  const facts = await factsOf(read, accountName, { kind: 'transfer', ...deps });
  const against = standingChecks(facts).find(({ state, checkId }) => state === 'unmet' && checkId !== 'agreement');
  const rows = (await heldBlocks(read, accountName)).map(({ resource, kind, size, used, holdUntil, status }) => ({
    resource,
    kind,
    size,
    used,
    holdUntil,
    why:
      status !== 'active'
        ? 'A transfer or return is under way'
        : holdUntil !== null && holdUntil > facts.today
          ? `On hold until ${dayInWords(holdUntil)}`
          : null,
  }));
  return { rows, why: against ? `${against.fact}: ${against.known}` : null };
}
