import type { DeskHome } from '@portal/contract/staff/desk-home';
import { pages } from '@portal/contract/pages';
import { saveTextFile } from '@portal/app-kit/documents/save-text-file';
import { Button, formatCount, formatMoney, Link, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import { csvOf } from '../shell/csv-file.ts';
import { useMay } from '../shell/use-may.ts';
import styles from './Home.module.css';
import { dayOf, monthOf } from './home-words.ts';

/** Pictures of weeks and months: promise kept, requests, income, members, turnout. Each leads to its list. */
export function Figures({ home: { service, money, members, elections } }: { home: DeskHome }) {
  const may = useMay();
  if (!service && !money && !members && !elections) return null;
  return (
    <div className={styles.figures}>
      {service && <Promise service={service} />}
      {service && <Requests service={service} />}
      {money && <Income money={money} link={may(pages.deskBooks) ? pages.deskBooks.path : pages.deskPayments.path} />}
      {members && <Members members={members} />}
      {elections && elections.length > 0 && <Turnout elections={elections} />}
    </div>
  );
}

type Column = { name: string; words: string; parts: readonly { share: number; kind: 'first' | 'second' }[]; now?: boolean };

/** Columns side by side, each of parts that are shares of the tallest; the values are in a table for readers. */
function Columns({ columns, head, label }: { columns: readonly Column[]; head: string; label: string }) {
  return (
    <figure className={styles.figure}>
      <div className={styles.columns} aria-hidden="true">
        {columns.map(({ name, words, parts, now }) => (
          <span key={name} title={`${name}: ${words}`} data-now={now || undefined}>
            {parts.map(({ share, kind }) => (
              <i key={kind} data-part={kind} style={{ blockSize: `${share * 100}%` }} />
            ))}
          </span>
        ))}
      </div>
      <div className={styles.columnNames} aria-hidden="true">
        <span>{columns[0]?.name}</span>
        <span>{columns.at(-1)?.name}</span>
      </div>
      {/* A table is as wide as its words, however narrow it is asked to be. */}
      <div className="vh">
        <table>
          <caption>{label}</caption>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col">{label}</th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, words }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{words}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  );
}

const Figure = ({
  title,
  value,
  note,
  link,
  file,
  children,
}: {
  title: string;
  value: ReactNode;
  note: ReactNode;
  link: ReactNode;
  /** The numbers of the picture, a line each, with a head. */
  file: readonly (readonly (string | number)[])[];
  children: ReactNode;
}) => (
  <Sheet
    title={title}
    actions={
      <>
        {link}
        <Button
          size="s"
          variant="quiet"
          icon="download"
          aria-label={`Save ${title.toLowerCase()} as CSV`}
          onClick={() => saveTextFile(`${title.toLowerCase().replaceAll(' ', '-')}.csv`, csvOf(file.map(line => line.map(String))))}
        />
      </>
    }
  >
    <p className={styles.value}>
      <b>{value}</b> <span>{note}</span>
    </p>
    {children}
  </Sheet>
);

function Promise({ service: { weeks } }: { service: NonNullable<DeskHome['service']> }) {
  const answered = weeks.reduce((sum, week) => sum + week.answered, 0);
  const kept = weeks.reduce((sum, week) => sum + week.kept, 0);
  const most = Math.max(1, ...weeks.map(week => week.answered));
  return (
    <Figure
      title="Promise kept"
      value={answered === 0 ? '–' : `${Math.round((kept / answered) * 100)} %`}
      note={`of ${formatCount(answered)} first answers in ${weeks.length} weeks`}
      link={<Link href={`${pages.deskRequests.path}?age=late`}>Late cases</Link>}
      file={[['Week from', 'First answers', 'Within the promised hours'], ...weeks.map(each => [each.week, each.answered, each.kept])]}
    >
      <Columns
        head="Week from"
        label="First answers within the promised hours"
        columns={weeks.map((week, place) => ({
          name: dayOf(week.week),
          words: `${week.kept} of ${week.answered}`,
          now: place === weeks.length - 1,
          parts: [
            { kind: 'second', share: (week.answered - week.kept) / most },
            { kind: 'first', share: week.kept / most },
          ],
        }))}
      />
    </Figure>
  );
}

function Requests({ service: { months } }: { service: NonNullable<DeskHome['service']> }) {
  const sums = months.map(({ resources, transfers }) => resources + transfers);
  const most = Math.max(1, ...sums);
  return (
    <Figure
      title="Requests"
      value={formatCount(sums.at(-1) ?? 0)}
      note={`this month, ${formatCount(sums.reduce((all, each) => all + each, 0))} in ${months.length} months. Transfers are darker`}
      link={<Link href={`${pages.deskRequests.path}?status=decided`}>All requests</Link>}
      file={[['Month', 'For resources', 'Transfers and returns'], ...months.map(each => [each.month, each.resources, each.transfers])]}
    >
      <Columns
        head="Month"
        label="Requests for resources, and transfers and returns"
        columns={months.map(({ month, resources, transfers }, place) => ({
          name: monthOf(month),
          words: `${resources} for resources, ${transfers} transfers and returns`,
          now: place === months.length - 1,
          parts: [
            { kind: 'second', share: transfers / most },
            { kind: 'first', share: resources / most },
          ],
        }))}
      />
    </Figure>
  );
}

function Income({ money: { currency, months }, link }: { money: NonNullable<DeskHome['money']>; link: string }) {
  const most = Math.max(1, ...months.flatMap(({ due, paid }) => [Number(due), Number(paid)]));
  const now = months.at(-1)!;
  return (
    <Figure
      title="Income"
      value={formatMoney(currency, now.paid)}
      note={`came in this month; ${formatMoney(currency, now.due)} falls due`}
      link={<Link href={link}>Books</Link>}
      file={[['Month', `Due, ${currency}`, `Paid, ${currency}`], ...months.map(each => [each.month, each.due, each.paid])]}
    >
      <Columns
        head="Month"
        label="Due and paid"
        columns={months.map(({ month, due, paid }, place) => ({
          name: monthOf(month),
          words: `${formatMoney(currency, due)} due, ${formatMoney(currency, paid)} paid`,
          now: place === months.length - 1,
          parts: [
            { kind: 'second', share: Math.max(0, Number(due) - Number(paid)) / most },
            { kind: 'first', share: Number(paid) / most },
          ],
        }))}
      />
    </Figure>
  );
}

/** A bar a row, with its name and number. */
function Shares({
  rows,
  label,
}: {
  rows: readonly { id: string; name: string; words: string; share: number; href: string }[];
  label: string;
}) {
  return (
    <ul className={styles.shares} aria-label={label}>
      {rows.map(({ id, name, words, share, href }) => (
        <li key={id}>
          <Link href={href} className={styles.shareName}>
            {name}
          </Link>
          <span className={styles.fresh} aria-hidden="true">
            <i style={{ inlineSize: `${share * 100}%` }} />
          </span>
          <span className={styles.shareWords}>{words}</span>
        </li>
      ))}
    </ul>
  );
}

function Members({ members }: { members: NonNullable<DeskHome['members']> }) {
  const all = members.reduce((sum, { accounts }) => sum + accounts, 0);
  return (
    <Figure
      title="Members"
      value={formatCount(members.find(({ state }) => state === 'open')?.accounts ?? 0)}
      note={`open of ${formatCount(all)} accounts`}
      link={<Link href={pages.deskAccounts.path}>All accounts</Link>}
      file={[['State', 'Accounts'], ...members.map(each => [each.state, each.accounts])]}
    >
      <Shares
        label="Accounts by state"
        rows={members.map(({ state, accounts }) => ({
          id: state,
          name: state,
          words: formatCount(accounts),
          share: accounts / Math.max(1, all),
          href: `${pages.deskAccounts.path}?state=${encodeURIComponent(state)}`,
        }))}
      />
    </Figure>
  );
}

function Turnout({ elections }: { elections: NonNullable<DeskHome['elections']> }) {
  const [last] = elections;
  const shareOf = ({ voters, voted }: { voters: number; voted: number }): number => (voters === 0 ? 0 : voted / voters);
  return (
    <Figure
      title="Turnout"
      value={`${Math.round(shareOf(last!) * 100)} %`}
      note={`in ${last!.title}`}
      link={<Link href={pages.deskElections.path}>Elections</Link>}
      file={[['Election', 'Voters', 'Voted'], ...elections.map(each => [each.title, each.voters, each.voted])]}
    >
      <Shares
        label="Accounts that voted"
        rows={elections.map(each => ({
          id: each.electionId,
          name: each.title,
          words: `${formatCount(each.voted)} of ${formatCount(each.voters)}`,
          share: shareOf(each),
          href: `${pages.deskElections.path}?election=${each.electionId}`,
        }))}
      />
    </Figure>
  );
}
