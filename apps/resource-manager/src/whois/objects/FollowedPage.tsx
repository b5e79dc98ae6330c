import { Page, useAccount, useAnswer, useChange } from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { maxFollows, type WhoisFollow, whoisFollows } from '@portal/contract/whois/follows';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { Breadcrumb, Button, DateText, EmptyState, formatCount, Link, LinkButton, Sheet } from '@portal/ui';
import { type Column, DataTable, emptyTableState } from '@portal/ui/table/DataTable';
import { useState } from 'react';
import { hrefOfList, hrefOfObject } from '../text/object-address.ts';

const hrefOf = ({ class: objectClass, shown }: WhoisFollow): string =>
  objectClass === null ? recordAddress(shown) : hrefOfObject(objectClass, shown);

const columns: Column<WhoisFollow>[] = [
  {
    id: 'shown',
    label: 'What',
    cell: row => (
      <Link href={hrefOf(row)} className="mono strong">
        {spacedKey(row.shown)}
      </Link>
    ),
    text: row => row.shown,
    fixed: true,
    wrap: true,
  },
  {
    id: 'class',
    label: 'Kind',
    cell: ({ class: objectClass, gone }) =>
      objectClass === null ? 'all in whois' : <span className="mono nw">{gone ? `${objectClass}, deleted` : objectClass}</span>,
    card: 'state',
  },
  {
    id: 'changedAt',
    label: 'Last changed',
    cell: ({ changedAt }) => (changedAt === null ? '' : <DateText value={changedAt} />),
    look: 'quiet',
  },
  { id: 'followedAt', label: 'Followed since', cell: ({ followedAt }) => <DateText value={followedAt} shape="date" />, look: 'quiet' },
  { id: 'unfollow', label: 'Follow', cell: row => <Unfollow row={row} />, align: 'end', fixed: true },
];

function Unfollow({ row }: { row: WhoisFollow }) {
  const { accountName: account } = useAccount();
  const unfollow = useChange(whoisFollows.unfollow, { refresh: [whoisFollows.listFollows] });
  return (
    <Button
      size="s"
      busy={unfollow.isPending}
      aria-label={`Stop following ${row.class ?? 'details'} ${spacedKey(row.shown)}`}
      onClick={() => unfollow.mutate({ account, followId: String(row.followId) })}
    >
      Stop
    </Button>
  );
}

/** The person's follows, each with a button to stop. */
export function FollowedPage() {
  const { accountName: account } = useAccount();
  const { rows } = useAnswer(whoisFollows.listFollows, { account });
  const [state, setState] = useState(emptyTableState);
  return (
    <Page
      title="Followed"
      sub="You get a notification with the changes when someone else changes one of these. Only you see this list."
      breadcrumb={<Breadcrumb items={[{ label: 'Whois updates', href: hrefOfList() }, { label: 'Followed' }]} />}
      actions={<LinkButton href="/settings">Notification settings</LinkButton>}
    >
      <Sheet flush aria-label="Followed">
        <DataTable
          caption="What you follow"
          columns={columns}
          rows={rows}
          rowId={row => String(row.followId)}
          state={state}
          onStateChange={setState}
          pageSize={maxFollows}
          countLabel={
            <span className="nw">
              {formatCount(rows.length)} of at most {formatCount(maxFollows)}
            </span>
          }
          empty={
            <EmptyState title="You aren’t following anything yet" action={<LinkButton href={hrefOfList()}>See whois objects</LinkButton>}>
              Select Follow on the page of an object, prefix or AS number.
            </EmptyState>
          }
        />
      </Sheet>
    </Page>
  );
}
