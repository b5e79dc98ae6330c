import { Page, read, spare, useAccount, useAddress, useSteadyAnswer } from '@portal/app-kit';
import { whoisRecords } from '@portal/contract/records/records';
import { Breadcrumb, CopyButton, LinkButton, Mono, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { FollowButton } from '../../shell/FollowButton.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { SilentErrorBoundary } from './SilentErrorBoundary.tsx';
import { PositionMap } from './PositionMap.tsx';
import { OwnResources } from './OwnResources.tsx';
import { OutsideBoundary } from '../OutsideBoundary.tsx';
import styles from './ResourceRecord.module.css';
import { AsOf } from './AsOf.tsx';
import { ContributedSection } from './ContributedSection.tsx';
import { FindResource } from './FindResource.tsx';
import { Inside } from './Inside.tsx';
import { RecordActions } from './RecordActions.tsx';
import { RecordChecks } from './RecordChecks.tsx';
import { RecordContacts } from './RecordContacts.tsx';
import { RecordHistory } from './RecordHistory.tsx';
import { RecordSummary } from './RecordSummary.tsx';
import { Registration } from './Registration.tsx';
import { WhoisObjects } from './WhoisObjects.tsx';

const dayOf = (text: string | null): string | null => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

/** One prefix, range or AS number: its holder, surrounding and inner space, whois objects, problems and history. */
export function ResourceRecordPage({ resource, title }: { resource: string; title: 'Prefix' | 'AS number' }) {
  const account = useAccount().accountName;
  const on = dayOf(useAddress().get('on'));
  const input = { account, query: { resource, ...(on && { on }) } };
  const way = (
    <Breadcrumb
      items={[{ label: 'Resources', href: '/resources/summary' }, { label: resource === '' ? title : <Mono>{resource}</Mono> }]}
    />
  );
  if (resource.trim() === '')
    return (
      <Page title={title} breadcrumb={way} sub="Holder, hierarchy, whois objects and history.">
        <Stack gap={16}>
          <Sheet aria-label="Find">
            <FindResource />
          </Sheet>
          <OwnResources of={title === 'Prefix' ? 'prefixes' : 'AS numbers'} />
        </Stack>
      </Page>
    );
  return (
    <Page
      title={resource}
      heading={<span className="mono">{resource}</span>}
      breadcrumb={way}
      sub={
        <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={'\u00a0'}>
          <SilentErrorBoundary>
            <RecordSummary input={input} />
          </SilentErrorBoundary>
        </FirstRead>
      }
      actions={
        <>
          <AsOf on={on} />
          <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={null}>
            <SilentErrorBoundary>
              <RecordActions input={input} />
            </SilentErrorBoundary>
          </FirstRead>
          <FollowButton what={{ resource }} name={resource} />
          <CopyButton text={resource} label={`Copy ${resource}`} />
        </>
      }
    >
      <OutsideBoundary
        at={resource}
        title="Not a number resource"
        words={<>“{resource}” isn’t a prefix, address, range or AS number, such as 198.18.0.0/19 or AS64500.</>}
        action={<LinkButton href="/resources/summary">See your resources</LinkButton>}
      >
        <FirstRead reads={[read(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } })]} fallback={<Waiting />}>
          <Found resource={resource} on={on} />
        </FirstRead>
      </OutsideBoundary>
    </Page>
  );
}

function Waiting() {
  return (
    <div className={styles.columns}>
      <Stack gap={16}>
        <Sheet title="Registration">
          <SkeletonLines lines={6} label="Loading the registration" />
        </Sheet>
        <Sheet title="Whois objects">
          <SkeletonLines lines={6} />
        </Sheet>
      </Stack>
      <Sheet title="State">
        <SkeletonLines lines={4} />
      </Sheet>
    </div>
  );
}

function Found({ resource, on }: { resource: string; on: string | null }) {
  const account = useAccount().accountName;
  const { answer: record } = useSteadyAnswer(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } });
  return (
    <div className={styles.columns}>
      <Stack gap={16}>
        <Registration record={record} />
        <Inside record={record} />
        <WhoisObjects record={record} />
        {record.sections.map(section => (
          <ContributedSection key={section.id} section={section} />
        ))}
      </Stack>
      <Stack gap={16}>
        {record.kind !== 'asn' && <PositionMap record={record} kind={record.kind} />}
        {record.on === null && <RecordChecks marks={record.marks} />}
        <RecordContacts record={record} />
        <RecordHistory record={record} />
      </Stack>
    </div>
  );
}
