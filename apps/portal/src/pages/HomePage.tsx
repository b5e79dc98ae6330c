import { later } from '@portal/app-kit/page/later';
import { type CallAnswer, Page, type PageReads, read, useKit, useQueryValue, useRead, useSession } from '@portal/app-kit';
import { home } from '@portal/contract/home/home';
import {
  Banner,
  Button,
  DateText,
  EmptyState,
  Grid,
  Icon,
  type IconName,
  Link,
  LinkButton,
  Segmented,
  Sheet,
  Stack,
  StateMark,
} from '@portal/ui';
import { useState } from 'react';
import { accountSentence } from '@portal/app-kit/words/account-words';
import { HoldingTile } from './HoldingTile.tsx';
import styles from './HomePage.module.css';

const WelcomePage = later(() => import('./WelcomePage.tsx'), 'default');

const homeOf = (account: string) => read(home.getHome, { account });
export const reads: PageReads = ({ account }) => [homeOf(account)];

/** Overview of the account: what needs attention, what is held, what changed last. */
export default function HomePage() {
  const { account } = useSession();
  if (!account) return <WelcomePage />;
  return <AccountHome key={account.accountName} />;
}

function AccountHome() {
  const { account: selected, person } = useSession();
  const account = selected!;
  const answer = useRead(homeOf(account.accountName));
  const contacts = answer.contacts?.slice(0, 6);
  return (
    <Page title="Home" heading={account.accountName} sub={accountSentence(account, person)}>
      <Stack gap={16}>
        {account.accountStatus === 'suspended' && (
          <Banner kind="warning" title={`${account.accountName} is suspended.`}>
            Resources stay registered and can be viewed. Requests, transfers and changes are on hold until the renewal is paid.
          </Banner>
        )}
        <Needs attention={answer.attention} />
        {answer.resources && (
          <Grid columns={3}>
            {answer.resources.map(totals => (
              <HoldingTile key={totals.kind} totals={totals} />
            ))}
          </Grid>
        )}
        {(answer.recent || contacts) && (
          <Grid columns={3}>
            {contacts && (
              <Sheet
                title="Contacts"
                actions={
                  <Link className="small" href="/member-account-settings/account-contacts">
                    All contacts
                  </Link>
                }
                flush
              >
                <ul className={styles.contacts}>
                  {contacts.map(contact => (
                    <li key={contact.contactId}>
                      <Link href={`/member-account-settings/account-contacts?contact=${contact.contactId}`}>{contact.name}</Link>
                      <span className="quiet small">{contact.contactTypes.join(', ')}</span>
                    </li>
                  ))}
                </ul>
              </Sheet>
            )}
            {answer.recent && (
              <Sheet
                title="Recent activity"
                meta={<News recent={answer.recent} />}
                actions={
                  <Link className="small" href="/member-account-settings/activity-logs">
                    All activity
                  </Link>
                }
                flush
                className={contacts ? styles.wide : styles.full}
              >
                <Lines lines={answer.recent.lines} />
              </Sheet>
            )}
          </Grid>
        )}
      </Stack>
    </Page>
  );
}

type Home = CallAnswer<typeof home.getHome>;
type Attention = NonNullable<Home['attention']>[number];

const marks: Record<Attention['urgency'], { icon: IconName; look: string | undefined }> = {
  urgent: { icon: 'invalid', look: styles.urgent },
  soon: { icon: 'clock', look: styles.soon },
  note: { icon: 'info', look: styles.note },
};

/** Of a longer list this many are shown, plus all urgent ones, so that the holdings stay visible. */
const SHOWN_FIRST = 6;

function Needs({ attention }: { attention: readonly Attention[] | null }) {
  const [view, setView] = useQueryValue('attention');
  const [isWhole, setWhole] = useState(false);
  if (!attention)
    return (
      <Banner kind="warning" title="The list of what needs attention couldn’t be loaded.">
        The rest of the page is up to date. Reload the page to try again.
      </Banner>
    );
  const mine = attention.filter(item => item.forWhom === 'me');
  const shown = view === 'me' ? mine : attention;
  const urgent = shown.filter(item => item.urgency === 'urgent').length;
  // Two lines more are shorter than the button that would show them.
  const first = isWhole || shown.length <= SHOWN_FIRST + 2 ? shown : shown.slice(0, Math.max(SHOWN_FIRST, urgent));
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
          <Icon name="valid" className={styles.calm} /> {view === 'me' ? 'You’re up to date.' : 'This account is up to date.'}
        </p>
      ) : (
        <ul>
          {first.map(item => (
            <li key={item.attentionId} className={styles.item}>
              <Icon name={marks[item.urgency].icon} className={marks[item.urgency].look} label={item.urgency} />
              <div className={styles.words}>
                <div className="strong">{item.title}</div>
                <div className="small quiet">{item.detail}</div>
              </div>
              {item.attentionId === 'no-second-factor' ? (
                <SecondFactorButton has={item.action === null} />
              ) : (
                item.action && (
                  <LinkButton size="s" href={item.action.link} className={styles.act}>
                    {item.action.label}
                  </LinkButton>
                )
              )}
            </li>
          ))}
          {shown.length > SHOWN_FIRST + 2 && shown.length > urgent && (
            <li className={styles.rest}>
              <Button variant="quiet" size="s" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
                {isWhole ? 'Show fewer' : `Show ${shown.length - first.length} more`}
              </Button>
            </li>
          )}
        </ul>
      )}
    </Sheet>
  );
}

/** Leads to the second factor, or to enrolment, and back to this page with a session that has it. */
function SecondFactorButton({ has }: { has: boolean }) {
  const { askForSecondFactor } = useKit();
  return (
    <Button size="s" className={styles.act} onClick={askForSecondFactor}>
      {has ? 'Confirm it’s you' : 'Turn on two-factor'}
    </Button>
  );
}

const some = (count: number, who: string): string[] => (count === 0 ? [] : [`${count} by ${who}`]);

/** The number of changes that others made since the person was last here. */
function News({ recent }: { recent: NonNullable<Home['recent']> }) {
  const { since, byContacts, byStaff, byTheRegistry } = recent;
  const counts = [...some(byContacts, 'colleagues'), ...some(byStaff, 'registry staff'), ...some(byTheRegistry, 'the registry')];
  if (since === null || counts.length === 0) return null;
  return (
    <span className="small quiet">
      New since <DateText value={since} />: {counts.join(', ')}
    </span>
  );
}

function Lines({ lines }: { lines: NonNullable<Home['recent']>['lines'] }) {
  if (lines.length === 0)
    return (
      <EmptyState title="No changes yet" picture={false}>
        Changes in this account appear here.
      </EmptyState>
    );
  return (
    <table className={styles.ledger}>
      <thead className="vh">
        <tr>
          <th scope="col">When</th>
          <th scope="col">Who</th>
          <th scope="col">What</th>
          <th scope="col">New</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(line => (
          <tr key={line.activityId}>
            <td className="quiet">
              <DateText value={line.at} />
            </td>
            <td>{line.by}</td>
            <td className={styles.what}>
              <Link href={`/member-account-settings/activity-logs?line=${line.activityId}`}>{line.summary}</Link>
            </td>
            <td className={styles.entry}>{line.isNew && <span className={styles.new}>New</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
