import { type AnswerOf, mayVote } from '@portal/contract';
import type { voting } from '@portal/contract/elections/voting';
import { ipv6BlocksOf, votingTierOf } from '@portal/contract/elections/voting-tiers';
import type { Read } from '../../platform/database/index.ts';
import type { AdmittedAccount } from '../../platform/http/endpoints.ts';
import type { Profile } from '../../profile.ts';
import { holdingsOfVoters } from '../resources/index.ts';

type Weight = AnswerOf<typeof voting.getMemberVoting>['weight'];

/** The votes of accounts in elections by holdings, as the profile has them. */
export type VotingPolicy = Pick<Profile, 'votingTiers' | 'nirVotes'>;

/**
 * The votes of an account in elections by holdings, from its holdings on its last membership anniversary. A national registry votes for its members,
 * who have no votes.
 */
export async function votingWeightOf(
  read: Read,
  { accountName, accountType, nir, permissions }: AdmittedAccount,
  { votingTiers, nirVotes }: VotingPolicy,
): Promise<Weight> {
  if (!mayVote(accountType)) return { votes: null, tier: null, nir, holdings: null };
  if (nir) return { votes: nirVotes, tier: null, nir, holdings: null };
  const [held] = await holdingsOfVoters(read, accountName);
  const holdings = { ipv4Addresses: BigInt(held?.ipv4Addresses ?? 0), ipv6Blocks: ipv6BlocksOf(BigInt(held?.ipv6Addresses ?? 0)) };
  const { votes, name } = votingTierOf(votingTiers, holdings);
  return {
    votes,
    tier: name,
    nir,
    holdings: permissions.has('resources-view')
      ? { ipv4Addresses: String(holdings.ipv4Addresses), ipv6Blocks: String(holdings.ipv6Blocks) }
      : null,
  };
}
