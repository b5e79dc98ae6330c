import { Page, read, reading, useAddress, useAnswer, useChange, useKit } from '@portal/app-kit';
import { Form } from '@portal/app-kit/form/Form';
import { useForm } from '@portal/app-kit/form/use-form';
import { type DnsCheckRun, dnsChecking } from '@portal/contract/reverse-dns/checks';
import {
  Badge,
  Banner,
  Button,
  ButtonRow,
  CopyButton,
  DateText,
  Disclosure,
  Field,
  FormColumn,
  KeyValueList,
  Link,
  Row,
  Sheet,
  SkeletonLines,
  Stack,
  StateMark,
  TextArea,
  TextInput,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { FirstRead } from '../shell/FirstRead.tsx';
import { later } from '@portal/app-kit/page/later';
import { Suspense } from 'react';
import styles from './RdnsCheckPage.module.css';

/** With a report only, and large: the catalogue of all checks. */
const CheckFindings = later(() => import('../shell/zone-check/ZoneCheck.tsx'), 'CheckFindings');
const FindingCounts = later(() => import('../shell/zone-check/ZoneCheck.tsx'), 'FindingCounts');
const ReportPath = later(() => import('../shell/zone-check/ZoneCheck.tsx'), 'ReportPath');

const linesOf = (text: string): string[] =>
  text
    .split(/[\n,;]+/)
    .map(line => line.trim())
    .filter(Boolean);
const gradeMarks = { ok: 'valid', notice: 'valid', warning: 'warning', error: 'invalid', failed: 'not-found' } as const;
const gradeWords = {
  ok: 'All checks passed',
  notice: 'Good, with notices',
  warning: 'Works, with warnings',
  error: 'Has errors',
  failed: 'Couldn’t be checked',
};

/** /technical/rdnscheck: asks the name servers of a reverse zone, and explains what it finds. `?check=` opens a report, `?zone=` fills the form. */
export default function RdnsCheckPage() {
  const address = useAddress();
  const checkId = address.get('check');
  const start = useChange(dnsChecking.startCheck, {
    showsErrors: true,
    refresh: [dnsChecking.listChecks],
    onDone: answer => address.set({ check: answer.checkId, zone: answer.zone }, { step: true }),
  });
  const form = useForm(
    dnsChecking.startCheck.body,
    { zone: address.get('zone') ?? '', servers: '', ds: '' },
    {
      name: 'check',
      toBody: ({ zone, servers, ds }) => ({
        zone,
        servers: linesOf(servers),
        ds: ds
          .split('\n')
          .map(line => line.trim())
          .filter(Boolean),
      }),
      ifEmpty: { zone: 'Enter a zone' },
      change: start,
      send: body => start.mutate({ body }),
    },
  );
  const isWrongInside = (form.field('servers').error ?? form.field('ds').error) !== undefined;
  return (
    <Page title="Reverse DNS check" sub="Asks the name servers of a reverse zone the way resolvers do, and explains each finding.">
      <Stack gap={16}>
        <Sheet title="Zone">
          <Form form={form} label="Zone">
            <Field
              label="Zone, prefix or address"
              help="Such as 2.0.192.in-addr.arpa, 192.0.2.0/24 or 2001:db8::1."
              {...form.field('zone')}
            >
              <TextInput mono {...form.input('zone')} />
            </Field>
            <Disclosure summary="Test servers before they are delegated" {...(isWrongInside && { open: true })}>
              <FormColumn>
                <Field
                  label="Name servers"
                  optional
                  help="One a line. A server inside the zone is followed by its address."
                  {...form.field('servers')}
                >
                  <TextArea mono rows={3} {...form.input('servers')} />
                </Field>
                <Field label="DS records" optional help="One a line: key tag, algorithm, digest type, digest." {...form.field('ds')}>
                  <TextArea mono rows={2} {...form.input('ds')} />
                </Field>
              </FormColumn>
            </Disclosure>
            <ButtonRow>
              <Button type="submit" variant="primary" busy={form.busy}>
                Check
              </Button>
            </ButtonRow>
          </Form>
        </Sheet>
        {checkId !== null && (
          <Run
            key={checkId}
            checkId={checkId}
            onAgain={run =>
              start.mutate({
                body: { zone: run.zone, servers: run.undelegated ? run.servers : [], ds: run.undelegated ? run.askedDs : [] },
              })
            }
          />
        )}
        <FirstRead reads={[read(dnsChecking.listChecks, { query: {} })]} fallback={null}>
          <Earlier current={checkId} />
        </FirstRead>
      </Stack>
    </Page>
  );
}

function Run({ checkId, onAgain }: { checkId: string; onAgain: (run: DnsCheckRun) => void }) {
  const { call } = useKit();
  const { data: run, error } = useQuery({
    ...reading(call, dnsChecking.getCheck, { checkId }),
    refetchInterval: ({ state }) => (state.data?.state === 'queued' ? 700 : false),
  });
  if (error && !run) return <Banner kind="error">{error.message}</Banner>;
  if (!run || run.state === 'queued')
    return (
      <Sheet aria-label="Check">
        <SkeletonLines lines={5} label={`Asking the name servers of ${run?.zone ?? 'the zone'}`} />
      </Sheet>
    );
  return <Report run={run} onAgain={() => onAgain(run)} />;
}

function Report({ run, onAgain }: { run: DnsCheckRun; onAgain: () => void }) {
  const { environment } = useKit();
  const report = run.report!;
  return (
    <>
      <Sheet
        title={<span className="mono">{run.zone}</span>}
        meta={
          <>
            <StateMark state={gradeMarks[run.grade ?? 'failed']}>{gradeWords[run.grade ?? 'failed']}</StateMark>{' '}
            {run.undelegated && <Badge kind="line">Before delegation</Badge>}
          </>
        }
        actions={
          <Row gap={8}>
            <CopyButton text={`${environment.appUrl}/technical/rdnscheck?check=${run.checkId}`} label="Copy the link to this report">
              Share, 7 days
            </CopyButton>
            <Button size="s" icon="refresh" onClick={onAgain}>
              Check again
            </Button>
          </Row>
        }
        flush
      >
        <Suspense fallback={<SkeletonLines lines={4} label="Loading the path" />}>
          <ReportPath zone={run.zone} report={report} />
        </Suspense>
      </Sheet>
      <Sheet
        title="Result"
        meta={
          <Suspense>
            <FindingCounts report={report} />
          </Suspense>
        }
        flush
      >
        <Suspense fallback={<SkeletonLines lines={8} label="Loading the findings" />}>
          <CheckFindings zone={run.zone} report={report} />
        </Suspense>
        {run.since && <Since since={run.since} />}
      </Sheet>
      {report.keys.length > 0 && <Dnssec report={report} />}
      {report.raw.length > 0 && (
        <Sheet title="Raw answers" flush>
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and the keyboard has to reach it */}
          <pre className={styles.raw} tabIndex={0}>
            {report.raw
              .map(({ server, question, milliseconds, text }) => `; ${server}: ${question}, ${Math.round(milliseconds)} ms\n${text}\n\n`)
              .join('')}
          </pre>
        </Sheet>
      )}
    </>
  );
}

function Dnssec({ report }: { report: NonNullable<DnsCheckRun['report']> }) {
  return (
    <Sheet title="DNSSEC">
      <KeyValueList
        align="left"
        items={[
          ...report.keys.map(({ tag, algorithm, flags, inDs }) => ({
            id: `k${tag}`,
            key: `Key ${tag}`,
            value: `algorithm ${algorithm}, ${flags === 257 ? 'signs keys' : 'signs the zone'}${inDs ? ', in the DS' : ''}`,
          })),
          ...report.signatures.map(({ covered, tag, ends, valid }, index) => ({
            id: `s${index}`,
            key: `Signature of ${covered} by ${tag}`,
            value: (
              <StateMark plain state={valid ? 'valid' : 'invalid'}>
                until <DateText value={ends} />
              </StateMark>
            ),
          })),
          ...report.cds.map(each => ({ id: each, key: 'The zone asks for', value: <span className="mono">{each}</span> })),
        ]}
      />
    </Sheet>
  );
}

/** Differences from the check before. */
function Since({ since }: { since: NonNullable<DnsCheckRun['since']> }) {
  return (
    <div className={styles.passed}>
      <span>
        Compared with{' '}
        <Link href={`/technical/rdnscheck?check=${since.checkId}`}>
          <DateText value={since.askedAt} />
        </Link>
        :{' '}
        {since.fixed.length + since.appeared.length === 0
          ? 'no difference'
          : [since.fixed.length > 0 && `fixed: ${since.fixed.join(', ')}`, since.appeared.length > 0 && `new: ${since.appeared.join(', ')}`]
              .filter(Boolean)
              .join('; ')}
      </span>
    </div>
  );
}

function Earlier({ current }: { current: string | null }) {
  const { rows } = useAnswer(dnsChecking.listChecks, { query: {} });
  const others = rows.filter(({ checkId }) => checkId !== current);
  if (others.length === 0) return null;
  return (
    <Sheet title="Your latest checks">
      <KeyValueList
        align="left"
        items={others.map(({ checkId, zone, askedAt, grade, undelegated }) => ({
          id: checkId,
          key: <Link href={`/technical/rdnscheck?check=${checkId}`}>{zone}</Link>,
          value: (
            <>
              {grade && (
                <StateMark plain state={gradeMarks[grade]}>
                  {gradeWords[grade]}
                </StateMark>
              )}{' '}
              <DateText value={askedAt} />
              {undelegated && ', before delegation'}
            </>
          ),
        }))}
      />
    </Sheet>
  );
}
