import { AppLink, ErrorWords, Page, useAddress, useAnswer, useChange } from '@portal/app-kit';
import { later, optionalPart } from '@portal/app-kit/page/later';
import { type Application, applications } from '@portal/contract/applications/applications';
import { pages } from '@portal/contract/pages';
import { Banner, Button, ButtonRow, DateText, FormColumn, LinkButton, Sheet, Stack, StateMark } from '@portal/ui';
import { useFreshAccounts } from '../joining/accounts-again.ts';
import styles from './AddAccountPage.module.css';
import { applicationStates, nameOf } from './application-words.ts';

const SignUpCost = optionalPart(() => import('./FirstYear.tsx'), 'SignUpCost');

/** Opened from the list. */
const OneApplication = later(() => import('./OneApplication.tsx'), 'OneApplication');

const title = pages.addAccount.title;

/** The membership applications of the person; `?application=` opens one to edit or follow. */
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
  const drafts = rows.filter(({ state }) => state === 'draft').length;
  return (
    <Page
      title={title}
      sub="A new account for an organisation that isn’t a member yet. It takes about 20 minutes. Your draft is saved as you go."
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
              <li>The organisation’s legal name and registration number, and its certificate of incorporation (PDF, image or Word).</li>
              <li>E-mail addresses for abuse reports and invoices.</li>
              <li>To request IPv4, IPv6 or an AS number: your network plan, with dates, equipment and connections.</li>
            </ul>
            <p className={styles.words}>
              We review it within {terms.reviewTime}. Membership starts when the sign-up invoice is paid. The draft of an application is
              deleted after {terms.draftDays} days without changes.
            </p>
            <SignUpCost />
            {start.error && (
              <Banner kind="error" traceId={start.error.errors[0]?.traceId}>
                <ErrorWords message={start.error.message} />
              </Banner>
            )}
            <ButtonRow>
              <Button
                variant={drafts > 0 ? 'default' : 'primary'}
                busy={start.isPending}
                refusal={drafts >= terms.maxDrafts ? { reason: `You have ${drafts} drafts. Continue or delete one first` } : null}
                onClick={() => start.mutate({})}
              >
                Start an application
              </Button>
              <LinkButton variant="quiet" href={pages.linkMembership.path}>
                My organisation is already a member
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
