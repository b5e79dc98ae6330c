import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import type { StaffElection } from '@portal/contract/elections/elections';
import { elections } from '@portal/contract/elections/elections';
import { proxies } from '@portal/contract/elections/proxies';
import { scrutiny } from '@portal/contract/elections/scrutiny';
import { encryptedBallotSetup } from '@portal/contract/encrypted-ballots/setup';
import { pages } from '@portal/contract/pages';
import { type Proposal, proposals } from '@portal/contract/proposals/proposals';
import { DateText, KeyValueList, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useSecondPerson } from '../shell/use-second-person.ts';

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

/** Acts on an election that wait for a second person of another role: what would be done, whose turn it is, and until when. */
export function ElectionApprovals({ election: { electionId } }: { election: StaffElection }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const acts = useSecondPerson({
    refresh: [
      elections.getElection,
      elections.listElections,
      proxies.listElectionProxies,
      scrutiny.getScrutiny,
      encryptedBallotSetup.getEncryptedBallot,
    ],
  });
  if (error) return <FailureBanner failure={error} />;
  const waiting = data?.waiting.filter(({ link }) => link === `${pages.deskElections.path}?election=${electionId}`) ?? [];
  return waiting.map(proposal => <Waiting key={proposal.proposalId} proposal={proposal} acts={acts} />);
}

function Waiting({ proposal, acts }: { proposal: Proposal; acts: ReturnType<typeof useSecondPerson> }) {
  const { what, shown, waitsFor, isMine, proposedBy, proposedAt, expiresAt } = proposal;
  return (
    <Sheet title={what} meta="Waits for a second person">
      <Stack gap={12}>
        <p>
          {isMine ? 'You' : <bdi>{proposedBy}</bdi>} proposed it, <DateText value={proposedAt} />. It waits for{' '}
          {waitsFor.length === 0 ? 'someone of another role' : <bdi>{anyOf.format(waitsFor)}</bdi>}, until{' '}
          <DateText value={expiresAt} shape="day-time" />.
        </p>
        <KeyValueList align="left" items={shown.map(({ label, value }) => ({ key: label, value }))} />
        <ProposalActs proposal={proposal} {...acts} />
      </Stack>
    </Sheet>
  );
}
