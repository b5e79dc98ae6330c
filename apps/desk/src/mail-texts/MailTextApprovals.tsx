import { FailureBanner, reading, useKit } from '@portal/app-kit';
import { ProposalActs } from '@portal/app-kit/proposals/ProposalList';
import { mailTexts } from '@portal/contract/mail/mail-texts';
import { proposals } from '@portal/contract/proposals/proposals';
import { DateText, KeyValueList, Sheet, Stack } from '@portal/ui';
import { TextChanges } from '@portal/ui/difference/TextChanges';
import { useQuery } from '@tanstack/react-query';
import { useSecondPerson } from '../shell/use-second-person.ts';
import { hrefOf, textIn } from './mail-text-words.ts';

/** Changes of this text that wait for a second person, with the text before and after. */
export function MailTextApprovals({ kind }: { kind: string }) {
  const { call } = useKit();
  const { data, error } = useQuery(reading(call, proposals.listStaffProposals, {}));
  const acts = useSecondPerson({ refresh: [mailTexts.getMailText, mailTexts.listMailTexts] });
  if (error) return <FailureBanner failure={error} />;
  return data?.waiting
    .filter(({ link }) => link === hrefOf(kind))
    .map(proposal => {
      const said = new Map(proposal.shown.map(({ label, value }) => [label, value]));
      return (
        <Sheet key={proposal.proposalId} title={proposal.what} meta="Waits for a second person">
          <Stack gap={12}>
            <p>
              {proposal.isMine ? 'You' : <bdi>{proposal.proposedBy}</bdi>} proposed it on <DateText value={proposal.proposedAt} />. It waits
              until <DateText value={proposal.expiresAt} shape="day-time" />.
            </p>
            <KeyValueList align="left" items={[{ key: 'Reason', value: <bdi>{said.get('Reason')}</bdi> }]} />
            <TextChanges before={textIn(said.get('Before') ?? '')} after={textIn(said.get('After') ?? '')} />
            <ProposalActs proposal={proposal} {...acts} />
          </Stack>
        </Sheet>
      );
    });
}
