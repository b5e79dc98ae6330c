import {
  recordSubjects,
  type RecordHealth,
  type RecordMark,
  type RecordSection,
  type ResourceRecord,
} from '@portal/contract/records/records';
import { pages } from '@portal/contract/pages';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { classNames, DatedText, DateText, Disclosure, formatMoney, Icon, Link, LinkButton, Mono, Sheet } from '@portal/ui';
import type { ReactNode } from 'react';
import { ContributedRows } from './ContributedSection.tsx';
import styles from './Health.module.css';
import { healthInWords, healthMarks, subjectTitles } from './health-words.ts';
import { PartOf, registrationFacts } from './Registration.tsx';
import { RoutingPicture } from './RoutingPicture.tsx';
import { exactObjects, WhoisObjectLists } from './WhoisObjects.tsx';
import { isNetwork } from './record-networks.ts';

type Fact = { label: string; value: ReactNode };

/** Every subject of some numbers in one list: its state, what is known of it, what is wrong, and what can be done. */
export function Health({ record }: { record: ResourceRecord }) {
  const { health } = record;
  return (
    <Sheet
      title="Health"
      flush
      meta={
        <>
          {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data */}
          <span className={styles.segments} role="img" aria-label={healthInWords(health)}>
            {health.map(({ about, mark }) => (
              <i key={about} data-mark={mark} />
            ))}
          </span>
          <span aria-hidden="true">{healthInWords(health)}</span>
        </>
      }
    >
      {recordSubjects.map(about => {
        const state = health.find(each => each.about === about);
        return state && <HealthLine key={about} state={state} record={record} />;
      })}
    </Sheet>
  );
}

function HealthLine({ state, record }: { state: RecordHealth; record: ResourceRecord }) {
  const { about, mark, word } = state;
  const marks = record.marks.filter(each => each.about === about);
  const actions = [...ownActions(about, record), ...state.actions];
  return (
    <section className={styles.line} data-mark={mark} aria-label={subjectTitles[about]}>
      <span className={classNames(styles.icon, styles[mark])}>
        <Icon name={healthMarks[mark].icon} label={healthMarks[mark].word} />
      </span>
      <div className={styles.title}>
        <h3>{subjectTitles[about]}</h3>
        <span className={classNames(styles.word, (mark === 'invalid' || mark === 'warning') && styles[mark])}>{word}</span>
      </div>
      <div className={styles.body}>
        <Content about={about} record={record} facts={state.facts} />
      </div>
      {actions.length > 0 && (
        <div className={styles.actions}>
          {actions.map(({ label, link }) => (
            <LinkButton key={label} size="s" href={link}>
              {label}
            </LinkButton>
          ))}
        </div>
      )}
      {(marks.length > 0 || hasDetails(record, about)) && (
        <div className={styles.rest}>
          <Findings marks={marks} />
          <Details record={record} about={about} />
        </div>
      )}
    </section>
  );
}

function ownActions(about: RecordHealth['about'], { objects, holdings, kind, first, resource }: ResourceRecord): RecordHealth['actions'] {
  const network = objects.find(each => each.relation === 'exact' && (isNetwork(each) || each.class === 'aut-num'));
  const isMine = holdings.some(each => each.own && each.relation !== 'inside');
  if (about === 'registration' && isMine)
    return [
      ...(network ? [{ label: 'Edit object', link: network.link }] : []),
      // Blocks change hands whole or in part; networks of customers don’t.
      ...(kind === 'ipv4' && holdings.some(each => each.own && each.relation === 'exact')
        ? [{ label: 'Transfer', link: pages.transferSelect.path }]
        : []),
    ];
  if (about === 'objects')
    return [
      {
        label: 'Open in RDAP',
        link: kind === 'asn' ? `/rdap/autnum/${first.replace(/^AS/, '')}` : `/rdap/ip/${resource.includes('/') ? resource : first}`,
      },
    ];
  return [];
}

function Content({ about, record, facts }: { about: RecordHealth['about']; record: ResourceRecord; facts: RecordHealth['facts'] }) {
  const shown: Fact[] = facts.map(({ label, text, at, link, mono }) => ({
    label,
    value: at ? (
      <DateText value={at} shape={label === 'Last check' ? 'date-time' : 'date'} />
    ) : link ? (
      <Link href={link} className={mono ? 'mono' : undefined}>
        {text}
      </Link>
    ) : mono ? (
      <Mono nowrap={false}>{text}</Mono>
    ) : (
      text
    ),
  }));
  switch (about) {
    case 'registration':
      return (
        <>
          <Facts facts={[...registrationFacts(record).map(({ key, value }) => ({ label: key, value })), ...shown]} />
          <PartOf record={record} />
        </>
      );
    case 'routing':
      return (
        <>
          {record.routing && record.kind !== 'asn' && <RoutingPicture record={record} routing={record.routing} kind={record.kind} />}
          <Facts facts={shown} />
        </>
      );
    case 'abuse':
      return <Facts facts={[...abuseFacts(record), ...shown]} />;
    case 'objects':
      return <ExactObjects record={record} />;
    case 'fee':
      return <FeeShare record={record} />;
    default:
      return <Facts facts={shown} />;
  }
}

/** Objects of exactly these numbers, one a line. */
function ExactObjects({ record }: { record: ResourceRecord }) {
  const objects = exactObjects(record);
  return objects.length === 0 ? null : (
    <ul className={styles.objects} aria-label="Exactly these numbers">
      {objects.map(({ class: objectClass, shown, link, mayReclaim }) => (
        <li key={link}>
          <span className="mono quiet">{objectClass}</span>
          <span>
            <Link href={link} className="mono">
              {spacedKey(shown)}
            </Link>
            {mayReclaim && (
              <>
                {' '}
                <Link href={`${link}&act=reclaim`}>Reclaim</Link>
              </>
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function abuseFacts({ contacts, irtMailboxes }: ResourceRecord): Fact[] {
  const irts = contacts.filter(({ attribute }) => attribute === 'mnt-irt' || attribute === 'abuse-c');
  const mailboxes = [...new Set(irtMailboxes.map(({ mailbox }) => mailbox))];
  return [
    ...irts.map(({ attribute, handle, link }) => ({
      label: attribute === 'mnt-irt' ? 'IRT' : 'Abuse-c',
      value: link ? (
        <Link href={link} className="mono">
          {handle}
        </Link>
      ) : (
        <Mono>{handle}</Mono>
      ),
    })),
    ...(mailboxes.length > 0
      ? [{ label: mailboxes.length === 1 ? 'Mailbox' : 'Mailboxes', value: <Mono nowrap={false}>{mailboxes.join(', ')}</Mono> }]
      : []),
  ];
}

function Facts({ facts }: { facts: readonly Fact[] }) {
  return facts.length === 0 ? null : (
    <dl className={styles.facts}>
      {facts.map(({ label, value }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- the order is fixed, and a label may come twice
        <div key={`${label}${index}`}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const weight: Record<RecordMark['mark'], number> = { invalid: 0, warning: 1, info: 2, valid: 3 };

function Findings({ marks }: { marks: readonly RecordMark[] }) {
  return marks.length === 0 ? null : (
    <ul className={styles.findings} aria-label="Findings">
      {marks
        .toSorted((a, b) => weight[a.mark] - weight[b.mark])
        .map(({ mark, code, message, fix }) => (
          <li key={code + message}>
            <Icon name={healthMarks[mark].icon} label={healthMarks[mark].word} className={styles[mark]} />
            <span>
              <DatedText text={message} />.
            </span>
            {fix && <FixLink mark={mark} fix={fix} />}
          </li>
        ))}
    </ul>
  );
}

const FixLink = ({ mark, fix }: { mark: RecordMark['mark']; fix: NonNullable<RecordMark['fix']> }) => (
  <span className={styles.fix}>
    {mark === 'invalid' || mark === 'warning' ? (
      <LinkButton size="s" href={fix.link}>
        {fix.label}
      </LinkButton>
    ) : (
      <Link href={fix.link}>{fix.label}</Link>
    )}
  </span>
);

const foldedObjects = (record: ResourceRecord, about: RecordHealth['about']): number =>
  about === 'objects' ? record.objects.length - exactObjects(record).length : 0;
const hasDetails = (record: ResourceRecord, about: RecordHealth['about']): boolean =>
  foldedObjects(record, about) > 0 || record.sections.some(section => section.about === about);

/** Details of a line, folded: the sections of its subject, and objects around and inside. */
function Details({ record, about }: { record: ResourceRecord; about: RecordHealth['about'] }) {
  const sections = record.sections.filter(section => section.about === about);
  const others = foldedObjects(record, about);
  const titleOf = ({ title, rows, more }: RecordSection): string =>
    rows.length > 1 || more ? `${title}, ${rows.length}${more ? '+' : ''}` : title;
  const [first, second] = sections;
  return (
    <>
      {first && (
        <Disclosure summary={second ? sections.map(({ title }) => title).join(', ') : titleOf(first)}>
          {sections.map(section => (
            <div key={section.id}>
              {second && <h4 className={styles.part}>{titleOf(section)}</h4>}
              <ContributedRows section={section} />
            </div>
          ))}
        </Disclosure>
      )}
      {others > 0 && (
        <Disclosure summary="Objects around and inside">
          <WhoisObjectLists record={record} relations={['around', 'inside']} />
        </Disclosure>
      )}
    </>
  );
}

function FeeShare({ record: { fee, kind } }: { record: ResourceRecord }) {
  if (!fee) return null;
  const less = (BigInt(fee.now.replace('.', '')) - BigInt(fee.without.replace('.', ''))).toString().padStart(3, '0');
  const difference = `${less.slice(0, -2)}.${less.slice(-2)}`;
  return (
    <div className={styles.share}>
      <div className={styles.bar} aria-hidden="true">
        <i data-kind={kind} style={{ width: `${100 * fee.share}%` }} />
      </div>
      <span>
        {/^0\.00$/.test(difference) ? (
          <>Without them the annual fee stays the same: {formatMoney(fee.currency, fee.now)}.</>
        ) : (
          <>
            {formatMoney(fee.currency, difference)} of {formatMoney(fee.currency, fee.now)} a year, without tax
          </>
        )}
      </span>
    </div>
  );
}
