import { Page, reading, useAnswer, useDateFormat, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { rpkiDesk, type RootAuthority, type RpkiOverview } from '@portal/contract/rpki/desk';
import {
  type ResourceKind,
  Banner,
  DateText,
  EmptyState,
  formatCount,
  Grid,
  KeyValueList,
  ProgressBar,
  ResourceName,
  Sheet,
  Stack,
} from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MemberAuthorities } from './MemberAuthorities.tsx';
import { PublicationSheet } from './PublicationSheet.tsx';
import { KeyText } from './KeyText.tsx';
import { alarmWords, keyPlaceWords, whenIn } from './rpki-words.ts';
import styles from './Rpki.module.css';
import { TrustAnchorSheet } from './TrustAnchorSheet.tsx';

/** How often, in ms, the page looks again while it is open. */
const LOOK_AGAIN_MS = 15_000;

/** /desk/rpki: whether validators everywhere find what this registry certifies, and for how long. */
export default function RpkiPage() {
  const { call } = useKit();
  const overview = useAnswer(rpkiDesk.getOverview, {});
  useQuery({ ...reading(call, rpkiDesk.getOverview, {}), refetchInterval: LOOK_AGAIN_MS });
  const [now] = useState(() => Date.now());
  return (
    <Page title={pages.deskRpki.title} sub="Whether validators find what this registry certifies, and what needs attention.">
      <Stack gap={16}>
        <Alarms alarms={overview.alarms} />
        <Grid columns={2}>
          <Stack gap={16}>
            <TrustAnchorSheet trustAnchor={overview.trustAnchor} />
            <RegistrySheet authority={overview.registry} />
            <KeysSheet keys={overview.keys} />
          </Stack>
          <PublicationSheet publication={overview.publication} now={now} />
        </Grid>
        <MemberAuthorities members={overview.members} />
      </Stack>
    </Page>
  );
}

function Alarms({ alarms }: Pick<RpkiOverview, 'alarms'>) {
  const format = useDateFormat();
  return alarms.map(alarm => {
    const { title, detail, advice } = alarmWords(alarm, whenIn(format));
    return (
      <Banner key={alarm.kind} kind="error" title={title}>
        {detail} {advice}
      </Banner>
    );
  });
}

const kindOf = (resource: string): ResourceKind => (resource.startsWith('AS') ? 'asn' : resource.includes(':') ? 'ipv6' : 'ipv4');

/** The authority that certifies members. */
function RegistrySheet({ authority }: { authority: RootAuthority | null }) {
  return (
    <Sheet title="Registry’s certificate authority">
      {authority === null ? (
        <EmptyState title="Not set up yet" picture={false}>
          It is made together with the trust anchor, and certifies every member.
        </EmptyState>
      ) : (
        <KeyValueList
          items={[
            {
              key: 'Key',
              value: <KeyText keyIdentifier={authority.keyIdentifier} />,
            },
            { key: 'Kept', value: keyPlaceWords[authority.keyPlace] },
            {
              key: 'Certificate valid until',
              value: authority.certificate ? <DateText value={authority.certificate.notAfter} shape="date" /> : 'Not certified yet',
            },
            ...(authority.certificate
              ? [
                  {
                    key: 'Certified resources',
                    value: (
                      <span className={styles.resources}>
                        {authority.certificate.resources.map(resource => (
                          <ResourceName key={resource} kind={kindOf(resource)} text={resource} />
                        ))}
                      </span>
                    ),
                  },
                ]
              : []),
            ...(authority.manifest
              ? [
                  {
                    key: 'Manifest and CRL',
                    value: (
                      <>
                        Number {formatCount(authority.manifest.number)}, until <DateText value={authority.manifest.nextUpdate} />
                      </>
                    ),
                  },
                ]
              : []),
          ]}
        />
      )}
    </Sheet>
  );
}

/** Keys that the publisher makes ahead: each signed object takes one, and making one takes a hundred times as long as signing. */
function KeysSheet({ keys: { ready, wanted } }: Pick<RpkiOverview, 'keys'>) {
  return (
    <Sheet title="One-time keys">
      <Stack gap={8}>
        {wanted > 0 && (
          <ProgressBar
            label="Ready"
            done={Math.min(ready, wanted)}
            total={wanted}
            words={`${formatCount(ready)} of ${formatCount(wanted)}`}
          />
        )}
        <p className="small quiet">
          Each signed object takes a key of its own. The publisher makes them ahead when there is time; without any, publishing is slower.
        </p>
      </Stack>
    </Sheet>
  );
}
