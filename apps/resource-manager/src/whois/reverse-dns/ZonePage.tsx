import { Page, read, reading, useAccount, useAddress, useChange, useKit, useRead } from '@portal/app-kit';
import { later } from '@portal/app-kit/page/later';
import { recordAddress } from '@portal/contract/records/record-address';
import { dnsChecking, type Finding } from '@portal/contract/reverse-dns/checks';
import { type ZoneReport, zoneReports } from '@portal/contract/reverse-dns/zone-reports';
import {
  Badge,
  Banner,
  Breadcrumb,
  Button,
  DateText,
  EmptyState,
  KeyValueList,
  Link,
  LinkButton,
  Mono,
  ResourceName,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
} from '@portal/ui';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, Suspense, useEffect, useState } from 'react';
import { OutsideBoundary } from '../../shell/OutsideBoundary.tsx';
import { AccountNote } from '../../shell/AccountNote.tsx';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { TableSkeleton } from '../../shell/TableSkeleton.tsx';
import { hrefOfObject } from '../text/object-address.ts';
import { NextSteps } from './NextSteps.tsx';
import { ZoneDnssec } from './ZoneDnssec.tsx';
import { hrefOfAdding, hrefOfCheck, hrefOfEditing, hrefOfZone, stateWords } from './zone-words.ts';
import styles from './ZonePage.module.css';

/** Large: the catalogue of all checks, with how to fix each. */
const CheckFindings = later(() => import('../../shell/zone-check/ZoneCheck.tsx'), 'CheckFindings');
const FindingCounts = later(() => import('../../shell/zone-check/ZoneCheck.tsx'), 'FindingCounts');
const ZonePath = later(() => import('../../shell/zone-check/ZoneCheck.tsx'), 'ZonePath');
const PublicationReceipt = later(() => import('../../shell/PublicationReceipt.tsx'), 'PublicationReceipt');
/** Opened to change a zone. */
const ZoneForm = later(() => import('./ZoneForm.tsx'), 'ZoneForm');
const RemoveZone = later(() => import('./ZoneForm.tsx'), 'RemoveZone');

const shownReads = [zoneReports.getZone];
const reportOf = (account: string, zone: string) => read(zoneReports.getZone, { account, zone });

/** One zone: the path to its name servers with the step that fails, what that means, how to fix it, DNSSEC and publication. `&edit=yes` opens its form. */
export function ZonePage({ zone }: { zone: string }) {
  const { accountName: account } = useAccount();
  const isEditing = useAddress().get('edit') !== null;
  return (
    <Page
      title={zone}
      heading={<span className="mono">{zone}</span>}
      breadcrumb={
        <Breadcrumb
          items={[
            { label: 'Reverse DNS', href: '/resources/ReverseDNSSummary' },
            ...(isEditing ? [{ label: <Mono>{zone}</Mono>, href: hrefOfZone(zone) }, { label: 'Edit' }] : [{ label: <Mono>{zone}</Mono> }]),
          ]}
        />
      }
      sub={
        isEditing ? 'Name servers, DNSSEC keys and contacts of this zone.' : 'Path to its name servers, last check, DNSSEC and publication.'
      }
      actions={!isEditing && <ZoneActions zone={zone} />}
    >
      <AccountNote />
      <OutsideBoundary
        at={zone}
        title="Not a zone of this account"
        words={
          <>
            {zone} isn’t a reverse zone in the address space of {account}. The holder of the addresses sees it.
          </>
        }
        action={<LinkButton href="/resources/ReverseDNSSummary">See your zones</LinkButton>}
      >
        <FirstRead key={zone} reads={[reportOf(account, zone)]} fallback={<TableSkeleton />}>
          <Shown zone={zone} isEditing={isEditing} />
        </FirstRead>
      </OutsideBoundary>
    </Page>
  );
}

/** Edits the zone, and checks it again: the page shows the new report when it is there. */
function ZoneActions({ zone }: { zone: string }) {
  const { accountName: account, asStaff } = useAccount();
  const { call } = useKit();
  const { data: shown } = useQuery(reading(call, zoneReports.getZone, { account, zone }));
  const answers = useQueryClient();
  const [checkId, setCheckId] = useState<string | null>(null);
  const start = useChange(dnsChecking.startCheck, { onDone: answer => setCheckId(answer.checkId) });
  const { data } = useQuery({
    ...reading(call, dnsChecking.getCheck, { checkId: checkId ?? '' }),
    enabled: checkId !== null,
    refetchInterval: ({ state }) => (state.data?.state === 'done' ? false : 700),
  });
  const isDone = data?.state === 'done';
  useEffect(() => {
    if (isDone) void answers.invalidateQueries({ queryKey: [zoneReports.getZone.id] });
  }, [isDone, answers]);
  // A zone that isn’t delegated has nothing to edit or to ask.
  if (!shown || shown.zone.version === null) return null;
  return (
    <>
      {!asStaff && (
        <LinkButton icon="edit" href={hrefOfEditing(zone)}>
          Edit zone
        </LinkButton>
      )}
      <Button icon="refresh" busy={start.isPending || (checkId !== null && !isDone)} onClick={() => start.mutate({ body: { zone } })}>
        Check again
      </Button>
    </>
  );
}

function Shown({ zone, isEditing }: { zone: string; isEditing: boolean }) {
  const { accountName: account, asStaff } = useAccount();
  const report = useRead(reportOf(account, zone));
  const { zone: row } = report;
  if (row.version === null)
    return (
      <Stack gap={16}>
        <Sheet flush title="Path" meta={<StateMark state={stateWords[row.state].mark}>{stateWords[row.state].word}</StateMark>}>
          <Suspense fallback={<SkeletonLines lines={4} label="Loading the path" />}>
            <ZonePath report={report} />
          </Suspense>
        </Sheet>
        <Sheet aria-label={zone}>
          <EmptyState
            title={row.state === 'covered' ? 'In a wider zone' : 'Not delegated'}
            action={
              row.coveredBy ? (
                <LinkButton href={hrefOfZone(row.coveredBy)}>See {row.coveredBy}</LinkButton>
              ) : (
                !asStaff && (
                  <LinkButton variant="primary" href={hrefOfAdding(row.kind, zone)}>
                    Delegate it
                  </LinkButton>
                )
              )
            }
          >
            {row.coveredBy
              ? `${zone} belongs to ${row.coveredBy}, which is delegated.`
              : `${zone} has no name servers at the registry, so the addresses of ${row.prefix} have no names.`}
          </EmptyState>
        </Sheet>
      </Stack>
    );
  if (isEditing && !asStaff)
    return (
      <Suspense fallback={<SkeletonLines lines={8} label="Loading the form" />}>
        <ZoneForm key={`${zone} ${row.version}`} zones={[row.zone]} from={row} alsoRefresh={shownReads} />
      </Suspense>
    );
  return <Delegated report={report} version={row.version} />;
}

function Delegated({ report, version }: { report: ZoneReport; version: number }) {
  const { asStaff } = useAccount();
  const { zone: row, run, lame, leftOut } = report;
  const left = lame.filter(({ removedOn }) => removedOn === null);
  const nextOf = ({ server, check }: Finding) => {
    const found = lame.find(each => each.server === server);
    return found && answering.has(check) ? <NextSteps lame={found} /> : null;
  };
  const isNextShown = run?.report?.findings.some(finding => finding.state === 'failed' && nextOf(finding) !== null) ?? false;
  return (
    <Stack gap={16}>
      {leftOut && (
        <Banner kind="error" title={leftOut.whole ? 'Not published' : 'Only partly published'}>
          The registry’s zone leaves out {leftOut.whole ? 'this delegation' : 'a part of this delegation'} since{' '}
          <DateText value={leftOut.since} shape="date" />: {leftOut.reasons.join('; ')}.{' '}
          {!asStaff && <Link href={hrefOfEditing(row.zone)}>Edit zone</Link>}
        </Banner>
      )}
      <PathSheet report={report} />
      <div className={styles.columns}>
        <Stack gap={16}>
          {!isNextShown && left.length > 0 && (
            <Sheet title="Next steps">
              <Stack gap={12}>
                {lame.map(each => (
                  <div key={each.server} className="small">
                    <NextSteps lame={each} />
                  </div>
                ))}
              </Stack>
            </Sheet>
          )}
          <CheckResult report={report} nextOf={nextOf} />
          <Facts report={report} />
        </Stack>
        <Stack gap={16}>
          <ZoneDnssec report={report} />
          <Sheet title="Receipt" meta={<span>version {version}</span>}>
            <Suspense fallback={<SkeletonLines lines={4} label="Checking publication" />}>
              <PublicationReceipt objectClass="domain" objectKey={row.zone} version={version} columns={1} />
            </Suspense>
          </Sheet>
        </Stack>
      </div>
      {!asStaff && (
        <Sheet title="End the delegation">
          <Suspense fallback={<SkeletonLines lines={1} />}>
            <RemoveZone zone={row.zone} alsoRefresh={shownReads} />
          </Suspense>
        </Sheet>
      )}
    </Stack>
  );
}

/** The path to the name servers of a zone, with its state. */
const PathSheet = ({ report }: { report: ZoneReport }) => {
  const { zone: row, lame } = report;
  return (
    <Sheet
      title="Path"
      flush
      meta={
        <>
          <StateMark state={stateWords[row.state].mark}>{stateWords[row.state].word}</StateMark>
          {lame.length > 0 && (
            <Badge kind="warning">
              {lame.length} of {new Set(row.servers.map(each => each.split(' ')[0])).size} servers lame
            </Badge>
          )}
          <span>
            {row.checkedAt ? (
              <>
                checked <DateText value={row.checkedAt} />
              </>
            ) : (
              'not checked since the last change'
            )}
          </span>
        </>
      }
    >
      <Suspense fallback={<SkeletonLines lines={4} label="Loading the path" />}>
        <ZonePath report={report} />
      </Suspense>
    </Sheet>
  );
};

/** The findings of the last check. @param nextOf the steps that follow from a finding, to show below it */
const CheckResult = ({ report: { zone: row, run }, nextOf }: { report: ZoneReport; nextOf: (finding: Finding) => ReactNode }) => (
  <Sheet
    title="Check result"
    flush
    meta={
      run?.report && (
        <Suspense>
          <FindingCounts report={run.report} />
        </Suspense>
      )
    }
    actions={
      <LinkButton size="s" href={run ? `/technical/rdnscheck?check=${run.checkId}` : hrefOfCheck(row.zone)}>
        {run ? 'Full report' : 'Check with other servers'}
      </LinkButton>
    }
  >
    {run?.report ? (
      <Suspense fallback={<SkeletonLines lines={8} label="Loading the findings" />}>
        <CheckFindings zone={row.zone} report={run.report} nextOf={nextOf} />
      </Suspense>
    ) : (
      <EmptyState title={row.problem ?? 'No report yet'}>
        {row.problem
          ? 'The report of that check is no longer stored. Check again to see each finding and how to fix it.'
          : 'Each zone is checked at least every three days. Check again to see its report now.'}
      </EmptyState>
    )}
  </Sheet>
);

/** Checks about whether a server answers at all. */
const answering: ReadonlySet<string> = new Set(['authoritative', 'answers', 'soaExists', 'udp', 'resolves', 'noUpwardReferral']);

function Facts({ report: { zone, contacts, parent } }: { report: ZoneReport }) {
  const handles = contacts
    ? [...new Set([contacts.adminC, contacts.techC, contacts.zoneC].flatMap(text => text.split(', ')).filter(Boolean))]
    : [];
  return (
    <Sheet title="Delegation">
      <KeyValueList
        items={[
          { key: 'Prefix', value: <ResourceName kind={zone.kind} text={zone.prefix} href={recordAddress(zone.prefix)} /> },
          { key: 'Name servers', value: <Mono nowrap={false}>{zone.servers.join(', ')}</Mono> },
          { key: 'Contacts', value: handles.length > 0 ? <Mono nowrap={false}>{handles.join(', ')}</Mono> : 'none' },
          ...(parent ? [{ key: 'In zone', value: <Mono nowrap={false}>{`${parent.zone}, serial ${parent.serial}`}</Mono> }] : []),
          { key: 'Whois object', value: <Link href={hrefOfObject('domain', zone.zone)}>domain {zone.zone}</Link> },
        ]}
      />
    </Sheet>
  );
}
