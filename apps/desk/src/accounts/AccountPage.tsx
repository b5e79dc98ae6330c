import { Page, useAnswer, useChange, useDateFormat, useKit, usePlace, useRefusal } from '@portal/app-kit';
import { useRefreshAfterChanges } from '@portal/app-kit/calls/refresh-after-changes';
import { accountTypeWords } from '@portal/app-kit/words/account-words';
import { economyWords } from '@portal/app-kit/words/organisation-words';
import { billing } from '@portal/contract/billing/billing';
import { documents } from '@portal/contract/documents/documents';
import { findPage, pages } from '@portal/contract/pages';
import { directDelegations } from '@portal/contract/requests/direct-delegations';
import { eventSpace } from '@portal/contract/requests/event-space';
import { recoveries } from '@portal/contract/requests/recoveries';
import { type AccountSheet, desk } from '@portal/contract/staff/desk';
import { staff } from '@portal/contract/staff/staff';
import { tickets } from '@portal/contract/tickets/tickets';
import { accountPictures } from '@portal/contract/staff/account-pictures';
import { dayIn, utcDay } from '@portal/contract/days';
import { Breadcrumb, Button, DateText, EmptyState, KeyValueList, LinkButton, Sheet, SkeletonTiles, Stack, StateMark } from '@portal/ui';
import { Suspense } from 'react';
import { useMay } from '../shell/use-may.ts';
import { WriteButton } from '../shell/WriteButton.tsx';
import { AccountActs } from './AccountActs.tsx';
import { AccountBilling } from './AccountBilling.tsx';
import { AccountDirectDelegation } from './AccountDirectDelegation.tsx';
import { AccountDocuments } from './AccountDocuments.tsx';
import { AccountEventSpace } from './AccountEventSpace.tsx';
import { AccountLocks } from './AccountLocks.tsx';
import styles from './AccountPage.module.css';
import { AccountPeople } from './AccountPeople.tsx';
import { AccountAtAGlance } from './AccountPicture.tsx';
import { AccountRecovery } from './AccountRecovery.tsx';
import { asHeading, riskMarksOf, unpaidMarkOf } from './account-words.ts';
import { EconomyForm } from './EconomyForm.tsx';

/** Sums of the page that its parts change: figures, cases, invoices and the log of the account. */
const summedUp = [desk.getAccountSheet, accountPictures.getAccountPicture];

/** One account on one screen. */
export default function AccountPage() {
  const { environment } = useKit();
  const accountName = findPage(usePlace().path, environment.product).params['accountName'] ?? '';
  const sheet = useAnswer(desk.getAccountSheet, { accountName });
  useRefreshAfterChanges(summedUp);
  const { account } = sheet;
  const may = useMay();
  return (
    <Page
      title={account.accountName}
      sub={<HeadMarks sheet={sheet} />}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: 'Accounts', href: pages.deskAccounts.path },
            { label: account.accountName },
          ]}
        />
      }
      actions={<HeadActs sheet={sheet} />}
    >
      <Stack gap={16}>
        <Suspense fallback={<SkeletonTiles />}>
          <AccountAtAGlance
            sheet={sheet}
            billing={
              may(billing.getStaffBilling) && (
                <Suspense fallback={<SkeletonTiles />}>
                  <AccountBilling sheet={sheet} />
                </Suspense>
              )
            }
            beside={
              <>
                <AccountPeople sheet={sheet} />
                <Organisation sheet={sheet} />
                <Activities sheet={sheet} />
              </>
            }
          />
        </Suspense>
        <div id="acts">
          <Stack gap={16}>
            <AccountActs sheet={sheet} />
          </Stack>
        </div>
        <div className={styles.pair}>
          {may(documents.listStaffDocuments) && <AccountDocuments sheet={sheet} />}
          <Stack gap={16}>
            {may(directDelegations.getDirectDefaults) && (
              <AccountDirectDelegation accountName={account.accountName} isOwn={sheet.own} isClosed={account.accountStatus === 'closed'} />
            )}
            {may(recoveries.listRecoverable) && <AccountRecovery accountName={account.accountName} own={sheet.own} />}
            <AccountLocks accountName={account.accountName} />
            {may(eventSpace.listEventSpace) && <AccountEventSpace accountName={account.accountName} own={sheet.own} />}
          </Stack>
        </div>
      </Stack>
    </Page>
  );
}

function ViewAsMember({ sheet: { account, own } }: { sheet: AccountSheet }) {
  const refusal = useRefusal(staff.startVisit);
  const start = useChange(staff.startVisit, {
    // The portal is a separate document.
    onDone: ({ account: { accountName } }) => window.location.assign(`/${encodeURIComponent(accountName)}/index.html`),
  });
  return (
    <Button
      icon="user"
      busy={start.isPending}
      refusal={refusal ?? (own ? { reason: 'You’re a contact of this account, so the portal already shows it to you.' } : null)}
      onClick={() => start.mutate({ accountName: account.accountName })}
    >
      View as member
    </Button>
  );
}

function HeadActs({ sheet }: { sheet: AccountSheet }) {
  const may = useMay();
  return (
    <>
      <ViewAsMember sheet={sheet} />
      {may(tickets.openStaffTicket) && <WriteButton sheet={sheet} />}
      <LinkButton variant="primary" href="#acts">
        Act on account
      </LinkButton>
    </>
  );
}

/** The recorded facts of the organisation that the head leaves out. */
function Organisation({ sheet }: { sheet: AccountSheet }) {
  const { account, registrationNumber, organisationType } = sheet;
  const day = (value: string | null) => (value ? <DateText value={value} shape="date" /> : 'not recorded');
  return (
    <Sheet id="organisation" title="Organisation">
      <KeyValueList
        align="left"
        items={[
          { key: 'Registration number', value: registrationNumber || 'not recorded' },
          { key: 'Organisation type', value: organisationType ?? 'not recorded' },
          { key: 'Economy', value: economyWords(account.economy) },
          { key: 'Term ends', value: day(account.expiryDate) },
        ]}
      />
      <EconomyForm sheet={sheet} />
    </Sheet>
  );
}

/** The organisation, its state, what is due and marked, in the head; and who learns that the page was opened. */
function HeadMarks({ sheet }: { sheet: AccountSheet }) {
  const { accountStatus, accountType, economy, memberSince, orgName } = sheet.account;
  return (
    <>
      <span className={styles.who}>
        <bdi>{[orgName, economyWords(economy)].filter(Boolean).join(', ')}</bdi>. {asHeading(accountTypeWords(accountType))}
        {memberSince && (
          <>
            {' '}
            since <DateText value={memberSince} shape="date" />
          </>
        )}
        .
      </span>
      <span className={styles.marks}>
        <StateMark state={accountStatus === 'open' ? 'valid' : 'warning'}>{accountStatus}</StateMark>
        <Suspense>
          <DueAndMarked sheet={sheet} />
        </Suspense>
        <span className="quiet small">Opening this page isn’t logged. Viewing as the member is, and the member sees it.</span>
      </span>
    </>
  );
}

/** Its unpaid invoice, and how many risk marks there are. */
function DueAndMarked({ sheet }: { sheet: AccountSheet }) {
  const picture = useAnswer(accountPictures.getAccountPicture, { accountName: sheet.account.accountName });
  const unpaid = picture.invoices && unpaidMarkOf(picture.invoices, utcDay(picture.at));
  const marks = riskMarksOf(picture, sheet).length + (sheet.marks?.length ?? 0);
  return (
    <>
      {unpaid && (
        <a href="#billing" className={styles.mark}>
          <StateMark state={unpaid.state}>{unpaid.words}</StateMark>
        </a>
      )}
      {marks > 0 && (
        <a href="#risks" className={styles.mark}>
          <StateMark state="warning">{marks === 1 ? '1 risk mark' : `${marks} risk marks`}</StateMark>
        </a>
      )}
    </>
  );
}

function Activities({ sheet: { activities, at } }: { sheet: AccountSheet }) {
  const { timeZone } = useDateFormat();
  const dayOf = (instant: string): string => dayIn(timeZone, new Date(instant));
  return (
    <Sheet flush id="activity" title="Log">
      {activities.length === 0 ? (
        <EmptyState title="No activity in the last 30 days" picture={false}>
          What the account and the registry do appears here.
        </EmptyState>
      ) : (
        <ul className={styles.log}>
          {activities.map(line => (
            <li key={line.activityId}>
              <span className="quiet">
                <DateText value={line.at} shape={dayOf(line.at) === dayOf(at) ? 'time' : 'date'} />
              </span>
              <span>
                {line.result === 'done' ? line.summary : line.what}
                {line.object && !(line.result === 'done' && line.summary.includes(line.object)) && (
                  <span className="quiet"> {line.object}</span>
                )}
                {line.result === 'refused' && (
                  <>
                    {' '}
                    <StateMark state="invalid">refused</StateMark>
                  </>
                )}
              </span>
              <small className="quiet">{line.actor.name}</small>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}
