import { AppLink, Page, useAddress, useAnswer, useChange, useKit } from '@portal/app-kit';
import { useUploads } from '@portal/app-kit/documents/uploads';
import { errorInWords } from '@portal/contract';
import {
  type ApplicationProblem,
  type ApplicationStep,
  applicationStepNames,
  applicationSteps,
  problemsOfApplication,
} from '@portal/contract/applications/application-form';
import { type ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { pages } from '@portal/contract/pages';
import { Banner, Button, DateText, FormColumn, Icon, Stack } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import styles from './ApplicationWizard.module.css';
import { nameOf } from './application-words.ts';
import { ReviewStep } from './ReviewStep.tsx';
import { type SavedDraft, useSavedDraft } from './saved-draft.ts';
import { StepForm } from './StepForm.tsx';

/** Edits an application, one step at a time (`?step=`). It is saved at the registry continuously. */
export function ApplicationWizard({ application }: { application: ApplicationDetail }) {
  const [anew, setRetry] = useState(0);
  return <Writing key={`${application.applicationId} ${anew}`} application={application} onRetry={() => setRetry(anew + 1)} />;
}

const problemsIn = (problems: readonly ApplicationProblem[], step: ApplicationStep) => problems.filter(problem => problem.step === step);

function Writing({ application, onRetry }: { application: ApplicationDetail; onRetry: () => void }) {
  const address = useAddress();
  const answers = useQueryClient();
  const saved = useSavedDraft(application);
  const uploads = useUploads({ initial: application.papers });
  const terms = useAnswer(applications.getApplicationTerms, {});
  const asked = address.get('step');
  const step = applicationStepNames.find(name => name === asked) ?? application.step;
  const [tried, setTried] = useState<readonly ApplicationStep[]>([]);
  const [throwing, setThrowing] = useState(false);
  const [going, setGoing] = useState(false);
  const head = useRef<HTMLDivElement>(null);
  const index = applicationStepNames.indexOf(step);
  const problems = problemsOfApplication(saved.draft, uploads.documentIds.length);
  const documentIds = uploads.documentIds.join(' ');
  const { change } = saved;

  // An uploaded file is saved with the application, like typed input.
  const kept = useRef(documentIds);
  useEffect(() => {
    if (kept.current === documentIds) return;
    kept.current = documentIds;
    change({ documentIds: documentIds === '' ? [] : documentIds.split(' ') });
  });

  const goTo = async (next: ApplicationStep) => {
    setGoing(true);
    change({ step: next });
    const version = await saved.flush();
    setGoing(false);
    if (version === null) return;
    address.set({ step: next }, { step: true });
    head.current?.focus();
  };
  const readAgain = async () => {
    await answers.invalidateQueries({ queryKey: [applications.getApplication.id] });
    onRetry();
  };
  const heading = nameOf({ orgName: saved.draft.orgName, reference: application.reference });
  return (
    <Page
      title={pages.addAccount.title}
      breadcrumb={<AppLink href={pages.addAccount.path}>Your applications</AppLink>}
      heading={<bdi>{heading}</bdi>}
      sub={<SaveState saved={saved} application={application} />}
      actions={
        application.state === 'draft' && (
          <Button variant="quiet" onClick={() => setThrowing(true)}>
            Delete draft
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <div ref={head} tabIndex={-1} className={styles.steps}>
          <StepList step={step} tried={tried} problems={problems} onGo={name => void goTo(name)} />
        </div>
        <FormColumn>
          <WizardBanners application={application} step={step} saved={saved} onReload={() => void readAgain()} />
          {step === 'review' ? (
            <ReviewStep
              application={application}
              draft={saved.draft}
              terms={terms}
              papers={uploads.sent}
              problems={problems}
              flush={saved.flush}
              onStep={name => void goTo(name)}
            />
          ) : (
            <StepForm
              key={step}
              step={step}
              application={application}
              draft={saved.draft}
              terms={terms}
              uploads={uploads}
              problems={problemsIn(problems, step)}
              tried={tried.includes(step)}
              going={going}
              onEdit={draft => change({ draft })}
              onTry={() => setTried([...tried, step])}
              onGoOn={() => void goTo(applicationStepNames[index + 1]!)}
              onBack={index > 0 ? () => void goTo(applicationStepNames[index - 1]!) : undefined}
            />
          )}
        </FormColumn>
      </Stack>
      {throwing && <ThrowAway application={application} onClose={() => setThrowing(false)} />}
    </Page>
  );
}

/** The registry's question, and why something is not saved. */
function WizardBanners({
  application,
  step,
  saved,
  onReload,
}: {
  application: ApplicationDetail;
  step: ApplicationStep;
  saved: SavedDraft;
  onReload: () => void;
}) {
  return (
    <>
      {application.question !== null && (
        <Banner kind="warning" title="The registry asks:">
          <span className={styles.words}>{application.question}</span>
        </Banner>
      )}
      {application.referredBy !== null && step === 'organisation' && (
        <Banner kind="info" title={`${application.referredBy} proposed this application.`}>
          It sees whether you submit the application and the decision, but nothing you enter here.
        </Banner>
      )}
      {saved.state === 'saved-elsewhere' && (
        <Banner
          kind="warning"
          title="This application was changed in another window or on another device."
          actions={
            <Button size="s" variant="primary" onClick={onReload}>
              Load the latest version
            </Button>
          }
        >
          What you typed since then isn’t saved.
        </Banner>
      )}
      {saved.state === 'not-saved' && (
        <Banner
          kind="error"
          traceId={saved.errors[0]?.traceId}
          actions={
            <Button size="s" icon="refresh" onClick={() => void saved.flush()}>
              Save again
            </Button>
          }
        >
          {saved.errors.map(errorInWords).join('; ')}
        </Banner>
      )}
    </>
  );
}

function StepList({
  step,
  tried,
  problems,
  onGo,
}: {
  step: ApplicationStep;
  tried: readonly ApplicationStep[];
  problems: readonly ApplicationProblem[];
  onGo: (step: ApplicationStep) => void;
}) {
  const now = applicationStepNames.indexOf(step);
  const lacks = (name: ApplicationStep) => problemsIn(problems, name).length > 0;
  const hasProblems = (name: ApplicationStep) => tried.includes(name) && lacks(name);
  const isDone = (name: ApplicationStep) =>
    name !== step && (applicationStepNames.indexOf(name) < now || tried.includes(name)) && !lacks(name);
  return (
    <ol className={styles.way} aria-label="Steps of the application">
      {applicationStepNames.map((name, place) => (
        <li key={name} aria-current={name === step ? 'step' : undefined}>
          <button type="button" className={styles.step} data-now={name === step || undefined} onClick={() => onGo(name)}>
            <span className={styles.number} data-done={isDone(name) || undefined} aria-hidden="true">
              {isDone(name) ? <Icon name="check" /> : place + 1}
            </span>
            {applicationSteps[name]}
            {isDone(name) && <span className="vh">, done</span>}
            {hasProblems(name) && <span className="vh">, needs attention</span>}
          </button>
        </li>
      ))}
    </ol>
  );
}

function SaveState({ saved, application }: { saved: SavedDraft; application: ApplicationDetail }) {
  const { state, savedAt } = saved;
  return (
    <output className={styles.saved}>
      {application.reference}
      {' · '}
      {state === 'saved' ? (
        <>
          saved <DateText value={savedAt} />
        </>
      ) : state === 'saved-elsewhere' || state === 'not-saved' ? (
        'not saved'
      ) : (
        'saving'
      )}
    </output>
  );
}

function ThrowAway({ application, onClose }: { application: ApplicationDetail; onClose: () => void }) {
  const { router, notify } = useKit();
  const { applicationId, reference } = application;
  const withdraw = useChange(applications.withdrawApplication, {
    refresh: [applications.listApplications],
    onDone: () => {
      notify({ text: `${reference} is deleted.` });
      router.go(pages.addAccount.path);
    },
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Delete ${reference}`}
      act="Delete draft"
      kind="danger"
      keep="Cancel"
      busy={withdraw.isPending}
      onAct={() => withdraw.mutate({ applicationId })}
    >
      The draft and its files are deleted. This can’t be undone.
    </ConfirmDialog>
  );
}
