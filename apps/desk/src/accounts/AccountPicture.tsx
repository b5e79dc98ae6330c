import { useAnswer, useDateFormat } from '@portal/app-kit';
import { utcDay } from '@portal/contract/days';
import { pages } from '@portal/contract/pages';
import { type AccountPicture, accountPictures } from '@portal/contract/staff/account-pictures';
import { type AccountSheet, deskKinds } from '@portal/contract/staff/desk';
import {
  Badge,
  Banner,
  DateText,
  EmptyState,
  formatCount,
  formatMoney,
  Link,
  ResourceName,
  Segmented,
  Sheet,
  Stack,
  StateMark,
} from '@portal/ui';
import { type ReactNode, useMemo, useState } from 'react';
import { caseLink } from '../shell/case-link.ts';
import { stateOf, ticketStateOf } from '../shell/cases/state-words.ts';
import { AccountMoney } from './AccountMoney.tsx';
import styles from './AccountPage.module.css';
import { AccountResources } from './AccountResources.tsx';
import { AccountRisks } from './AccountRisks.tsx';
import pictureStyles from './Picture.module.css';
import { type Finding, findingsOf } from '../shell/health-words.ts';
import { accountOn, inReadersDays } from './picture-words.ts';
import { TimeLine } from './TimeLine.tsx';

/** An account at a glance: key figures, ten years on one line, its health, its cases and tickets. Parts that the person's roles don't open are not in the answer, and so not here. @param billing its invoices, under how it pays @param beside people, organisation and what was done, in the column at the side */
export function AccountAtAGlance({ sheet, billing, beside }: { sheet: AccountSheet; billing: ReactNode; beside: ReactNode }) {
  const picture = useAnswer(accountPictures.getAccountPicture, { accountName: sheet.account.accountName });
  const findings = findingsOf(picture);
  const { timeZone } = useDateFormat();
  const drawn = useMemo(() => inReadersDays(picture, timeZone), [picture, timeZone]);
  return (
    <Stack gap={16}>
      {picture.failed.length > 0 && (
        <Banner kind="warning" title="Some of this page couldn’t be loaded.">
          The rest is complete. Reload the page in a minute.
        </Banner>
      )}
      <KeyFigures picture={picture} findings={findings} contactCount={sheet.contactCount} />
      <TimeLine picture={drawn} />
      <div className={pictureStyles.columns}>
        <Stack gap={16}>
          {picture.invoices && <AccountMoney invoices={picture.invoices} money={picture.money} />}
          {billing}
          {picture.resources && (
            <AccountResources resources={picture.resources} votes={picture.votes} holdsElsewhere={holdsAnything(picture)} />
          )}
          {findings.length > 0 && <Health findings={findings} at={picture.at} routes={picture.routes} />}
          {(picture.cases || picture.tickets) && <CasesAndTickets picture={picture} />}
        </Stack>
        <Stack gap={16}>
          <AccountRisks picture={picture} sheet={sheet} />
          {beside}
        </Stack>
      </div>
    </Stack>
  );
}

/** The sums count what other registries delegated, too, as their statistics say. */
function holdsAnything(picture: AccountPicture): boolean {
  const { ipv4, ipv6, asns } = accountOn(picture, utcDay(picture.at));
  return [ipv4, ipv6, asns].some(sum => sum !== null && sum > 0n);
}

const counted = (count: number, one: string, many: string): string => (count === 1 ? `1 ${one}` : `${formatCount(count)} ${many}`);

type KeyFiguresProps = { picture: AccountPicture; findings: readonly Finding[]; contactCount: number };
function KeyFigures({ picture, findings, contactCount }: KeyFiguresProps) {
  const today = utcDay(picture.at);
  const { ipv4, ipv6, asns, unpaid } = accountOn(picture, today);
  const { contacts, cases, tickets, invoices } = picture;
  const now = contacts?.filter(({ until }) => until === null) ?? [];
  const unprotected = now.filter(({ passwordAlone }) => passwordAlone).length;
  const open = cases?.filter(({ resolvedAt }) => resolvedAt === null) ?? [];
  const late = open.filter(each => each.late).length;
  const openTickets = tickets?.filter(({ resolvedAt }) => resolvedAt === null).length ?? 0;
  const faults = findings.filter(({ state }) => state !== 'valid');
  const urgent = faults.filter(({ state }) => state === 'invalid').length;
  const due = invoices
    ?.filter(({ settledOn }) => settledOn === null)
    .map(({ dueOn }) => dueOn)
    .toSorted()[0];
  return (
    <nav className={pictureStyles.figures} aria-label="Key figures">
      {unpaid && (
        <Figure
          link="#billing"
          name="Owes"
          value={unpaid.length === 0 ? '0' : unpaid.map(({ currency, sum }) => formatMoney(currency, sum.toFixed(2))).join(', ')}
        >
          {due === undefined ? (
            <span className="quiet">Nothing is open</span>
          ) : (
            <StateMark plain state={due < today ? 'invalid' : 'warning'}>
              due <DateText value={due} shape="date" />
            </StateMark>
          )}
        </Figure>
      )}
      {ipv4 !== null && (
        <Figure link="#resources" name="IPv4" value={formatCount(ipv4)}>
          <span className="quiet">{ipv4 < 256n ? 'addresses' : `${formatCount(Math.round(Number(ipv4) / 25.6) / 10)} × /24`}</span>
        </Figure>
      )}
      {ipv6 !== null && asns !== null && (
        <Figure
          link="#resources"
          name="IPv6"
          value={ipv6 >> 96n > 0n ? `${formatCount(ipv6 >> 96n)} × /32` : `${formatCount(ipv6 >> 80n)} × /48`}
        >
          <span className="quiet">{counted(Number(asns), 'AS number', 'AS numbers')}</span>
        </Figure>
      )}
      {contacts && (
        <Figure link="#contacts" name="Contacts" value={formatCount(contactCount)}>
          {unprotected === 0 ? (
            <StateMark plain state="valid">
              all with 2FA
            </StateMark>
          ) : (
            <StateMark plain state="warning">
              {formatCount(unprotected)} without 2FA
            </StateMark>
          )}
        </Figure>
      )}
      {findings.length > 0 && (
        <Figure link="#health" name="Health" value={faults.length === 0 ? 'Good' : counted(faults.length, 'finding', 'findings')}>
          <StateMark plain state={urgent > 0 ? 'invalid' : faults.length > 0 ? 'warning' : 'valid'}>
            {urgent > 0 ? `${urgent} urgent` : faults.length > 0 ? 'none urgent' : 'no findings'}
          </StateMark>
        </Figure>
      )}
      {(cases ?? tickets) && (
        <Figure link="#cases" name="Open" value={cases ? counted(open.length, 'case', 'cases') : counted(openTickets, 'ticket', 'tickets')}>
          {late > 0 ? (
            <StateMark plain state="warning">
              {late} late
            </StateMark>
          ) : (
            <span className="quiet">{cases && tickets ? counted(openTickets, 'ticket', 'tickets') : 'none late'}</span>
          )}
        </Figure>
      )}
    </nav>
  );
}

const Figure = ({ link, name, value, children }: { link: string; name: string; value: ReactNode; children: ReactNode }) => (
  <a href={link}>
    <small>{name}</small>
    <b>{value}</b>
    <span>{children}</span>
  </a>
);

const invalidWords = { 'invalid-asn': 'its ROA names another origin', 'invalid-length': 'longer than its ROA allows' } as const;

/** Invalid routes by name: which prefix, from where, why, and how many still see it. */
function InvalidRoutes({ routes: { worst, invalid } }: { routes: NonNullable<AccountPicture['routes']> }) {
  return (
    <ul className={pictureStyles.invalidRoutes}>
      {worst.map(({ prefix, asn, why, peers }) => (
        <li key={`${prefix} ${asn}`}>
          <ResourceName kind={prefix.includes(':') ? 'ipv6' : 'ipv4'} text={prefix} /> from <span className="mono">AS{asn}</span>:{' '}
          {invalidWords[why]}, {peers === 1 ? '1 peer sees it' : `${formatCount(peers)} peers see it`}
        </li>
      ))}
      {invalid > worst.length && <li className="quiet">and {formatCount(invalid - worst.length)} more that fewer peers see</li>}
    </ul>
  );
}

function Health({ findings, at, routes }: { findings: readonly Finding[]; at: string; routes: AccountPicture['routes'] }) {
  const collectedAt = routes?.collectedAt ?? null;
  const urgent = findings.filter(({ state }) => state === 'invalid').length;
  return (
    <Sheet
      flush
      id="health"
      title="Health"
      meta={
        urgent > 0 && (
          <Badge kind="invalid" icon="invalid">
            {urgent} urgent
          </Badge>
        )
      }
      actions={
        <span className="quiet small">
          Checked <DateText value={at} shape="time" />
          {collectedAt !== null && (
            <>
              , routes as of <DateText value={collectedAt} />
            </>
          )}
        </span>
      }
    >
      <ul className={pictureStyles.findings}>
        {findings.map(({ subject, state, words }) => (
          <li key={subject}>
            <b>{subject}</b>
            <span>
              {words}
              {subject === 'Routes' && routes && routes.worst.length > 0 && <InvalidRoutes routes={routes} />}
            </span>
            <StateMark plain state={state}>
              {state === 'valid' ? 'Good' : state === 'warning' ? 'Check' : 'Urgent'}
            </StateMark>
          </li>
        ))}
      </ul>
    </Sheet>
  );
}

type Line = { key: string; link: string; name: string; words: string; at: string; state: ReactNode; open: boolean };

function CasesAndTickets({ picture: { cases, tickets } }: { picture: AccountPicture }) {
  const [which, setWhich] = useState<'open' | 'all'>('open');
  const lines: Line[] = [
    ...(cases ?? []).map(each => ({
      key: each.kind + each.requestId,
      link: caseLink(each),
      name: each.reference ?? deskKinds[each.kind],
      words: [each.asked, each.handler].filter(Boolean).join(', '),
      at: each.requestedAt,
      open: each.resolvedAt === null,
      state: each.late ? (
        <StateMark state="warning">late</StateMark>
      ) : (
        <StateMark state={stateOf(each).state}>{stateOf(each).words}</StateMark>
      ),
    })),
    ...(tickets ?? []).map(({ ticketId, subject, owner, createdAt, resolvedAt, state }) => ({
      key: `ticket ${ticketId}`,
      link: `${pages.deskTickets.path}?ticket=${ticketId}`,
      name: `Ticket ${ticketId}`,
      words: [subject, owner].filter(Boolean).join(', '),
      at: createdAt,
      open: resolvedAt === null,
      state: <StateMark state={ticketStateOf(state).state}>{ticketStateOf(state).words}</StateMark>,
    })),
  ].toSorted((one, other) => (one.at < other.at ? 1 : -1));
  const shown = lines.filter(({ open }) => which === 'all' || open);
  const open = lines.filter(each => each.open).length;
  return (
    <Sheet
      id="cases"
      title="Cases and tickets"
      actions={
        <Segmented
          label="Which"
          options={[
            { value: 'open', label: `Open ${open}` },
            { value: 'all', label: `All ${lines.length}` },
          ]}
          value={which}
          onChange={setWhich}
        />
      }
    >
      {shown.length === 0 ? (
        <EmptyState title={which === 'open' ? 'No open cases or tickets' : 'No cases or tickets in ten years'} picture={false}>
          New ones appear here.
        </EmptyState>
      ) : (
        <ul className={styles.lines}>
          {shown.slice(0, SHOWN).map(({ key, link, name, words, at, state }) => (
            <li key={key}>
              <span>
                <Link href={link}>{name}</Link> <bdi className="quiet">{words}</bdi>
              </span>
              <span className={styles.marks}>
                {state}
                <span className="quiet small">
                  <DateText value={at} shape="date" />
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
      {shown.length > SHOWN && (
        <p className="quiet small">
          The latest {SHOWN} of {formatCount(shown.length)}.
        </p>
      )}
    </Sheet>
  );
}

/** More are found in the queue. */
const SHOWN = 12;
