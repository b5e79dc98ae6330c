import { Banner, Button, ButtonRow, DateText, formatCount, KeyValueList, Mono, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import type { AuthorityView } from './AuthorityView.ts';
import { loadArchive, useProgram } from './use-program.ts';

/** The list that the registry has, and whether the archive has the same. */
export function SentCodes({
  electionId,
  view,
  sent,
}: {
  electionId: string;
  view: AuthorityView;
  sent: NonNullable<AuthorityView['sent']>;
}) {
  const { run, busy, problem } = useProgram();
  const [found, setFound] = useState<string | null>(null);
  const look = async () => {
    setFound(await run(async program => program('fingerprintInArchive', await loadArchive(electionId))));
  };
  return (
    <Sheet title="Your codes" meta={<StateMark state="valid">Public list sent</StateMark>}>
      <Stack gap={12}>
        <KeyValueList
          align="left"
          items={[
            { key: 'Codes', value: formatCount(sent.accounts) },
            { key: 'Fingerprint', value: <Mono nowrap={false}>{sent.fingerprint}</Mono> },
            ...(view.setUpAt === null ? [] : [{ key: 'Ballot set up', value: <DateText value={view.setUpAt} /> }]),
          ]}
        />
        <p>
          {view.setUpAt === null
            ? 'Mail the codes when the ballot is set up. Until then the roll can still be replaced, and the codes with it.'
            : 'Mail the codes from your own mail system before voting opens. If a voter loses a code, send it again to the address of the roll.'}
        </p>
        {problem && <Banner kind="error">{problem}</Banner>}
        {view.isPublished && (
          <ButtonRow>
            <Button busy={busy} onClick={() => void look()}>
              Compare with the archive
            </Button>
          </ButtonRow>
        )}
        <output>
          {found !== null &&
            (found === sent.fingerprint ? (
              <StateMark state="valid" plain>
                The archive has exactly your list.
              </StateMark>
            ) : (
              <StateMark state="invalid" plain>
                The archive has another list: {found}. Write to the returning officer and the scrutineer.
              </StateMark>
            ))}
        </output>
      </Stack>
    </Sheet>
  );
}
