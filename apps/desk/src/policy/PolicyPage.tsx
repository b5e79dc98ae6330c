import { Page, read, useAddress, useAnswer, useDownload, useSteadyAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { memberships } from '@portal/contract/billing/memberships';
import { pages } from '@portal/contract/pages';
import { policy, type PolicyDesk, type PolicyValue } from '@portal/contract/policy/policy';
import { type PolicyGroup, policyGroups, policyRow, policyValues, policyValueWords } from '@portal/contract/policy/policy-values';
import { Banner, Button, ButtonRow, classNames, DateText, Field, Icon, Link, LinkButton, Sheet, Stack } from '@portal/ui';
import { DateInput } from '@portal/ui/form/DateInput';
import { useMay } from '../shell/use-may.ts';
import { AlsoWaiting } from '../shell/AlsoWaiting.tsx';
import deciding from '../shell/Deciding.module.css';
import { useWaitingChanges, type WaitingChanges } from './waiting-changes.ts';
import styles from './Policy.module.css';
import { ChangesLine } from './ChangesLine.tsx';
import { SetBy } from './SetBy.tsx';
import { changeHref, changedWords, distance, prepareHref, preparedFor, preparedIn, valueHref } from './policy-words.ts';
import { Versions } from './Versions.tsx';

const ChangeView = later(() => import('./ChangeView.tsx'), 'ChangeView');
const PrepareChange = later(() => import('./PrepareChange.tsx'), 'PrepareChange');
const ValueView = later(() => import('./ValueView.tsx'), 'ValueView');

/** /desk/policy: values of the policy as they are on a day, and their changes; with `change`, `value` or `prepare` in the address, one of them or its form. */
export default function PolicyPage() {
  const may = useMay();
  const address = useAddress();
  const prepare = address.get('prepare');
  const [change, value] = [address.get('change'), address.get('value')];
  if (prepare !== null && may(policy.preparePolicyChange)) return <PrepareChange key={prepare} begin={preparedIn(prepare)} />;
  if (change !== null) return <ChangeView key={change} changeId={change} />;
  const name = preparedIn(value ?? '')[0]?.name;
  return name ? <ValueView key={name} name={name} /> : <Values />;
}

/** The first read of the page. */
export const reads = [read(policy.getPolicy, { query: {} })];

function Values() {
  const may = useMay();
  const address = useAddress();
  const on = address.get('on');
  const { answer: desk, stale } = useSteadyAnswer(policy.getPolicy, { query: on !== null && /^\d{4}-\d\d-\d\d$/.test(on) ? { on } : {} });
  const save = useDownload(policy.exportPolicy);
  const ids = useWaitingChanges();
  const coming = desk.changes.filter(({ state }) => state === 'prepared' || state === 'confirmed');
  return (
    <Page
      title={pages.deskPolicy.title}
      sub="Values that the registry works by. Each changes on a day: one person proposes, a second one confirms. It takes effect at the beginning of that day, without a restart."
      actions={
        <ButtonRow>
          <Button icon="download" onClick={() => void save({ query: { format: 'csv' } })}>
            All values and days (CSV)
          </Button>
          {may(policy.preparePolicyChange) && (
            <LinkButton variant="primary" icon="plus" href={prepareHref()}>
              Prepare a change
            </LinkButton>
          )}
        </ButtonRow>
      }
    >
      <ChangesLine desk={desk} />
      <div className={styles.policy}>
        <Stack gap={16}>
          {desk.on !== desk.today && (
            <Banner kind="info" title={desk.on < desk.today ? 'Values as they were' : 'Values as they will be'}>
              On <DateText value={desk.on} shape="day" />, {distance(desk.today, desk.on)}.{' '}
              <Link href={pages.deskPolicy.path}>Show today</Link>
            </Banner>
          )}
          {(Object.keys(policyGroups) as PolicyGroup[]).map(group => (
            <Group key={group} group={group} desk={desk} stale={stale} />
          ))}
        </Stack>
        <Stack gap={16}>
          <Sheet title="Values of a day">
            <Field label="Day" help={`Days begin in ${desk.timeZone}.`}>
              <DateInput
                value={desk.on}
                onChange={({ target }) => address.set({ on: target.value === desk.today ? null : target.value })}
              />
            </Field>
          </Sheet>
          <Coming desk={desk} changes={coming} waiting={ids} />
          <AlsoWaiting />
          {may(memberships.getPlan) && <Holidays />}
        </Stack>
      </div>
      <div className={styles.after}>
        <Versions desk={desk} waiting={ids} />
      </div>
    </Page>
  );
}

function Coming({ desk, changes, waiting }: { desk: PolicyDesk; changes: PolicyDesk['changes']; waiting: WaitingChanges }) {
  return (
    <Sheet title="Prepared and to come" meta={changes.length > 0 && <span>{changes.length}</span>}>
      {changes.length === 0 ? (
        <p className="quiet small">No change is prepared or confirmed for a later day.</p>
      ) : (
        <ul className={deciding.checks}>
          {changes.toReversed().map(change => (
            <li key={change.changeId}>
              <Icon name={change.state === 'confirmed' ? 'valid' : waiting.has(change.changeId) ? 'clock' : 'edit'} />
              <span>
                <Link href={changeHref(change.changeId)}>
                  From <DateText value={change.validFrom} shape="date" />
                </Link>
                <small>
                  {changedWords(change)}, {distance(desk.today, change.validFrom)}.{' '}
                  {change.state === 'confirmed'
                    ? `Confirmed by ${change.confirmedBy}`
                    : waiting.has(change.changeId)
                      ? 'Waits for a second person'
                      : `Prepared by ${change.preparedBy}`}
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

/** The next holidays: no invoice is due on one. They are kept on the page of memberships. */
function Holidays() {
  const { holidays } = useAnswer(memberships.getPlan, {});
  return (
    <Sheet title="Holidays" actions={<Link href={pages.deskMemberships.path}>Memberships</Link>}>
      {holidays.length === 0 ? (
        <p className="quiet small">No holidays. On a holiday no invoice is due, and no account is suspended or closed.</p>
      ) : (
        <ul className={deciding.checks}>
          {holidays.slice(0, 5).map(({ day, name }) => (
            <li key={day}>
              <Icon name="calendar" />
              <span>
                <bdi>{name}</bdi>
                <small>
                  <DateText value={day} shape="day" />
                </small>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Sheet>
  );
}

function Group({ group, desk, stale }: { group: PolicyGroup; desk: PolicyDesk; stale: boolean }) {
  const values = desk.values.filter(({ name }) => policyValues[name].group === group);
  // Columns that say how a value changes are left out where none of them ever did.
  const hasChanges = values.some(({ name, since, next, fixed }) => since || next || fixed || preparedFor(name, desk).length > 0);
  return (
    <Sheet
      flush
      title={policyGroups[group]}
      footer={
        group === 'calendar' && (
          <span className="quiet small">
            Days of invoices, payment, suspension and closing are set in{' '}
            {desk.file === '' ? 'the profile file' : <span className="mono">{desk.file}</span>} alone, under billingCalendar: members were
            told theirs when their term was invoiced.
          </span>
        )
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label={`Table of ${policyGroups[group]}`} tabIndex={0}>
        <table className={classNames(styles.table, styles.cards, !hasChanges && styles.short)} data-stale={stale || undefined}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col" className="num">
                In force
              </th>
              {hasChanges && (
                <>
                  <th scope="col">Since</th>
                  <th scope="col">Then</th>
                  <th scope="col">Set by</th>
                </>
              )}
            </tr>
          </thead>
          <tbody>
            {values.map(value => (
              <ValueRow key={value.name} value={value} desk={desk} hasChanges={hasChanges} />
            ))}
          </tbody>
        </table>
      </section>
    </Sheet>
  );
}

/** One value. What every value that was never changed would say is left out. */
function ValueRow({
  value: { name, value, since, next, fixed },
  desk,
  hasChanges,
}: {
  value: PolicyValue;
  desk: PolicyDesk;
  hasChanges: boolean;
}) {
  const prepared = preparedFor(name, desk);
  return (
    <tr data-pending={next || prepared.length > 0 ? true : undefined}>
      <th scope="row">
        <Link href={valueHref(name)}>{policyRow(name).title}</Link>
      </th>
      <td className="num strong">{policyValueWords(name, value, desk.currency)}</td>
      {hasChanges && (
        <>
          <td data-label="Since">
            {since && (
              <Link href={changeHref(since.changeId)}>
                <DateText value={since.day} shape="date" />
              </Link>
            )}
          </td>
          <td className={styles.then} data-label="Then">
            {next && <StepTo step={next} name={name} desk={desk} />}
            {prepared.map(step => (
              <div key={step.changeId}>
                <StepTo step={step} name={name} desk={desk} />
                <span className="quiet">, not confirmed</span>
              </div>
            ))}
          </td>
          <td className="quiet" data-label="Set by">
            {(fixed || since !== null) && <SetBy fixed={fixed} file={desk.file} bySince={since !== null} />}
          </td>
        </>
      )}
    </tr>
  );
}

const StepTo = ({ step, name, desk }: { step: NonNullable<PolicyValue['next']>; name: PolicyValue['name']; desk: PolicyDesk }) => (
  <Link href={changeHref(step.changeId)}>
    {policyValueWords(name, step.value, desk.currency)} from <DateText value={step.day} shape="date" />
  </Link>
);
