import { useAccount, useAddress, useChange, useKit } from '@portal/app-kit';
import { consentDays, missingConsent, whoisConsents } from '@portal/contract/whois/consents';
import type { WhoisOutcome } from '@portal/contract/whois/whois';
import { Banner, Button, Stack } from '@portal/ui';
import { useState } from 'react';
import { hrefOfList } from '../text/object-address.ts';
import { RefusedOutcomes } from '../tasks/RefusedOutcomes.tsx';

type Props = {
  outcomes: readonly { state: string; problems: WhoisOutcome['problems'] }[];
  /** The refused objects, separated by empty lines. */
  text: string;
  onAsked?: () => void;
};

/** Offers to request consent if only that of one other party is missing. Renders nothing if there are other errors. */
export function AskForConsent({ outcomes, text, onAsked }: Props) {
  const { accountName: account } = useAccount();
  const { notify } = useKit();
  const address = useAddress();
  const [failed, setFailed] = useState<readonly WhoisOutcome[]>([]);
  const ask = useChange(whoisConsents.askForConsent, {
    refresh: [whoisConsents.listConsents],
    onDone({ consent, outcomes: told }) {
      if (!consent) return setFailed(told.filter(({ state }) => state === 'failed'));
      notify({ text: `Consent requested from ${consent.maintainers.join(' or ')}. The update is under Whois updates until they answer.` });
      onAsked?.();
      address.go(hrefOfList());
    },
  });
  const names = missingConsent(outcomes);
  if (!names) return null;
  return (
    <Stack gap={8}>
      <Banner kind="info" title={`Only the consent of ${names.join(' or ')} is missing.`}>
        You can request it. The update is kept for {consentDays} days. It’s saved as soon as they agree, and you get an e-mail either way.
      </Banner>
      <RefusedOutcomes outcomes={failed} title="Consent can’t be requested any more. Problems:" />
      <div>
        <Button variant="primary" icon="mail" busy={ask.isPending} onClick={() => ask.mutate({ account, body: { text } })}>
          Request consent
        </Button>
      </div>
    </Stack>
  );
}
