import { FailureBanner, Page, reading, useAnswer, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { policy, type PolicyChange, type PolicyDesk } from '@portal/contract/policy/policy';
import { policyRow, policyValues, policyValueWords } from '@portal/contract/policy/policy-values';
import { Banner, Breadcrumb, classNames, formatDate, Select, Sheet, SkeletonLines, Stack, StateMark, Steps } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { AlsoWaiting, useWaiting } from '../shell/AlsoWaiting.tsx';
import { useWaitingChanges } from './waiting-changes.ts';
import { ChangeEffect } from './ChangeEffect.tsx';
import { Deciding } from './Deciding.tsx';
import { TextButton } from '../shell/TextButton.tsx';
import styles from './Policy.module.css';
import { SetBy } from './SetBy.tsx';
import { changeHref, isReplaced, markOf, numbersTitle, stepsOf, tellsMembers } from './policy-words.ts';
import { StepLine } from './StepLine.tsx';
import { Versions } from './Versions.tsx';

/** A change of the policy: its values beside those before, its impact, and who confirms it. */
export function ChangeView({ changeId }: { changeId: string }) {
  const desk = useAnswer(policy.getPolicy, { query: {} });
  const change = desk.changes.find(each => each.changeId === changeId);
  return change ? (
    <Change change={change} desk={desk} />
  ) : (
    <Page title="Change of the policy">
      <Banner kind="warning" title="This change isn’t listed.">
        It was discarded some time ago, or never prepared. The file of all values and days has every change that was confirmed.
      </Banner>
    </Page>
  );
}

function Change({ change, desk }: { change: PolicyChange; desk: PolicyDesk }) {
  const { call } = useKit();
  const effect = useQuery(reading(call, policy.getPolicyEffect, { changeId: change.changeId }));
  const waiting = useWaiting();
  const proposal = waiting.find(({ link }) => link === changeHref(change.changeId)) ?? null;
  const ids = useWaitingChanges();
  const from = formatDate(change.validFrom, { timeZone: 'UTC', hourCycle: 'h23' }, 'date');
  const mark = markOf(change, desk, ids.get(change.changeId) ?? null);
  const isOver = ['withdrawn', 'discarded', 'fixed'].includes(change.state) || isReplaced(change, desk);
  const names = change.values.map(({ name }) => name);
  const [drawn, setDrawn] = useState(names[0]!);
  return (
    <Page
      title={`Policy from ${from}`}
      sub={change.reason}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskPolicy.title, href: pages.deskPolicy.path },
            { label: `From ${from}` },
          ]}
        />
      }
      actions={
        isOver ? (
          <StateMark state={mark.state}>{mark.words}</StateMark>
        ) : (
          <Progress change={change} isPreviewed={proposal !== null || effect.data !== undefined} isSent={proposal !== null} />
        )
      }
    >
      <Stack gap={16}>
        <Sheet
          title={policyRow(drawn).title}
          meta={<span>over time. Dashed is proposed</span>}
          actions={
            names.length > 1 && (
              <Select
                size="s"
                aria-label="Value that is drawn"
                value={drawn}
                options={names.map(name => ({ value: name, label: policyRow(name).title }))}
                onChange={({ target }) => setDrawn(names.find(name => name === target.value) ?? drawn)}
              />
            )
          }
        >
          <StepLine name={drawn} steps={stepsOf(drawn, desk, change)} today={desk.today} currency={desk.currency} />
        </Sheet>
        <div className={styles.policy}>
          <Stack gap={16}>
            <Numbers change={change} desk={desk} from={from} />
            {effect.error ? (
              <FailureBanner failure={effect.error} />
            ) : effect.data ? (
              <ChangeEffect effect={effect.data} desk={desk} change={change} />
            ) : (
              <Sheet title="Impact">
                <SkeletonLines lines={6} label="Looking at cases, accounts and terms" />
              </Sheet>
            )}
          </Stack>
          <Stack gap={16}>
            <Deciding change={change} desk={desk} proposal={proposal} effect={effect.data ?? null} from={from} />
            <AlsoWaiting but={changeHref(change.changeId)} />
          </Stack>
        </div>
        <Versions desk={desk} names={names} waiting={ids} current={change.changeId} />
      </Stack>
    </Page>
  );
}

/** How far the change is. @param isPreviewed its impact is on the page, or was read by who asked for a second person @param isSent a second person was asked */
function Progress({ change, isPreviewed, isSent }: { change: PolicyChange; isPreviewed: boolean; isSent: boolean }) {
  const { state } = change;
  const tells = tellsMembers(change);
  const isTold = tells && change.announcement?.state === 'published';
  const third = state === 'prepared' ? (isSent ? 'Waits for a second person' : 'Not sent yet') : 'Confirmed';
  const steps = ['Prepared', 'Previewed', third, ...(tells ? ['Announced'] : []), 'In force'];
  const current = state === 'in-force' ? steps.length : state === 'confirmed' ? (isTold ? 4 : 3) : isPreviewed ? 2 : 1;
  return <Steps label="Steps of the change" steps={steps} current={current} />;
}

/** The values that change, and those of the same group beside them. */
function Numbers({ change, desk, from }: { change: PolicyChange; desk: PolicyDesk; from: string }) {
  const names = change.values.map(({ name }) => name);
  const groups = new Set(names.map(name => policyValues[name].group));
  const same = desk.values.filter(({ name }) => groups.has(policyValues[name].group) && !names.includes(name));
  const [all, setAll] = useState(false);
  // What the file fixes is named first: it can't change here.
  const beside = [...same.filter(({ fixed }) => fixed), ...same.filter(({ fixed }) => !fixed)];
  const rows = all ? beside : beside.slice(0, 3);
  return (
    <Sheet
      flush
      title={numbersTitle(names.length)}
      meta={change.decision === '' ? 'No decision is named' : `By ${change.decision}`}
      footer={
        beside.length > 3 && (
          <TextButton onClick={() => setAll(!all)}>{all ? 'Show fewer' : `Show ${beside.length - 3} more that stay`}</TextButton>
        )
      }
    >
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and so it is reached by the keyboard */}
      <section className={styles.scroll} aria-label="Table of the values that change" tabIndex={0}>
        <table className={classNames(styles.table, styles.cards, styles.compared)}>
          <thead>
            <tr>
              <th scope="col">Setting</th>
              <th scope="col" className="num">
                Until then
              </th>
              <th scope="col" className="num">
                From {from}
              </th>
              <th scope="col">Set by</th>
            </tr>
          </thead>
          <tbody>
            {change.values.map(({ name, before, after }) => {
              const { fixed } = desk.values.find(each => each.name === name)!;
              return (
                <tr key={name} data-pending>
                  <th scope="row">{policyRow(name).title}</th>
                  <td className="num" data-label="Until then">
                    {policyValueWords(name, before, desk.currency)}
                  </td>
                  <td className={`num ${styles.new}`} data-label={`From ${from}`}>
                    {policyValueWords(name, after, desk.currency)}
                  </td>
                  <td className="quiet" data-label="Set by">
                    {fixed ? <SetBy fixed file={desk.file} bySince /> : 'this page'}
                  </td>
                </tr>
              );
            })}
            {rows.map(({ name, value, fixed, since }) => (
              <tr key={name}>
                <th scope="row">{policyRow(name).title}</th>
                <td className="num" data-label="Until then">
                  {policyValueWords(name, value, desk.currency)}
                </td>
                <td className="num quiet" data-label={`From ${from}`}>
                  same
                </td>
                <td className="quiet" data-label="Set by">
                  <SetBy fixed={fixed} file={desk.file} bySince={since !== null} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </Sheet>
  );
}
