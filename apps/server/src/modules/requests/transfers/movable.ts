import type { AnswerOf } from '@portal/contract';
import type { requests } from '@portal/contract/requests/requests';
import { containsResource, isEmptySet, parseResource, resourceSetOf, subtractSets } from '@portal/number-resources';
import { dayInWords } from '../../../platform/attention.ts';
import type { Act } from '../../../platform/http/endpoints.ts';
import { type HeldBlock, heldBlocks, type LockedPart, lockedPartsOf } from '../../resources/index.ts';
import { standingOf } from '../account-facts.ts';
import { accountChecks } from '../rules/account.ts';
import { purposeWords } from '../rules/parts.ts';

/** The resources of an account, and whether each can leave it now by transfer, merger or return, with the reason. */
export async function listMovable({
  read,
  account: { accountName },
  registry,
}: Act<typeof requests.listMovable>): Promise<AnswerOf<typeof requests.listMovable>> {
  const [standing, parts, blocks] = await Promise.all([
    standingOf(read, accountName, registry),
    lockedPartsOf(read, accountName),
    heldBlocks(read, accountName),
  ]);
  const unmet = accountChecks(standing, null).find(({ state, checkId }) => state === 'unmet' && checkId !== 'agreement');
  const rows = blocks.map(block => {
    const { resource, kind, size, used, delegatedOn, holdUntil, ownLock } = block;
    const locked = partsIn(resource, parts);
    const always = locked.all !== null ? `Locked by ${locked.all}` : ownLock ? 'Locked by your account' : null;
    const merger = always ?? againstMoving(block, registry.today);
    return {
      resource,
      kind,
      size,
      used,
      delegatedOn,
      holdUntil,
      against: {
        transfer: merger ?? againstSelling(block, registry.profile.requestPolicy.ipv4Smallest),
        acquisition: merger,
        return: always,
      },
      lockable: locked.parts.length === 0 && !ownLock,
      locked: locked.parts,
    };
  });
  return { rows, why: unmet ? `${unmet.fact}: ${unmet.known}` : null };
}

/** The parts of a block moved by requests, and the requests if they move all of it; null while some of it is left. */
function partsIn(block: string, parts: readonly LockedPart[]): { parts: { resource: string; reference: string }[]; all: string | null } {
  // An account has up to thousands of blocks, and nearly always no part that is locked.
  if (parts.length === 0) return { parts: [], all: null };
  const whole = resourceSetOf([parseResource(block)]);
  const found = parts.filter(({ resource }) => containsResource(whole, parseResource(resource)));
  const left = subtractSets(whole, resourceSetOf(found.map(({ resource }) => parseResource(resource))));
  const references = [...new Set(found.map(({ reference }) => reference))];
  return {
    parts: found.map(({ resource, reference }) => ({ resource, reference })),
    all: found.length > 0 && isEmptySet(left) ? references.join(' and ') : null,
  };
}

/** Returns the reason why a block can't go to another holder: its hold, or its only permitted use. */
function againstMoving({ holdUntil, purpose }: HeldBlock, today: string): string | null {
  if (purpose !== null) return `It ${purposeWords[purpose]}, so it can only be returned`;
  return holdUntil !== null && holdUntil > today ? `On hold until ${dayInWords(holdUntil)}` : null;
}

/** Returns the reason why a block can't be transferred without a merger. */
function againstSelling({ kind, size }: HeldBlock, smallest: number): string | null {
  if (kind === 'ipv6') return 'IPv6 moves with a merger or acquisition only';
  return kind === 'ipv4' && BigInt(size) < 1n << BigInt(32 - smallest) ? `Smaller than a /${smallest}` : null;
}
