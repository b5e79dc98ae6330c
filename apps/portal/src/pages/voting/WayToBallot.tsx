import { useDateFormat } from '@portal/app-kit';
import { useLive } from '@portal/app-kit/calls/live';
import { voting } from '@portal/contract/elections/voting';
import { proxyVotes } from '@portal/contract/encrypted-ballots/proxy-votes';
import { ButtonRow, DateText, Icon, LinkButton, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';

/** The address of a ballot; the registry's own ballot shows its times in this zone too. */
function ballotAddress(url: string, host: string | null, timeZone: string): string {
  if (host !== null) return url;
  const address = new URL(url, location.href);
  address.searchParams.set('zone', timeZone);
  return address.href;
}

/** Opens the ballot within the click handler, because the browser would block it otherwise; without an opener. */
export function useOpenBallot(host: string | null): (ballot: { url: string }) => void {
  const { timeZone } = useDateFormat();
  return ({ url }) => void window.open(ballotAddress(url, host, timeZone), '_blank', 'noopener');
}

/** Reads that a cast ballot puts out of date. */
const told = [voting.getMemberVoting, voting.getAttendeeVoting, proxyVotes.listProxyVotes];

/** A plain ballot to open, in a window of its own. */
export function WayToBallot({
  host,
  opened,
  note,
  children,
}: {
  host: string | null;
  opened: { url: string; expiresAt: string } | undefined;
  note?: string;
  /** The button. */
  children: ReactNode;
}) {
  const { timeZone } = useDateFormat();
  useLive('ballot', told);
  return (
    <Sheet title="Your ballot">
      <Stack gap={12}>
        <p>
          The ballot opens in the {host ? `voting system ${host}` : 'ballot program of the registry'}, in a new window. This page updates
          after you vote.
        </p>
        <ButtonRow>
          {children}
          {opened && (
            <LinkButton href={ballotAddress(opened.url, host, timeZone)} target="_blank" rel="noopener">
              No new window? Open it here <Icon name="external" />
            </LinkButton>
          )}
        </ButtonRow>
        {opened && (
          <output className="small quiet">
            The ballot is open until <DateText value={opened.expiresAt} />. Open it again after that. {note}
          </output>
        )}
      </Stack>
    </Sheet>
  );
}
