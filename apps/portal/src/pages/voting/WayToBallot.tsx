import { ButtonRow, DateText, Icon, LinkButton, Sheet, Stack } from '@portal/ui';
import type { ReactNode } from 'react';

/** Opens the ballot within the click handler, because the browser would block it otherwise; without an opener. */
export const openBallot = ({ url }: { url: string }): void => void window.open(url, '_blank', 'noopener');

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
            <LinkButton href={opened.url} target="_blank" rel="noopener">
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
