import { AppLink, Page, useAddress, useAnswer, useChange, useKit, useSession } from '@portal/app-kit';
import { DocumentList } from '@portal/app-kit/documents/DocumentList';
import { type ApplicationDetail, applications } from '@portal/contract/applications/applications';
import { files } from '@portal/contract/documents/files';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, DateText, Grid, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useState } from 'react';
import { ApplicationContent } from './ApplicationContent.tsx';
import styles from './ApplicationWizard.module.css';
import { applicationStates, eventWords, nameOf } from './application-words.ts';
import { openApplicationStates } from '@portal/contract/applications/life';

/** A submitted application: its state, history and content. */
export function ApplicationStatus({ application }: { application: ApplicationDetail }) {
  const { reference, accountName, draft, applicant, papers, state } = application;
  const [withdrawing, setWithdrawing] = useState(false);
  const waits = openApplicationStates.some(open => open === state);
  const mark = applicationStates[state];
  return (
    <Page
      title={pages.addAccount.title}
      breadcrumb={<AppLink href={pages.addAccount.path}>Your applications</AppLink>}
      heading={<bdi>{nameOf(application)}</bdi>}
      sub={
        <>
          {reference} · {accountName} · <StateMark state={mark.state}>{mark.words}</StateMark>
        </>
      }
      actions={
        waits && (
          <Button variant="quiet" onClick={() => setWithdrawing(true)}>
            Withdraw
          </Button>
        )
      }
    >
      <Stack gap={16}>
        <Next application={application} />
        <Grid columns={2} style={{ alignItems: 'start' }}>
          <Stack gap={16}>
            <History application={application} />
          </Stack>
          <Stack gap={16}>
            <ApplicationContent
              draft={draft}
              applicant={applicant}
              papers={
                papers.length === 0 ? null : state === 'approved' ? (
                  // They are documents of the account now.
                  <AppLink href={`/${encodeURIComponent(accountName)}/index.html?to=${pages.documents.path}`}>
                    Documents of {accountName}
                  </AppLink>
                ) : (
                  <DocumentList papers={papers} opens={files.openOwnFile} inputOf={documentId => ({ documentId })} />
                )
              }
            />
          </Stack>
        </Grid>
      </Stack>
      {withdrawing && <Withdraw application={application} onClose={() => setWithdrawing(false)} />}
    </Page>
  );
}

/** Says when the registry answers, and what can be done meanwhile. */
function WithRegistry({ submittedAt }: Pick<ApplicationDetail, 'submittedAt'>) {
  const { reviewTime } = useAnswer(applications.getApplicationTerms, {});
  const { askForSecondFactor } = useKit();
  const { person } = useSession();
  const isNext = !person.hasSecondFactor;
  return (
    <Banner
      kind="pending"
      title="The application is with the registry."
      actions={
        isNext && (
          <Button size="s" onClick={askForSecondFactor}>
            Turn on two-factor
          </Button>
        )
      }
    >
      We review it within {reviewTime}
      {submittedAt !== null && (
        <>
          {' '}
          of <DateText value={submittedAt} shape="date" />
        </>
      )}
      . You get an e-mail if we have a question and when we decide.
      {isNext && ' Meanwhile, turn on two-factor authentication: changes of contacts, routes and certificates, and voting, need it.'}
    </Banner>
  );
}

/** The next step, and whose it is. */
function Next({ application }: { application: ApplicationDetail }) {
  const address = useAddress();
  const { state, question, accountName, accountStatus, events } = application;
  switch (state) {
    case 'submitted':
    case 'in-review':
      return <WithRegistry submittedAt={application.submittedAt} />;
    case 'needs-info':
      return (
        <Banner
          kind="warning"
          title="The registry asks:"
          actions={
            <ButtonRow>
              <Button size="s" variant="primary" onClick={() => address.set({ step: 'review' }, { step: true })}>
                Answer
              </Button>
              <Button size="s" onClick={() => address.set({ step: 'organisation' }, { step: true })}>
                Change the application first
              </Button>
            </ButtonRow>
          }
        >
          <span className={styles.words}>{question}</span>
        </Banner>
      );
    case 'approved':
      return (
        <Banner
          kind="success"
          title={`${accountName} is approved, and you are its corporate contact.`}
          actions={
            <LinkButton size="s" href={`/${encodeURIComponent(accountName)}/index.html`}>
              Open {accountName}
            </LinkButton>
          }
        >
          {accountStatus === 'new' && 'The account opens when the sign-up invoice is paid.'}
        </Banner>
      );
    case 'rejected':
      return (
        <Banner kind="error" title="The application was rejected.">
          <span className={styles.words}>{events.at(-1)?.words}</span>
        </Banner>
      );
    default:
      return null;
  }
}

function History({ application }: { application: ApplicationDetail }) {
  const { events, agreement, startedAt } = application;
  return (
    <Sheet title="History">
      <ol className={styles.history}>
        <li className={styles.event}>
          <span>Started</span>
          <span className={styles.at}>
            <DateText value={startedAt} />
          </span>
        </li>
        {events.map(({ kind, at, by, words }) => (
          <li key={`${kind} ${at}`} className={styles.event}>
            <span>
              {eventWords[kind]}
              {by !== null && (
                <>
                  {' '}
                  by <bdi>{by}</bdi>
                </>
              )}
              {kind === 'submitted' && agreement && `, with version ${agreement.version} of the membership agreement`}
            </span>
            {words !== '' && (
              <span className={styles.words} dir="auto">
                {words}
              </span>
            )}
            <span className={styles.at}>
              <DateText value={at} />
            </span>
          </li>
        ))}
      </ol>
    </Sheet>
  );
}

function Withdraw({ application, onClose }: { application: ApplicationDetail; onClose: () => void }) {
  const { applicationId, reference, accountName } = application;
  const withdraw = useChange(applications.withdrawApplication, {
    refresh: [applications.getApplication, applications.listApplications],
    onDone: onClose,
  });
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={`Withdraw ${reference}`}
      act="Withdraw"
      kind="danger"
      keep="Cancel"
      busy={withdraw.isPending}
      onAct={() => withdraw.mutate({ applicationId })}
    >
      The application is closed and the account name {accountName} becomes available to others. To apply again, start a new application.
    </ConfirmDialog>
  );
}
