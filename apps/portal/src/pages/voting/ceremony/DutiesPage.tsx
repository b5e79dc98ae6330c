import { Page, useAnswer } from '@portal/app-kit';
import { ballotDuties } from '@portal/contract/encrypted-ballots/duties';
import { pages } from '@portal/contract/pages';
import { Badge, Breadcrumb, EmptyState, LinkButton, Row, Sheet, Stack } from '@portal/ui';

const names = { authority: 'Credential authority', trustee: 'Trustee' } as const;

/** `/voting/duties`: elections in which the person makes a part of the key, or the voting codes. */
export default function DutiesPage() {
  const { rows } = useAnswer(ballotDuties.listDuties, {});
  return (
    <Page
      title={pages.ballotDuties.title}
      sub="Elections with encrypted ballots in which you are a trustee, or make the voting codes."
      breadcrumb={<Breadcrumb items={[{ label: pages.voting.title, href: pages.voting.path }, { label: pages.ballotDuties.title }]} />}
    >
      <Sheet flush={rows.length === 0}>
        {rows.length === 0 ? (
          <EmptyState title="No duties" picture={false}>
            When a registry appoints you for an election, it appears here, and we write to you when it’s your turn.
          </EmptyState>
        ) : (
          <Stack gap={12}>
            {rows.map(({ electionId, title, as, isDue }) => (
              <Row key={`${electionId} ${as}`} wrap gap={12}>
                <LinkButton
                  href={`/voting/${electionId}/${as}`}
                  size="s"
                  variant={isDue ? 'primary' : 'default'}
                  aria-label={`${names[as]} of ${title}`}
                >
                  {names[as]}
                </LinkButton>
                <span>{title}</span>
                {isDue && <Badge kind="warning">Your turn</Badge>}
              </Row>
            ))}
          </Stack>
        )}
      </Sheet>
    </Page>
  );
}
