import { Page, read, spare, useAccount, useAddress, useAnswer, useSteadyAnswer } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import { whoisRecords } from '@portal/contract/records/records';
import { Breadcrumb, CopyButton, LinkButton, Mono, Sheet, SkeletonLines, Stack } from '@portal/ui';
import type { ReactNode } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { SilentErrorBoundary } from './SilentErrorBoundary.tsx';
import { PositionMap } from './PositionMap.tsx';
import { OwnResources } from './OwnResources.tsx';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import styles from './ResourceRecord.module.css';
import { ContributedSection } from './ContributedSection.tsx';
import { FindResource } from './FindResource.tsx';
import { Inside } from './Inside.tsx';
import { RecordActions } from './RecordActions.tsx';
import { RecordContacts } from './RecordContacts.tsx';
import { Editors } from './Editors.tsx';
import { Health } from './Health.tsx';
import { RecentChanges } from './RecentChanges.tsx';
import { type RecordInput, RecordSummary } from './RecordSummary.tsx';
import { TimeLine } from './TimeLine.tsx';
import { Registration } from './Registration.tsx';
import { WhoisObjects } from './WhoisObjects.tsx';

const dayOf = (text: string | null): string | null => (text !== null && /^\d{4}-\d\d-\d\d$/.test(text) ? text : null);

/** One prefix, range or AS number: its holder, surrounding and inner space, whois objects, problems and history. */
export function ResourceRecordPage({ resource, title }: { resource: string; title: 'Prefix' | 'AS number' }) {
  const account = useAccount().accountName;
  const on = dayOf(useAddress().get('on'));
  const input = { account, query: { resource, ...(on && { on }) } };
  const way = <Way resource={resource} title={title} input={input} />;
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
          <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={null}>
            <SilentErrorBoundary>
              <RecordActions input={input} />
            </SilentErrorBoundary>
          </FirstRead>
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

/** Resources, the kind, the delegation around the numbers, and the numbers themselves. */
function Way({ resource, title, input }: { resource: string; title: string; input: RecordInput }) {
  const start = { label: 'Resources', href: '/resources/summary' };
  const here = { label: resource === '' ? title : <Mono>{resource}</Mono> };
  const short = <Breadcrumb items={[start, here]} />;
  return resource === '' ? (
    short
  ) : (
    <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={short}>
      <SilentErrorBoundary fallback={short}>
        <LongWay start={start} here={here} input={input} />
      </SilentErrorBoundary>
    </FirstRead>
  );
}

function LongWay({ start, here, input }: { start: { label: string; href: string }; here: { label: ReactNode }; input: RecordInput }) {
  const { kind, holdings, on } = useAnswer(whoisRecords.getRecord, input);
  const around = holdings.find(each => each.own && each.relation === 'around');
  const isMine = holdings.some(each => each.own && each.relation !== 'inside');
  return (
    <Breadcrumb
      items={[
        start,
        ...(isMine ? [{ label: kindTitles[kind], href: pages[kind].path }] : []),
        ...(around ? [{ label: <Mono>{around.resource}</Mono>, href: recordAddress(around.resource, on) }] : []),
        here,
      ]}
    />
  );
}

const kindTitles = { ipv4: 'IPv4', ipv6: 'IPv6', asn: 'AS numbers' } as const;

function Waiting() {
  return (
    <div className={styles.columns}>
      <Sheet title="Health">
        <SkeletonLines lines={12} label="Loading the registration" />
      </Sheet>
      <Stack gap={16}>
        <Sheet title="Where it lies">
          <SkeletonLines lines={4} />
        </Sheet>
        <Sheet title="Recent changes">
          <SkeletonLines lines={6} />
        </Sheet>
      </Stack>
    </div>
  );
}

function Found({ resource, on }: { resource: string; on: string | null }) {
  const account = useAccount().accountName;
  const { answer: record } = useSteadyAnswer(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } });
  return (
    <Stack gap={16}>
      <div className={styles.columns}>
        {record.on === null ? (
          <Health record={record} />
        ) : (
          <Stack gap={16}>
            <Registration record={record} />
            <Inside record={record} />
            <WhoisObjects record={record} />
          </Stack>
        )}
        <Stack gap={16}>
          {record.kind !== 'asn' && <PositionMap record={record} kind={record.kind} />}
          {record.on === null ? <Editors record={record} /> : <RecordContacts record={record} />}
          <RecentChanges record={record} />
        </Stack>
      </div>
      {record.on === null && <Inside record={record} />}
      {record.sections
        .filter(({ about }) => about === null)
        .map(section => (
          <ContributedSection key={section.id} section={section} />
        ))}
      <TimeLine key={record.resource} record={record} />
    </Stack>
  );
}
