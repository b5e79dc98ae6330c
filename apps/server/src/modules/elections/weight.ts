import { type AnswerOf, mayVote } from '@portal/contract';
import type { voting } from '@portal/contract/elections/voting';
import { ipv6BlocksOf, nirVotes, votingTierOf } from '@portal/contract/elections/voting-tiers';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import { holdingsOfVoters } from '../resources/index.ts';

type Weight = AnswerOf<typeof voting.getMemberVoting>['weight'];

/**
 * The votes of an account in elections by holdings, from what it held on its last membership anniversary. A national registry votes for its members with the votes of the
 * largest tier.
 */
export async function votingWeightOf(read: Read, { accountName, accountType, nir, permissions }: AdmittedAccount): Promise<Weight> {
  if (!mayVote(accountType)) return { votes: null, tier: null, nir, holdings: null };
  if (nir) return { votes: nirVotes, tier: null, nir, holdings: null };
  const [held] = await holdingsOfVoters(read, accountName);
  const holdings = { ipv4Addresses: BigInt(held?.ipv4Addresses ?? 0), ipv6Blocks: ipv6BlocksOf(BigInt(held?.ipv6Addresses ?? 0)) };
  const { votes, label } = votingTierOf(holdings);
  return {
    votes,
    tier: label,
    nir,
    holdings: permissions.has('resources-view')
      ? { ipv4Addresses: String(holdings.ipv4Addresses), ipv6Blocks: String(holdings.ipv6Blocks) }
      : null,
  };
}
