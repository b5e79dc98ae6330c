import { Page, read, spare, useAccount, useAddress, useAnswer } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { pages } from '@portal/contract/pages';
import { recordAddress } from '@portal/contract/records/record-address';
import { whoisRecords } from '@portal/contract/records/records';
import { Breadcrumb, CopyButton, KindMark, LinkButton, Mono, Sheet, SkeletonLines, Stack } from '@portal/ui';
import { type ReactNode, Suspense } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { SilentErrorBoundary } from './SilentErrorBoundary.tsx';
import { OwnResources } from './OwnResources.tsx';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import styles from './ResourceRecord.module.css';
import { FindResource } from './FindResource.tsx';
import { RecordActions } from './RecordActions.tsx';
import { type RecordInput, RecordSummary } from './RecordSummary.tsx';

/** All below the head, in a file of its own: other pages of the section don’t need it. */
const RecordBody = later(() => import('./RecordBody.tsx'), 'RecordBody');

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
      heading={
        <span className="mono">
          <KindMark kind={/^AS/i.test(resource) ? 'asn' : resource.includes(':') ? 'ipv6' : 'ipv4'} />
          {resource}
        </span>
      }
      breadcrumb={way}
      sub={
        <span className={styles.summary}>
          <CopyButton text={resource} label={`Copy ${resource}`} />
          <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={'\u00a0'}>
            <SilentErrorBoundary>
              <RecordSummary input={input} />
            </SilentErrorBoundary>
          </FirstRead>
        </span>
      }
      actions={
        <FirstRead reads={[spare(whoisRecords.getRecord, input)]} fallback={null}>
          <SilentErrorBoundary>
            <RecordActions input={input} />
          </SilentErrorBoundary>
        </FirstRead>
      }
    >
      <OutsideBoundary
        at={resource}
        title="Not a number resource"
        words={<>“{resource}” isn’t a prefix, address, range or AS number, such as 198.18.0.0/19 or AS64500.</>}
        action={<LinkButton href="/resources/summary">See your resources</LinkButton>}
      >
        <FirstRead reads={[read(whoisRecords.getRecord, { account, query: { resource, ...(on && { on }) } })]} fallback={<Waiting />}>
          <Suspense fallback={<Waiting />}>
            <RecordBody resource={resource} on={on} />
          </Suspense>
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
