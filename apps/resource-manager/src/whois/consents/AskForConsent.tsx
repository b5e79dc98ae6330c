import { useAccount, useAddress, useChange, useKit } from '@portal/app-kit';
import { consentDays, missingConsent, whoisConsents } from '@portal/contract/whois/consents';
import type { WhoisOutcome } from '@portal/contract/whois/whois';
import { Banner, Button, Stack } from '@portal/ui';
import { useState } from 'react';
import { hrefOfList } from '../objects/object-address.ts';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';

type Props = {
  outcomes: readonly { state: string; problems: WhoisOutcome['problems'] }[];
  /** The objects that were refused, parted by empty lines. */
  text: string;
  onAsked?: () => void;
};

/** Offers to ask for consent if that of one other party is all that is missing. Renders nothing if there are other errors. */
export function AskForConsent({ outcomes, text, onAsked }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [failed, setFailed] = useState<readonly WhoisOutcome[]>([]);
  const ask = useChange(whoisConsents.askForConsent, {
    refresh: [whoisConsents.listConsents],
    onDone({ consent, outcomes: told }) {
      if (!consent) return setFailed(told.filter(({ state }) => state === 'failed'));
      notify({ text: `${consent.maintainers.join(' or ')} was asked. The update waits for the answer under Whois updates.` });
      onAsked?.();
      address.go(hrefOfList());
    },
  });
  const names = missingConsent(outcomes);
  if (!names) return null;
  return (
    <Stack gap={8}>
      <Banner kind="info" title={`Only the word of ${names.join(' or ')} is missing.`}>
        You can ask for it. The update waits {consentDays} days; when they agree, it is written at once, and you get a mail either way.
      </Banner>
      <RefusedOutcomes outcomes={failed} title="It cannot wait any more. Everything that stands against it:" />
      <div>
        <Button variant="primary" icon="mail" busy={ask.isPending} onClick={() => ask.mutate({ account, body: { text } })}>
          Ask for consent
        </Button>
      </div>
    </Stack>
  );
}
