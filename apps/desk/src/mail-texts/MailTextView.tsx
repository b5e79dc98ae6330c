import { Page, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { type MailTextDetails, mailTexts } from '@portal/contract/mail/mail-texts';
import { pages } from '@portal/contract/pages';
import { proposals } from '@portal/contract/proposals/proposals';
import { Badge, Banner, Breadcrumb, DateText, Disclosure, formatCount, KeyValueList, Sheet, Stack } from '@portal/ui';
import { TextChanges } from '@portal/ui/difference/TextChanges';
import { useMay } from '../shell/use-may.ts';
import { SampleLetter } from './SampleLetter.tsx';
import styles from './MailTexts.module.css';

const MailTextForm = later(() => import('./MailTextForm.tsx'), 'MailTextForm');
const MailTextApprovals = later(() => import('./MailTextApprovals.tsx'), 'MailTextApprovals');

/** One kind of mail: its text with the words to fill in, what differs from the text of the program, and its versions. */
export function MailTextView({ kind }: { kind: string }) {
  const details = useAnswer(mailTexts.getMailText, { kind });
  const may = useMay();
  const { text, topic, receivers, lastSentAt, sent, needsSecondPerson } = details;
  return (
    <Page
      title={text.subject}
      sub={`${topic}: “You get this e-mail because ${receivers}.”`}
      breadcrumb={<Breadcrumb items={[{ label: pages.deskMailTexts.title, href: pages.deskMailTexts.path }, { label: kind }]} />}
    >
      <Stack gap={16}>
        <State details={details} />
        {may(proposals.listStaffProposals) && <MailTextApprovals kind={kind} />}
        {may(mailTexts.saveMailText) ? (
          <MailTextForm details={details} key={details.version} />
        ) : (
          <Sheet title="Text in use">
            <SampleLetter text={text} words={details.words} />
          </Sheet>
        )}
        <Differences details={details} />
        <Sheet title="Versions" meta={`${kind}${needsSecondPerson ? ', changes need a second person' : ''}`}>
          <Stack gap={16}>
            <KeyValueList
              align="left"
              items={[
                { key: 'Last sent', value: lastSentAt === null ? 'Not sent yet' : <DateText value={lastSentAt} /> },
                { key: 'In 30 days', value: formatCount(sent) },
              ]}
            />
            <Versions details={details} />
          </Stack>
        </Sheet>
      </Stack>
    </Page>
  );
}

/** Facts that a reader of the text has to know first. */
function State({ details: { isUnfit, programThen, isChanged } }: { details: MailTextDetails }) {
  if (isUnfit)
    return (
      <Banner kind="error" title="The changed text isn’t in use.">
        Since this release it has a word that the mail doesn’t have any more, or lacks one that is required now, so mails use the standard
        text. Change yours, or use the standard text.
      </Banner>
    );
  if (programThen)
    return (
      <Banner kind="warning" title="The standard text changed since you changed yours.">
        Compare both below, and take over what your text needs. Save it again if it’s still right.
      </Banner>
    );
  return isChanged ? null : <p className="quiet">This mail uses the standard text.</p>;
}

function Differences({ details: { isChanged, text, program, programThen } }: { details: MailTextDetails }) {
  return (
    <>
      {programThen && (
        <Sheet title="What changed in the standard text">
          <TextChanges before={programThen} after={program} />
        </Sheet>
      )}
      {isChanged && (
        <Sheet title="Differences from the standard text">
          <TextChanges before={program} after={text} />
        </Sheet>
      )}
    </>
  );
}

function Versions({ details: { versions, words, isUnfit } }: { details: MailTextDetails }) {
  if (versions.length === 0) return <p className="quiet">No changes yet. Each change appears here, with who made it and why.</p>;
  return (
    <ol className={styles.versions} reversed start={versions[0]!.version}>
      {versions.map(({ version, text, reason, savedBy, approvedBy, savedAt }, index) => (
        <li key={version}>
          <p>
            <b>{text === null ? 'The standard text' : <bdi>{text.subject}</bdi>}</b>{' '}
            {index === 0 && !isUnfit && <Badge kind="valid">In use</Badge>}
          </p>
          <p className="quiet small">
            {savedBy}
            {approvedBy !== null && `, approved by ${approvedBy}`}, <DateText value={savedAt} />
          </p>
          <p>
            <bdi>{reason}</bdi>
          </p>
          {text !== null && (
            <Disclosure summary={`Text of version ${version}`}>
              <SampleLetter text={text} words={words} />
            </Disclosure>
          )}
        </li>
      ))}
    </ol>
  );
}
