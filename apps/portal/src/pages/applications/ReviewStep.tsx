import { ErrorWords, useAddress, useChange, useKit } from '@portal/app-kit';
import {
  type ApplicationDraft,
  type ApplicationProblem,
  type ApplicationStep,
  applicationStepNames,
  applicationSteps,
} from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications, type ApplicationTerms } from '@portal/contract/applications/applications';
import type { UploadedFile } from '@portal/contract/documents/documents';
import { Banner, Button, ButtonRow, Checkbox, Field, Link, Sheet, Stack, TextArea } from '@portal/ui';
import { useState } from 'react';
import { ApplicationContent } from './ApplicationContent.tsx';
import styles from './ApplicationWizard.module.css';

/** The application as it would be submitted, what is missing, and the submit button. */
export function ReviewStep({
  application,
  draft,
  terms,
  papers,
  problems,
  flush,
  onStep,
}: {
  application: ApplicationDetail;
  draft: ApplicationDraft;
  terms: ApplicationTerms;
  papers: readonly Pick<UploadedFile, 'documentId' | 'fileName'>[];
  problems: readonly ApplicationProblem[];
  /** Saves unsaved input and returns the version. */
  flush: () => Promise<number | null>;
  onStep: (step: ApplicationStep) => void;
}) {
  const address = useAddress();
  const { notify } = useKit();
  const answers = application.state === 'needs-info';
  const [agreed, setAgreed] = useState(false);
  const [truthful, setTruthful] = useState(false);
  const [answer, setAnswer] = useState('');
  const { applicationId, reference } = application;
  const done = {
    refresh: [applications.getApplication, applications.listApplications],
    showsErrors: true,
  } as const;
  const submit = useChange(applications.submitApplication, {
    ...done,
    onDone: () => {
      address.set({ step: null });
      notify({ text: `${reference} was submitted. You’ll get an e-mail.` });
    },
  });
  const reply = useChange(applications.answerApplication, {
    ...done,
    onDone: () => {
      address.set({ step: null });
      notify({ text: `${reference} was sent back to the registry.` });
    },
  });
  const failure = submit.error ?? reply.error;
  const send = async () => {
    const version = await flush();
    if (version === null) return;
    if (answers) reply.mutate({ applicationId, body: { version, answer } });
    else submit.mutate({ applicationId, body: { version, agreementVersion: terms.agreement.version, truthful: true } });
  };
  const refusal =
    problems.length > 0
      ? `${problems.length === 1 ? 'One answer needs' : `${problems.length} answers need`} attention`
      : answers
        ? answer.trim() === '' && 'Enter an answer'
        : !agreed
          ? 'Accept the membership agreement'
          : !truthful && 'Confirm that everything is true';
  return (
    <Stack gap={16}>
      {problems.length > 0 && <Missing problems={problems} />}
      <ApplicationContent
        draft={draft}
        applicant={application.applicant}
        papers={papers.length === 0 ? null : <span className={styles.lines}>{papers.map(({ fileName }) => fileName).join('\n')}</span>}
        onStep={onStep}
      />
      <Sheet title={answers ? 'Answer the registry' : 'Submit'}>
        <Stack gap={16}>
          {failure && (
            <Banner kind="error" traceId={failure.errors[0]?.traceId}>
              <ErrorWords message={failure.message} />
            </Banner>
          )}
          {answers ? (
            <Field label="Your answer" help="Your changes to the application are sent with it.">
              <TextArea rows={4} dir="auto" maxLength={2000} value={answer} onChange={event => setAnswer(event.target.value)} />
            </Field>
          ) : (
            <Consents
              agreed={agreed}
              truthful={truthful}
              setAgreed={setAgreed}
              setTruthful={setTruthful}
              orgName={draft.orgName.trim()}
              terms={terms}
            />
          )}
          <ButtonRow>
            <Button
              variant="commit"
              busy={submit.isPending || reply.isPending}
              refusal={refusal ? { reason: refusal } : null}
              onClick={() => void send()}
            >
              {answers ? 'Send the answer' : 'Submit the application'}
            </Button>
            <Button onClick={() => onStep('documents')}>Back</Button>
          </ButtonRow>
        </Stack>
      </Sheet>
    </Stack>
  );
}

function Consents({
  agreed,
  truthful,
  setAgreed,
  setTruthful,
  orgName,
  terms,
}: {
  agreed: boolean;
  truthful: boolean;
  setAgreed: (agreed: boolean) => void;
  setTruthful: (truthful: boolean) => void;
  orgName: string;
  terms: ApplicationTerms;
}) {
  return (
    <>
      <Checkbox checked={agreed} onChange={event => setAgreed(event.target.checked)}>
        {orgName === '' ? 'The organisation' : <bdi>{orgName}</bdi>} accepts the{' '}
        <Link href={terms.agreement.url} target="_blank">
          membership agreement
        </Link>
        , version {terms.agreement.version}
      </Checkbox>
      <Checkbox checked={truthful} onChange={event => setTruthful(event.target.checked)}>
        I’m authorised to act for the organisation, and everything here is true
      </Checkbox>
    </>
  );
}

function Missing({ problems }: { problems: readonly ApplicationProblem[] }) {
  return (
    <Banner kind="warning" title="Before you can submit it:">
      <ul className={styles.list}>
        {applicationStepNames
          .filter(step => problems.some(problem => problem.step === step))
          .map(step => (
            <li key={step}>
              {applicationSteps[step]}:{' '}
              {problems
                .filter(problem => problem.step === step)
                .map(({ message }) => message)
                .join('. ')}
            </li>
          ))}
      </ul>
    </Banner>
  );
}
