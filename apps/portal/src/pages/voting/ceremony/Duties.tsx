import { useAnswer } from '@portal/app-kit';
import { ballotDuties } from '@portal/contract/encrypted-ballots/duties';
import { Badge, LinkButton, Row, Sheet, Stack } from '@portal/ui';

const names = { authority: 'Credential authority', trustee: 'Trustee' } as const;

/** Elections in which the person makes a part of the key, or the voting codes; nothing for others. */
export function Duties() {
  const { rows } = useAnswer(ballotDuties.listDuties, {});
  if (rows.length === 0) return null;
  return (
    <Sheet title="Your duties" meta="Elections with encrypted ballots for which you were appointed.">
      <Stack gap={12}>
        {rows.map(({ electionId, title, as, isDue }) => (
          <Row key={`${electionId} ${as}`} wrap gap={12}>
            <LinkButton
              href={`/voting/${electionId}/duty/${as}`}
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
    </Sheet>
  );
}
