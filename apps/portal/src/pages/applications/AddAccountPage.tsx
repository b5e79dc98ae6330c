import { AppLink, ErrorWords, Page, reading, useAddress, useAnswer, useChange, useKit } from '@portal/app-kit';
import { type Application, applications } from '@portal/contract/applications/applications';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, DateText, FormColumn, LinkButton, Sheet, SkeletonLines, Stack, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useFreshAccounts } from '../joining/accounts-again.ts';
import styles from './AddAccountPage.module.css';
import { applicationStates, nameOf } from './application-words.ts';
import { ApplicationStatus } from './ApplicationStatus.tsx';
import { ApplicationWizard } from './ApplicationWizard.tsx';

const title = pages.addAccount.title;

/** The membership applications of the person; `?application=` opens one, to be written or to be followed. */
export default function AddAccountPage() {
  const address = useAddress();
  const applicationId = address.get('application');
  useFreshAccounts();
  return applicationId === null ? <Applications /> : <OneApplication key={applicationId} applicationId={applicationId} />;
}

function Applications() {
  const address = useAddress();
  const rows = useAnswer(applications.listApplications, {});
  const terms = useAnswer(applications.getApplicationTerms, {});
  const start = useChange(applications.startApplication, {
    refresh: [applications.listApplications],
    showsErrors: true,
    onDone: ({ applicationId }) => address.set({ application: applicationId }, { step: true }),
  });
  const drafts = rows.filter(({ state }) => state === 'DRAFT').length;
  return (
    <Page
      title={title}
      sub="A new account for an organisation that is no member yet. It takes about 20 minutes, and waits for you wherever you stop."
    >
      <FormColumn>
        {rows.length > 0 && (
          <Sheet title="Your applications" flush>
            <ul className={styles.list}>
              {rows.map(row => (
                <ApplicationLine key={row.applicationId} row={row} />
              ))}
            </ul>
          </Sheet>
        )}
        <Sheet title={rows.length > 0 ? 'Another organisation' : 'What you need'}>
          <Stack gap={16}>
            <ul className={styles.needs}>
              <li>
                The legal name and registration number of the organisation, and its certificate of incorporation as PDF, picture or Word
                file.
              </li>
              <li>An e-mail address for reports of abuse, and one for invoices.</li>
              <li>If you want IPv4, IPv6 or an AS number: when the network is built, with which equipment, and how it is connected.</li>
            </ul>
            <p className={styles.words}>
              Registry staff look at it within two to five working days. Membership begins when the sign-up invoice is paid. A draft that
              nobody changes for {terms.draftDays} days is thrown away.
            </p>
            {start.error && (
              <Banner kind="error" traceId={start.error.errors[0]?.traceId}>
                <ErrorWords message={start.error.message} />
              </Banner>
            )}
            <ButtonRow>
              <Button
                variant={drafts > 0 ? 'default' : 'primary'}
                busy={start.isPending}
                refusal={drafts >= terms.maxDrafts ? { reason: `You have ${drafts} drafts. Go on with one, or throw one away` } : null}
                onClick={() => start.mutate({})}
              >
                Begin an application
              </Button>
              <LinkButton variant="quiet" href={pages.linkMembership.path}>
                My organisation is a member already
              </LinkButton>
            </ButtonRow>
          </Stack>
        </Sheet>
      </FormColumn>
    </Page>
  );
}

function ApplicationLine({ row }: { row: Application }) {
  const { state, words } = applicationStates[row.state];
  return (
    <li className={styles.line}>
      <div className={styles.name}>
        <AppLink href={`${pages.addAccount.path}?application=${row.applicationId}`}>
          <bdi>{nameOf(row)}</bdi>
        </AppLink>
        <span className={styles.about}>
          {row.reference}
          {row.accountName !== '' && ` · ${row.accountName}`}
          {row.referredBy !== null && ` · proposed by ${row.referredBy}`}
        </span>
      </div>
      <div className={styles.state}>
        <StateMark state={state}>{words}</StateMark>
        <span className={styles.about}>
          {row.expiresAt !== null ? (
            <>
              kept until <DateText value={row.expiresAt} shape="date" />
            </>
          ) : (
            <DateText value={row.savedAt} shape="date" />
          )}
        </span>
      </div>
    </li>
  );
}

function OneApplication({ applicationId }: { applicationId: string }) {
  const { call } = useKit();
  const step = useAddress().get('step');
  const { data, error, refetch } = useQuery({
    ...reading(call, applications.getApplication, { applicationId }),
    // It lacks what was written since it was read: coming back reads it again.
    gcTime: 0,
  });
  if (error)
    return (
      <Page title={title}>
        <Banner
          kind="error"
          traceId={error.errors[0]?.traceId}
          actions={
            <ButtonRow>
              <LinkButton size="s" href={pages.addAccount.path}>
                Your applications
              </LinkButton>
              <Button size="s" icon="refresh" onClick={() => void refetch()}>
                Try again
              </Button>
            </ButtonRow>
          }
        >
          <ErrorWords message={error.message} />
        </Banner>
      </Page>
    );
  if (!data)
    return (
      <Page title={title}>
        <Sheet>
          <SkeletonLines lines={8} label="The application is read" />
        </Sheet>
      </Page>
    );
  const writes = data.state === 'DRAFT' || (data.state === 'INFO_REQUESTED' && step !== null);
  return writes ? <ApplicationWizard application={data} /> : <ApplicationStatus application={data} />;
}
