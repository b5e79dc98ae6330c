import { Page, useAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { policy } from '@portal/contract/policy/policy';
import {
  noticeOf,
  policyGroups,
  policyRow,
  type PolicyValueName,
  policyValues,
  policyValueWords,
} from '@portal/contract/policy/policy-values';
import { Breadcrumb, DateText, KeyValueList, LinkButton, Sheet, Stack } from '@portal/ui';
import { useMay } from '../shell/use-may.ts';
import { useWaitingChanges } from './waiting-changes.ts';
import styles from './Policy.module.css';
import { SetBy } from './SetBy.tsx';
import { prepareHref, stepsOf } from './policy-words.ts';
import { StepLine } from './StepLine.tsx';
import { Versions } from './Versions.tsx';

/** One value of the policy over time, with its bounds. */
export function ValueView({ name }: { name: PolicyValueName }) {
  const may = useMay();
  const desk = useAnswer(policy.getPolicy, { query: {} });
  const { title, members } = policyRow(name);
  const value = desk.values.find(each => each.name === name)!;
  const ids = useWaitingChanges();
  const notice = noticeOf([name]);
  return (
    <Page
      title={title}
      sub={`${policyGroups[policyValues[name].group]}. ${policyValueWords(name, value.value, desk.currency)} today.`}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: pages.deskHome.title, href: pages.deskHome.path },
            { label: pages.deskPolicy.title, href: pages.deskPolicy.path },
            { label: title },
          ]}
        />
      }
      actions={
        may(policy.preparePolicyChange) &&
        !value.fixed && (
          <LinkButton variant="primary" icon="edit" href={prepareHref([{ name }])}>
            Change it
          </LinkButton>
        )
      }
    >
      <Stack gap={16}>
        <Sheet title="Over time" meta="What is proposed is dashed">
          <StepLine name={name} steps={stepsOf(name, desk)} today={desk.today} currency={desk.currency} />
        </Sheet>
        <Sheet title="Rules of this value">
          <KeyValueList
            align="left"
            items={[
              { key: 'May be', value: value.bounds },
              { key: 'In the profile file', value: policyValueWords(name, value.inFile, desk.currency) },
              { key: 'Set by', value: <SetBy fixed={value.fixed} file={desk.file} bySince={value.since !== null} /> },
              {
                key: 'In effect since',
                value: value.since ? <DateText value={value.since.day} shape="day" /> : 'The beginning',
              },
              {
                key: 'Notice',
                value:
                  notice > 1 ? `${notice} days before its day, because members plan with it` : 'At least an hour before its day begins',
              },
              ...(members ? [{ key: 'Members', value: 'A draft of an announcement is written when a change is confirmed' }] : []),
              { key: 'Name in the file', value: <span className={`mono ${styles.name}`}>{name}</span> },
            ]}
          />
        </Sheet>
        <Versions desk={desk} names={[name]} waiting={ids} />
      </Stack>
    </Page>
  );
}
