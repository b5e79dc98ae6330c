import {
  type CallAnswer,
  FailureBanner,
  Page,
  read,
  reading,
  useAccount,
  useAddress,
  useAnswer,
  useChange,
  useKit,
  useRefusal,
} from '@portal/app-kit';
import { recordAddress } from '@portal/contract/records/record-address';
import { listedItems, type RouteChangeItem, type RouteEffect, type RouteFacts, routes } from '@portal/contract/routes/routes';
import { type WhoisConsent, whoisConsents } from '@portal/contract/whois/consents';
import { spacedKey } from '@portal/contract/whois/spaced-key';
import { formatCount, printAsNumber } from '@portal/number-resources';
import {
  Badge,
  type BadgeKind,
  Banner,
  Button,
  DateText,
  EmptyState,
  KeyValueList,
  Link,
  LinkButton,
  ResourceName,
  Sheet,
  SkeletonRows,
  Stack,
  StateMark,
} from '@portal/ui';
import { ConfirmDialog } from '@portal/ui/overlay/Dialog';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FirstRead } from '../../shell/FirstRead.tsx';
import { usePollingDelay } from '../../shell/polling.ts';
import { ResourcesBreadcrumb } from '../ResourcesBreadcrumb.tsx';
import { routeReads } from './ChangeReview.tsx';
import { harmOf } from './ConfirmEffect.tsx';
import { RouteConsents } from './RouteConsents.tsx';
import styles from './Routes.module.css';
import { detailsPath, kindOf, requestsPath } from './route-words.ts';

const done: Record<RouteChangeItem['results'][number]['done'], { word: string; kind: BadgeKind }> = {
  added: { word: 'Added', kind: 'valid' },
  changed: { word: 'Changed', kind: 'valid' },
  removed: { word: 'Removed', kind: 'neutral' },
  adopted: { word: 'Adopted', kind: 'line' },
  waits: { word: 'Sent for consent', kind: 'pending' },
};
/** Words for an object awaiting consent, by the answer, while the request is listed. */
const consents: Record<WhoisConsent['state'], { word: string; kind: BadgeKind }> = {
  waiting: { word: 'Waiting for consent', kind: 'pending' },
  accepted: { word: 'Added after consent', kind: 'valid' },
  failed: { word: 'Not possible after consent', kind: 'invalid' },
  refused: { word: 'Consent refused', kind: 'invalid' },
  withdrawn: { word: 'Withdrawn', kind: 'neutral' },
  expired: { word: 'Expired without an answer', kind: 'neutral' },
};
const actions = { add: 'Added', change: 'Changed', remove: 'Deleted', adopt: 'Adopted' } as const;
const labels: Partial<Record<keyof RouteFacts, string>> = {
  maxLength: 'maximum length',
  roa: 'ROA',
  whois: 'route object',
  subRoutes: 'sub-routes',
  descr: 'description',
  maintainer: 'maintainer',
  attributes: 'other attributes',
  comment: 'comment',
  owner: 'owner',
};
const print = (value: RouteFacts[keyof RouteFacts]): string =>
  typeof value === 'boolean' ? (value ? 'on' : 'off') : Array.isArray(value) ? value.join(' ') || 'none' : String(value) || 'empty';

/** Returns the differences between two states of a route, in words. */
function differences({ before, after }: RouteChangeItem): string[] {
  if (!before || !after) return [];
  return (Object.keys(labels) as (keyof RouteFacts)[])
    .filter(name => print(before[name]) !== print(after[name]))
    .map(name => `${labels[name]}: ${print(before[name])} → ${print(after[name])}`);
}

/** One change of routes (`?id=`): the result for each object, and the way to undo it. */
export default function RequestDetailsPage() {
  const account = useAccount().accountName;
  const address = useAddress();
  const changeId = address.get('id') ?? '';
  const offset = Number(address.get('offset') ?? '0');
  return (
    <Page title="Route request" breadcrumb={<ResourcesBreadcrumb page="Routes" />}>
      {changeId === '' ? (
        <Sheet aria-label="Route request">
          <EmptyState title="No request chosen" action={<LinkButton href={requestsPath}>See all requests</LinkButton>}>
            Choose a change from the list to see what it wrote.
          </EmptyState>
        </Sheet>
      ) : (
        <FirstRead
          key={changeId}
          reads={[read(routes.getChange, { account, changeId, query: { offset } })]}
          fallback={
            <Sheet flush aria-label="Route request">
              <SkeletonRows rows={5} label="Loading the change" />
            </Sheet>
          }
        >
          <Details changeId={changeId} offset={offset} />
        </FirstRead>
      )}
    </Page>
  );
}

/** Says whether validators find the ROAs of a change. */
function RoaReceipt({ state, serial }: { state: 'done' | 'waiting' | 'elsewhere'; serial: number | null }) {
  if (state === 'waiting') return <StateMark state="pending">Not published yet</StateMark>;
  const words = serial === null ? 'Withdrawn from the repository' : `In RRDP serial ${serial}`;
  return state === 'done' ? <StateMark state="valid">{words}</StateMark> : <span>{words}</span>;
}

function Details({ changeId, offset }: { changeId: string; offset: number }) {
  const { accountName: account } = useAccount();
  const { call, notify } = useKit();
  const address = useAddress();
  const refusal = useRefusal(routes.undoChange);
  const change = useAnswer(routes.getChange, { account, changeId, query: { offset } });
  const delay = usePollingDelay();
  useQuery({
    ...reading(call, routes.getChange, { account, changeId, query: { offset } }),
    refetchInterval: change.roas?.state === 'waiting' ? delay : false,
  });
  const [asks, setAsks] = useState(false);
  const undo = useChange(routes.undoChange, {
    refresh: routeReads,
    showsErrors: true,
    onDone(saved) {
      setAsks(false);
      notify({ text: `${saved.summary}.` });
      address.go(`${detailsPath}?id=${saved.changeId}`);
    },
    onProposed: () => setAsks(false),
  });
  // The effect of the undo on announcements, once the registry requires their number.
  const effect = undo.error?.code === 'ROUTES_INVALIDATE' ? (undo.error.current as RouteEffect) : null;
  return (
    <Stack gap={16}>
      <Sheet
        title={change.summary}
        actions={
          change.undoUntil !== null && (
            <Button icon="refresh" refusal={refusal} onClick={() => setAsks(true)}>
              Undo
            </Button>
          )
        }
      >
        <ChangeFacts change={change} />
      </Sheet>
      {change.waiting > 0 && (
        <Banner kind="pending" title="Consent was requested.">
          Route objects from another member’s AS number wait up to 7 days for an answer. The result is below.
        </Banner>
      )}
      <Sheet flush title="Result for each object" {...(change.total > change.items.length && pageOf(change, offset))}>
        <Results change={change} />
      </Sheet>
      {change.waiting > 0 && <RouteConsents />}
      <ConfirmDialog
        open={asks}
        onClose={() => setAsks(false)}
        title="Undo this change?"
        act="Undo change"
        kind="danger"
        busy={undo.isPending}
        {...(effect && { typed: { label: `Type ${effect.toConfirm} to confirm`, text: String(effect.toConfirm) } })}
        onAct={() => undo.mutate({ account, changeId, body: effect ? { invalidating: effect.toConfirm } : {} })}
        error={effect ? null : <FailureBanner failure={undo.error} />}
      >
        <p>Routes, ROAs and route objects are immediately as they were before it. Announcements can become valid, invalid or not found.</p>
        {effect && <Banner kind="error">{harmOf(effect)}</Banner>}
      </ConfirmDialog>
    </Stack>
  );
}

type RouteChange = CallAnswer<typeof routes.getChange>;

/** Which routes of a long change are shown, and the ways to the others. */
const pageOf = ({ changeId, items, total, next }: RouteChange, offset: number) => ({
  meta: `${formatCount(offset + 1)} to ${formatCount(offset + items.length)} of ${formatCount(total)} routes`,
  actions: (
    <>
      {offset > 0 && (
        <LinkButton size="s" href={`${detailsPath}?id=${changeId}&offset=${Math.max(0, offset - listedItems)}`}>
          Previous
        </LinkButton>
      )}
      {next !== null && (
        <LinkButton size="s" href={`${detailsPath}?id=${changeId}&offset=${next}`}>
          Next
        </LinkButton>
      )}
    </>
  ),
});

const ChangeFacts = ({ change }: { change: RouteChange }) => (
  <KeyValueList
    align="left"
    items={[
      { key: 'By', value: change.madeBy },
      { key: 'When', value: <DateText value={change.madeAt} /> },
      ...(change.roas === null ? [] : [{ key: 'ROAs', value: <RoaReceipt {...change.roas} /> }]),
      ...(change.undoUntil === null ? [] : [{ key: 'Can be undone until', value: <DateText value={change.undoUntil} /> }]),
      ...(change.undoes === null
        ? []
        : [{ key: 'Undoes', value: <Link href={`${detailsPath}?id=${change.undoes}`}>an earlier change</Link> }]),
      ...(change.undoneBy === null
        ? []
        : [{ key: 'Undone by', value: <Link href={`${detailsPath}?id=${change.undoneBy}`}>a later change</Link> }]),
    ]}
  />
);

/** The objects that a change wrote, with the answers of those who were asked for consent. */
function Results({ change }: { change: RouteChange }) {
  const { accountName: account } = useAccount();
  const { call } = useKit();
  const { data: asked } = useQuery({ ...reading(call, whoisConsents.listConsents, { account }), enabled: change.waiting > 0 });
  const resultOf = ({ done: what, consentId }: RouteChangeItem['results'][number]) => {
    const consent = what === 'waits' ? asked?.asked.find(each => each.consentId === consentId) : undefined;
    return consent ? consents[consent.state] : done[what];
  };
  return (
    <ul className={`${styles.list} ${styles.flush}`} aria-label="Result for each object">
      {change.items.map(item => {
        const { prefix, asn } = (item.after ?? item.before)!;
        return (
          <li key={`${prefix} ${asn}`}>
            <span className={styles.grow}>
              <ResourceName kind={kindOf(prefix)} text={prefix} href={recordAddress(prefix)} />{' '}
              <span className="mono">{printAsNumber(asn)}</span> <span className="quiet">{actions[item.action]}</span>
              {differences(item).map(words => (
                <span key={words} className="small quiet">
                  {' '}
                  {words}.
                </span>
              ))}
            </span>
            {item.results.map(result => (
              <span key={result.object} className="nw">
                <Badge kind={resultOf(result).kind}>{resultOf(result).word}</Badge>{' '}
                <span className="mono small">{spacedKey(result.object)}</span>
              </span>
            ))}
            {item.results.length === 0 && <span className="small quiet">only the list of routes</span>}
          </li>
        );
      })}
    </ul>
  );
}
