import { Term } from '@portal/app-kit/words/Term';
import { Page, read, useAccount, useAnswer } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { resourceLocks } from '@portal/contract/resources/locks';
import { Banner, Grid, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { AccountNote } from '../shell/AccountNote.tsx';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CasesTable } from './CasesTable.tsx';
import { Checklist } from './Checklist.tsx';
import { LocksSheet } from './LocksSheet.tsx';

/** /resources/transfer_request_select: what can be transferred, and how. */
export default function TransferSelectPage() {
  const { accountName: account } = useAccount();
  return (
    <Page
      title="Transfer out"
      sub={
        <>
          Choose why <Term name="resources">resources</Term> leave the account. Each way has its own rules.
        </>
      }
    >
      <AccountNote />
      <FirstRead
        reads={[
          read(requests.getEligibility, { account, kind: 'transfer' }),
          read(requests.listMovable, { account }),
          read(resourceLocks.listLocks, { account }),
        ]}
        fallback={<SkeletonRows rows={6} label="Loading transfers" />}
      >
        <Choice />
      </FirstRead>
    </Page>
  );
}

function Choice() {
  const { accountName: account } = useAccount();
  const { checks, terms } = useAnswer(requests.getEligibility, { account, kind: 'transfer' });
  const { rows, why } = useAnswer(requests.listMovable, { account });
  const onHold = rows.flatMap(({ resource, against }) => (against.acquisition === null ? [] : [{ resource, reason: against.acquisition }]));
  return (
    <Stack gap={16}>
      {why && <Banner kind="warning">{why}</Banner>}
      {onHold.length > 0 && (
        <Banner>
          {onHold
            .slice(0, 5)
            .map(({ resource, reason }) => `${resource}: ${reason.charAt(0).toLowerCase() + reason.slice(1)}`)
            .join('. ')}
          .
        </Banner>
      )}
      <Grid columns="split-wide">
        <Stack gap={16}>
          <Way title="Unused IPv4 or AS numbers" href="/resources/ipv4_transfer_request" act="Start a transfer">
            {`To another account, a national registry or another regional registry. The recipient shows its need and has ${terms.acknowledgeDays} days to acknowledge.`}
          </Way>
          <Way title="Merger, acquisition or reorganisation" href="/resources/acquisition_transfer_request" act="Start a merger">
            IPv4, IPv6 and AS numbers go to the organisation that took over yours, with legal documents. No transfer fee.
          </Way>
          <Way title="Return to the registry" href="/resources/ipv4_transfer_return" act="Start a return">
            Resources you no longer need. They’re quarantined for some months before anyone else gets them.
          </Way>
          <Way title="Offer space without a recipient yet" href="/resources/availableListings" act="View listings">
            The transfer listings show it to all account holders.
          </Way>
        </Stack>
        <Checklist checks={checks} kind="transfer" title="Before you start" />
      </Grid>
      <LocksSheet />
      <CasesTable />
    </Stack>
  );
}

function Way({ title, href, act, children }: { title: string; href: string; act: string; children: string }) {
  return (
    <Sheet
      title={title}
      actions={
        <LinkButton href={href} aria-label={`${act}: ${title}`}>
          {act}
        </LinkButton>
      }
    >
      <p className="small">{children}</p>
    </Sheet>
  );
}
