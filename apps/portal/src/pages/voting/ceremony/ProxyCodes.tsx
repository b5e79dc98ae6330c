import { FailureBanner, useKit, useSession } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Banner, Button, ButtonRow, DateText, formatCount, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import type { AuthorityView } from './AuthorityView.ts';
import type { VotingCode } from './ceremony-tasks.ts';
import { mailboxFile, mergeFile } from './credential-files.ts';
import { FileText } from './FileText.tsx';
import { useRoll } from './use-codes.ts';
import { useProgram } from './use-program.ts';

/** An appointment moves the code of the account: the authority sends it to the proxy, once appointments are final. The registry never has it. */
export function ProxyCodes({
  electionId,
  view,
  proxies: { accounts, closesAt, isClosed },
}: {
  electionId: string;
  view: AuthorityView;
  proxies: NonNullable<AuthorityView['proxies']>;
}) {
  const { appUrl } = useKit().environment;
  const { person } = useSession();
  const { run, busy, problem } = useProgram();
  const take = useRoll();
  const [file, setFile] = useState<string | null>(null);
  const [codes, setCodes] = useState<readonly VotingCode[] | null>(null);
  const mail = { title: view.title, electionId, appUrl, authority: { fullName: person.fullName, email: person.email } };
  const find = async () => {
    setCodes(null);
    const { rows } = await take.mutateAsync({ electionId });
    setCodes(await run(program => program('codesOfProxies', { rows, file: file! })));
  };
  const waits = !isClosed
    ? { reason: 'Proxies can still be appointed and revoked' }
    : file === null
      ? { reason: 'Choose your private file first' }
      : null;
  return (
    <Sheet title="Codes of proxies" meta={accounts === 1 ? 'One account has a proxy' : `${formatCount(accounts)} accounts have a proxy`}>
      <Stack gap={12}>
        <p>
          A proxy votes with the code of the account. {isClosed ? 'Appointments closed on' : 'Appointments close on'}{' '}
          <DateText value={closesAt} shape="day-time" />. Send the codes to the proxies then: you get their addresses with the roll, and
          that you took it is logged.
        </p>
        <FileText
          label="Your private file"
          help="The .privcreds file that you kept. It is read on this device, and not sent."
          accept=".privcreds,.txt"
          onRead={setFile}
        />
        <FailureBanner failure={take.error} />
        {problem && <Banner kind="error">{problem}</Banner>}
        <ButtonRow>
          <Button icon="key" busy={busy || take.isPending} refusal={waits} onClick={() => void find().catch(() => undefined)}>
            Find the codes of proxies
          </Button>
        </ButtonRow>
        {codes && (
          <>
            <output>{codes.length === 0 ? 'No account has a proxy.' : `${codes.map(({ accountName }) => accountName).join(', ')}.`}</output>
            {codes.length > 0 && (
              <ButtonRow>
                <Button icon="download" onClick={() => saveTextFile(`proxy-codes-${electionId}.csv`, mergeFile(codes, mail))}>
                  Mail merge (CSV)
                </Button>
                <Button
                  icon="download"
                  onClick={() => saveTextFile(`proxy-codes-${electionId}.mbox`, mailboxFile(codes, mail, new Date()))}
                >
                  Mailbox (mbox)
                </Button>
              </ButtonRow>
            )}
          </>
        )}
      </Stack>
    </Sheet>
  );
}
