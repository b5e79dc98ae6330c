import { Page, reading, useAnswer, useDateFormat, useKit } from '@portal/app-kit';
import { pages } from '@portal/contract/pages';
import { rpkiDesk, type RootAuthority, type RpkiOverview } from '@portal/contract/rpki/desk';
import { Banner, EmptyState, formatCount, Grid, ProgressBar, Sheet, Stack } from '@portal/ui';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { MemberAuthorities } from './MemberAuthorities.tsx';
import { PublicationSheet } from './PublicationSheet.tsx';
import { RootAuthorityFacts } from './RootAuthorityFacts.tsx';
import { alarmWords, whenIn } from './rpki-words.ts';
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

/** The authority that certifies members. */
function RegistrySheet({ authority }: { authority: RootAuthority | null }) {
  return (
    <Sheet title="Registry’s certificate authority">
      {authority === null ? (
        <EmptyState title="Not set up yet" picture={false}>
          It is made together with the trust anchor, and certifies every member.
        </EmptyState>
      ) : (
        <RootAuthorityFacts authority={authority} uncertified="Not certified yet" showsResources />
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
