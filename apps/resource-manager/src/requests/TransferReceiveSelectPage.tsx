import { Term } from '@portal/app-kit/words/Term';
import { Page, read, useAccount, useAddress, useAnswer, useChange, useRefusal } from '@portal/app-kit';
import { requests } from '@portal/contract/requests/requests';
import { Button, DateText, EmptyState, LinkButton, Sheet, SkeletonRows, Stack } from '@portal/ui';
import { caseAddress } from '../shell/case-words.ts';
import { FirstRead } from '../shell/FirstRead.tsx';
import { CasesTable } from './CasesTable.tsx';
import styles from './Requests.module.css';

const query = { status: 'open' as const, limit: 100, offset: 0 };

/** /resources/transfer_receive_select: offers that wait for the account, and how to prepare for one. */
export default function TransferReceiveSelectPage() {
  const { accountName: account } = useAccount();
  return (
    <Page
      title="Transfer in"
      sub={
        <>
          Offers of other <Term name="holder">holders</Term>, and what to do before you receive one.
        </>
      }
    >
      <FirstRead reads={[read(requests.listRequests, { account, query })]} fallback={<SkeletonRows rows={6} label="Loading offers" />}>
        <Offers />
      </FirstRead>
    </Page>
  );
}

function Offers() {
  const { accountName: account } = useAccount();
  const offers = useAnswer(requests.listRequests, { account, query }).rows.filter(
    ({ role, state }) => role === 'recipient' && state === 'offered',
  );
  return (
    <Stack gap={16}>
      <Sheet title="Offers" meta={`${offers.length} open`} flush>
        {offers.length === 0 ? (
          <EmptyState title="No open offers" action={<LinkButton href="/resources/ipv4_pre-approval_form">Get pre-approved</LinkButton>}>
            Offers of other holders appear here. A pre-approval makes receiving quicker.
          </EmptyState>
        ) : (
          <ul className={styles.list}>
            {offers.map(offer => (
              <li key={offer.requestId}>
                <div>
                  <div className="strong">{offer.asked}</div>
                  <div className="small quiet">
                    From {offer.otherParty}, {offer.reference}.{' '}
                    {offer.expiresAt && (
                      <>
                        Answer by <DateText value={offer.expiresAt} shape="day" />.
                      </>
                    )}
                  </div>
                </div>
                <LinkButton href={caseAddress(offer)}>View offer</LinkButton>
              </li>
            ))}
          </ul>
        )}
      </Sheet>
      <Sheet title="Prepare">
        <Stack gap={8}>
          <p className="small">Show your need once and receive transfers up to that size without a new plan each time.</p>
          <div>
            <LinkButton href="/resources/ipv4_pre-approval_form">IPv4 pre-approval</LinkButton>{' '}
            <LinkButton href="/resources/availableListings">Transfer listings</LinkButton>
          </div>
        </Stack>
      </Sheet>
      <FromElsewhere />
      <CasesTable />
    </Stack>
  );
}

/** Starts a transfer from another registry, as its recipient. */
function FromElsewhere() {
  const { accountName: account } = useAccount();
  const address = useAddress();
  const refusal = useRefusal(requests.startRequest);
  const start = useChange(requests.startRequest, {
    refresh: [requests.listRequests],
    onDone: request => address.go(caseAddress(request)),
  });
  return (
    <Sheet title="From another registry">
      <Stack gap={8}>
        <p className="small">
          The holder starts the transfer at its own registry. You show your need here, so that both registries can complete it together.
        </p>
        <div>
          <Button
            busy={start.isPending}
            refusal={refusal}
            onClick={() => start.mutate({ account, body: { kind: 'transfer', incoming: true } })}
          >
            Start transfer in
          </Button>
        </div>
      </Stack>
    </Sheet>
  );
}
