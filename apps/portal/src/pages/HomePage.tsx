import { Page, reading, useAnswer, useKit, useQueryValue, useSession } from '@portal/app-kit';
import { home } from '@portal/contract/home';
import { pages } from '@portal/contract/pages';
import { registryRequests } from '@portal/contract/registry-requests';
import { Banner, DateText, EmptyState, Grid, Icon, type IconName, Link, LinkButton, Segmented, Sheet, Stack, StateMark } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { accountSentence } from './account-words.ts';
import { HoldingTile } from './HoldingTile.tsx';
import styles from './HomePage.module.css';
import { useFreshAccounts } from './joining/accounts-again.ts';
import { LinkRequests } from './joining/LinkRequests.tsx';

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

/** The start page of a person without account: what they can do, and in which order. */
function WelcomePage() {
  const { person } = useSession();
  return person.staff ? <WelcomeOfStaff /> : <WelcomeOfNewcomer />;
}

function WelcomeOfNewcomer() {
  const { person } = useSession();
  useFreshAccounts();
  return (
    <Page
      title="Home"
      heading={`Welcome, ${person.name}`}
      sub="Your login is no contact of a member account yet. There are three ways to change that."
    >
      <Stack gap={16}>
        <LinkRequests />
        <Grid columns={3}>
          <Way title="You have been invited" icon="mail">
            Open the link in the invitation that a corporate contact of the member sent to{' '}
            <span className={styles.address}>{person.email}</span>. No mail? Ask for it to be sent again.
          </Way>
          <Way title="Your organisation is a member" icon="building" href={pages.linkMembership.path} act={pages.linkMembership.title}>
            Link the membership to this login. A corporate contact of the account approves it.
          </Way>
          <Way title="Your organisation is new here" icon="plus" href={pages.addAccount.path} act={pages.addAccount.title}>
            Apply for an account to request IPv4, IPv6 and AS numbers. The fee calculator shows what it costs.
          </Way>
        </Grid>
      </Stack>
    </Page>
  );
}

function WelcomeOfStaff() {
  const { person } = useSession();
  const { call } = useKit();
  // Without a second factor the read would lead away to give one.
  const { data: waiting } = useQuery({
    ...reading(call, registryRequests.listRegistryRequests, { query: { limit: 1 } }),
    enabled: person.mfa,
  });
  return (
    <Page title="Home" heading={`Welcome, ${person.name}`} sub="Registry staff. You are no contact of an account.">
      <Grid columns={3}>
        <Way title="Look at an account" icon="search" href={pages.holders.path} act={pages.holders.title}>
          Find the holder of a prefix, address or AS number, or an account by its name, and see it as its contacts do.
        </Way>
        <Way title="Corporate contacts" icon="contacts" href={pages.contactRequests.path} act={pages.contactRequests.title}>
          Members ask to add, change or remove those who speak for them, and you decide.
          {waiting &&
            ` ${waiting.total === 0 ? 'Nothing waits now.' : waiting.total === 1 ? 'One request waits.' : `${waiting.total} requests wait.`}`}
        </Way>
      </Grid>
    </Page>
  );
}

function Way({
  title,
  icon,
  href,
  act,
  children,
}: {
  title: string;
  icon: IconName;
  href?: string;
  act?: string;
  children: React.ReactNode;
}) {
  return (
    <Sheet title={title} meta={<Icon name={icon} />}>
      <p className={styles.way}>{children}</p>
      {href && <LinkButton href={href}>{act}</LinkButton>}
    </Sheet>
  );
}
