import { FailureBanner, useKit, useSession } from '@portal/app-kit';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Banner, Button, ButtonRow, Checkbox, Disclosure, formatCount, KeyValueList, Mono, ProgressBar, Sheet, Stack } from '@portal/ui';
import { useState } from 'react';
import type { AuthorityView } from './AuthorityView.ts';
import styles from './ByTool.module.css';
import type { NewCredentials } from './ceremony-tasks.ts';
import { mailboxFile, mergeFile } from './credential-files.ts';
import { FileText } from './FileText.tsx';
import { useRoll, useSentList } from './use-codes.ts';
import { useProgram } from './use-program.ts';

/** Accounts without voters that are named; the others are counted. */
const maxNamed = 12;

/** The authority takes the roll, makes the codes here, keeps the private files, and sends the public list. */
export function CodesStep({ electionId, view }: { electionId: string; view: AuthorityView }) {
  const { run, busy, done, problem } = useProgram();
  const [made, setMade] = useState<NewCredentials | null>(null);
  const [file, setFile] = useState<string | null>(null);
  const take = useRoll();
  const accounts = view.roll!.reduce((sum, each) => sum + each.accounts, 0);
  const make = async (from: string | null) => {
    setMade(null);
    const { uuid, rows } = await take.mutateAsync({ electionId });
    setMade(await run((program, onProgress) => program('makeCredentials', { uuid, rows, file: from }, onProgress)));
  };
  const start = (from: string | null) => void make(from).catch(() => undefined);
  const working = busy || take.isPending;
  return (
    <Sheet title={view.sent ? 'Make new codes' : 'Make the voting codes'}>
      <Stack gap={16}>
        <p>
          {view.sent
            ? 'Until the ballot is set up you can replace all codes: those that you have mailed are then worth nothing.'
            : `A code for each of the ${formatCount(accounts)} accounts is made on this device. You get the addresses of those who vote for them; that you took the roll is logged.`}
        </p>
        <FailureBanner failure={take.error} />
        {problem && <Banner kind="error">{problem}</Banner>}
        {busy && (
          <ProgressBar
            label="Making the codes"
            done={done?.done ?? 0}
            total={accounts}
            words={`${formatCount(done?.done ?? 0)} of ${formatCount(accounts)}`}
          />
        )}
        {made === null ? (
          <>
            <ButtonRow>
              <Button variant={view.sent ? 'default' : 'primary'} icon="key" busy={working} onClick={() => start(null)}>
                {view.sent ? 'Make new codes' : 'Take the roll and make the codes'}
              </Button>
            </ButtonRow>
            <Disclosure summary="Use codes of belenios-tool instead">
              <Stack gap={12}>
                <p className={styles.command}>
                  <code>{`belenios-tool setup generate-credentials --group BELENIOS-2048 --uuid ${view.uuid} --file voters.txt`}</code>
                </p>
                <p>Each line of voters.txt is an account, a comma, the account again, a comma and its votes: EXAMPLE-AU,EXAMPLE-AU,8</p>
                <FileText
                  label="The private file that it made"
                  help="It ends with .privcreds. It is read on this device, and not sent."
                  accept=".privcreds,.txt"
                  onRead={setFile}
                />
                <ButtonRow>
                  <Button busy={working} refusal={file === null ? { reason: 'Choose the file first' } : null} onClick={() => start(file)}>
                    Use these codes
                  </Button>
                </ButtonRow>
              </Stack>
            </Disclosure>
          </>
        ) : (
          <MadeCodes electionId={electionId} view={view} made={made} />
        )}
      </Stack>
    </Sheet>
  );
}

/** Codes that are made: the files to keep and to mail, and the public list to send. */
function MadeCodes({ electionId, view, made }: { electionId: string; view: AuthorityView; made: NewCredentials }) {
  const { appUrl } = useKit().environment;
  const { person } = useSession();
  const [kept, setKept] = useState(false);
  const send = useSentList();
  const { uuid, title } = view;
  const silent = made.codes.filter(({ emails }) => emails.length === 0).map(({ accountName }) => accountName);
  const mail = { title, electionId, appUrl, authority: { fullName: person.fullName, email: person.email } };
  return (
    <Stack gap={12}>
      <KeyValueList
        align="left"
        items={[
          { key: 'Codes', value: formatCount(made.codes.length) },
          { key: 'Fingerprint of the public list', value: <Mono nowrap={false}>{made.fingerprint}</Mono> },
        ]}
      />
      {silent.length > 0 && (
        <Banner
          kind="warning"
          title={`${silent.length === 1 ? 'One account has' : `${formatCount(silent.length)} accounts have`} no one who votes for it.`}
        >
          {silent.slice(0, maxNamed).join(', ')}
          {silent.length > maxNamed && ` and ${silent.length - maxNamed} more`}. Their codes are in the private file.
        </Banner>
      )}
      <p>Save the private file and one of the others. They are on this page only, and are gone when you leave it.</p>
      <ButtonRow>
        <Button icon="download" onClick={() => saveTextFile(`${uuid}.privcreds`, made.privateFile)}>
          Private file
        </Button>
        <Button icon="download" onClick={() => saveTextFile(`voting-codes-${electionId}.csv`, mergeFile(made.codes, mail))}>
          Mail merge (CSV)
        </Button>
        <Button icon="download" onClick={() => saveTextFile(`voting-codes-${electionId}.mbox`, mailboxFile(made.codes, mail, new Date()))}>
          Mailbox (mbox)
        </Button>
      </ButtonRow>
      <Checkbox checked={kept} onChange={event => setKept(event.target.checked)}>
        I have kept the private file
      </Checkbox>
      <FailureBanner failure={send.error} />
      <ButtonRow>
        <Button
          variant="commit"
          busy={send.isPending}
          refusal={kept ? null : { reason: 'Keep the private file first' }}
          onClick={() => send.mutate({ electionId, body: { credentials: made.list } })}
        >
          Send the public list
        </Button>
      </ButtonRow>
    </Stack>
  );
}
