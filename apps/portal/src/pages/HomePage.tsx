import { Page, useAnswer, useQueryValue, useSession } from '@portal/app-kit';
import { home } from '@portal/contract/home/home';
import { Banner, DateText, EmptyState, Grid, Icon, type IconName, Link, LinkButton, Segmented, Sheet, Stack, StateMark } from '@portal/ui';
import { lazy, Suspense } from 'react';
import { accountSentence } from '@portal/app-kit/words/account-words';
import { HoldingTile } from './HoldingTile.tsx';
import styles from './HomePage.module.css';

const WelcomePage = lazy(() => import('./WelcomePage.tsx'));
const SinceLastVisit = lazy(() => import('./SinceLastVisit.tsx').then(module => ({ default: module.SinceLastVisit })));

/** The account at one glance: what needs attention, what is held, what changed last. */
export default function HomePage() {
  const { account } = useSession();
  if (!account) return <WelcomePage />;
  return <AccountHome key={account.accountName} />;
}

function AccountHome() {
  const { account: selected, person } = useSession();
  const account = selected!;
  const answer = useAnswer(home.getHome, { account: account.accountName });
  const contacts = answer.contacts?.slice(0, 6);
  return (
    <Page title="Home" heading={account.accountName} sub={accountSentence(account, person)}>
      <Stack gap={16}>
        {account.accountStatus === 'suspended' && (
          <Banner kind="warning" title={`${account.accountName} is suspended.`}>
            Resources stay registered and can be looked at. Requests, transfers and changes wait until the renewal is paid.
          </Banner>
        )}
        <Needs attention={answer.attention} />
        {answer.ledger && !account.asStaff && (
          <Suspense>
            <SinceLastVisit />
          </Suspense>
        )}
        {answer.resources && (
          <Grid columns={3}>
            {answer.resources.map(totals => (
              <HoldingTile key={totals.kind} totals={totals} />
            ))}
          </Grid>
        )}
        {(answer.ledger || contacts) && (
          <Grid columns={3}>
            {contacts && (
              <Sheet title="Contacts" flush>
                <ul className={styles.contacts}>
                  {contacts.map(contact => (
                    <li key={contact.name}>
                      <span>{contact.name}</span>
                      <span className="quiet small">{contact.contactTypes.join(', ')}</span>
                    </li>
                  ))}
                </ul>
              </Sheet>
            )}
            {answer.ledger && (
              <Sheet
                title="Ledger"
                meta={<span className="small quiet">Last changes in this account</span>}
                actions={
                  <Link className="small" href="/member-account-settings/activity-logs">
                    All activity
                  </Link>
                }
                flush
                className={contacts ? styles.wide : styles.full}
              >
                <Ledger lines={answer.ledger} />
              </Sheet>
            )}
          </Grid>
        )}
      </Stack>
    </Page>
  );
}

type Home = ReturnType<typeof useAnswer<typeof home.getHome>>;
type Attention = NonNullable<Home['attention']>[number];

const marks: Record<Attention['urgency'], { icon: IconName; look: string | undefined }> = {
  urgent: { icon: 'invalid', look: styles.urgent },
  soon: { icon: 'clock', look: styles.soon },
  note: { icon: 'info', look: styles.note },
};

function Needs({ attention }: { attention: readonly Attention[] | null }) {
  const [view, setView] = useQueryValue('attention');
  if (!attention)
    return (
      <Banner kind="warning" title="What needs attention could not be read.">
        The rest of the page is up to date. Reload the page to try again.
      </Banner>
    );
  const mine = attention.filter(item => item.forWhom === 'me');
  const shown = view === 'me' ? mine : attention;
  const urgent = shown.filter(item => item.urgency === 'urgent').length;
  return (
    <Sheet
      title="Needs attention"
      meta={
        urgent > 0 ? (
          <>
            <StateMark state="invalid">{urgent} urgent</StateMark>
            {shown.length > urgent && <span className="small quiet">{shown.length - urgent} more</span>}
          </>
        ) : undefined
      }
      actions={
        <Segmented
          label="Whose"
          value={view === 'me' ? 'me' : 'account'}
          options={[
            { value: 'me', label: 'For me' },
            { value: 'account', label: 'Whole account' },
          ]}
          onChange={value => setView(value === 'me' ? 'me' : null)}
        />
      }
      flush
    >
      {shown.length === 0 ? (
        <p className={styles.nothing}>
          <Icon name="valid" className={styles.calm} /> {view === 'me' ? 'Nothing waits for you.' : 'Nothing waits for this account.'}
        </p>
      ) : (
        <ul>
          {shown.map(item => (
            <li key={item.attentionId} className={styles.item}>
              <Icon name={marks[item.urgency].icon} className={marks[item.urgency].look} label={item.urgency} />
              <div className={styles.words}>
                <div className="strong">{item.title}</div>
                <div className="small quiet">{item.detail}</div>
              </div>
              {item.action && (
                <LinkButton size="s" href={item.action.link} className={styles.act}>
                  {item.action.label}
                </LinkButton>
              )}
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function Ledger({ lines }: { lines: NonNullable<Home['ledger']> }) {
  if (lines.length === 0) return <EmptyState title="No changes yet" picture={false} />;
  return (
    <table className={styles.ledger}>
      <thead className="vh">
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">Entry</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.activityId}>
            <td className="quiet">
              <DateText value={line.at} />
            </td>
            <td>{line.by}</td>
            <td className={styles.what}>{line.summary}</td>
            <td className={styles.entry}>{line.activityId}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
