import { DAY_MS, utcDay } from '@portal/contract/days';
import type { CheckReport } from '@portal/contract/reverse-dns/checks';
import type { ZoneReport } from '@portal/contract/reverse-dns/zone-reports';
import { DateText, LinkButton, Mono, Sheet, Stack, StateMark } from '@portal/ui';
import { useState } from 'react';
import styles from './ZonePage.module.css';
import { dnssecWords, hrefOfEditing } from './zone-words.ts';

const time = (at: string): number => new Date(at).getTime();
/** `…3D8A1F22` */
const shortDigest = (digest: string): string =>
  digest.length > 12 ? `${digest.slice(0, 4).toLowerCase()}…${digest.slice(-4).toLowerCase()}` : digest;
const digestNames: Record<string, string> = { '1': 'SHA-1', '2': 'SHA-256', '4': 'SHA-384' };

/** Keys, DS records and the validity of signatures of a zone, with today marked. */
export function ZoneDnssec({ report: { zone, run } }: { report: ZoneReport }) {
  const report = run?.report ?? null;
  const signed = zone.ds.length > 0;
  return (
    <Sheet
      title="DNSSEC"
      meta={<StateMark state={dnssecWords[zone.dnssec].mark}>{dnssecWords[zone.dnssec].word}</StateMark>}
      footer={
        <LinkButton size="s" href={hrefOfEditing(zone.zone)}>
          {signed ? 'Change DS records' : 'Add DS records'}
        </LinkButton>
      }
    >
      {signed ? (
        <Stack gap={12}>
          <End zone={zone} />
          {report && report.signatures.length > 0 && <SignatureBars signatures={report.signatures} />}
          <DsRecords ds={zone.ds} report={report} />
          {report && report.cds.length > 0 && (
            <p className="small">
              The zone asks for {report.cds.length === 1 ? 'this DS' : 'these DS records'} (CDS):{' '}
              <Mono nowrap={false}>{report.cds.join(', ')}</Mono>
            </p>
          )}
        </Stack>
      ) : (
        <p className="small quiet">
          {report && report.keys.length > 0
            ? 'The zone is signed, but has no DS record here, so no resolver validates it. Add the DS of its key.'
            : 'Optional. Sign the zone first, then add the DS record of its key here.'}
        </p>
      )}
    </Sheet>
  );
}

function End({ zone: { signaturesEnd, dnssec } }: { zone: ZoneReport['zone'] }) {
  if (dnssec === 'broken') return <p className="small">Resolvers that validate refuse the zone: no signature matches the DS records.</p>;
  return signaturesEnd ? (
    <p className="small">
      <b>
        Signatures end on <DateText value={signaturesEnd} shape="date" />.
      </b>{' '}
      After that, resolvers that validate refuse the zone, unless your signer renews them.
    </p>
  ) : null;
}

function SignatureBars({ signatures }: { signatures: CheckReport['signatures'] }) {
  const [now] = useState(() => Date.now());
  const rows = [...Map.groupBy(signatures, ({ covered, tag }) => `${covered} by ${tag}`)].map(([name, own]) => ({
    name,
    begins: Math.min(...own.map(({ begins }) => time(begins))),
    // The first one to end counts.
    ends: Math.min(...own.map(({ ends }) => time(ends))),
    valid: own.every(({ valid }) => valid),
  }));
  const from = Math.min(now - DAY_MS, ...rows.map(({ begins }) => begins));
  const to = Math.max(now + DAY_MS, ...rows.map(({ ends }) => ends));
  const share = (at: number): number => (100 * (at - from)) / (to - from);
  const words = rows.map(({ name, begins, ends }) => `${name} from ${utcDay(begins)} to ${utcDay(ends)}`).join('; ');
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn from data
    <div className={styles.bars} role="img" aria-label={`Signatures: ${words}`}>
      {rows.map(({ name, begins, ends, valid }) => (
        <Row key={name} name={name}>
          <i
            data-mark={!valid || ends < now ? 'invalid' : ends < now + 3 * DAY_MS ? 'warning' : 'valid'}
            style={{ left: `${share(begins)}%`, width: `${Math.max(1, share(ends) - share(begins))}%` }}
          />
          <b style={{ left: `${share(now)}%` }} />
        </Row>
      ))}
      <span className={styles.axis}>
        <DateText value={new Date(from).toISOString()} shape="date" />
        <b style={{ left: `${share(now)}%` }}>now</b>
        <DateText value={new Date(to).toISOString()} shape="date" />
      </span>
    </div>
  );
}

const Row = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <>
    <span className="mono">{name}</span>
    <span className={styles.track}>{children}</span>
  </>
);

function DsRecords({ ds, report }: { ds: readonly string[]; report: CheckReport | null }) {
  const keys = new Map(report?.keys.map(({ tag, inDs }) => [tag, inDs]));
  return (
    <ul className={styles.ds} aria-label="DS records">
      {ds.map(record => {
        const [tag = '', algorithm = '', type = '', digest = ''] = record.split(' ');
        const inDs = keys.get(Number(tag));
        return (
          <li key={record} title={record}>
            <Mono>{tag}</Mono>
            <span className="mono quiet">
              {algorithm} · {digestNames[type] ?? type} · {shortDigest(digest)}
            </span>
            {report && (
              <StateMark plain state={inDs ? 'valid' : 'warning'}>
                {inDs ? 'matches a key' : 'no such key'}
              </StateMark>
            )}
          </li>
        );
      })}
    </ul>
  );
}
