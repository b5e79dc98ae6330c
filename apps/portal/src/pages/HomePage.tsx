import { later } from '@portal/app-kit/page/later';
import { type CallAnswer, Page, type PageReads, read, useRead, useSession } from '@portal/app-kit';
import { home } from '@portal/contract/home/home';
import { Banner, ButtonRow, DateText, EmptyState, Grid, Link, LinkButton, Sheet, SkeletonTiles, Stack } from '@portal/ui';
import { Suspense } from 'react';
import { accountSentence } from '@portal/app-kit/words/account-words';
import { AttentionList } from './AttentionList.tsx';
import { HoldingTile } from './HoldingTile.tsx';
import styles from './HomePage.module.css';
import { NetworkTiles, networkOf } from './NetworkTiles.tsx';

const WelcomePage = later(() => import('./WelcomePage.tsx'), 'default');

const homeOf = (account: string) => read(home.getHome, { account });
export const reads: PageReads = ({ account }) => [homeOf(account), networkOf(account)];

/** Overview of the account: what needs attention, what is held, what changed last. */
export default function HomePage() {
  const { account } = useSession();
  if (!account) return <WelcomePage />;
  return <AccountHome key={account.accountName} />;
}

function AccountHome() {
  const { account: selected, accounts, person } = useSession();
  const account = selected!;
  // The list of what needs attention is that of the selected account alone.
  const suspended = [account, ...accounts.filter(each => each.accountName !== account.accountName)].filter(
    ({ accountStatus }) => accountStatus === 'suspended',
  );
  const answer = useRead(homeOf(account.accountName));
  const contacts = answer.contacts?.slice(0, 6);
  return (
    <Page title="Home" heading={account.accountName} sub={accountSentence(account, person)} actions={<Actions />}>
      <Stack gap={16}>
        {suspended.map(({ accountName }) => (
          <Banner key={accountName} kind="warning" title={`${accountName} is suspended.`}>
            Resources stay registered and can be viewed. Requests, transfers and changes are on hold until the renewal is paid.{' '}
            {accountName !== account.accountName && <Link href={`/${encodeURIComponent(accountName)}/index.html`}>Open {accountName}</Link>}
          </Banner>
        ))}
        <AttentionList attention={answer.attention} />
        {(answer.resources || contacts) && (
          <Grid columns={3}>
            {answer.resources?.map(totals => (
              <HoldingTile key={totals.kind} totals={totals} />
            ))}
            <Suspense fallback={<SkeletonTiles label="Loading routes and reverse DNS" />}>
              <NetworkTiles />
            </Suspense>
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
          </Grid>
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
          >
            <Lines lines={answer.recent.lines} />
          </Sheet>
        )}
      </Stack>
    </Page>
  );
}

/** The acts that people come for most. */
function Actions() {
  const { account } = useSession();
  if (!account || account.asStaff) return null;
  const { permissions } = account;
  return (
    <ButtonRow>
      {permissions.includes('tickets-resources-update') && <LinkButton href="/resources/ipv4_request_form">Request resources</LinkButton>}
      {permissions.includes('roas-update') && (
        <LinkButton href="/resources/routes/index?add=yes" icon="plus">
          Add route
        </LinkButton>
      )}
    </ButtonRow>
  );
}

type Home = CallAnswer<typeof home.getHome>;
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
          <th scope="col">Change</th>
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
              <Link href={`/member-account-settings/activity-logs?line=${line.activityId}`}>{line.summary}</Link>{' '}
              {line.object && <span className={styles.object}>{line.object}</span>}
            </td>
            <td className={styles.entry}>{line.isNew && <span className={styles.new}>New</span>}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
