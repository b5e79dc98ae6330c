import { Page, read, useAccount, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { type RequestCheck, requests } from '@portal/contract/requests/requests';
import { Banner, Button, Checkbox, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { useState } from 'react';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CaseView } from './CaseView.tsx';

/** /resources/ipv6-oneclick/confirm: IPv6 for a member with IPv4, without questions. */
export default function OneClickPage() {
  const { accountName: account } = useAccount();
  return (
    <Page title="IPv6 in one click" sub="For members that hold IPv4 and no IPv6.">
      <FirstRead
        reads={[read(requests.getEligibility, { account, kind: 'ipv6' })]}
        fallback={<SkeletonRows rows={4} label="Loading the offer" />}
      >
        <Confirm />
      </FirstRead>
    </Page>
  );
}

/** The fact that prevents IPv6 in one click. */
function whyNot(account: string, checks: readonly RequestCheck[]): string {
  const held = checks.find(({ checkId }) => checkId === 'ipv6-held');
  const unmet = checks.find(({ state }) => state === 'unmet');
  if (unmet) return `${unmet.fact}: ${unmet.known}.`;
  return held && held.known !== 'None' ? `${account} holds ${held.known}.` : `${account} holds no current IPv4.`;
}

function Confirm() {
  const { accountName: account } = useAccount();
  const { oneClick, checks } = useAnswer(requests.getEligibility, { account, kind: 'ipv6' });
  const [agreed, setAgreed] = useState(false);
  const refusal = useRefusal(requests.confirmOneClick);
  const confirm = useChange(requests.confirmOneClick, { refresh: [requests.listRequests] });
  if (confirm.data) return <CaseView request={confirm.data} />;
  if (!oneClick)
    return (
      <Banner
        kind="info"
        title="Not available for this account."
        actions={
          <LinkButton size="s" href="/resources/ipv6_request_form">
            Request IPv6
          </LinkButton>
        }
      >
        {whyNot(account, checks)} It’s for open accounts with current IPv4 and no IPv6, with nothing overdue.
      </Banner>
    );
  return (
    <Sheet title={`A /${oneClick.length} for ${account}`}>
      <Stack gap={12}>
        <p>
          {oneClick.why}. The block is delegated immediately and appears in whois, RDAP and the statistics files. It can’t be exchanged for
          another one.
        </p>
        <Checkbox checked={agreed} onChange={event => setAgreed(event.target.checked)}>
          We will use it for our network and keep its registration up to date
        </Checkbox>
        <div>
          <Button
            variant="commit"
            busy={confirm.isPending}
            refusal={refusal ?? (agreed ? null : { reason: 'Accept the conditions' })}
            onClick={() => confirm.mutate({ account, body: { agreed: true } })}
          >
            Get a /{oneClick.length}
          </Button>
        </div>
      </Stack>
    </Sheet>
  );
}
