import { useAddress, useChange, useKit } from '@portal/app-kit';
import { Confirmation } from '@portal/app-kit/form/Confirmation';
import { Form, FormProblems } from '@portal/app-kit/form/Form';
import { joinedChanges, useForm } from '@portal/app-kit/form/use-form';
import {
  type ApplicationDraft,
  type ApplicationProblem,
  type ApplicationStep,
  applicationStepNames,
  applicationSteps,
} from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications, type ApplicationTerms } from '@portal/contract/applications/applications';
import type { UploadedFile } from '@portal/contract/documents/documents';
import { Banner, Button, ButtonRow, Field, Link, Sheet, Stack, TextArea } from '@portal/ui';
import { ApplicationContent } from './ApplicationContent.tsx';
import styles from './ApplicationWizard.module.css';
import { FirstYear } from './FirstYear.tsx';

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
  const answers = application.state === 'needs-info';
  const form = useSubmission(application, terms.agreement.version, flush);
  const refusal =
    problems.length > 0 ? `${problems.length === 1 ? 'One answer needs' : `${problems.length} answers need`} attention` : null;
  return (
    <Stack gap={16}>
      {problems.length > 0 && <Missing problems={problems} />}
      <ApplicationContent
        draft={draft}
        applicant={application.applicant}
        papers={papers.length === 0 ? null : <span className={styles.lines}>{papers.map(({ fileName }) => fileName).join('\n')}</span>}
        onStep={onStep}
      />
      <FirstYear membership={draft.membership} economy={draft.economy} />
      <Sheet title={answers ? 'Answer the registry' : 'Submit'}>
        <Form form={form} label={answers ? 'Answer the registry' : 'Submit the application'} bare>
          <Stack gap={16}>
            <FormProblems form={form} />
            {answers ? (
              <Field label="Your answer" help="Your changes to the application are sent with it." {...form.field('answer')}>
                <TextArea rows={4} dir="auto" {...form.input('answer')} />
              </Field>
            ) : (
              <Confirmations form={form} terms={terms} orgName={draft.orgName.trim()} />
            )}
            <ButtonRow>
              <Button type="submit" variant="commit" busy={form.busy} refusal={refusal ? { reason: refusal } : null}>
                {answers ? 'Send the answer' : 'Submit the application'}
              </Button>
              <Button onClick={() => onStep('documents')}>Back</Button>
            </ButtonRow>
          </Stack>
        </Form>
      </Sheet>
    </Stack>
  );
}

/**
 * The form that submits an application, or answers what the registry asked about it.
 * @param flush saves unsaved input and returns the version
 */
function useSubmission(application: ApplicationDetail, agreement: string, flush: () => Promise<number | null>) {
  const address = useAddress();
  const { notify } = useKit();
  const answers = application.state === 'needs-info';
  const { applicationId, reference, version } = application;
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
  const form = useForm(
    answers ? applications.answerApplication.body : applications.submitApplication.body,
    { answer: '', agreed: false, truthful: false },
    {
      name: 'application-review',
      toBody: ({ answer, agreed, truthful }) =>
        answers ? { version, answer } : { version, agreementVersion: agreed ? agreement : '', truthful },
      fieldAt: place => (place === 'agreementVersion' ? 'agreed' : place),
      ifEmpty: { answer: 'Enter an answer' },
      change: joinedChanges(submit, reply),
      send: (_, { answer }) => void sendSaved(answer),
    },
  );
  const sendSaved = async (answer: string) => {
    const saved = await flush();
    if (saved === null) return;
    if (answers) reply.mutate({ applicationId, body: { version: saved, answer } });
    else submit.mutate({ applicationId, body: { version: saved, agreementVersion: agreement, truthful: true } });
  };
  return form;
}

type ConfirmationsProps = { form: ReturnType<typeof useSubmission>; terms: ApplicationTerms; orgName: string };

const Confirmations = ({ form, terms, orgName }: ConfirmationsProps) => (
  <>
    <Confirmation {...form.field('agreed')} checked={form.values.agreed} onChange={agreed => form.set({ agreed })}>
      {orgName === '' ? 'The organisation' : <bdi>{orgName}</bdi>} accepts the{' '}
      <Link href={terms.agreement.url} target="_blank">
        membership agreement
      </Link>
      , version {terms.agreement.version}
    </Confirmation>
    <Confirmation {...form.field('truthful')} checked={form.values.truthful} onChange={truthful => form.set({ truthful })}>
      I’m authorised to act for the organisation, and everything here is true
    </Confirmation>
  </>
);

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
